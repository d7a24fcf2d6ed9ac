// What a page draws is what --json tells: command by command, figure by figure.
#include <cmath>
#include <sstream>

#include "report_pages.hpp"

namespace discern::cli_test::report_numbers_test {
namespace {

class ReportNumbers : public ReportPages {
 protected:
  static constexpr double digits = 1e-5;  // figures have six significant digits

  Json told(Words words) {
    words.push_back("--json");
    const Outcome said = run(words);
    EXPECT_EQ(said.exit, 0) << said.err;
    return said.json();
  }
  static void expect_near(const Json& drawn, const Json& number, const std::string& what) {
    ASSERT_TRUE(drawn.is_number() && number.is_number()) << what;
    const double a = drawn.get<double>(), b = number.get<double>();
    EXPECT_NEAR(a, b, digits * std::max(1e-6, std::abs(b))) << what;
  }
  static void expect_all_near(const Json& drawn, const Json& numbers, const std::string& what) {
    ASSERT_EQ(drawn.size(), numbers.size()) << what;
    for (std::size_t i = 0; i < drawn.size(); ++i) expect_near(drawn[i], numbers[i], what);
  }
  static Json row_of(const Json& figure, const std::string& name, std::size_t group = 0) {
    for (const Json& row : figure["data"]["groups"][group]["rows"])
      if (row["name"] == name) return row;
    ADD_FAILURE() << "no row " << name;
    return {};
  }
  // The first layer of that type in a panel.
  static Json layer_of(const Json& figure, const std::string& type, std::size_t panel = 0) {
    for (const Json& layer : figure["data"]["panels"][panel]["layers"])
      if (layer["type"] == type) return layer;
    ADD_FAILURE() << "no layer " << type;
    return {};
  }
};

TEST_F(ReportNumbers, OfAFitAreThoseOfItsJson) {
  const Words words{"fit", data_file("pima_tr.csv"), "--target", "type", "--l2", "0"};
  const Json json = told(words), drawn = page(words);
  const Json weights = figure(drawn, "weights"), odds = figure(drawn, "odds");
  EXPECT_NEAR(std::stod(number_of(figure(drawn, "convergence"), "objective")),
              json["objective"].get<double>(), 1e-5);
  const Json objective = layer_of(figure(drawn, "convergence"), "line");
  expect_near(objective["y"].back(), json["objective"], "the objective at the end");
  EXPECT_EQ(objective["x"].back(), json["iterations"]);
  // The weight of one unit and the odds ratio of one deviation belong together: ratio = exp(weight).
  for (const Json& row : weights["data"]["groups"][0]["rows"]) {
    const Json ratio = row_of(odds, row["name"]);
    for (const char* end : {"value", "low", "high"})
      EXPECT_NEAR(std::log(ratio[end].get<double>()), row[end].get<double>(), 1e-4)
          << row["name"] << " " << end;
  }
}

TEST_F(ReportNumbers, OfSingleRowsAddUpToTheScoreThatPredictWrites) {
  const std::string pima = data_file("pima_tr.csv");
  ASSERT_EQ(run({"fit", pima, "--target", "type", "-o", path("m"), "--quiet"}).exit, 0);
  const Outcome predicted = run({"predict", path("m"), pima, "--output", "scores"});
  ASSERT_EQ(predicted.exit, 0) << predicted.err;
  std::vector<double> scores;
  std::istringstream lines(predicted.out);
  std::string line;
  std::getline(lines, line);
  ASSERT_EQ(line, "prediction,g(Yes)");
  while (std::getline(lines, line)) scores.push_back(std::stod(line.substr(line.rfind(',') + 1)));
  const Json explanation = figure(page({"fit", pima, "--target", "type"}), "explanation");
  ASSERT_GE(explanation["data"]["groups"].size(), 5U);
  for (const Json& group : explanation["data"]["groups"]) {
    const std::string name = group["name"];
    const auto row = static_cast<std::size_t>(std::stoul(name.substr(4))) - 1;
    double sum = 0;
    for (const Json& part : group["rows"])
      if (part["name"] != "sum") sum += part["value"].get<double>();
    const double last = group["rows"].back()["value"].get<double>();
    EXPECT_NEAR(sum, last, 1e-4) << name;
    EXPECT_NEAR(last, scores.at(row), 1e-4) << name;
  }
}

TEST_F(ReportNumbers, OfAThresholdAtOneHalfAreTheConfusionTable) {
  ASSERT_EQ(run({"fit", data_file("pima_tr.csv"), "--target", "type", "-o", path("m"), "--quiet"}).exit, 0);
  const Words words{"evaluate", path("m"), data_file("pima_te.csv")};
  const Json json = told(words), explorer = figure(page(words), "threshold")["data"];
  ASSERT_EQ(explorer["start"], 0.5);
  std::size_t at = 0;
  while (at < explorer["at"].size() && explorer["at"][at].get<double>() < 0.5) ++at;
  EXPECT_EQ(explorer["hits"][at], json["confusion"][1][1]);
  EXPECT_EQ(explorer["alarms"][at], json["confusion"][0][1]);
  EXPECT_EQ(explorer["positives"].get<double>(),
            json["confusion"][1][0].get<double>() + json["confusion"][1][1].get<double>());
}

TEST_F(ReportNumbers, OfARegressionAreThoseOfItsJson) {
  ASSERT_EQ(run({"fit", data_file("diabetes.csv"), "--target", "target", "--task", "regression", "--model",
                 "least-squares", "-o", path("m"), "--quiet"})
                .exit,
            0);
  const Words words{"evaluate", path("m"), data_file("diabetes.csv")};
  const Json json = told(words), drawn = page(words);
  const Json predicted = figure(drawn, "predicted");
  EXPECT_NEAR(std::stod(number_of(predicted, "RMSE")), json["rmse"].get<double>(), 1e-4);
  EXPECT_NEAR(std::stod(number_of(predicted, "R²")), json["r2"].get<double>(), 1e-6);
  // All rows are drawn, so that the error of the points is that of the model.
  const Json points = layer_of(predicted, "points");
  double squares = 0;
  for (std::size_t i = 0; i < points["x"].size(); ++i)
    squares += std::pow(points["y"][i].get<double>() - points["x"][i].get<double>(), 2);
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(points["x"].size())), json["rmse"].get<double>(), 1e-3);
}

