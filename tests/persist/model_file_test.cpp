#include "discern/persist/model_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/io/binary/safetensors.hpp"
#include "tests/persist/sample_models.hpp"

namespace discern::model_file_test {
namespace {

namespace fs = std::filesystem;

// An empty directory that is gone after the test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "discern-model-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~Folder() {
    fs::permissions(path_, fs::perms::owner_all);
    fs::remove_all(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

Error refusal(const std::string& path) {
  try {
    load_model(path);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << path << " was loaded";
  return Error(Code::usage, "");
}

bool same(const Matrix& a, const Matrix& b) { return a.rows() == b.rows() && a.cols() == b.cols() && a == b; }
bool same(const Vector& a, const Vector& b) { return a.size() == b.size() && a == b; }

// Member by member, so that a member which is neither written nor read is noticed.
void expect_same(const Reduction& a, const Reduction& b) {
  EXPECT_EQ(a.strategy, b.strategy);
  EXPECT_EQ(a.combining, b.combining);
  EXPECT_EQ(a.loss, b.loss);
  ASSERT_EQ(a.code.size(), b.code.size());
  for (std::size_t l = 0; l < a.code.size(); ++l) {
    EXPECT_EQ(a.code[l].positive, b.code[l].positive);
    EXPECT_EQ(a.code[l].negative, b.code[l].negative);
  }
  ASSERT_EQ(a.calibration.has_value(), b.calibration.has_value());
  if (!a.calibration) return;
  EXPECT_TRUE(same(a.calibration->slope, b.calibration->slope));
  EXPECT_TRUE(same(a.calibration->offset, b.calibration->offset));
  EXPECT_EQ(a.calibration->starts, b.calibration->starts);
  EXPECT_TRUE(same(a.calibration->scores, b.calibration->scores));
  EXPECT_TRUE(same(a.calibration->proba, b.calibration->proba));
}

void expect_same(const Model& a, const Model& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.task, b.task);
  EXPECT_EQ(a.target, b.target);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.positive, b.positive);
  ASSERT_EQ(a.decision.has_value(), b.decision.has_value());
  if (a.decision) {
    EXPECT_EQ(a.decision->threshold, b.decision->threshold);
    EXPECT_EQ(a.decision->reject, b.decision->reject);
    EXPECT_TRUE(same(a.decision->cost, b.decision->cost));
    EXPECT_TRUE(same(a.decision->prior_ratio, b.decision->prior_ratio));
  }
  EXPECT_TRUE(same(a.priors, b.priors));
  ASSERT_EQ(a.statistics.size(), b.statistics.size());
  for (std::size_t i = 0; i < a.statistics.size(); ++i) {
    EXPECT_EQ(a.statistics[i].name, b.statistics[i].name);
    EXPECT_EQ(a.statistics[i].shape, b.statistics[i].shape);
    EXPECT_EQ(a.statistics[i].values, b.statistics[i].values);
  }
  ASSERT_EQ(a.reduction.has_value(), b.reduction.has_value());
  if (a.reduction) expect_same(*a.reduction, *b.reduction);
  EXPECT_EQ(a.options, b.options);
  EXPECT_EQ(a.standardized, b.standardized);
  EXPECT_EQ(a.samples, b.samples);
  EXPECT_EQ(a.summary.solver, b.summary.solver);
  EXPECT_EQ(a.summary.reason, b.summary.reason);
  EXPECT_EQ(a.summary.objective.has_value(), b.summary.objective.has_value());
  EXPECT_EQ(a.summary.iterations, b.summary.iterations);
  EXPECT_EQ(a.summary.converged, b.summary.converged);
  EXPECT_EQ(a.summary.interrupted, b.summary.interrupted);
  EXPECT_EQ(a.summary.certificate.kind, b.summary.certificate.kind);
  EXPECT_EQ(a.summary.certificate.value, b.summary.certificate.value);
  EXPECT_EQ(a.summary.tolerance, b.summary.tolerance);
  EXPECT_EQ(a.summary.rank, b.summary.rank);
  EXPECT_EQ(a.summary.warnings, b.summary.warnings);
  ASSERT_EQ(a.summary.facts.size(), b.summary.facts.size());
  for (std::size_t i = 0; i < a.summary.facts.size(); ++i) {
    EXPECT_EQ(a.summary.facts[i].name, b.summary.facts[i].name);
    EXPECT_EQ(a.summary.facts[i].value.index(), b.summary.facts[i].value.index());
  }
  EXPECT_EQ(a.pipeline.feature_names(), b.pipeline.feature_names());
  EXPECT_EQ(a.pipeline.input().size(), b.pipeline.input().size());
  EXPECT_EQ(a.pipeline.steps().size(), b.pipeline.steps().size());
  ASSERT_EQ(a.predictor.index(), b.predictor.index());
  if (const auto* linear = std::get_if<Linear>(&a.predictor)) {
    const auto& other = std::get<Linear>(b.predictor);
    EXPECT_TRUE(same(linear->weights, other.weights));
    EXPECT_TRUE(same(linear->bias, other.bias));
    EXPECT_TRUE(same(linear->center, other.center));
    EXPECT_EQ(linear->link, other.link);
  } else if (const auto* sum = std::get_if<KernelSum>(&a.predictor)) {
    const auto& other = std::get<KernelSum>(b.predictor);
    EXPECT_EQ(sum->kernel.kind, other.kernel.kind);
    EXPECT_EQ(sum->kernel.parameter, other.kernel.parameter);
    EXPECT_TRUE(same(sum->support, other.support));
    EXPECT_TRUE(same(sum->coefficients, other.coefficients));
    EXPECT_TRUE(same(sum->bias, other.bias));
    EXPECT_TRUE(same(sum->center, other.center));
    EXPECT_TRUE(same(sum->scale, other.scale));
  } else if (const auto* network = std::get_if<Network>(&a.predictor)) {
    const auto& other = std::get<Network>(b.predictor);
    EXPECT_TRUE(same(network->center, other.center));
    EXPECT_TRUE(same(network->scale, other.scale));
    EXPECT_EQ(network->slope, other.slope);
    EXPECT_EQ(network->link, other.link);
    ASSERT_EQ(network->layers.size(), other.layers.size());
    for (std::size_t l = 0; l < network->layers.size(); ++l) {
      EXPECT_TRUE(same(network->layers[l].weights, other.layers[l].weights));
      EXPECT_TRUE(same(network->layers[l].bias, other.layers[l].bias));
      EXPECT_EQ(network->layers[l].unit, other.layers[l].unit);
    }
  } else if (const auto* additive = std::get_if<Additive>(&a.predictor)) {
    const auto& other = std::get<Additive>(b.predictor);
    EXPECT_TRUE(same(additive->means, other.means));
    EXPECT_TRUE(same(additive->precision, other.precision));
    EXPECT_TRUE(same(additive->weights, other.weights));
    EXPECT_TRUE(same(additive->bias, other.bias));
    EXPECT_EQ(additive->kernels.features, other.kernels.features);
    EXPECT_EQ(additive->kernels.starts, other.kernels.starts);
    EXPECT_TRUE(same(additive->kernels.widths, other.kernels.widths));
    EXPECT_TRUE(same(additive->kernels.points, other.kernels.points));
    EXPECT_TRUE(same(additive->kernels.weights, other.kernels.weights));
  } else {
    const auto &quadratic = std::get<Quadratic>(a.predictor), &other = std::get<Quadratic>(b.predictor);
    EXPECT_TRUE(same(quadratic.means, other.means));
    EXPECT_TRUE(same(quadratic.bias, other.bias));
    ASSERT_EQ(quadratic.whiten.size(), other.whiten.size());
    for (std::size_t k = 0; k < other.whiten.size(); ++k)
      EXPECT_TRUE(same(quadratic.whiten[k], other.whiten[k]));
  }
}

TEST(ModelFile, ComesBackAsItWentIn) {
  for (const auto& sample : sample_models()) {
    SCOPED_TRACE(sample.name);
    expect_same(model_from_bytes(model_to_bytes(sample.model)), sample.model);
  }
}

TEST(ModelFile, SavedLoadedAndSavedAgainHasTheSameBytes) {
  const Folder folder;
  for (const auto& sample : sample_models()) {
    save_model(sample.model, folder / "a");
    save_model(load_model(folder / "a"), folder / "b");
    EXPECT_EQ(content_of(folder / "a"), content_of(folder / "b")) << sample.name;
    EXPECT_EQ(content_of(folder / "a"), model_to_bytes(sample.model)) << sample.name;
  }
}

TEST(ModelFile, CanBeReadFromMemoryAtAnyAddress) {
  const std::string bytes = model_to_bytes(many_steps_model());
  for (std::size_t shift = 0; shift < 8; ++shift) {
    const std::string shifted = std::string(shift, ' ') + bytes;
    EXPECT_EQ(model_to_bytes(model_from_bytes(std::string_view(shifted).substr(shift))), bytes);
  }
}

// ---- models at random

std::string random_text(Random& random) {
  std::string text;
  const bool plain = random.below(2) == 0;
  for (std::uint64_t n = random.below(9); n > 0; --n)
    text += static_cast<char>(plain ? 'a' + random.below(26) : random.below(256));
  return text;
}

// Numbers of every magnitude, all of them finite.
double random_number(Random& random) {
  if (random.below(8) == 0) return -0.0;
  return std::ldexp(random.normal(), static_cast<int>(random.below(2000)) - 1000);
}
std::vector<double> random_numbers(Random& random, Index count) {
  std::vector<double> numbers;
  for (Index i = 0; i < count; ++i) numbers.push_back(random_number(random));
  return numbers;
}
Matrix random_matrix(Random& random, Index rows, Index cols) {
  return Matrix::NullaryExpr(rows, cols, [&](Index, Index) { return random_number(random); });
}
Vector random_vector(Random& random, Index size) {
  return Vector::NullaryExpr(size, [&](Index) { return random_number(random); });
}

Schema random_schema(Random& random) {
  if (random.below(4) == 0) return Schema::numbered(static_cast<Index>(random.below(6)));
  std::vector<Column> columns;
  for (std::uint64_t j = 0; j <= random.below(5); ++j) {
    columns.push_back({random_text(random) + std::to_string(j), random.below(2) == 0, {}});
    for (std::uint64_t k = 0; columns.back().categorical && k <= random.below(5); ++k)
      columns.back().levels.push_back(std::to_string(k) + random_text(random));
  }
  return Schema(columns);
}

Step random_basis(Random& random, const Pipeline& so_far) {
  if (random.below(2) == 0) {
    Standardize step{random_numbers(random, so_far.features()), {}};
    for (Index j = 0; j < so_far.features(); ++j) step.scale.push_back(0.5 + random.uniform());
    return step;
  }
  constexpr Products kinds[] = {Products::all, Products::distinct, Products::powers};
  return Monomials::make(1 + static_cast<Index>(random.below(3)), kinds[random.below(3)],
                         so_far.feature_list());
}

Pipeline random_pipeline(Random& random) {
  const Schema input = random_schema(random);
  std::vector<Step> steps;
  if (random.below(2) == 0) {
    Impute step;
    for (Index j = 0; j < input.size(); ++j)
      step.fill.push_back(input.categorical(j)
                              ? static_cast<double>(random.below(input.column(j).levels.size()))
                              : random_number(random));
    steps.emplace_back(step);
  }
  if (input.any_categorical()) {
    OneHot step{{}, random.below(2) == 0};
    for (Index j = 0; j < input.size(); ++j)
      step.levels.push_back(static_cast<Index>(input.column(j).levels.size()));
    steps.emplace_back(step);
  }
  for (std::uint64_t n = random.below(3); n > 0; --n)
    steps.push_back(random_basis(random, Pipeline(input, steps)));
  return Pipeline(input, steps);
}

Linear random_linear(Random& random, Index features, Index classes) {
  Linear linear;
  const Index scores = classes > 2 ? classes : 1;
  linear.weights = random_matrix(random, scores, features);
  linear.bias = random_vector(random, scores);
  if (random.below(2) == 0) linear.center = random_vector(random, features);
  if (random.below(2) == 0)
    linear.link = classes == 0 ? Link::none : classes == 2 ? Link::logistic : Link::softmax;
  return linear;
}

Quadratic random_quadratic(Random& random, Index features, Index classes) {
  Quadratic quadratic;
  quadratic.means = random_matrix(random, classes, features);
  quadratic.bias = random_vector(random, classes);
  for (Index k = 0; k < classes; ++k)
    quadratic.whiten.emplace_back(random_matrix(random, features, features).triangularView<Eigen::Lower>());
  return quadratic;
}

Model random_model(Random& random) {
  Model model;
  model.name = random_text(random);
  model.target = random_text(random);
  model.task = random.below(4) == 0 ? Task::regression : Task::classification;
  const Index classes = model.task == Task::regression ? 0 : 2 + static_cast<Index>(random.below(4));
  for (Index k = 0; k < classes; ++k) model.classes.push_back(std::to_string(k) + random_text(random));
  model.positive = static_cast<Index>(random.below(2));
  model.pipeline = random_pipeline(random);
  // Monomials of monomials are thousands of features, whose squares would take half a minute.
  if (classes > 0 && model.pipeline.features() <= 100 && random.below(2) == 0)
    model.predictor = random_quadratic(random, model.pipeline.features(), classes);
  else
    model.predictor = random_linear(random, model.pipeline.features(), classes);
  for (std::uint64_t n = random.below(4); n > 0; --n)
    model.options.emplace_back(random_text(random), random_text(random));
  model.standardized = random.below(2) == 0;
  model.samples = static_cast<Index>(random.bits() >> 1);
  Summary& summary = model.summary;
  summary.solver = random_text(random);
  summary.reason = random_text(random);
  if (random.below(2) == 0) summary.objective = random_number(random);
  summary.iterations = static_cast<Index>(random.below(1000));
  summary.converged = random.below(2) == 0;
  summary.interrupted = random.below(2) == 0;
  summary.certificate = {random_text(random), random_number(random)};
  summary.tolerance = random_number(random);
  if (random.below(2) == 0) summary.rank = static_cast<Index>(random.below(1000));
  for (std::uint64_t n = random.below(4); n > 0; --n) summary.warnings.push_back(random_text(random));
  return model;
}

RC_GTEST_PROP(ModelFile, AnyModelComesBackAsItWentIn, (std::uint64_t seed)) {
  Random random(seed);
  const Model model = random_model(random);
  const std::string bytes = model_to_bytes(model);
  const Model loaded = model_from_bytes(bytes);
  expect_same(loaded, model);
  RC_ASSERT(loaded.summary.objective == model.summary.objective);
  RC_ASSERT(model_to_bytes(loaded) == bytes);
}

// ---- damage

TEST(ModelFile, CutShortAnywhereIsRefused) {
  for (const auto& sample : sample_models()) {
    const std::string bytes = model_to_bytes(sample.model);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const auto loaded =
          attempt([&] { return model_from_bytes(std::string_view(bytes).substr(0, size), "m"); });
      ASSERT_FALSE(loaded) << sample.name << " cut to " << size;
      ASSERT_EQ(loaded.error().code(), Code::model) << loaded.error().what();
      ASSERT_EQ(loaded.error().place().file, "m");
    }
  }
}

void expect_flip_is_refused(std::string& bytes, std::size_t i, int bit) {
  bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
  const auto loaded = attempt([&] { return model_from_bytes(bytes); });
  ASSERT_FALSE(loaded) << "bit " << bit << " of byte " << i;
  ASSERT_EQ(loaded.error().code(), Code::model) << loaded.error().what();
  bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
}

TEST(ModelFile, WithAnyBitFlippedIsRefused) {
  std::string bytes = model_to_bytes(two_class_model());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) expect_flip_is_refused(bytes, i, bit);
}

