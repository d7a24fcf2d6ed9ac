// --report: the page of a command is one file, the same for the same fit, and draws the numbers that --json prints.
#include <algorithm>
#include <cmath>

#include "report_pages.hpp"

namespace discern::cli_test::report_test {
namespace {

class Report : public ReportPages {};

TEST_F(Report, OfTheSameFitHasTheSameBytesWithAnyNumberOfThreads) {
  for (const char* threads : {"1", "2"})
    run({"fit", data_file("iris.csv"), "--target", "class", "--model", "logistic", "--threads", threads,
         "--report", path(std::string(threads) + ".html"), "--quiet"});
  EXPECT_EQ(read_file(path("1.html")), read_file(path("2.html")));
  EXPECT_GT(read_file(path("1.html")).size(), 100000U);
}

TEST_F(Report, DoesNotChangeTheModel) {
  // Also of models whose own fit is drawn as it happens.
  for (const Words& options : std::vector<Words>{{},
                                                 {"--solver", "sgd"},
                                                 {"--model", "perceptron", "--epochs", "20"},
                                                 {"--model", "kernel-perceptron", "--epochs", "5"},
                                                 {"--model", "mlp", "--layers", "3", "--restarts", "2"},
                                                 {"--model", "ho-kashyap"},
                                                 {"--model", "rbf-network", "--centers", "5"}}) {
    Words with{"fit", data_file("pima_tr.csv"), "--target", "type", "--quiet"};
    with.insert(with.end(), options.begin(), options.end());
    Words without = with;
    with.insert(with.end(), {"-o", path("with.model"), "--report", path("page.html")});
    without.insert(without.end(), {"-o", path("without.model")});
    EXPECT_EQ(run(with).exit, 0);
    EXPECT_EQ(run(without).exit, 0);
    EXPECT_EQ(read_file(path("with.model")), read_file(path("without.model"))) << options.size();
  }
}

TEST_F(Report, HasAPolicyThatForbidsConnectionsAndNoAddress) {
  page({"fit", data_file("iris.csv"), "--target", "class", "--model", "lda"});
  const std::string html = read_file(path("page.html"));
  EXPECT_NE(html.find("Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-"),
            std::string::npos);
  for (const char* word : {"http://www.w3.org/2000/svg"}) EXPECT_NE(html.find(word), std::string::npos);
  std::size_t addresses = 0;
  for (auto at = html.find("http"); at != std::string::npos; at = html.find("http", at + 1)) {
    const std::string rest = html.substr(at, 40);
    addresses += rest.rfind("http-equiv", 0) == 0 || rest.rfind("http://www.w3.org/", 0) == 0 ? 0 : 1;
  }
  EXPECT_EQ(addresses, 0U);
}

TEST_F(Report, OfAnEvaluationDrawsTheNumbersOfItsJson) {
  ASSERT_EQ(run({"fit", data_file("pima_tr.csv"), "--target", "type", "-o", path("m"), "--quiet"}).exit, 0);
  const Json told = run({"evaluate", path("m"), data_file("pima_te.csv"), "--json"}).json();
  const Json page = this->page({"evaluate", path("m"), data_file("pima_te.csv")});
  const Json confusion = figure(page, "confusion");
  EXPECT_EQ(confusion["data"]["counts"], told["confusion"]);
  EXPECT_NEAR(std::stod(number_of(figure(page, "roc"), "AUC")), told["auc"].get<double>(), 1e-6);
  EXPECT_NEAR(std::stod(number_of(figure(page, "precision-recall"), "average precision")),
              told["average_precision"].get<double>(), 1e-6);
  const Json calibration = line_of(figure(page, "calibration"), "came true");
  ASSERT_EQ(calibration["x"].size(), told["calibration"].size());
  for (std::size_t b = 0; b < told["calibration"].size(); ++b) {
    EXPECT_NEAR(calibration["x"][b].get<double>(), told["calibration"][b]["probability"].get<double>(), 1e-5);
    EXPECT_NEAR(calibration["y"][b].get<double>(), told["calibration"][b]["share"].get<double>(), 1e-5);
  }
  // The area under the curve that is drawn, by trapezoids, is the AUC.
  const Json roc = line_of(figure(page, "roc"), "Yes");
  double area = 0;
  for (std::size_t i = 1; i < roc["x"].size(); ++i)
    area += (roc["x"][i].get<double>() - roc["x"][i - 1].get<double>()) *
            (roc["y"][i].get<double>() + roc["y"][i - 1].get<double>()) / 2;
  EXPECT_NEAR(area, told["auc"].get<double>(), 2e-3);
}

TEST_F(Report, OfAnInspectionDrawsTheWeightsOfItsJson) {
  ASSERT_EQ(
      run({"fit", data_file("pima_tr.csv"), "--target", "type", "--l2", "0", "-o", path("m"), "--quiet"})
          .exit,
      0);
  const Json told = run({"inspect", path("m"), "--json"}).json();
  const Json weights = figure(page({"inspect", path("m")}), "weights");
  std::size_t found = 0;
  for (const Json& row : weights["data"]["groups"][0]["rows"])
    for (std::size_t j = 0; j < told["features"].size(); ++j)
      if (told["features"][j] == row["name"]) {
        EXPECT_NEAR(row["value"].get<double>(), told["weights"][0][j].get<double>(),
                    1e-5 * std::abs(told["weights"][0][j].get<double>()));
        EXPECT_LT(row["low"].get<double>(), row["value"].get<double>());
        ++found;
      }
  EXPECT_EQ(found, told["features"].size());
}

TEST_F(Report, OfACrossValidationDrawsItsFolds) {
  const Words words{"cv", data_file("iris.csv"), "--target", "class", "--model", "lda", "--folds", "5"};
  Words json = words;
  json.push_back("--json");
  const Json told = run(json).json();
  const Json folds = figure(page(words), "folds");
  const std::string accuracy = number_of(folds, "accuracy");
  EXPECT_NEAR(std::stod(accuracy), told["mean"]["accuracy"].get<double>(), 1e-4);
}

TEST_F(Report, OfADescriptionDrawsTheNumbersOfItsJson) {
  const Words words{"describe", data_file("pima_tr.csv"), "--target", "type"};
  Words json = words;
  json.push_back("--json");
  const Json told = run(json).json(), page = this->page(words);
  const Json classes = figure(page, "target")["data"]["groups"][0]["rows"];
  ASSERT_EQ(classes.size(), told["target"]["classes"].size());
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const double rows = told["target"]["classes"][k]["rows"].get<double>();
    EXPECT_NEAR(classes[k]["value"].get<double>(), 100 * rows / told["n_samples"].get<double>(), 1e-3);
  }
  const Json panels = figure(page, "histograms")["data"]["panels"],
             table = figure(page, "numbers")["data"]["rows"];
  ASSERT_EQ(panels.size(), told["columns"].size());
  ASSERT_EQ(table.size(), told["columns"].size());
  for (std::size_t j = 0; j < panels.size(); ++j) {
    const Json& column = told["columns"][j];
    EXPECT_EQ(panels[j]["title"], column["name"]);
    EXPECT_EQ(Json::parse(panels[j]["layers"][0]["heights"].dump()).size(),
              column["histogram"]["counts"].size());
    for (std::size_t b = 0; b < column["histogram"]["counts"].size(); ++b)
      EXPECT_EQ(panels[j]["layers"][0]["heights"][b].get<double>(),
                column["histogram"]["counts"][b].get<double>());
    EXPECT_NEAR(table[j][5].get<double>(), column["median"].get<double>(), 1e-4);
    EXPECT_NEAR(table[j][8].get<double>(), column["association"].get<double>(), 1e-4);
  }
  for (const Json& row : figure(page, "association")["data"]["groups"][0]["rows"]) EXPECT_LE(row["value"], 1);
}

TEST_F(Report, OfADescriptionEscapesWhatTheFileSays) {
  const std::string table =
      write("t.csv", "</script><script>alert(1)</script>,b\n<img src=x>,1\n</script>,2\n<img src=x>,3\n");
  page({"describe", table});
  const std::string html = read_file(path("page.html"));
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_EQ(html.find("<img src=x>"), std::string::npos);
}

TEST_F(Report, OfEveryCommandHasItsFigures) {
  const std::string iris = data_file("iris.csv"), diabetes = data_file("diabetes.csv");
  EXPECT_TRUE(has(page({"separable", iris, "--target", "class"}), "pair-3"));
  EXPECT_TRUE(has(page({"project", iris, "--target", "class"}), "plane"));
  EXPECT_TRUE(has(page({"compare", iris, "--target", "class", "--models", "lda,qda"}), "ranking"));
  const Json path = page(
      {"path", diabetes, "--target", "target", "--model", "lasso", "--task", "regression", "--folds", "3"});
  EXPECT_TRUE(has(path, "weights") && has(path, "choice"));
  const Json regression =
      page({"fit", diabetes, "--target", "target", "--model", "ridge", "--task", "regression"});
  EXPECT_TRUE(has(regression, "predicted") && has(regression, "residuals") && has(regression, "influence"));
}

TEST_F(Report, OfAllDemosHasEveryFigureOfTheSubject) {
  const Json page = this->page({"demo", "--all"});
  for (int k = 1; k <= 31; ++k) EXPECT_TRUE(has(page, "F" + std::to_string(k))) << k;
  EXPECT_TRUE(has(page, "truth-tables"));
  EXPECT_LT(read_file(path("page.html")).size(), 3000000U);
}

TEST_F(Report, EscapesWhatComesFromAFile) {
  std::string text = "</script><script>alert(1)</script>,\"<img src=x onerror=alert(2)>\",class\n";
  for (int i = 0; i < 30; ++i)
    text += std::to_string(i % 7) + "," + std::to_string(i % 5) + (i % 2 == 0 ? ",<b>&\n" : ",\"'\"\"\"\n");
  const std::string file = write("hostile.csv", text);
  const Json told = page({"fit", file, "--target", "class", "--model", "lda"});
  const std::string html = read_file(path("page.html"));
  EXPECT_EQ(html.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  const Json regions = figure(told, "regions");
  EXPECT_EQ(regions["data"]["panels"][0]["x"]["label"], "</script><script>alert(1)</script>");
}

TEST_F(Report, OfManyColumnsAndClassesSaysWhatItLeavesOut) {
  std::string text = "class";
  for (int j = 0; j < 600; ++j) text += ",c" + std::to_string(j);
  text += '\n';
  for (int i = 0; i < 300; ++i) {
    text += "k" + std::to_string(i % 60);
    for (int j = 0; j < 600; ++j)
      text += "," + std::to_string((i * 7 + j * j + (i % 60 == j % 60 ? 40 : 0)) % 101);
    text += '\n';
  }
  const Json told =
      page({"fit", write("wide.csv", text), "--target", "class", "--model", "least-squares", "--l2", "10"});
  EXPECT_FALSE(figure(told, "weights")["notes"].empty());
  EXPECT_FALSE(figure(told, "confusion")["notes"].empty());
  EXPECT_LE(figure(told, "confusion")["data"]["classes"].size(), 30U);
  EXPECT_LT(read_file(path("page.html")).size(), 3000000U);
}

TEST_F(Report, OfManyRowsDrawsSomeAndSaysSo) {
  ASSERT_EQ(
      run({"generate", "gaussians", "--rows", "20000", "--seed", "1", "-o", path("many.csv"), "--quiet"})
          .exit,
      0);
  const Json regions = figure(page({"fit", path("many.csv"), "--target", "class"}), "regions");
  const Json& points = regions["data"]["panels"][0]["layers"][1];
  EXPECT_LE(points["x"].size(), 1510U);
  EXPECT_FALSE(regions["notes"].empty());
}

TEST_F(Report, OfAMillionRowsStaysSmall) {
  ASSERT_EQ(
      run({"generate", "gaussians", "--rows", "1000000", "--seed", "1", "-o", path("million.csv"), "--quiet"})
          .exit,
      0);
  const Json told = page({"fit", path("million.csv"), "--target", "class", "--model", "lda"});
  EXPECT_LT(read_file(path("page.html")).size(), 3000000U);
  const Json regions = figure(told, "regions");
  EXPECT_NE(regions["notes"].dump().find("of 1,000,000 rows are drawn"), std::string::npos);
  // What is counted is counted over all rows.
  double rows = 0;
  const Json confusion = figure(told, "confusion");
  for (const Json& line : confusion["data"]["counts"])
    for (const Json& count : line) rows += count.get<double>();
  EXPECT_EQ(rows, 1e6);
}

TEST_F(Report, RefusesWhatItCannotWriteBeforeTheWorkStarts) {
  const std::string iris = data_file("iris.csv");
  EXPECT_EQ(run({"fit", iris, "--target", "class", "--report", "-"}).exit, 2);
  EXPECT_EQ(run({"fit", iris, "--target", "class", "--report", path("none/page.html")}).exit, 1);
  EXPECT_EQ(run({"fit", iris, "--target", "class", "-o", path("same"), "--report", path("same")}).exit, 2);
  EXPECT_EQ(run({"fit", iris, "--target", "class", "--pixels", "2x2"}).exit, 2);
  EXPECT_EQ(run({"demo", "--all"}).exit, 2);
  EXPECT_TRUE(entries().empty());
}

}  // namespace
}  // namespace discern::cli_test::report_test
