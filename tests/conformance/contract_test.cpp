// The data that are promised an exact answer (docs/guide/fitting.md, "What is promised"), at the limits of the
// promise: fits by auto, newton and newton-cg converge and end at the same objective.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "discern/base/random.hpp"
#include "tests/support/fitting.hpp"

namespace discern::contract_test {
namespace {

using support::fit_table;
using support::make_table;
using support::Request;

struct Data {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  std::vector<double> weights;
};

// Three overlapping classes, or two, in four features.
Data overlapping(Index classes) {
  Random random(11);
  Data data;
  for (int i = 0; i < 300; ++i) {
    const auto k = static_cast<double>(random.below(static_cast<std::uint64_t>(classes)));
    data.rows.push_back({});
    for (int j = 0; j < 4; ++j) data.rows.back().push_back(random.normal() + (j < 2 ? 0.8 * k : 0.0));
    data.labels.push_back(std::string(1, static_cast<char>('a' + static_cast<int>(k))));
  }
  return data;
}

struct Fit {
  std::string name;
  Request request;
  Index classes = 2;
};
std::vector<Fit> fits() {
  return {{"logistic", {.options = {{"l2", "0"}}}},
          {"logistic l2", {.options = {{"l2", "0.5"}}}},
          {"softmax", {.options = {{"l2", "0"}}}, 3},
          {"squared hinge", {.model = "svm", .options = {{"loss", "squared-hinge"}, {"l2", "0.5"}}}}};
}

double objective(const Data& data, Request request, const std::string& solver) {
  request.options.emplace_back("solver", solver);
  if (!data.weights.empty()) request.weight = "weight";
  const Summary summary = fit_table(make_table(data.rows, data.labels, data.weights), request).model.summary;
  EXPECT_TRUE(summary.converged) << solver << ": " << summary.certificate.value;
  return summary.objective.value_or(std::nan(""));
}

void unchanged(Data&) {}

// Every solver reaches on changed rows what Newton's method does on others that have the same minimum.
void expect_exact(const std::function<void(Data&)>& change, const std::function<void(Data&)>& same,
                  bool penalised = true) {
  Index compared = 0;
  for (const Fit& fit : fits()) {
    if (!penalised && fit.request.options.back().second != "0") continue;
    SCOPED_TRACE(fit.name);
    Data changed = overlapping(fit.classes), plain = changed;
    change(changed);
    same(plain);
    const double expected = objective(plain, fit.request, "newton");
    for (const char* solver : {"auto", "newton", "newton-cg"}) {
      EXPECT_NEAR(objective(changed, fit.request, solver), expected, 1e-8 * expected) << solver;
      ++compared;
    }
  }
  EXPECT_EQ(compared, penalised ? 12 : 6);
}

TEST(Contract, UnitsDoNotMatter) {
  const auto rescale = [](Data& data) {
    for (auto& row : data.rows) {
      row[0] *= 1e140;
      row[1] *= 1e-140;
      row[2] *= 1e9;
    }
  };
  expect_exact(rescale, unchanged);
}

// The sum is rounded to seven digits of the deviation; the plain rows are rounded alike.
TEST(Contract, MeansMayBeABillionDeviationsFromZero) {
  const auto far = [](Data& data) {
    for (auto& row : data.rows) row[1] += 1e9;
  };
  expect_exact(far, [&](Data& data) {
    far(data);
    for (auto& row : data.rows) row[1] -= 1e9;
  });
}

TEST(Contract, CellsMayBeAMillionDeviationsFromTheOthers) {
  const auto one_cell = [](Data& data) { data.rows[7][2] = 1e6; };
  expect_exact(one_cell, one_cell);
}

TEST(Contract, FeaturesMayBeNearlyAlike) {
  const auto alike = [](Data& data) {
    for (auto& row : data.rows) row[3] = row[0] + 1e-7 * row[3];
  };
  const auto apart = [&](Data& data) {  // the same space of features, well conditioned
    alike(data);
    for (auto& row : data.rows) row[3] = 1e7 * (row[3] - row[0]);
  };
  expect_exact(alike, apart, false);
  expect_exact(alike, alike);
}

TEST(Contract, WeightsMayBeSixOrdersApart) {
  const auto weigh = [](Data& data) {
    for (std::size_t i = 0; i < data.rows.size(); ++i)
      data.weights.push_back(std::pow(10.0, static_cast<double>(i % 7) - 3));
  };
  expect_exact(weigh, weigh);
}

TEST(Contract, PenaltiesMayBeWeakOrStrong) {
  const Data data = overlapping(2);
  for (const char* l2 : {"3e-6", "3e10"}) {
    const Request request{.options = {{"l2", l2}}};
    const double expected = objective(data, request, "newton");
    for (const char* solver : {"auto", "newton-cg"})
      EXPECT_NEAR(objective(data, request, solver), expected, 1e-8 * expected) << solver << " " << l2;
  }
}

}  // namespace
}  // namespace discern::contract_test
