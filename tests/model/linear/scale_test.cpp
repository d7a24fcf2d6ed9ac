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

// Features up to 1e9 standard deviations from zero, where sums of their values have lost the digits that tell
// the rows apart; the first stays where it is. None is there twice: the weights are unique.
std::vector<std::vector<double>> far_rows(const Pair& pair) {
  auto rows = pair.clean;
  for (auto& row : rows) {
    row[1] += 1e4;
    row[2] -= 1e6;
    row[3] += 1e9;
    row[4] += 30;
    row.resize(5);
  }
  return rows;
}

// `near`: how near the scores must be, as a share of the largest. A small gap to the minimum says little of
// that, its root; a small gradient nearly as much as itself.
void expect_as_dense(const Table& table, const Request& request, double near = 1e-7) {
  const auto dense = fit_table(table, request), sparse = fit_table(as_sparse(table), request);
  const Summary &expected = dense.model.summary, &found = sparse.model.summary;
  EXPECT_TRUE(expected.converged);
  EXPECT_TRUE(found.converged) << found.certificate.value;
  ASSERT_TRUE(expected.objective && found.objective);
  EXPECT_NEAR(*found.objective, *expected.objective, 1e-9 * std::fabs(*expected.objective));
  const auto& before = std::get<Linear>(dense.model.predictor);
  const auto& after = std::get<Linear>(sparse.model.predictor);
  Matrix apart = sparse.train.scores - dense.train.scores;
  // What the scores of a row have in common says nothing.
  if (before.link == Link::softmax) apart.colwise() -= apart.rowwise().mean().eval();
  EXPECT_LT(apart.cwiseAbs().maxCoeff(), near * dense.train.scores.cwiseAbs().maxCoeff());
  for (Index j = 0; j < before.features(); ++j) {
    const double weight = before.weights.col(j).cwiseAbs().maxCoeff();
    EXPECT_LT((after.weights - before.weights).col(j).cwiseAbs().maxCoeff(), 10 * near * (weight + 1e-3))
        << j;
  }
}

TEST_P(ScaleProof, SparseRowsFarFromZeroAreFittedAsDenseOnes) {
  const Pair pair = made_pair(false);
  for (const bool standardize : {true, false}) {
    Request wanted = request();
    wanted.standardize = standardize;
    expect_as_dense(table_of(far_rows(pair), pair, GetParam().regression), wanted, 2e-5);
  }
}

TEST(SparseRows, FarFromZeroAreFittedAsDenseOnesByAllThatMinimise) {
  const Pair pair = made_pair(false);
  const auto rows = far_rows(pair);
  Pair three = pair;
  for (std::size_t i = 0; i < three.labels.size(); ++i)
    if (std::fabs(three.y[i]) < 0.6) three.labels[i] = "c";
  const Table two_classes = table_of(rows, pair, false), numbers = table_of(rows, pair, true),
              three_classes = table_of(rows, three, false);
  expect_as_dense(numbers, {.model = "least-squares", .task = Task::regression});
  expect_as_dense(two_classes, {.model = "logistic", .options = {{"l2", "0"}}});
  expect_as_dense(two_classes, {.model = "logistic", .options = {{"l2", "0"}, {"firth", "true"}}});
  expect_as_dense(two_classes, {.model = "svm", .options = {{"loss", "squared-hinge"}, {"l1", "3"}}});
  expect_as_dense(three_classes, {.model = "logistic"});
  expect_as_dense(three_classes, {.model = "logistic", .options = {{"l1", "3"}, {"l2", "0"}}});
  expect_as_dense(three_classes, {.model = "svm"});
}

// All features are centred here, as in dense rows, and so is what the lengths are measured from.
TEST(SparseRows, FarFromZeroHaveTheLengthsOfDenseOnes) {
  const Pair pair = made_pair(false);
  auto rows = far_rows(pair);
  // At 1e9 a mean has seven digits behind the point, and a length no more of them.
  for (auto& row : rows) row[0] += 50, row[3] -= 1e9 - 1e6;
  expect_as_dense(table_of(rows, pair, false), {.options = {{"normalize-criterion", "true"}}});
}

// The errors of the bias at the origin, too, which lies far from the rows.
TEST(SparseRows, FarFromZeroHaveTheErrorsOfDenseOnes) {
  const Pair pair = made_pair(false);
  const auto rows = far_rows(pair);
  const Request request{.options = {{"l2", "0"}}, .inference = {.intervals = Intervals::wald}};
  const Table table = table_of(rows, pair, false);
  const auto dense = fit_table(table, request).model.inference;
  const auto sparse = fit_table(as_sparse(table), request).model.inference;
  ASSERT_TRUE(dense && sparse);
  ASSERT_EQ(sparse->absent, "");
  EXPECT_LT((sparse->errors - dense->errors).cwiseQuotient(dense->errors).cwiseAbs().maxCoeff(), 1e-6);
}