TEST_F(ReportNumbers, OfInfluenceAreThoseOfItsJson) {
  const std::string pima = data_file("pima_tr.csv");
  ASSERT_EQ(run({"fit", pima, "--target", "type", "--l2", "0", "-o", path("m"), "--quiet"}).exit, 0);
  const Words words{"inspect", path("m"), "--data", pima, "--influence"};
  const Json json = told(words), drawn = figure(page(words), "influence");
  const Json points = layer_of(drawn, "points");
  std::size_t found = 0;
  for (const Json& row : json["influence"]["rows"])
    for (std::size_t i = 0; i < points["label"].size(); ++i) {
      const std::string label = points["label"][i];
      if (label.rfind("row " + std::to_string(row["row"].get<int>()) + ",", 0) != 0) continue;
      expect_near(points["x"][i], row["leverage"], "leverage");
      EXPECT_NEAR(std::stod(label.substr(label.rfind(' ') + 1)), row["cook"].get<double>(),
                  1e-3 * row["cook"].get<double>());
      ++found;
    }
  EXPECT_EQ(found, json["influence"]["rows"].size());
  EXPECT_GT(found, 0U);
}

TEST_F(ReportNumbers, OfACrossValidationAreItsFolds) {
  const Words words{"cv", data_file("iris.csv"), "--target", "class", "--model", "lda", "--folds", "5"};
  const Json json = told(words), folds = figure(page(words), "folds");
  const std::vector<std::pair<std::string, std::string>> panels{
      {"accuracy", "accuracy"}, {"log loss", "log_loss"}, {"AUC", "auc"}, {"Brier score", "brier"}};
  ASSERT_EQ(folds["data"]["panels"].size(), panels.size());
  for (std::size_t p = 0; p < panels.size(); ++p) {
    EXPECT_EQ(folds["data"]["panels"][p]["title"], panels[p].first);
    const Json points = layer_of(folds, "points", p);
    ASSERT_EQ(points["y"].size(), json["folds"].size());
    for (std::size_t f = 0; f < json["folds"].size(); ++f)
      expect_near(points["y"][f], json["folds"][f][panels[p].second], panels[p].second);
    const Json mean = json["mean"][panels[p].second];
    EXPECT_NEAR(layer_of(folds, "rule", p)["y"].get<double>(), mean.get<double>(), 1e-6);
    // An interval does not leave what is possible.
    const Json band = layer_of(folds, "area", p);
    EXPECT_GE(band["low"][0].get<double>(), 0);
    if (p == 0 || p == 2) {
      EXPECT_LE(band["high"][0].get<double>(), 1);
    }
  }
}

