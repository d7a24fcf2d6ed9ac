// For tests of --report: the data of a page, and parts of its figures.
#pragma once

#include <algorithm>
#include <string>

#include "harness.hpp"

namespace discern::cli_test {

class ReportPages : public InFolder {
 protected:
  // Runs the words with --report and gives the data of the page.
  Json page(Words words, const std::string& name = "page.html") {
    words.insert(words.end(), {"--report", path(name), "--quiet"});
    const Outcome said = run(words);
    EXPECT_EQ(said.exit, 0) << said.err;
    return data_of(read_file(path(name)));
  }

  static Json data_of(const std::string& html) {
    const std::string start = "<script type=\"application/json\" id=\"data\">";
    const auto from = html.find(start);
    if (from == std::string::npos) return {};
    const auto to = html.find("</script>", from);
    return Json::parse(html.substr(from + start.size(), to - from - start.size()));
  }

  static Json figure(const Json& page, const std::string& id) {
    for (const Json& one : page["figures"])
      if (one["id"] == id) return one;
    ADD_FAILURE() << "no figure " << id;
    return {};
  }
  static bool has(const Json& page, const std::string& id) {
    return std::any_of(page["figures"].begin(), page["figures"].end(),
                       [&](const Json& one) { return one["id"] == id; });
  }
  static std::string number_of(const Json& figure, const std::string& name) {
    for (const Json& pair : figure["numbers"])
      if (pair[0] == name) return pair[1];
    ADD_FAILURE() << "no number " << name;
    return "";
  }
  // The line of that name in the first panel.
  static Json line_of(const Json& figure, const std::string& name) {
    for (const Json& layer : figure["data"]["panels"][0]["layers"])
      if (layer.value("name", "") == name) return layer;
    ADD_FAILURE() << "no line " << name;
    return {};
  }
};

}  // namespace discern::cli_test
