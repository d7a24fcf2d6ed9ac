// Scale-proof: the units, the origin and redundant columns cost a few iterations at most and change nothing.
#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/random.hpp"
#include "tests/support/fitting.hpp"

namespace discern::scale_test {
namespace {

using support::as_sparse;
using support::fit_table;
using support::make_table;
using support::Request;

struct Pair {
  std::vector<std::vector<double>> clean, spoilt;
  std::vector<std::string> labels;
  std::vector<double> y;
};

// The same data twice: once with unit scales about zero, once with units from 1e-6 to 1e6 and, if asked,
// means of 10,000 standard deviations and a constant column. Both have the first feature twice.
Pair made_pair(bool shifted) {
  Random random(11);
  Pair pair;
  for (int i = 0; i < 200; ++i) {
    std::vector<double> row;
    for (int j = 0; j < 5; ++j) row.push_back(random.normal());
    row.push_back(row[0]);
    std::vector<double> other;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double unit = std::pow(10.0, 3.0 * static_cast<double>(j % 5) - 6);
      other.push_back(unit * (row[j] + (shifted ? 1e4 : 0)));
    }
    if (shifted) other.push_back(-7.5);
    const double g = row[0] - 0.5 * row[1] + 0.3 * row[2] + random.normal();
    pair.labels.push_back(g > 0 ? "b" : "a");
    pair.y.push_back(g);
    pair.clean.push_back(std::move(row));
    pair.spoilt.push_back(std::move(other));
  }
  return pair;
}

Table table_of(const std::vector<std::vector<double>>& rows, const Pair& pair, bool regression) {
  Table table = make_table(rows, pair.labels);
  if (regression) table.side[0] = {"class", false, {}, pair.y, {}};
  return table;
}

struct Fit {
  const char* name;
  const char* model;
  std::vector<std::pair<std::string, std::string>> options;
  bool regression = false;
};

class ScaleProof : public ::testing::TestWithParam<Fit> {
 protected:
  Request request() const {
    return {.model = GetParam().model,
            .options = GetParam().options,
            .task = GetParam().regression ? Task::regression : Task::classification};
  }
  FitOutcome fit(const std::vector<std::vector<double>>& rows, const Pair& pair, bool sparse) const {
    const Table table = table_of(rows, pair, GetParam().regression);
    return fit_table(sparse ? as_sparse(table) : table, request());
  }
  static void expect_same(const FitOutcome& clean, const FitOutcome& spoilt) {
    const Summary &before = clean.model.summary, &after = spoilt.model.summary;
    EXPECT_TRUE(before.converged);
    EXPECT_TRUE(after.converged) << after.certificate.value;
    EXPECT_LE(after.iterations, before.iterations + 3 + before.iterations / 5);
    EXPECT_NEAR(*after.objective, *before.objective, 1e-9 * *before.objective);
    EXPECT_LT((clean.train.scores - spoilt.train.scores).cwiseAbs().maxCoeff(), 2e-5);
  }
};

INSTANTIATE_TEST_SUITE_P(Fits, ScaleProof,
                         ::testing::ValuesIn(std::vector<Fit>{
                             {"logistic_newton", "logistic", {{"solver", "newton"}}},
                             {"logistic_newton_cg", "logistic", {{"solver", "newton-cg"}}},
                             {"logistic_lbfgs", "logistic", {{"solver", "lbfgs"}}},
                             {"logistic_cg", "logistic", {{"solver", "cg"}}},
                             {"logistic_gd", "logistic", {{"solver", "gd"}}},
                             {"logistic_cd", "logistic", {{"solver", "cd"}}},
                             {"logistic_dual_cd", "logistic", {{"solver", "dual-cd"}}},
                             {"logistic_l1", "logistic", {{"l1", "3"}}},
                             {"squared_hinge", "svm", {{"loss", "squared-hinge"}}},
                             {"hinge", "svm", {}},
                             {"hinge_dual_cd", "svm", {{"solver", "dual-cd"}}},
                             {"ridge", "ridge", {}, true},
                             {"ridge_newton", "ridge", {{"solver", "newton"}}, true},
                             {"lasso", "lasso", {{"l1", "5"}, {"l2", "0.1"}}, true},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(ScaleProof, UnitsAndOriginDoNotMatterToStandardisedFits) {
  const Pair pair = made_pair(true);
  expect_same(fit(pair.clean, pair, false), fit(pair.spoilt, pair, false));
}

TEST_P(ScaleProof, UnitsDoNotMatterToStandardisedFitsOfSparseRows) {
  const Pair pair = made_pair(false);
  expect_same(fit(pair.clean, pair, true), fit(pair.spoilt, pair, true));
}

// Sparse rows are not centred. Methods with a model of the curvature make up for it.
TEST(SparseRows, MayLieFarFromZeroForMethodsOfSecondOrder) {
  const Pair pair = made_pair(false);
  auto far = pair.clean;
  for (auto& row : far)
    for (double& v : row) v += 100;
  for (const char* solver : {"newton", "newton-cg", "lbfgs", "cd"}) {
    const Request request{.model = "logistic", .options = {{"solver", solver}}};
    const auto clean = fit_table(make_table(pair.clean, pair.labels), request);
    const auto outcome = fit_table(as_sparse(make_table(far, pair.labels)), request);
    EXPECT_TRUE(outcome.model.summary.converged) << solver;
    EXPECT_LE(outcome.model.summary.iterations, clean.model.summary.iterations + 10) << solver;
    EXPECT_NEAR(*outcome.model.summary.objective, *clean.model.summary.objective, 1e-7) << solver;
  }
}

// Without standardisation the penalty acts on the weights per unit: in a unit c times as large w is divided
// by c, so that the same answer needs l2 times c^2 and l1 times c.
TEST(PenaltyScale, IsThatOfTheFileWithoutStandardisation) {
  const Pair pair = made_pair(false);
  auto rescaled = pair.clean;
  for (auto& row : rescaled)
    for (double& v : row) v = 1000 * v + 5e5;
  const auto compare = [&](const char* model, const char* l1, const char* l2, const char* large_l1,
                           const char* large_l2) {
    Request request{.model = model, .options = {{"l1", l1}, {"l2", l2}}, .standardize = false};
    const auto small = fit_table(make_table(pair.clean, pair.labels), request);
    request.options = {{"l1", large_l1}, {"l2", large_l2}};
    const auto large = fit_table(make_table(rescaled, pair.labels), request);
    EXPECT_TRUE(small.model.summary.converged && large.model.summary.converged) << model;
    EXPECT_NEAR(*large.model.summary.objective, *small.model.summary.objective, 1e-8) << model;
    EXPECT_LT((small.train.scores - large.train.scores).cwiseAbs().maxCoeff(), 1e-6) << model;
  };
  compare("logistic", "0", "2", "0", "2000000");
  compare("logistic", "3", "0.5", "3000", "500000");
  compare("svm", "0", "2", "0", "2000000");
  compare("least-squares", "0", "2", "0", "2000000");
  compare("least-squares", "3", "2", "3000", "2000000");
}

TEST(Rank, IsReportedForConstantDuplicatedAndCollinearColumns) {
  const Pair pair = made_pair(false);
  auto rows = pair.clean;  // five features, and the first again
  for (auto& row : rows) {
    row.push_back(3.25);
    row.push_back(row[1] + 2 * row[2]);
  }
  for (const char* model : {"logistic", "least-squares"}) {
    const Request request{.model = model, .options = {{"l2", "0"}}};
    const auto plain = fit_table(make_table(pair.clean, pair.labels), request);
    const auto outcome = fit_table(make_table(rows, pair.labels), request);
    EXPECT_EQ(plain.model.summary.rank, 5) << model;
    EXPECT_EQ(outcome.model.summary.rank, 5) << model;
    EXPECT_TRUE(outcome.model.summary.converged) << model;
    ASSERT_EQ(outcome.model.summary.warnings.size(), 1U) << model;
    EXPECT_NE(outcome.model.summary.warnings[0].find("rank 5 of 8"), std::string::npos) << model;
    EXPECT_LT((plain.train.scores - outcome.train.scores).cwiseAbs().maxCoeff(), 1e-7) << model;
  }
}

}  // namespace
}  // namespace discern::scale_test
