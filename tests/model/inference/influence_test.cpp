// Leverages, residuals and influence of rows, against R and against leaving rows out.
#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/catalogue/row_influence.hpp"
#include "discern/data/generate.hpp"
#include "discern/data/select_rows.hpp"
#include "tests/support/fitting.hpp"

namespace discern::influence_test {
namespace {

using support::data_file;
using support::fit_table;
using support::make_table;
using support::Request;

Request least_squares(Task task = Task::classification, std::string target = "class",
                      std::vector<std::pair<std::string, std::string>> options = {}) {
  return {.model = "least-squares", .options = std::move(options), .task = task, .target = std::move(target)};
}

Influence influence_in(const Table& table, const Request& request) {
  return row_influence(fit_table(table, request).model, table, request.weight, {}).of;
}

// A line of R: row, hatvalues, residuals of type pearson and deviance, rstandard, rstudent, dffits,
// cooks.distance.
void expect_row(const Influence& of, const std::vector<double>& r) {
  const auto row = static_cast<Index>(r[0]) - 1;
  const std::vector<double> found{of.leverage[row],     of.pearson[row],     of.deviance[row],
                                  of.standardized[row], of.studentized[row], of.dffits[row],
                                  of.cook[row]};
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(found[k], r[k + 1], 1e-9 * std::fabs(r[k + 1])) << "row " << r[0] << " number " << k;
}

std::string refusal(const Model& model, const Table& table) {
  try {
    row_influence(model, table, "", {});
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// R 4.2.2, glm(type ~ ., binomial, epsilon = 1e-14, maxit = 100) on MASS::Pima.tr; the rows of the largest
// distances and the first.
TEST(Influence, OfLogisticRegressionIsThatOfGlm) {
  const Request request{.options = {{"l2", "0"}}, .target = "type"};
  const Table table = support::read_for(data_file("pima_tr.csv"), request);
  const Influence of = influence_in(table, request);
  expect_row(of, {111, 0.1082897557895155, -1.88783148082008, -1.742514968831981, -1.845290048141364,
                  -1.862568447357963, -0.6718340525814244, 0.06067032526820648});
  expect_row(of, {175, 0.02261449358061265, 3.686840758051813, 2.315395386690196, 2.342028719299045,
                  2.382343882369523, 0.3744250501835792, 0.04022294364552174});
  expect_row(of, {9, 0.1496396741584682, -1.194218447488731, -1.33139686995582, -1.443796673201472,
                  -1.422526470884762, -0.6303923169217811, 0.03689082254504042});
  expect_row(of, {1, 0.01116007887335571, -0.2596969302738687, -0.3612910083945252, -0.3633240591391038,
                  -0.3623428637382311, -0.03995362197914765, 9.621857631190248e-05});
  Index largest = 0;
  of.cook.maxCoeff(&largest);
  EXPECT_EQ(largest, 110);
  EXPECT_NEAR(of.parameters, 8, 1e-10);
  EXPECT_EQ(of.dispersion, 1);
}

// R 4.2.2, lm(y ~ .) with y = -1 and +1 on MASS::Pima.tr.
TEST(Influence, OfLeastSquaresClassificationIsThatOfLm) {
  const Request request = least_squares(Task::classification, "type");
  const Table table = support::read_for(data_file("pima_tr.csv"), request);
  const Influence of = influence_in(table, request);
  expect_row(of, {111, 0.0984826071126139, -1.478127665012912, -1.478127665012912, -1.986950023572944,
                  -2.002463528279782, -0.6618465790264871, 0.05390999947510873});
  expect_row(of, {132, 0.05656627602243702, -1.651730982164846, -1.651730982164846, -2.170429432478309,
                  -2.191825345337568, -0.5366968429071247, 0.0353059210043386});
}

// R 4.2.2, lm(y ~ .) of NIST's Longley data.
TEST(Influence, OfLongleyIsThatOfLm) {
  const Request request = least_squares(Task::regression, "y");
  const Table table = support::read_for(data_file("nist/Longley.csv"), request);
  const Influence of = influence_in(table, request);
  expect_row(of, {5, 0.6155110941741344, 309.7145907602316, 309.7145907602316, 1.638429491090633,
                  1.844026688428533, 2.333153102678013, 0.6139168381921843});
  expect_row(of, {16, 0.6886146016938933, -206.757825193736, -206.757825193736, -1.215404474927173,
                  -1.253361351101363, -1.86386859393579, 0.4666825970163307});
  expect_row(of, {4, 0.3722277828217758, -410.1146219309033, -410.1146219309033, -1.697900378801473,
                  -1.941704740372554, -1.495156102722326, 0.2441929178759485});
  EXPECT_NEAR(std::sqrt(of.dispersion), 304.854073561965, 1e-8);  // certified by NIST
}

// Regression on one column; weights empty: all 1.
Table line_of(const std::vector<double>& x, const std::vector<double>& y,
              const std::vector<double>& weights = {}) {
  std::vector<std::vector<double>> rows;
  for (const double value : x) rows.push_back({value});
  Table table = make_table(rows, std::vector<std::string>(x.size(), "a"), weights);
  table.side.push_back({"y", false, {}, y, {}});
  return table;
}

TEST(Influence, WeightsBelowTheNumberOfParametersLeaveNoDispersion) {
  Request request = least_squares(Task::regression, "y");
  request.weight = "weight";
  const Table table = line_of({1, 2, 3, 4}, {1, 3, 2, 5}, {0.25, 0.25, 0.25, 0.25});
  try {
    influence_in(table, request);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::data);
    EXPECT_NE(error.message().find("n = 1 "), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("p = 2,"), std::string::npos) << error.message();
  }
}

// Those of the logistic loss that need no dispersion are there, and the same as for weights four times as
// large under four times the penalty.
TEST(Influence, OfLogisticRegressionNeedsNoDispersion) {
  const auto of = [](double weight) {
    const Table table =
        make_table({{0}, {1}, {2}, {3}, {4}}, {"a", "b", "a", "b", "b"}, std::vector<double>(5, weight));
    Request request{.options = {{"l2", std::to_string(weight)}}};
    request.weight = "weight";
    return influence_in(table, request);
  };
  const Influence few = of(0.25), many = of(1);
  EXPECT_TRUE(std::isnan(few.freedom()));
  for (Index i = 0; i < 5; ++i) {
    EXPECT_NEAR(few.leverage[i], many.leverage[i], 1e-7);
    EXPECT_NEAR(2 * few.pearson[i], many.pearson[i], 1e-7);
    EXPECT_NEAR(4 * few.cook[i], many.cook[i], 1e-7);
    EXPECT_TRUE(std::isnan(few.dffits[i]));
    EXPECT_FALSE(std::isnan(many.dffits[i]));
  }
}

TEST(Influence, OneRowMoreThanParametersHasNoDispersionWithoutARow) {
  const Influence of = influence_in(line_of({1, 2, 4}, {1, 3, 2}), least_squares(Task::regression, "y"));
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(std::fabs(of.standardized[i]), 1, 1e-12);
    EXPECT_GT(of.cook[i], 0);
    EXPECT_TRUE(std::isnan(of.studentized[i]));
    EXPECT_TRUE(std::isnan(of.dffits[i]));
  }
}

TEST(Influence, OfAnExactFitIsLeverageAlone) {
  std::vector<double> x, y;
  for (int i = 0; i < 12; ++i) {
    x.push_back(i);
    y.push_back(0.1 * i + 0.3);
  }
  const Influence exact = influence_in(line_of(x, y), least_squares(Task::regression, "y"));
  EXPECT_TRUE(exact.exact);
  EXPECT_NEAR(exact.leverage.sum(), 2, 1e-12);
  for (const Vector* numbers : {&exact.standardized, &exact.studentized, &exact.dffits, &exact.cook})
    EXPECT_TRUE(std::isnan((*numbers)[5]));
  y[5] += 1e-9;
  const Influence bent = influence_in(line_of(x, y), least_squares(Task::regression, "y"));
  EXPECT_FALSE(bent.exact);
  EXPECT_TRUE(std::isinf(bent.studentized[5]));
  EXPECT_TRUE(std::isinf(bent.dffits[5]));
  EXPECT_LT(std::fabs(bent.studentized[4]), 1);
}

// Two classes that overlap, on request with weights and a constant column.
Table noisy_rows(Index count, bool weighted, bool constant = false) {
  Random random(7);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  std::vector<double> weights;
  for (Index i = 0; i < count; ++i) {
    rows.push_back({random.normal(), 100 + 5 * random.normal()});
    labels.emplace_back(rows.back()[0] + 0.1 * (rows.back()[1] - 100) + random.normal() > 0 ? "b" : "a");
    weights.push_back(1 + static_cast<double>(i % 3));
    if (constant) rows.back().push_back(3);
  }
  return make_table(rows, labels, weighted ? weights : std::vector<double>());
}

// Leaving a row out changes its residual to e / (1 - h), also under a ridge in the units of the file.
TEST(Influence, LeavingARowOutDividesItsResidualByOneMinusItsLeverage) {
  const Table table = noisy_rows(30, false, true);
  Request request = least_squares(Task::classification, "class", {{"l2", "3"}});
  request.standardize = false;
  const FitOutcome whole = fit_table(table, request);
  const Influence of = row_influence(whole.model, table, "", {}).of;
  EXPECT_LT(of.parameters, 3);  // the constant column is none, and the penalty shrinks the other two
  EXPECT_GT(of.parameters, 2.5);
  for (const Index out : {0, 7, 29}) {
    std::vector<Index> rest;
    for (Index i = 0; i < table.rows(); ++i)
      if (i != out) rest.push_back(i);
    const Model model = fit_table(select_rows(table, rest), request).model;
    const double y = whole.train_labels[static_cast<std::size_t>(out)] == 1 ? 1 : -1;
    const double without = y - predict(model, table).scores(out, 0);
    EXPECT_NEAR(of.pearson[out] / (1 - of.leverage[out]), without, 1e-10);
  }
}

// A row of weight 2 has the leverage of two rows together; the dispersion counts both.
TEST(Influence, AWeightCountsAsSoManyRows) {
  Table table = noisy_rows(20, true);
  Request request{.options = {{"l2", "2"}}, .weight = "weight"};
  for (const std::string model : {"logistic", "least-squares"}) {
    request.model = model;
    const Influence weighted = influence_in(table, request);
    std::vector<Index> repeated;
    for (Index i = 0; i < table.rows(); ++i)
      for (Index copy = 0; copy <= i % 3; ++copy) repeated.push_back(i);
    Request plain = request;
    plain.weight = "";
    const Influence each = influence_in(select_rows(table, repeated), plain);
    EXPECT_NEAR(each.dispersion, weighted.dispersion, 1e-9);
    EXPECT_NEAR(each.parameters, weighted.parameters, 1e-9);
    for (std::size_t k = 0; k < repeated.size(); ++k) {
      const double copies = 1 + static_cast<double>(repeated[k] % 3);
      EXPECT_NEAR(copies * each.leverage[static_cast<Index>(k)], weighted.leverage[repeated[k]], 1e-9);
    }
  }
}

TEST(Influence, LeveragesOfLeastSquaresDependOnTheFeaturesAlone) {
  const Request classes = least_squares();
  const Table iris = support::read_for(data_file("iris.csv"), classes);
  const Influence three = influence_in(iris, classes);
  EXPECT_NEAR(three.parameters, 5, 1e-10);
  // One residual of each class; the three sum to zero.
  EXPECT_NEAR(three.dispersion * (150 - 5), 2 * *fit_table(iris, classes).model.summary.objective, 1e-9);
  Table relabelled = iris;
  relabelled.side[0].levels = {"a", "b"};
  relabelled.side[0].noticed.level_line = {2, 3};
  for (std::size_t i = 0; i < 150; ++i) relabelled.side[0].values[i] = i % 2 == 0 ? 0 : 1;
  const Influence other = influence_in(relabelled, classes);
  EXPECT_LT((three.leverage - other.leverage).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Influence, IsTheSameOnAnyNumberOfThreads) {
  const Table table = noisy_rows(3000, false);
  std::vector<Influence> found;
  for (const int threads : {1, 3}) with_threads(threads, [&] { found.push_back(influence_in(table, {})); });
  EXPECT_EQ(found[0].cook, found[1].cook);
  EXPECT_EQ(found[0].dffits, found[1].dffits);
}

TEST(Influence, ARowThatItsOwnWeightFitsHasNoDistance) {
  const Table table = make_table({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 1}}, {"a", "b", "a", "b", "b"});
  const Influence of = influence_in(table, least_squares());
  EXPECT_NEAR(of.leverage[4], 1, 1e-12);
  EXPECT_TRUE(std::isnan(of.cook[4]) && std::isnan(of.studentized[4]));
  EXPECT_FALSE(std::isnan(of.cook[0]));
}

TEST(Influence, IsRefusedWhereItMeansNothing) {
  const Table table = noisy_rows(30, true);
  const auto of = [&](const Request& request) { return refusal(fit_table(table, request).model, table); };
  EXPECT_EQ(of({.model = "svm"}),
            "`influence`: leverages are those of least-squares and logistic, and this is svm");
  EXPECT_NE(of({.options = {{"l1", "1"}}}).find("with l1"), std::string::npos);
  EXPECT_NE(of({.options = {{"l2", "0"}, {"firth", "true"}}}).find("`firth`"), std::string::npos);
  EXPECT_NE(of({.options = {{"calibrate", "platt"}}}).find("calibration"), std::string::npos);
  EXPECT_NE(of({.options = {{"solver", "sgd"}}}).find("not converged"), std::string::npos);
  EXPECT_NE(of(least_squares(Task::classification, "class", {{"targets", "fisher"}})).find("targets"),
            std::string::npos);
  EXPECT_NE(of({.weight = "weight"}).find("not the minimum"), std::string::npos);
  EXPECT_NE(of({.class_weight = "a=1,b=3"}).find("class weights"), std::string::npos);
  const Model model = fit_table(table, {}).model;
  EXPECT_NE(refusal(model, select_rows(table, {0, 1, 2})).find("3 rows, and the model was fitted on 30"),
            std::string::npos);
  EXPECT_EQ(refusal(model, table), "no error");
}

std::string too_correct_in(const FitOutcome& outcome) {
  for (const std::string& warning : outcome.model.summary.warnings)
    if (warning.find("too correct") != std::string::npos) return warning;
  return "";
}

GenerateOptions outliers(Index rows, std::uint64_t seed) {
  GenerateOptions options;
  options.shape = "outliers";
  options.rows = rows;
  options.seed = seed;
  return options;
}

TEST(TooCorrect, RowsThatBendLeastSquaresAreNamed) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U})
    EXPECT_NE(too_correct_in(fit_table(generate(outliers(1000, seed)), least_squares())), "") << seed;
  // The rows that are named lie far out: x1 about 12 and x2 about -10.
  const Table table = generate(outliers(80, 2));
  const std::string warning = too_correct_in(fit_table(table, least_squares()));
  EXPECT_NE(warning.find("of 80 rows are too correct (rows "), std::string::npos) << warning;
  const Index named = std::stol(warning.substr(warning.find("(rows ") + 6)) - 1;
  const auto& x = std::get<DenseMatrix<double>>(table.x);
  EXPECT_GT(x.values.data()[2 * named] - x.values.data()[2 * named + 1], 15);
  EXPECT_EQ(too_correct_in(fit_table(table, {})), "");  // logistic has no such rows
}

