// The choice of targets b in least-squares classification.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "tests/support/fitting.hpp"

namespace discern::targets_test {
namespace {

using support::fit_table;
using support::make_table;
using support::Request;

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

struct Cloud {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  std::vector<double> weights;
};

Cloud cloud(int n, int d, std::uint64_t seed) {
  Random random(seed);
  Cloud c;
  for (int i = 0; i < n; ++i) {
    const bool positive = i % 3 == 0;
    c.rows.emplace_back();
    double carry = 0;
    for (int j = 0; j < d; ++j) {
      carry = 0.6 * carry + random.normal();
      c.rows.back().push_back(carry + (positive ? 0.4 * j : 1.0));
    }
    c.labels.emplace_back(positive ? "b" : "a");
    c.weights.push_back(static_cast<double>(1 + random.below(3)));
  }
  return c;
}

// S_w^-1 (m_b - m_a), and the mean of all rows, in extended precision.
LongVector fisher_direction(const Cloud& c, bool weighted, LongVector& mean) {
  const auto d = static_cast<Index>(c.rows[0].size());
  std::vector<LongVector> means(2, LongVector::Zero(d));
  std::vector<long double> total(2, 0);
  const auto row = [&](std::size_t i) {
    LongVector x(d);
    for (Index j = 0; j < d; ++j) x[j] = c.rows[i][static_cast<std::size_t>(j)];
    return x;
  };
  const auto weight = [&](std::size_t i) { return weighted ? c.weights[i] : 1.0; };
  const auto side = [&](std::size_t i) { return c.labels[i] == "b" ? std::size_t{1} : std::size_t{0}; };
  for (std::size_t i = 0; i < c.rows.size(); ++i) {
    means[side(i)] += weight(i) * row(i);
    total[side(i)] += weight(i);
  }
  mean = (means[0] + means[1]) / (total[0] + total[1]);
  for (std::size_t k = 0; k < 2; ++k) means[k] /= total[k];
  LongMatrix within = LongMatrix::Zero(d, d);
  for (std::size_t i = 0; i < c.rows.size(); ++i) {
    const LongVector z = row(i) - means[side(i)];
    within += weight(i) * z * z.transpose();
  }
  return within.fullPivLu().solve(means[1] - means[0]);
}

TEST(Targets, OfFisherMakeTheDirectionThatOfFisher) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Cloud c = cloud(40 + static_cast<int>(seed) * 20, 2 + static_cast<int>(seed % 6), seed);
    for (const bool weighted : {false, true}) {
      Request request{.model = "least-squares", .options = {{"targets", "fisher"}}};
      if (weighted) request.weight = "weight";
      const auto outcome = fit_table(make_table(c.rows, c.labels, c.weights), request);
      const auto all = support::parameters(outcome.model);
      LongVector mean;
      const LongVector expected = fisher_direction(c, weighted, mean).normalized();
      LongVector w(expected.size());
      for (Index j = 0; j < w.size(); ++j) w[j] = all[static_cast<std::size_t>(j)];
      const long double bias = all.back(), level = w.dot(mean), length = w.norm();
      w /= length;
      EXPECT_LT(static_cast<double>((w - expected).cwiseAbs().maxCoeff()), 1e-12) << seed << weighted;
      // The plane passes through the mean of all rows.
      EXPECT_NEAR(static_cast<double>((level + bias) / length), 0, 1e-12) << seed << weighted;
    }
  }
}

TEST(Targets, OfMinusAndPlusOneHaveTheSameDirectionAndAnotherThreshold) {
  const Cloud c = cloud(90, 3, 5);
  const Table table = make_table(c.rows, c.labels);
  const auto a = support::parameters(fit_table(table, {.model = "least-squares"}).model);
  const auto b = support::parameters(
      fit_table(table, {.model = "least-squares", .options = {{"targets", "fisher"}}}).model);
  // Both codings are the same up to a shift and a factor: (n/n1 + n/n2) / 2 = 2.25 with a third of the rows.
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(b[j], 2.25 * a[j], 1e-12);
  EXPECT_NEAR(b[3], 2.25 * a[3] + 0.75, 1e-12);
}

TEST(Targets, OfFisherAreRefusedWhereTheyHaveNoMeaning) {
  const Cloud c = cloud(60, 2, 6);
  const Table table = make_table(c.rows, c.labels);
  for (const auto& [name, value] : {std::pair{"l1", "1"}, {"solver", "gd"}, {"activation", "tanh"}}) {
    try {
      fit_table(table, {.model = "least-squares", .options = {{"targets", "fisher"}, {name, value}}});
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::usage);
      EXPECT_NE(error.message().find("`targets` fisher needs the closed form"), std::string::npos);
    }
  }
  auto labels = c.labels;
  labels[0] = "c";
  EXPECT_THROW(
      fit_table(make_table(c.rows, labels), {.model = "least-squares", .options = {{"targets", "fisher"}}}),
      Error);
}

}  // namespace
}  // namespace discern::targets_test