TEST(ModelFile, WithABitOfAnyByteFlippedIsRefused) {
  for (const auto& sample : sample_models()) {
    SCOPED_TRACE(sample.name);
    std::string bytes = model_to_bytes(sample.model);
    for (std::size_t i = 0; i < bytes.size(); ++i) expect_flip_is_refused(bytes, i, static_cast<int>(i % 8));
  }
}

TEST(ModelFile, WithBytesAppendedIsRefused) {
  const std::string bytes = model_to_bytes(two_class_model());
  for (const char* tail : {"\n", "12345678", "another"})
    EXPECT_FALSE(attempt([&] { return model_from_bytes(bytes + tail); })) << tail;
  EXPECT_FALSE(attempt([&] { return model_from_bytes(bytes + bytes); }));
}

TEST(ModelFile, ForeignFilesAreRefusedInClearWords) {
  const Folder folder;
  const auto refused = [&](const std::string& bytes) {
    write_file(folder / "m", bytes);
    const Error error = refusal(folder / "m");
    EXPECT_EQ(error.code(), Code::model) << error.what();
    EXPECT_EQ(error.place().file, folder / "m");
    return error.message();
  };
  const auto mentions = [](const std::string& text, const char* words) {
    return text.find(words) != std::string::npos;
  };
  EXPECT_TRUE(mentions(refused(""), "empty"));
  EXPECT_TRUE(mentions(refused("a,b,label\n1,2,yes\n3,4,no\n"), "not written by Discern"));
  EXPECT_TRUE(mentions(refused("{\"model\": \"logistic\"}"), "not written by Discern"));
  EXPECT_TRUE(mentions(refused(std::string(1000, '\0')), "not written by Discern"));
  // What other programs write: a safetensors file with a tensor and without our document.
  std::string header = R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  header.resize(64, ' ');
  EXPECT_TRUE(mentions(refused(std::string("\x40\0\0\0\0\0\0\0", 8) + header + "\0\0\x80\x3F"),
                       "not written by Discern"));
  // What Discern itself writes with the same container, such as its data cache.
  EXPECT_TRUE(mentions(refused(write_container({{"kind", "table"}}, {})), "not a Discern model"));
}