TEST(TooCorrect, DataWithoutThemHaveNoWarning) {
  for (const std::string name : {"iris", "wine", "breast_cancer_wdbc", "banknote", "digits", "vowel_train"}) {
    const Table table = support::read_for(data_file(name + ".csv"), least_squares());
    EXPECT_EQ(too_correct_in(fit_table(table, least_squares())), "") << name;
  }
  GenerateOptions clean = outliers(1000, 1);
  clean.noise = 0;
  EXPECT_EQ(too_correct_in(fit_table(generate(clean), least_squares())), "");
}

// The numbers of the rows are those of the file, where rows of weight 0 are counted, too.
TEST(TooCorrect, RowsOfWeightZeroDoNotShiftTheNumbers) {
  Table table = generate(outliers(80, 2));
  const std::string plain = too_correct_in(fit_table(table, least_squares()));
  std::vector<Index> doubled{0, 0, 0};
  for (Index i = 0; i < 80; ++i) doubled.push_back(i);
  Table longer = select_rows(table, doubled);
  std::vector<double> weights(83, 1.0);
  weights[0] = weights[1] = weights[2] = 0;
  longer.side.push_back({"weight", false, {}, weights, {}});
  Request request = least_squares();
  request.weight = "weight";
  const std::string shifted = too_correct_in(fit_table(longer, request));
  const auto first = [](const std::string& text) { return std::stol(text.substr(text.find("(rows ") + 6)); };
  EXPECT_EQ(first(shifted), first(plain) + 3);
}

}  // namespace
}  // namespace discern::influence_test