TEST_F(ReportNumbers, OfAComparisonAreItsRankingAndTheDifferencesOfItsFolds) {
  const Words words{"compare",  data_file("pima_tr.csv"), "--target", "type",
                    "--models", "lda,qda,naive-bayes"};
  const Json json = told(words), drawn = page(words);
  const Json ranking = figure(drawn, "ranking"), differences = figure(drawn, "differences");
  const Json points = layer_of(differences, "points"), errors = layer_of(differences, "errors");
  std::size_t at = 0;
  for (std::size_t m = 0; m < json["ranking"].size(); ++m) {
    const Json& one = json["ranking"][m];
    expect_near(row_of(ranking, one["model"])["value"], one["score"], one["model"]);
    if (m == 0) continue;
    for (std::size_t f = 0; f < one["folds"].size(); ++f, ++at)
      EXPECT_NEAR(points["y"][at].get<double>(),
                  one["folds"][f].get<double>() - json["ranking"][0]["folds"][f].get<double>(), 1e-5);
    // The interval holds zero exactly when the test says that the two cannot be told apart.
    const double low = errors["low"][m - 1].get<double>(), high = errors["high"][m - 1].get<double>();
    EXPECT_EQ(low <= 0 && high >= 0, one["p_value"].get<double>() >= 0.05) << one["model"];
  }
  EXPECT_EQ(at, points["y"].size());
}

TEST_F(ReportNumbers, OfAPathAreItsPoints) {
  const Words words{"path",     data_file("diabetes.csv"),
                    "--target", "target",
                    "--model",  "lasso",
                    "--task",   "regression",
                    "--points", "12"};
  const Json json = told(words), drawn = page(words);
  const Json sparsity = figure(drawn, "sparsity");
  const Json count = layer_of(sparsity, "line", 0), explained = layer_of(sparsity, "line", 1);
  ASSERT_EQ(count["y"].size(), json["points"].size());
  for (std::size_t p = 0; p < json["points"].size(); ++p) {
    expect_near(count["x"][p], json["points"][p]["l1"], "l1");
    EXPECT_EQ(count["y"][p], json["points"][p]["nonzero"]);
    expect_near(explained["y"][p], json["points"][p]["explained"], "explained");
  }
  // A feature is at zero until its point of entry, and not there.
  const Json weights = figure(drawn, "weights")["data"]["panels"][0];
  for (const Json& entry : json["entries"])
    for (const Json& layer : weights["layers"]) {
      if (layer.value("end", "") != entry["feature"]) continue;
      const auto point = entry["point"].get<std::size_t>() - 1;
      EXPECT_NE(layer["y"][point], 0) << entry["feature"];
      if (point > 0) {
        EXPECT_EQ(layer["y"][point - 1], 0) << entry["feature"];
      }
    }
}