// Without a bias nothing can take up what centring takes off: such rows stay as they are, and whatever is
// claimed of them is true.
TEST(SparseRows, FarFromZeroWithoutABiasAreFittedAsDenseOnes) {
  const Pair pair = made_pair(false);
  auto rows = pair.clean;
  for (auto& row : rows) row[1] += 1000;
  expect_as_dense(table_of(rows, pair, false), {.model = "logistic", .options = {{"no-bias", "true"}}});
}

// At 8 standard deviations from zero they are not centred yet. Methods with a model of the curvature make up
// for it.
class SparseRowsAt : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Offsets, SparseRowsAt, ::testing::Values(8.0, 100.0));

TEST_P(SparseRowsAt, MayLieFarFromZeroForMethodsOfSecondOrder) {
  const Pair pair = made_pair(false);
  auto far = pair.clean;
  for (auto& row : far)
    for (double& v : row) v += GetParam();
  for (const char* solver : {"newton", "newton-cg", "lbfgs", "cd"}) {
    const Request request{.model = "logistic", .options = {{"solver", solver}}};
    const auto clean = fit_table(make_table(pair.clean, pair.labels), request);
    const auto outcome = fit_table(as_sparse(make_table(far, pair.labels)), request);
    EXPECT_TRUE(outcome.model.summary.converged) << solver;
    EXPECT_LE(outcome.model.summary.iterations, clean.model.summary.iterations + 10) << solver;
    EXPECT_NEAR(*outcome.model.summary.objective, *clean.model.summary.objective, 1e-7) << solver;
  }
}

// Without a bias nothing may be centred, and far from zero all features are nearly the same one: the Hessian
// is singular up to rounding. Differences of the features span the same functions.
TEST(WithoutABias, FeaturesFarFromZeroReachTheMinimum) {
  const Pair pair = made_pair(false);
  for (const double offset : {1e3, 1e5, 1e7}) {
    std::vector<std::vector<double>> far, differences;
    for (const auto& row : pair.clean) {
      std::vector<double> shifted, same;
      for (int j = 0; j < 5; ++j) shifted.push_back(row[static_cast<std::size_t>(j)] + offset);
      same.push_back(shifted[0] / offset);
      for (std::size_t j = 1; j < 5; ++j) same.push_back(shifted[j] - shifted[0]);
      far.push_back(std::move(shifted));
      differences.push_back(std::move(same));
    }
    for (const char* model : {"logistic", "svm"}) {
      Request request{.model = model, .options = {{"l2", "0"}, {"no-bias", "true"}}};
      if (request.model == "svm") request.options.emplace_back("loss", "squared-hinge");
      const double least = *fit_table(make_table(differences, pair.labels), request).model.summary.objective;
      EXPECT_NEAR(*fit_table(make_table(far, pair.labels), request).model.summary.objective, least,
                  std::max(1e-9, 1e-15 * offset) * least)
          << model << " " << offset;
    }
  }
}

// Features that differ by a hundred millionth of their deviation are two features: what tells them apart is
// in the rows, though not in their Hessian. (Differences keep eight digits.)
TEST(NearlyCollinear, FeaturesSpanWhatTheirDifferenceDoes) {
  const Pair pair = made_pair(false);
  std::vector<std::vector<double>> alike, apart;
  for (const auto& row : pair.clean) {
    const double second = row[0] + 1e-8 * row[1];
    alike.push_back({row[0], second, row[2]});
    apart.push_back({row[0], (second - row[0]) * 1e8, row[2]});
  }
  for (const char* model : {"logistic", "svm"}) {
    Request request{.model = model, .options = {{"l2", "0"}}};
    if (request.model == "svm") request.options.emplace_back("loss", "squared-hinge");
    const double least = *fit_table(make_table(apart, pair.labels), request).model.summary.objective;
    for (const char* solver : {"auto", "newton", "newton-cg", "lbfgs", "cg"}) {
      Request by = request;
      by.options.emplace_back("solver", solver);
      const Summary found = fit_table(make_table(alike, pair.labels), by).model.summary;
      EXPECT_NEAR(*found.objective, least, 1e-8 * least) << model << " " << solver;
    }
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
