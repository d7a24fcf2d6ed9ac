// Model files in programs that have set a locale, where the decimal point may be a comma or several bytes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "discern/persist/model_file.hpp"
#include "tests/persist/sample_models.hpp"

namespace discern::model_locale_test {
namespace {

namespace fs = std::filesystem;

// Sets how the whole program writes numbers, by the rules of a country; sets back what was there in the end.
// Rules that the system has not are compiled from its sources (Debian's package "locales").
class Locales {
 public:
  Locales() : previous_(std::setlocale(LC_NUMERIC, nullptr)) {
    std::string name = (fs::temp_directory_path() / "discern-locales-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) folder_ = name;
  }
  ~Locales() {
    std::setlocale(LC_NUMERIC, previous_.c_str());
    ::unsetenv("LOCPATH");
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  Locales(const Locales&) = delete;
  Locales& operator=(const Locales&) = delete;

  bool set(const std::string& name) const {
    if (std::setlocale(LC_NUMERIC, (name + ".UTF-8").c_str()) != nullptr) return true;
    if (folder_.empty()) return false;
    const std::string source = folder_ + "/source", compiled = name + "-numbers";
    std::ofstream(source) << "LC_NUMERIC\ncopy \"" + name + "\"\nEND LC_NUMERIC\n";
    const std::string make = "localedef -c -i " + source + " -f UTF-8 " + folder_ + "/" + compiled;
    const int ignored = std::system((make + " >/dev/null 2>&1").c_str());  // it complains of what is left out
    ::setenv("LOCPATH", folder_.c_str(), 1);
    return std::setlocale(LC_NUMERIC, compiled.c_str()) != nullptr && ignored >= 0;
  }

 private:
  std::string previous_;
  std::string folder_;
};

TEST(ModelFile, HasTheSameBytesAndTheSameNumbersInEveryLocale) {
  const std::vector<SampleModel> samples = sample_models();
  std::vector<std::string> expected;
  for (const auto& sample : samples) expected.push_back(model_to_bytes(sample.model));
  const Locales locales;
  for (const char* name : {"de_DE", "pt_PT", "ps_AF"}) {
    const bool available = locales.set(name);
    RecordProperty(name, available ? "set" : "not available here");
    for (std::size_t i = 0; i < samples.size(); ++i) {
      EXPECT_EQ(model_to_bytes(samples[i].model), expected[i]) << name << ' ' << samples[i].name;
      const Model loaded = model_from_bytes(expected[i]);
      EXPECT_EQ(model_to_bytes(loaded), expected[i]) << name << ' ' << samples[i].name;
      EXPECT_EQ(loaded.summary.tolerance, samples[i].model.summary.tolerance)
          << name << ' ' << samples[i].name;
    }
  }
}

RC_GTEST_PROP(ModelFile, EveryDoubleOfTheSummaryComesBackExactly, (std::uint64_t bits)) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  Model model = two_class_model();
  model.summary.objective = value;
  model.summary.certificate.value = value;
  const Model loaded = model_from_bytes(model_to_bytes(model));
  if (std::isnan(value)) {
    RC_ASSERT(std::isnan(*loaded.summary.objective));
  } else {
    RC_ASSERT(std::memcmp(&*loaded.summary.objective, &value, sizeof value) == 0);
    RC_ASSERT(std::memcmp(&loaded.summary.certificate.value, &value, sizeof value) == 0);
  }
}

}  // namespace
}  // namespace discern::model_locale_test
