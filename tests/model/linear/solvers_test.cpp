// Loss, penalty and solver are independent: every solver that applies to a problem finds the same minimum.
#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/random.hpp"
#include "tests/support/fitting.hpp"

namespace discern::solvers_test {
namespace {

using support::as_sparse;
using support::fit_table;
using support::make_table;
using support::Request;

using Options = std::vector<std::pair<std::string, std::string>>;

// Overlapping classes, or a noisy line; correlated features of different scales, some zero.
Table made_table(int rows, std::size_t classes, bool weights) {
  Random random(31);
  std::vector<std::vector<double>> x;
  std::vector<std::string> labels;
  std::vector<double> s, y;
  for (int i = 0; i < rows; ++i) {
    const std::size_t k = random.below(std::max<std::size_t>(classes, 2));
    const double shift = static_cast<double>(k), common = random.normal();
    x.push_back({random.normal() + shift, 10 * (common + random.normal()) - 5 * shift, common + 0.3,
                 random.below(3) == 0 ? 0.0 : 0.1 * random.normal(), random.normal()});
    labels.push_back(std::string(1, static_cast<char>('a' + k)));
    y.push_back(x.back()[0] - 0.2 * x.back()[1] + random.normal());
    s.push_back(0.5 * static_cast<double>(1 + random.below(4)));
  }
  Table table = make_table(x, labels, weights ? s : std::vector<double>{});
  if (classes == 0) table.side[0] = {"class", false, {}, y, {}};
  return table;
}

struct Row {
  const char* name;
  const char* model;
  Options options;
  std::size_t classes = 2;  // 0: regression
  bool weights = false;
  bool sparse = false;
  bool standardize = true;
  std::vector<std::string> solvers;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const std::vector<std::string> smooth{"newton", "newton-cg", "lbfgs", "cg", "gd", "cd"};
const std::vector<std::string> with_dual{"newton", "newton-cg", "lbfgs", "cg", "gd", "cd", "dual-cd"};

std::vector<Row> problems() {
  const Options squared{{"loss", "squared-hinge"}};
  const auto plus = [](Options options, const char* name, const char* text) {
    options.emplace_back(name, text);
    return options;
  };
  const std::vector<std::string> closed{"closed-form", "newton", "newton-cg", "lbfgs", "cg", "gd", "cd"};
  return {
      {"logistic", "logistic", {}, 2, false, false, true, with_dual},
      {"logistic_sparse", "logistic", {}, 2, false, true, true, with_dual},
      // Many more rows than features and a weak penalty: the dual needs thousands of cheap sweeps.
      {"logistic_raw_units",
       "logistic",
       {{"l2", "3"}, {"max-iter", "200000"}},
       2,
       true,
       false,
       false,
       with_dual},
      {"logistic_unpenalised", "logistic", {{"l2", "0"}}, 2, false, false, true, smooth},
      {"logistic_no_bias", "logistic", {{"no-bias", "true"}}, 2, false, false, true, with_dual},
      {"logistic_penalised_bias", "logistic", {{"penalize-bias", "true"}}, 2, false, false, true, with_dual},
      {"logistic_weights_sparse", "logistic", {{"penalize-bias", "true"}}, 2, true, true, true, with_dual},
      {"softmax", "logistic", {}, 3, false, false, true, smooth},
      {"softmax_sparse_weights", "logistic", {{"l2", "0.3"}}, 3, true, true, true, smooth},
      {"softmax_no_bias", "logistic", {{"no-bias", "true"}}, 3, false, false, true, smooth},
      {"softmax_penalised_bias", "logistic", {{"penalize-bias", "true"}}, 3, false, false, true, smooth},
      {"squared_hinge", "svm", squared, 2, false, false, true, with_dual},
      {"squared_hinge_sparse", "svm", squared, 2, false, true, true, with_dual},
      {"squared_hinge_weights", "svm", plus(squared, "no-bias", "true"), 2, true, false, true, with_dual},
      {"squared_hinge_penalised_bias", "svm", plus(squared, "penalize-bias", "true"), 2, false, false, true,
       with_dual},
      {"squared_hinge_of_three", "svm", squared, 3, false, false, true, with_dual},
      {"hinge", "svm", {}, 2, false, false, true, {"newton", "dual-cd"}},
      {"hinge_sparse", "svm", {}, 2, false, true, true, {"newton", "dual-cd"}},
      {"hinge_weights",
       "svm",
       {{"l2", "0.1"}, {"max-iter", "200000"}},
       2,
       true,
       false,
       true,
       {"newton", "dual-cd"}},
      {"hinge_no_bias", "svm", {{"no-bias", "true"}}, 2, false, false, true, {"newton", "dual-cd"}},
      {"hinge_penalised_bias",
       "svm",
       {{"penalize-bias", "true"}},
       2,
       true,
       true,
       true,
       {"newton", "dual-cd"}},
      {"hinge_of_three", "svm", {}, 3, false, false, true, {"newton", "dual-cd"}},
      {"ridge", "ridge", {}, 0, false, false, true, closed},
      {"ridge_sparse_weights", "ridge", {}, 0, true, true, false, closed},
      {"ridge_no_bias", "ridge", {{"no-bias", "true"}}, 0, false, false, true, closed},
      {"ridge_penalised_bias", "ridge", {{"penalize-bias", "true"}}, 0, false, false, true, smooth},
      {"ridge_of_two", "ridge", {}, 2, false, false, true, closed},
      {"ridge_of_three", "ridge", {}, 3, true, false, true, closed},
  };
}

class SolversOf : public ::testing::TestWithParam<Row> {
 protected:
  FitOutcome fit(const std::string& solver) const {
    const Row& row = GetParam();
    const Table table = made_table(160, row.classes, row.weights);
    Request request{.model = row.model, .options = row.options};
    request.options.emplace_back("solver", solver);
    if (row.classes == 0) request.task = Task::regression;
    if (row.weights) request.weight = "weight";
    request.standardize = row.standardize;
    return fit_table(row.sparse ? as_sparse(table) : table, request);
  }
};

INSTANTIATE_TEST_SUITE_P(Problems, SolversOf, ::testing::ValuesIn(problems()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(SolversOf, ReachTheSameObjectiveWithinTheirTolerance) {
  const auto best = fit("auto");
  const double objective = *best.model.summary.objective;
  EXPECT_TRUE(best.model.summary.converged);
  EXPECT_FALSE(best.model.summary.reason.empty());
  for (const std::string& solver : GetParam().solvers) {
    const auto outcome = fit(solver);
    const Summary& summary = outcome.model.summary;
    EXPECT_TRUE(summary.converged) << solver << ": " << summary.certificate.value;
    EXPECT_LE(summary.certificate.value, 1e-9) << solver;
    EXPECT_EQ(summary.solver, solver);
    EXPECT_NEAR(*summary.objective, objective, 1e-9 * objective) << solver;
    // A duality gap of 1e-9 leaves the scores within about its root.
    const double near = solver == "dual-cd" ? 1e-3 : 1e-4;
    EXPECT_LT((outcome.train.scores - best.train.scores).cwiseAbs().maxCoeff(), near) << solver;
  }
}

// l1 ------------------------------------------------------------------------------------------------------

// How far the weights are from the conditions that hold at the minimum of E with l1, computed row by row from
// the definition: |gradient + l1 sign(w)| where w is not zero, max(0, |gradient| - l1) where it is; on
// standardised features. The bias has a gradient of zero.
struct Optimality {
  double worst = 0;
  Index zeros = 0;
};

Optimality optimality(const Table& table, const FitOutcome& outcome, double l1, double l2, bool hinge) {
  const auto& x = std::get<DenseMatrix<double>>(table.x);
  const auto& linear = std::get<Linear>(outcome.model.predictor);
  const auto rows = static_cast<double>(x.rows);
  Optimality found;
  for (Index k = 0; k < linear.scores(); ++k) {
    std::vector<double> slopes;
    for (Index i = 0; i < x.rows; ++i) {
      const double g = outcome.train.scores(i, k);
      if (outcome.train_labels.empty()) {
        slopes.push_back(g - outcome.train_targets[static_cast<std::size_t>(i)]);
        continue;
      }
      const auto label = outcome.train_labels[static_cast<std::size_t>(i)];
      const double y = label == (linear.scores() == 1 ? 1 : k) ? 1 : -1;
      if (hinge)
        slopes.push_back(-2 * y * std::max(0.0, 1 - y * g));
      else
        slopes.push_back(outcome.train.proba(i, linear.scores() == 1 ? 1 : k) - (y > 0 ? 1 : 0));
    }
    double bias = 0;
    for (const double slope : slopes) bias += slope;
    found.worst = std::max(found.worst, std::fabs(bias));
    for (Index j = 0; j < x.cols; ++j) {
      double mean = 0, square = 0, gradient = 0;
      for (Index i = 0; i < x.rows; ++i) mean += x.values[i * x.cols + j] / rows;
      for (Index i = 0; i < x.rows; ++i) square += std::pow(x.values[i * x.cols + j] - mean, 2) / rows;
      const double deviation = std::sqrt(square), u = linear.weights(k, j) * deviation;
      for (Index i = 0; i < x.rows; ++i)
        gradient += slopes[static_cast<std::size_t>(i)] * (x.values[i * x.cols + j] - mean) / deviation;
      gradient += l2 * u;
      const double wrong =
          u == 0 ? std::max(0.0, std::fabs(gradient) - l1) : std::fabs(gradient + (u > 0 ? l1 : -l1));
      found.worst = std::max(found.worst, wrong);
      found.zeros += u == 0 ? 1 : 0;
    }
  }
  return found;
}

TEST(L1, EveryLossMeetsTheConditionsOfOptimality) {
  struct L1Case {
    const char* model;
    Options options;
    std::size_t classes;
    double l1, l2;
    bool hinge;
  };
  const std::vector<L1Case> cases{
      {"lasso", {{"l1", "30"}}, 0, 30, 0, false},
      {"elastic-net", {{"l1", "30"}, {"l2", "20"}}, 0, 30, 20, false},
      {"logistic", {{"l1", "8"}, {"l2", "0"}}, 2, 8, 0, false},
      {"logistic", {{"l1", "6"}, {"l2", "3"}}, 2, 6, 3, false},
      {"logistic", {{"l1", "8"}, {"l2", "0"}}, 3, 8, 0, false},
      {"logistic", {{"l1", "6"}, {"l2", "3"}}, 3, 6, 3, false},
      {"svm", {{"loss", "squared-hinge"}, {"l1", "25"}, {"l2", "0"}}, 2, 25, 0, true},
      {"svm", {{"loss", "squared-hinge"}, {"l1", "25"}, {"l2", "1"}}, 3, 25, 1, true},
  };
  for (const L1Case& c : cases) {
    const Table table = made_table(160, c.classes, false);
    Request request{.model = c.model, .options = c.options};
    if (c.classes == 0) request.task = Task::regression;
    const auto outcome = fit_table(table, request);
    EXPECT_TRUE(outcome.model.summary.converged) << c.model << c.classes;
    EXPECT_EQ(outcome.model.summary.solver, "cd");
    const Optimality found = optimality(table, outcome, c.l1, c.l2, c.hinge);
    EXPECT_LT(found.worst, 1e-6) << c.model << " of " << c.classes;  // slopes start above 100
    EXPECT_GT(found.zeros, 0) << c.model << " of " << c.classes;
    ASSERT_EQ(outcome.model.summary.facts.size(), 1U);
    EXPECT_EQ(outcome.model.summary.facts[0].name, "zero_weights");
    EXPECT_EQ(std::get<double>(outcome.model.summary.facts[0].value), static_cast<double>(found.zeros));
    const auto same = [&](const Table& rows, const char* solver) {
      Request other = request;
      other.options.emplace_back("solver", solver);
      const auto found_so = fit_table(rows, other);
      EXPECT_TRUE(found_so.model.summary.converged) << c.model << " of " << c.classes << " by " << solver;
      EXPECT_NEAR(*found_so.model.summary.objective, *outcome.model.summary.objective,
                  1e-9 * *outcome.model.summary.objective);
      EXPECT_EQ(optimality(table, found_so, c.l1, c.l2, c.hinge).zeros, found.zeros) << solver;
    };
    same(as_sparse(table), "cd");
    const bool one_score = c.classes < 3 || c.hinge;
    if (one_score) same(table, "newton-cg");
    if (one_score) same(as_sparse(table), "newton-cg");
  }
}

// Far more features than rows, sparse, nearly collinear in pairs: what auto takes for wide sparse rows must
// end at the answer of coordinate descent, with the same weights at zero.
TEST(L1, WideSparseRowsAgreeWithCoordinateDescent) {
  Random random(5);
  std::vector<std::vector<double>> x;
  std::vector<std::string> labels;
  for (int i = 0; i < 300; ++i) {
    std::vector<double> row(1200, 0.0);
    double score = random.normal();
    for (std::size_t j = 0; j < 600; ++j) {
      if (random.below(20) > 0) continue;
      row[2 * j] = random.normal();
      row[2 * j + 1] = row[2 * j] * (1 + 1e-3 * random.normal());
      if (j < 20) score += 2 * row[2 * j];
    }
    x.push_back(row);
    labels.push_back(score > 0 ? "yes" : "no");
  }
  const Table table = as_sparse(make_table(x, labels));
  const auto by = [&](const char* solver) {
    return fit_table(table, {.model = "logistic", .options = {{"l1", "4"}, {"l2", "0"}, {"solver", solver}}});
  };
  const FitOutcome chosen = by("auto"), swept = by("cd");
  EXPECT_EQ(chosen.model.summary.solver, "newton-cg");
  EXPECT_TRUE(chosen.model.summary.converged);
  EXPECT_TRUE(swept.model.summary.converged);
  EXPECT_NEAR(*chosen.model.summary.objective, *swept.model.summary.objective,
              1e-9 * *swept.model.summary.objective);
  const auto zeros = [](const FitOutcome& fit) {
    return (std::get<Linear>(fit.model.predictor).weights.array() == 0).count();
  };
  EXPECT_EQ(zeros(chosen), zeros(swept));
  EXPECT_GT(zeros(chosen), 900);
}

// A small penalty keeps more weights in use than there are rows to tell them apart.
TEST(L1, SparseRowsFewerThanFeaturesGiveTheAnswerOfDenseOnes) {
  Random random(7);
  std::vector<std::vector<double>> rows(120, std::vector<double>(560, 0.0));
  std::vector<std::string> labels;
  for (auto& row : rows) {
    for (double& value : row)
      if (random.below(20) == 0) value = std::fabs(random.normal());
    labels.push_back(row[0] + row[1] + random.normal() > 0 ? "yes" : "no");
  }
  const Table dense = make_table(rows, labels), sparse = as_sparse(dense);
  const std::vector<Request> requests{
      {.model = "lasso", .options = {{"l1", "0.3"}}},
      {.model = "elastic-net", .options = {{"l1", "0.3"}, {"l2", "0.3"}}},
      {.model = "svm", .options = {{"loss", "squared-hinge"}, {"l1", "0.3"}, {"l2", "0"}}}};
  for (const Request& request : requests) {
    const Model expected = fit_table(dense, request).model;
    ASSERT_TRUE(expected.summary.converged);
    for (const char* solver : {"cd", "newton-cg"}) {
      Request other = request;
      other.options.emplace_back("solver", solver);
      const Model model = fit_table(sparse, other).model;
      EXPECT_TRUE(model.summary.converged) << request.model << " by " << solver;
      EXPECT_NEAR(*model.summary.objective, *expected.summary.objective, 1e-9 * *expected.summary.objective)
          << request.model << " by " << solver;
    }
  }
}

// A column of ones, as LIBSVM files often have, beside the bias; and one of any other constant.
TEST(LeastSquares, AConstantColumnOfSparseRowsIsLeftToTheBias) {
  Table dense = made_table(160, 2, false);
  const FitOutcome without = fit_table(dense, {.model = "least-squares"});
  for (const double constant : {1.0, 0.1, 7.3, 100.0}) {
    std::vector<std::vector<double>> rows;
    std::vector<std::string> labels;
    const auto& x = std::get<DenseMatrix<double>>(dense.x);
    for (Index i = 0; i < x.rows; ++i) {
      rows.emplace_back(x.values.data() + i * x.cols, x.values.data() + (i + 1) * x.cols);
      rows.back().push_back(constant);
      labels.push_back(
          dense.side[0].levels[static_cast<std::size_t>(dense.side[0].values[static_cast<std::size_t>(i)])]);
    }
    const FitOutcome with = fit_table(as_sparse(make_table(rows, labels)), {.model = "least-squares"});
    EXPECT_TRUE(with.model.summary.converged) << constant;
    EXPECT_NEAR(*with.model.summary.objective, *without.model.summary.objective,
                1e-9 * *without.model.summary.objective)
        << constant;
    EXPECT_LT(std::get<Linear>(with.model.predictor).weights.cwiseAbs().maxCoeff(), 1e3) << constant;
  }
}

// Where classes are separated and the penalty is weak, the slopes of all rows nearly vanish: a gradient that
// is small beside the one at zero would prove nothing.
TEST(Solvers, AgreeWhereSeparatedClassesMeetAWeakPenalty) {
  Random random(8);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 300; ++i) {
    const double shift = i % 2 == 0 ? 3 : -3;
    rows.push_back({random.normal() + shift, random.normal() + shift, random.normal()});
    labels.push_back(i % 2 == 0 ? "a" : "b");
  }
  const Table table = make_table(rows, labels);
  for (const char* l2 : {"1e-3", "1e-6"}) {
    const auto by = [&](const char* solver) {
      return fit_table(table, {.model = "logistic", .options = {{"l2", l2}, {"solver", solver}}})
          .model.summary;
    };
    const Summary best =
        fit_table(table, {.model = "logistic", .options = {{"l2", l2}, {"tol", "1e-13"}}}).model.summary;
    EXPECT_LT(*best.objective, 0.1);
    for (const char* solver : {"newton", "newton-cg", "lbfgs", "cg"}) {
      const Summary found = by(solver);
      EXPECT_TRUE(found.converged) << solver << " " << found.certificate.value;
      EXPECT_NEAR(*found.objective, *best.objective, 1e-9 * *best.objective) << solver << " at " << l2;
    }
  }
}

// Separated classes with many features leave few rows that count, and the steps of Newton's method hardly
// anything: interior points take some thirty passes where those took hundreds.
TEST(Solvers, TakeFewPassesOverASquaredHingeOfSeparatedClasses) {
  Random random(4);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 700; ++i) {
    std::vector<double> row;
    double g = 0;
    for (int j = 0; j < 30; ++j) {
      row.push_back(random.normal());
      g += (j % 7 - 3) * row.back();
    }
    rows.push_back(std::move(row));
    labels.push_back(g > 0 ? "a" : "b");
  }
  const Table table = make_table(rows, labels);
  for (const bool bias : {true, false})
    for (const char* l2 : {"1e-3", "1e-7"}) {
      std::vector<double> objectives;
      for (const char* solver : {"auto", "newton", "newton-cg", "dual-cd"}) {
        const Summary found = fit_table(table, {.model = "svm",
                                                .options = {{"loss", "squared-hinge"},
                                                            {"l2", l2},
                                                            {"solver", solver},
                                                            {"no-bias", bias ? "false" : "true"}}})
                                  .model.summary;
        EXPECT_TRUE(found.converged) << solver << " " << l2 << " " << found.certificate.value;
        EXPECT_LT(found.iterations, std::string(solver) == "newton" ? 80 : 1000) << solver << " " << l2;
        objectives.push_back(*found.objective);
      }
      for (const double objective : objectives) EXPECT_NEAR(objective, objectives[0], 1e-9 * objectives[0]);
    }
}

TEST(Solvers, AgreeWhateverTheWeightsOfTheClasses) {
  const Table table = made_table(400, 2, false);
  std::vector<double> objectives;
  for (const char* solver : {"newton", "newton-cg", "lbfgs", "cg", "dual-cd"}) {
    const Summary found = fit_table(table, {.model = "logistic",
                                            .options = {{"l2", "1"}, {"solver", solver}},
                                            .class_weight = "a=1e8,b=1e-8"})
                              .model.summary;
    EXPECT_TRUE(found.converged) << solver << " " << found.certificate.value;
    objectives.push_back(*found.objective);
  }
  for (const double objective : objectives) EXPECT_NEAR(objective, objectives[0], 1e-9 * objectives[0]);
}

// The indicators of a text column sum to one: three times collinear, and hardly a penalty holds them. Passes
// over the data are as many as for features without any such relation.
TEST(Solvers, TakeFewStepsOnCollinearIndicators) {
  Random random(4);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 5000; ++i) {
    std::vector<double> row(24);
    double score = random.normal();
    for (std::size_t column = 0; column < 3; ++column) {
      const double u = random.uniform();
      const auto level = static_cast<std::size_t>(8 * u * u * u);  // the last ones are rare
      row[8 * column + level] = 1;
      score += level % 2 == 0 ? 0.7 : -0.7;
    }
    rows.push_back(std::move(row));
    labels.push_back(score > 0 ? "a" : "b");
  }
  const Table table = as_sparse(make_table(rows, labels));
  for (const char* model : {"logistic", "svm"})
    for (const char* solver : {"lbfgs", "cg", "newton-cg"}) {
      Request request{.model = model, .options = {{"l2", "1e-5"}, {"solver", solver}}};
      if (request.model == "svm") request.options.emplace_back("loss", "squared-hinge");
      const Summary found = fit_table(table, request).model.summary;
      EXPECT_TRUE(found.converged) << model << " " << solver << " " << found.certificate.value;
      EXPECT_LT(found.iterations, 60) << model << " " << solver;
    }
}

// Curvatures at the end are nothing like those at zero: with the first preconditioner alone L-BFGS takes
// thousands of steps.
TEST(Solvers, GoOnWithCurvaturesOfWhereTheyAre) {
  for (const char* solver : {"lbfgs", "cg"}) {
    const Summary found =
        support::fit_file(
            support::data_file("wine.csv"),
            {.model = "logistic", .options = {{"l2", "1e-4"}, {"solver", solver}}, .standardize = false})
            .model.summary;
    EXPECT_TRUE(found.converged) << solver << " " << found.certificate.value;
    EXPECT_LT(found.iterations, 200) << solver;
  }
}

// The closed form would take time with the cube of the features.
TEST(Ridge, WithFewRowsIsSolvedByIterations) {
  Random random(3);
  std::vector<std::vector<double>> rows(12, std::vector<double>(700));
  std::vector<std::string> labels;
  for (auto& row : rows) {
    for (double& value : row) value = random.normal();
    labels.push_back(row[0] > 0 ? "yes" : "no");
  }
  const Table table = make_table(rows, labels);
  const auto by = [&](const char* solver) {
    return fit_table(table, {.model = "ridge", .options = {{"l2", "2"}, {"solver", solver}}}).model;
  };
  const Model chosen = by("auto"), other = by("lbfgs");
  EXPECT_NE(chosen.summary.solver, "closed-form");
  EXPECT_TRUE(chosen.summary.converged);
  EXPECT_TRUE(other.summary.converged);
  EXPECT_LT(other.summary.iterations, 40);
  EXPECT_NEAR(*chosen.summary.objective, *other.summary.objective, 1e-9 * *other.summary.objective);
}

TEST(L1, AStrongEnoughPenaltyLeavesTheBiasAlone) {
  const Table table = made_table(160, 2, false);
  const auto outcome = fit_table(table, {.model = "logistic", .options = {{"l1", "1000"}, {"l2", "0"}}});
  EXPECT_TRUE(outcome.model.summary.converged);
  EXPECT_TRUE(std::get<Linear>(outcome.model.predictor).weights.isZero(0));
  double positive = 0;
  for (const auto label : outcome.train_labels) positive += label;
  EXPECT_NEAR(outcome.train.scores(0, 0), std::log(positive / (160 - positive)), 1e-9);
}

TEST(Softmax, BiasesSumToZeroWhateverTheSolverAndThePenalty) {
  const Table table = made_table(160, 3, false);
  for (const char* solver : {"newton", "newton-cg", "lbfgs", "cg", "gd", "cd", "sgd"})
    for (const char* l1 : {"0", "5"}) {
      if (std::string_view(l1) != "0" && std::string_view(solver) != "cd") continue;
      const auto outcome =
          fit_table(table, {.model = "logistic", .options = {{"solver", solver}, {"l1", l1}}});
      EXPECT_NEAR(std::get<Linear>(outcome.model.predictor).bias_at_origin().sum(), 0, 1e-12) << solver;
    }
}

TEST(Solvers, AnInterruptedFitLeavesTheModelSoFar) {
  const Table table = made_table(160, 2, false);
  const std::vector<std::pair<const char*, const char*>> fits{
      {"logistic", "newton"}, {"logistic", "newton-cg"}, {"logistic", "lbfgs"}, {"logistic", "cg"},
      {"logistic", "gd"},     {"logistic", "cd"},        {"svm", "newton"},     {"svm", "dual-cd"}};
  for (const auto& [model, solver] : fits) {
    FitSettings settings;
    settings.options = find_model(model).make(model);
    set_option(settings.options, "solver", solver);
    set_option(settings.options, "tol", "0");
    settings.target = "class";
    settings.monitor = [](const Progress& progress) { return !progress.iterative || progress.done < 1; };
    const Summary summary = fit_model(table, settings).model.summary;
    EXPECT_TRUE(summary.interrupted) << model << " " << solver;
    EXPECT_FALSE(summary.converged) << model << " " << solver;
    EXPECT_LT(summary.iterations, 100) << model << " " << solver;
  }
}

// By hand ---------------------------------------------------------------------------------------------------

TEST(Newton, IsTheClosedFormInOneStepOnSquaredLoss) {
  const Table table = made_table(160, 0, true);
  for (const char* l2 : {"0", "3"}) {
    Request request{.model = "least-squares",
                    .options = {{"l2", l2}, {"solver", "closed-form"}},
                    .task = Task::regression,
                    .weight = "weight"};
    const auto closed = fit_table(table, request);
    request.options.back().second = "newton";
    request.options.emplace_back("max-iter", "1");
    const auto newton = fit_table(table, request);
    EXPECT_TRUE(newton.model.summary.converged);
    EXPECT_LT((closed.train.scores - newton.train.scores).cwiseAbs().maxCoeff(), 1e-11);
  }
}

// Two points at -1 and +1: the widest margin is the line g(x) = x, with both on it.
TEST(Svm, FindsTheWidestMarginOfTwoPoints) {
  for (const char* solver : {"newton", "dual-cd"}) {
    const auto outcome =
        fit_table(make_table({{-1}, {1}}, {"a", "b"}),
                  {.model = "svm", .options = {{"l2", "0.1"}, {"solver", solver}}, .standardize = false});
    const auto found = support::parameters(outcome.model);
    EXPECT_NEAR(found[0], 1, 1e-8) << solver;
    EXPECT_NEAR(found[1], 0, 1e-8) << solver;
  }
}

// y = x at -1, 0 and 1 has the scatter 2 and the slope 1: the lasso takes l1 off its product.
TEST(Lasso, SoftensTheSlopeOfOneFeatureByHand) {
  Table table = make_table({{-1}, {0}, {1}}, {"a", "b", "c"});
  table.side[0] = {"class", false, {}, {-1, 0, 1}, {}};
  for (const auto& [l1, slope] : {std::pair{"0.5", 0.75}, {"1", 0.5}, {"2", 0.0}, {"3", 0.0}}) {
    const auto outcome = fit_table(
        table, {.model = "lasso", .options = {{"l1", l1}}, .task = Task::regression, .standardize = false});
    EXPECT_NEAR(support::parameters(outcome.model)[0], slope, 1e-12) << l1;
  }
}

// Of a weak penalty the multipliers of the samples are small against their bounds, and the weights, theirs
// divided by the penalty, have few digits; at no tolerance the interior points run into their bounds.
TEST(Hinge, WeakPenaltiesAndNoToleranceAreReached) {
  for (const char* file : {"iris.csv", "banknote.csv", "wine.csv"})
    for (const bool standardize : {true, false}) {
      const auto outcome =
          support::fit_file(support::data_file(file),
                            {.model = "svm", .options = {{"l2", "1e-4"}}, .standardize = standardize});
      EXPECT_TRUE(outcome.model.summary.converged) << file << " " << outcome.model.summary.certificate.value;
    }
  for (const char* file : {"iris.csv", "banknote.csv", "pima_tr.csv"}) {
    const std::string target = std::string(file) == "pima_tr.csv" ? "type" : "class";
    const auto outcome = support::fit_file(support::data_file(file),
                                           {.model = "svm", .options = {{"tol", "0"}}, .target = target});
    EXPECT_LT(outcome.model.summary.certificate.value, 1e-14) << file;
  }
}

// Near the minimum a whole step may bring a row to bear that a shorter one does not.
TEST(SquaredHinge, WithoutAPenaltyIsReachedByNewtonsMethod) {
  const Summary found =
      support::fit_file(support::data_file("digits.csv"),
                        {.model = "svm", .options = {{"loss", "squared-hinge"}, {"l2", "0"}}})
          .model.summary;
  EXPECT_TRUE(found.converged) << found.certificate.value;
  EXPECT_NEAR(*found.objective, 181.692089927377, 1e-9);  // by newton-cg and cd, too
}

// Of separated classes a weak penalty finds the widest margin, E = l2/2 |w|^2, whatever it is; margins that
// rounding leaves a little short of one must not count against it.
TEST(Hinge, TheWidestMarginIsReachedHoweverWeakThePenalty) {
  for (const bool standardize : {true, false}) {
    const auto objective = [&](const char* l2) {
      const FitOutcome outcome = support::fit_file(
          support::data_file("wine.csv"),
          {.model = "svm", .options = {{"loss", "hinge"}, {"l2", l2}}, .standardize = standardize});
      EXPECT_TRUE(outcome.model.summary.converged) << l2 << ": " << outcome.model.summary.certificate.value;
      return *outcome.model.summary.objective;
    };
    const double least = objective("1e-4");
    for (const char* l2 : {"1e-6", "1e-8", "1e-10"})
      EXPECT_NEAR(objective(l2) / std::stod(l2), least / 1e-4, 4e-9 * least / 1e-4) << l2;
  }
}

// The weights of a dual far from its maximum are worse than none, and no place to go on from.
TEST(DualCoordinateDescent, EndsAtTheMinimumUnderWeakPenalties) {
  const std::string wdbc = support::data_file("breast_cancer_wdbc.csv");
  for (const bool standardize : {false, true})
    for (const char* l2 : {"0.003", "1e-6"}) {
      const auto objective = [&](const char* solver) {
        const auto outcome = support::fit_file(
            wdbc, {.options = {{"l2", l2}, {"solver", solver}}, .standardize = standardize});
        EXPECT_TRUE(outcome.model.summary.converged) << solver << " " << l2;
        return *outcome.model.summary.objective;
      };
      const double expected = objective("newton");
      EXPECT_NEAR(objective("dual-cd"), expected, 1e-9 * expected) << l2;
    }
}

}  // namespace
}  // namespace discern::solvers_test
