// Figures of every kind, from every command, are as docs/report-data.schema.json says.
#include <set>

#include "report_pages.hpp"
#include "tests/support/schema_check.hpp"

namespace discern::cli_test::report_schema_test {
namespace {

using Plain = nlohmann::json;

class ReportSchema : public ReportPages {
 protected:
  Plain plain_page(const Words& words) { return Plain::parse(page(words).dump()); }
};

// What a slider changes, in its place.
Plain with_frames_applied(const Plain& figure) {
  Plain shown = figure;
  if (shown["data"]["kind"] != "plots") return shown;
  for (Plain& panel : shown["data"]["panels"]) {
    Plain layers = Plain::array();
    for (const Plain& layer : panel["layers"]) {
      layers.push_back(layer);
      for (const Plain& change : layer.value("frames", Plain::array())) {
        layers.push_back(layer);
        layers.back().update(change);
      }
    }
    panel["layers"] = layers;
  }
  return shown;
}

void expect_equal_lengths(const Plain& figure) {
  if (figure["data"]["kind"] != "plots") return;
  for (const Plain& panel : figure["data"]["panels"])
    for (const Plain& layer : panel["layers"]) {
      if (!layer.contains("x") || !layer["x"].is_array() || layer["type"] == "regions") continue;
      for (const char* name : {"y", "low", "high", "class", "label"})
        if (layer.contains(name) && layer[name].is_array()) {
          EXPECT_EQ(layer[name].size(), layer["x"].size()) << figure["id"] << ": " << name;
        }
    }
}

TEST_F(ReportSchema, DescribesEveryFigureOfEveryCommand) {
  const Plain schema = Plain::parse(read_file(docs_file("report-data.schema.json")));
  const std::string iris = data_file("iris.csv"), pima = data_file("pima_tr.csv"),
                    diabetes = data_file("diabetes.csv");
  ASSERT_EQ(run({"fit", pima, "--target", "type", "--l2", "0", "-o", path("m"), "--quiet"}).exit, 0);
  std::set<std::string> kinds;
  for (const Words& words : std::vector<Words>{
           {"demo", "--all"},
           {"fit", pima, "--target", "type", "--l2", "0"},
           {"fit", pima, "--target", "type", "--model", "kernel-perceptron", "--epochs", "5"},
           {"fit", iris, "--target", "class", "--multiclass", "ovr", "--decision", "unanimous"},
           {"fit", iris, "--target", "class", "--model", "mlp", "--layers", "3"},
           {"fit", iris, "--target", "class", "--model", "naive-bayes"},
           {"fit", iris, "--target", "class", "--model", "qda"},
           {"fit", data_file("digits.csv"), "--target", "class", "--l2", "10", "--pixels", "8x8"},
           {"fit", diabetes, "--target", "target", "--task", "regression", "--model", "ridge"},
           {"evaluate", path("m"), data_file("pima_te.csv")},
           {"inspect", path("m"), "--data", pima, "--influence"},
           {"inspect", path("m"), "--data", pima},
           {"cv", pima, "--target", "type"},
           {"cv", pima, "--target", "type", "--grid", "l2=1,10"},
           {"cv", pima, "--target", "type", "--learning-curve"},
           {"compare", iris, "--target", "class", "--models", "lda,qda,naive-bayes"},
           {"path", diabetes, "--target", "target", "--task", "regression", "--model", "lasso", "--folds",
            "3"},
           {"path", iris, "--target", "class", "--model", "logistic", "--points", "5"},
           {"separable", iris, "--target", "class"},
           {"project", iris, "--target", "class"},
           {"project", data_file("digits.csv"), "--target", "class"}}) {
    Plain told = plain_page(words);
    ASSERT_FALSE(told["figures"].empty());
    for (const Plain& figure : told["figures"]) {
      kinds.insert(figure["data"].value("kind", ""));
      const Plain shown = with_frames_applied(figure);
      EXPECT_TRUE(support::SchemaCheck(schema).matches(schema["$defs"]["figure"], shown))
          << words[0] << ": " << figure["id"];
      expect_equal_lengths(shown);
    }
    told["figures"] = Plain::array();
    EXPECT_TRUE(support::SchemaCheck(schema).matches(schema, told)) << words[0];
  }
  for (const Plain& kind : schema["$defs"]["data"]["oneOf"]) {
    const std::string name = kind["$ref"].get<std::string>().substr(8);
    EXPECT_TRUE(kinds.contains(name)) << "no page has a figure of the kind " << name;
  }
}

TEST_F(ReportSchema, RefusesAFigureThatLacksAMember) {
  const Plain schema = Plain::parse(read_file(docs_file("report-data.schema.json")));
  const support::SchemaCheck check(schema);
  const Plain told = plain_page({"fit", data_file("pima_tr.csv"), "--target", "type", "--l2", "0"});
  for (const Plain& figure : told["figures"]) {
    for (const auto& [name, value] : figure["data"].items()) {
      if (name == "kind") continue;
      const Plain& required = schema["$defs"][figure["data"]["kind"].get<std::string>()]["required"];
      if (std::find(required.begin(), required.end(), name) == required.end()) continue;
      Plain without = figure;
      without["data"].erase(name);
      EXPECT_FALSE(check.matches(schema["$defs"]["figure"], without)) << figure["id"] << " without " << name;
    }
  }
}

}  // namespace
}  // namespace discern::cli_test::report_schema_test
