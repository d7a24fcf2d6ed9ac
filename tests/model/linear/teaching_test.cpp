// The algorithms as lectures give them: fixed steps, weights and criterion normalised, units, shrinkage.
#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "tests/support/fitting.hpp"

namespace discern::teaching_test {
namespace {

using support::as_sparse;
using support::fit_table;
using support::make_table;
using support::parameters;
using support::Request;

struct Cloud {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
};

Cloud cloud(int n) {
  Random random(21);
  Cloud c;
  for (int i = 0; i < n; ++i) {
    const bool positive = random.below(2) == 1;
    const double shift = positive ? 1 : -1;
    c.rows.push_back({2 * random.normal() + shift, random.normal() - 0.5 * shift, 0.5 * random.normal()});
    c.labels.push_back(positive ? "b" : "a");
  }
  return c;
}

TEST(GradientDescent, WithAFixedRateTakesTheStepsOfTheLectures) {
  // From a start within 0.01 of zero, three steps of w <- w - h sum_i (p_i - t_i) (x_i, 1), by hand.
  const Cloud c = cloud(30);
  const auto outcome =
      fit_table(make_table(c.rows, c.labels),
                {.model = "logistic",
                 .options = {{"solver", "gd"}, {"l2", "0"}, {"learning-rate", "0.01"}, {"max-iter", "3"}},
                 .standardize = false});
  std::vector<double> w(4, 0.0);
  for (int step = 0; step < 3; ++step) {
    std::vector<double> gradient(4, 0.0);
    for (std::size_t i = 0; i < c.rows.size(); ++i) {
      double g = w[3];
      for (std::size_t j = 0; j < 3; ++j) g += w[j] * c.rows[i][j];
      const double slope = 1 / (1 + std::exp(-g)) - (c.labels[i] == "b" ? 1 : 0);
      for (std::size_t j = 0; j < 3; ++j) gradient[j] += slope * c.rows[i][j];
      gradient[3] += slope;
    }
    for (std::size_t j = 0; j < 4; ++j) w[j] -= 0.01 * gradient[j];
  }
  EXPECT_EQ(outcome.model.summary.iterations, 3);
  const auto found = parameters(outcome.model);
  double away = 0;
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(found[j], w[j], 0.011) << j;  // what is left of the start
    away = std::max(away, std::fabs(found[j] - w[j]));
  }
  EXPECT_GT(away, 1e-6);
}

TEST(GradientDescent, WithASmallEnoughRateConverges) {
  const Cloud c = cloud(100);
  const Table table = make_table(c.rows, c.labels);
  const auto exact = fit_table(table, {.model = "logistic"});
  const auto outcome =
      fit_table(table, {.model = "logistic", .options = {{"solver", "gd"}, {"learning-rate", "0.02"}}});
  EXPECT_TRUE(outcome.model.summary.converged);
  EXPECT_LT((outcome.train.scores - exact.train.scores).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(GradientDescent, WithTooLargeARateDoesNotClaimToHaveConverged) {
  const Cloud c = cloud(100);
  const auto outcome = fit_table(
      make_table(c.rows, c.labels),
      {.model = "logistic", .options = {{"solver", "gd"}, {"learning-rate", "1000"}, {"max-iter", "50"}}});
  EXPECT_FALSE(outcome.model.summary.converged);
  EXPECT_TRUE(outcome.train.scores.allFinite());
  EXPECT_FALSE(outcome.model.summary.warnings.empty());
}

TEST(GradientDescent, GivesTheSameWeightsForTheSameSeed) {
  const Cloud c = cloud(60);
  const Request request{.model = "svm",
                        .options = {{"solver", "gd"}, {"learning-rate", "0.01"}, {"max-iter", "20"}}};
  const Table table = make_table(c.rows, c.labels);
  EXPECT_TRUE(fit_table(table, request).train.scores == fit_table(table, request).train.scores);
}

TEST(NormalizeWeights, LeavesWeightsAndBiasWithUnitLengthInTheUnitsOfTheSteps) {
  const Cloud c = cloud(60);
  for (const char* solver : {"gd", "sgd"}) {
    const auto outcome =
        fit_table(make_table(c.rows, c.labels),
                  {.model = "svm",
                   .options = {{"solver", solver}, {"learning-rate", "0.01"}, {"normalize-weights", "true"}},
                   .standardize = false});
    double square = 0;
    for (const double w : parameters(outcome.model)) square += w * w;
    EXPECT_NEAR(square, 1, 1e-12) << solver;
  }
}

// The criterion is sum_i L_i / |x_i|^2: the same as weights 1 / |x_i|^2 given by hand.
TEST(NormalizeCriterion, EqualsWeightsOfOneOverTheSquaredLength) {
  Cloud c = cloud(80);
  c.rows[5] = {0, 0, 0};  // no length: keeps its weight
  std::vector<double> weights;
  for (const auto& row : c.rows) {
    const double square = row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
    weights.push_back(square > 0 ? 1 / square : 1);
  }
  const Table plain = make_table(c.rows, c.labels), weighted = make_table(c.rows, c.labels, weights);
  const std::vector<std::pair<const char*, const char*>> fits{
      {"logistic", "auto"}, {"logistic", "lbfgs"},     {"logistic", "cd"}, {"svm", "newton"},
      {"svm", "dual-cd"},   {"least-squares", "auto"}, {"ridge", "cg"},    {"logistic", "dual-cd"},
  };
  for (const auto& [model, solver] : fits) {
    Request request{.model = model, .options = {{"solver", solver}}, .standardize = false};
    request.weight = "weight";
    const auto by_hand = fit_table(weighted, request);
    request.weight.clear();
    request.options.emplace_back("normalize-criterion", "true");
    for (const Table& table : {plain, as_sparse(plain)}) {
      const auto outcome = fit_table(table, request);
      EXPECT_TRUE(outcome.model.summary.converged) << model << " " << solver;
      EXPECT_NEAR(*outcome.model.summary.objective, *by_hand.model.summary.objective,
                  1e-9 * *by_hand.model.summary.objective)
          << model << " " << solver;
    }
  }
}

TEST(NormalizeCriterion, TakesLengthsOnTheStandardisedScaleWhenAsked) {
  const Cloud c = cloud(80);
  auto scaled = c.rows;
  for (auto& row : scaled) row = {1000 * row[0] + 7, 0.01 * row[1], row[2] - 50};
  const Request request{.model = "logistic", .options = {{"normalize-criterion", "true"}}};
  const auto a = fit_table(make_table(c.rows, c.labels), request),
             b = fit_table(make_table(scaled, c.labels), request),
             plain = fit_table(make_table(c.rows, c.labels), {.model = "logistic"});
  EXPECT_LT((a.train.scores - b.train.scores).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_GT((a.train.scores - plain.train.scores).cwiseAbs().maxCoeff(), 1e-3);
}

// ((1 - e) S + e tr(S)/d I) w = Z'y with the centred features, checked by what is left over.
TEST(Shrinkage, SolvesTheBlendedNormalEquations) {
  const Cloud c = cloud(50);
  const double e = 0.3;
  const auto outcome =
      fit_table(make_table(c.rows, c.labels),
                {.model = "least-squares", .options = {{"shrinkage", "0.3"}}, .standardize = false});
  const auto w = parameters(outcome.model);
  const auto n = static_cast<double>(c.rows.size());
  std::vector<double> mean(3, 0.0);
  double mean_y = 0, trace = 0;
  for (std::size_t i = 0; i < c.rows.size(); ++i) {
    for (std::size_t j = 0; j < 3; ++j) mean[j] += c.rows[i][j] / n;
    mean_y += (c.labels[i] == "b" ? 1 : -1) / n;
  }
  for (const auto& row : c.rows)
    for (std::size_t j = 0; j < 3; ++j) trace += (row[j] - mean[j]) * (row[j] - mean[j]);
  for (std::size_t j = 0; j < 3; ++j) {
    double left = e * trace / 3 * w[j], right = 0;
    for (std::size_t i = 0; i < c.rows.size(); ++i) {
      const double z = c.rows[i][j] - mean[j];
      for (std::size_t k = 0; k < 3; ++k) left += (1 - e) * z * (c.rows[i][k] - mean[k]) * w[k];
      right += z * ((c.labels[i] == "b" ? 1 : -1) - mean_y);
    }
    EXPECT_NEAR(left, right, 1e-10) << j;
  }
  EXPECT_NEAR(w[3], mean_y - w[0] * mean[0] - w[1] * mean[1] - w[2] * mean[2], 1e-12);
}

TEST(Shrinkage, ExcludesOtherPenalties) {
  const Cloud c = cloud(20);
  for (const char* other : {"l1", "l2"})
    EXPECT_THROW(fit_table(make_table(c.rows, c.labels),
                           {.model = "least-squares", .options = {{"shrinkage", "0.3"}, {other, "1"}}}),
                 Error);
}

// The gradient of 1/2 sum (y - f(g))^2 behind a unit, row by row: the delta rule with f'.
TEST(Activation, EndsWhereTheDeltaRuleStandsStill) {
  const Cloud c = cloud(120);
  for (const char* activation : {"tanh", "logistic"}) {
    const auto outcome = fit_table(make_table(c.rows, c.labels),
                                   {.model = "least-squares", .options = {{"activation", activation}}});
    EXPECT_TRUE(outcome.model.summary.converged) << activation;
    std::vector<double> delta(4, 0.0);
    for (std::size_t i = 0; i < c.rows.size(); ++i) {
      const double g = outcome.train.scores(static_cast<Index>(i), 0);
      const bool logistic = std::string_view(activation) == "logistic", positive = c.labels[i] == "b";
      const double f = logistic ? 1 / (1 + std::exp(-g)) : std::tanh(g);
      const double slope = logistic ? f * (1 - f) : 1 - f * f;
      const double rule = ((positive ? 1.0 : logistic ? 0.0 : -1.0) - f) * slope;
      for (std::size_t j = 0; j < 3; ++j) delta[j] += rule * c.rows[i][j];
      delta[3] += rule;
    }
    for (const double d : delta) EXPECT_NEAR(d, 0, 1e-6) << activation;
  }
}

}  // namespace
}  // namespace discern::teaching_test