TEST(ModelFile, APathThatIsNoFileIsRefusedByName) {
  const Folder folder;
  EXPECT_EQ(refusal(folder / "absent").code(), Code::io);
  EXPECT_EQ(refusal(folder / "absent").place().file, folder / "absent");
  EXPECT_EQ(refusal(folder / ".").code(), Code::io);
}

// ---- saving

TEST(ModelFile, WhatCouldNotBeLoadedIsNotSaved) {
  const Folder folder;
  Model model = two_class_model();
  std::get<Linear>(model.predictor).weights(0, 1) = std::numeric_limits<double>::quiet_NaN();
  const auto saved = attempt([&] { return save_model(model, folder / "m"), 0; });
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().message(),
            "cannot save the model: tensor 'weights': number 2 is nan, expected finite ones");
  EXPECT_EQ(folder.entries(), 0u);
  model = two_class_model();
  model.classes.emplace_back("third");
  EXPECT_FALSE(attempt([&] { return save_model(model, folder / "m"), 0; }));
  model = quadratic_model();
  std::get<Quadratic>(model.predictor).whiten.pop_back();
  EXPECT_FALSE(attempt([&] { return save_model(model, folder / "m"), 0; }));
  model = quadratic_model();
  std::get<Quadratic>(model.predictor).whiten[1].resize(3, 3);
  EXPECT_FALSE(attempt([&] { return save_model(model, folder / "m"), 0; }));
}