TEST_F(ReportNumbers, OfSeparabilityAreItsMarginsAndTheRowsThatHoldThem) {
  const Words words{"separable", data_file("iris.csv"), "--target", "class"};
  const Json json = told(words), drawn = page(words);
  for (std::size_t p = 0; p < json["pairs"].size(); ++p) {
    const Json& pair = json["pairs"][p];
    const Json one = figure(drawn, "pair-" + std::to_string(p + 1));
    if (pair["separable"] == true) {
      EXPECT_NEAR(std::stod(number_of(one, "margin")), pair["margin"].get<double>(), 1e-5);
    }
    Json rings;
    for (const Json& layer : one["data"]["panels"][0]["layers"])
      if (layer.value("ring", false)) rings = layer;
    ASSERT_FALSE(rings.is_null());
    // The ringed rows are those of the proof.
    std::size_t found = 0, all = 0;
    for (const char* side : {"positive", "negative"})
      for (const Json& share : pair["certificate"].value(side, Json::array())) {
        ++all;
        const std::string name = "row " + std::to_string(share["row"].get<int>());
        for (const Json& label : rings["label"]) found += label == name ? 1 : 0;
      }
    if (all > 0) {
      EXPECT_EQ(found, all) << one["id"];
    }
  }
}

TEST_F(ReportNumbers, OfAProjectionAreItsMeansAndRatios) {
  const Words words{"project", data_file("iris.csv"), "--target", "class"};
  const Json json = told(words), drawn = page(words);
  Json means;
  const Json plane = figure(drawn, "plane");
  for (const Json& layer : plane["data"]["panels"][0]["layers"])
    if (layer.value("open", false)) means = layer;
  ASSERT_EQ(means["x"].size(), json["means"].size());
  for (std::size_t k = 0; k < json["means"].size(); ++k) {
    expect_near(means["x"][k], json["means"][k][0], "z1");
    expect_near(means["y"][k], json["means"][k][1], "z2");
  }
  const Json directions = figure(drawn, "directions");
  for (std::size_t j = 0; j < json["features"].size(); ++j)
    expect_near(row_of(directions, json["features"][j], 1)["value"], json["directions"][1][j], "direction 2");
}

TEST_F(ReportNumbers, OfTheSeparatorEndAtTheFittedModel) {
  // Of many columns, three classes: the last frame gets exactly as many rows wrong as the model does.
  for (const Words& words : std::vector<Words>{{"fit", data_file("iris.csv"), "--target", "class"},
                                               {"fit", data_file("pima_tr.csv"), "--target", "type"}}) {
    const Json json = told(words), separator = figure(page(words), "separator");
    const double wrong = std::round(json["train"]["error"].get<double>() * json["n_samples"].get<double>());
    const Json rings = layer_of(separator, "points")["frames"];
    EXPECT_GT(rings.size(), 3U);
    EXPECT_EQ(static_cast<double>(rings.back()["wrong"].size()), wrong) << words[1];
  }
}

TEST_F(ReportNumbers, OfATracedFitAreThoseOfTheTrace) {
  // One fit is traced and drawn: the objective of every iteration is that of the file.
  const Words words{"fit", data_file("iris.csv"), "--target", "class",   "--solver",
                    "gd",  "--max-iter",          "20",       "--trace", path("trace.jsonl")};
  const Json course = layer_of(figure(page(words), "convergence"), "line");
  std::istringstream lines(read_file(path("trace.jsonl")));
  std::string line;
  std::size_t row = 0;
  while (std::getline(lines, line)) {
    const Json step = Json::parse(line);
    if (!step.contains("iteration") || !step["objective"].is_number()) continue;
    // The file ends with the model itself, which is the last iteration once more.
    if (row == course["y"].size()) {
      EXPECT_EQ(step["iteration"], course["x"].back());
      continue;
    }
    EXPECT_EQ(course["x"][row], step["iteration"]);
    expect_near(course["y"][row], step["objective"], "objective");
    ++row;
  }
  EXPECT_EQ(row, course["y"].size());
  EXPECT_GT(row, 10U);
}

}  // namespace
}  // namespace discern::cli_test::report_numbers_test
