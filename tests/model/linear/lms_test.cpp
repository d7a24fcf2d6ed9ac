// Least squares by its sequential rules: LMS (Widrow and Hoff 1960), the ADALINE and the delta rule, and by
// batch gradient descent, against the closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/fitting.hpp"

namespace discern::lms_test {
namespace {

using support::data_file;
using support::fit_table;
using support::make_table;
using support::parameters;
using support::Request;

using Options = std::vector<std::pair<std::string, std::string>>;

Request least_squares(const Options& options, bool standardize = true) {
  return {.model = "least-squares", .options = options, .standardize = standardize};
}

Table or_table() { return make_table({{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {"0", "1", "1", "1"}); }

double relative_distance(const Model& a, const Model& b) {
  const auto u = parameters(a), v = parameters(b);
  double difference = 0, length = 0;
  for (std::size_t j = 0; j < u.size(); ++j) {
    difference += (u[j] - v[j]) * (u[j] - v[j]);
    length += u[j] * u[j];
  }
  return std::sqrt(difference / length);
}

// a <- a + h (t - a.y) y, sample after sample, with t = -1 or +1.
TEST(Lms, IsTheRuleOfWidrowAndHoff) {
  for (const bool falling : {false, true}) {
    const double rows[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, targets[4] = {-1, 1, 1, 1};
    double a[3] = {0, 0, 0};
    for (int step = 0; step < 12; ++step) {
      const double* x = rows[step % 4];
      const double h = falling ? 0.3 / (step + 1) : 0.3;
      const double delta = targets[step % 4] - (a[0] * x[0] + a[1] * x[1] + a[2]);
      a[0] += h * delta * x[0];
      a[1] += h * delta * x[1];
      a[2] += h * delta;
    }
    const auto outcome = fit_table(or_table(), least_squares({{"solver", "sgd"},
                                                              {"order", "given"},
                                                              {"schedule", falling ? "inverse" : "constant"},
                                                              {"learning-rate", "0.3"},
                                                              {"epochs", "3"}},
                                                             false));
    const auto found = parameters(outcome.model);
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(found[j], a[j], 1e-14) << j << falling;
  }
}

TEST(Lms, WithStepsThatFallAsOneOverKAndAveragingEndsAtTheClosedForm) {
  const Options own{{"solver", "sgd"},
                    {"schedule", "inverse"},
                    {"average", "true"},
                    {"learning-rate", "1"},
                    {"epochs", "1000"}};
  const auto closed = fit_table(or_table(), least_squares({}));
  EXPECT_LT(relative_distance(closed.model, fit_table(or_table(), least_squares(own)).model), 1e-3);
  // With the rate that the data suggest, on real data.
  const Options automatic{{"solver", "sgd"}, {"schedule", "inverse"}, {"average", "true"}, {"epochs", "200"}};
  const auto exact = support::fit_file(data_file("banknote.csv"), least_squares({}));
  const auto learned = support::fit_file(data_file("banknote.csv"), least_squares(automatic));
  EXPECT_LT(relative_distance(exact.model, learned.model), 1e-3);
}

TEST(Lms, GradientDescentToTheMinimumOnEachLineEndsAtTheClosedForm) {
  const Options descent{{"solver", "gd"}, {"tol", "1e-12"}, {"max-iter", "10000"}};
  const auto closed = fit_table(or_table(), least_squares({}));
  EXPECT_LT(relative_distance(closed.model, fit_table(or_table(), least_squares(descent)).model), 1e-10);
  const auto exact = support::fit_file(data_file("banknote.csv"), least_squares({}));
  const auto learned = support::fit_file(data_file("banknote.csv"), least_squares(descent));
  EXPECT_TRUE(learned.model.summary.converged);
  EXPECT_LT(relative_distance(exact.model, learned.model), 1e-10);
}

}  // namespace
}  // namespace discern::lms_test