TEST(ModelFile, AFullDiskIsReported) {
  const auto saved = attempt([] { return save_model(two_class_model(), "/dev/full"), 0; });
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code(), Code::io);
  EXPECT_EQ(saved.error().place().file, "/dev/full");
  EXPECT_NE(saved.error().message().find("No space left"), std::string::npos);
}

TEST(ModelFile, ADirectoryThatCannotBeWrittenToIsReported) {
  const Folder folder;
  const auto saved = attempt([&] { return save_model(two_class_model(), folder / "absent/m"), 0; });
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code(), Code::io);
  EXPECT_EQ(saved.error().place().file, folder / "absent/m");
  EXPECT_FALSE(attempt([&] { return save_model(two_class_model(), folder / "."), 0; }));
  EXPECT_EQ(folder.entries(), 0u);
}

// A limit on the size of files stands for a disk that fills up halfway.
TEST(ModelFile, AFailedSaveLeavesTheOldModelWholeAndNothingElse) {
  const Folder folder;
  save_model(quadratic_model(), folder / "m");
  const std::string before = content_of(folder / "m");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto saved = attempt([&] { return save_model(many_steps_model(), folder / "m"), 0; });
    ::_exit(!saved && saved.error().code() == Code::io ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(content_of(folder / "m"), before);
  EXPECT_EQ(folder.entries(), 1u);
}

}  // namespace
}  // namespace discern::model_file_test
