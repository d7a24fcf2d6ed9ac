#include "discern/stats/scatter_panel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "discern/base/random.hpp"
#include "discern/stats/block.hpp"

namespace discern::scatter_panel_test {
namespace {

RowMajor random_rows(Index rows, Index columns) {
  Random random(static_cast<std::uint64_t>(1000 * rows + columns));
  RowMajor x(rows, columns);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = random.normal();
  return x;
}

TEST(ScatterPanel, AddsTheLowerTriangleAndLeavesTheRestAlone) {
  for (const Index columns : {1, 3, 4, 5, 8, 12, 13, 16, 17, 31, 50, 65})
    for (const Index rows : {Index{1}, Index{2}, Index{7}, ScatterPanel::capacity}) {
      const RowMajor x = random_rows(rows, columns);
      Eigen::MatrixXd s = Eigen::MatrixXd::Constant(columns, columns, 3);
      ScatterPanel panel(columns);
      for (int round = 0; round < 2; ++round) {
        for (Index i = 0; i < rows; ++i) panel.append(x.row(i));
        EXPECT_EQ(panel.room(), ScatterPanel::capacity - rows);
        panel.add_to(s);
        EXPECT_EQ(panel.rows(), 0);
      }
      const Eigen::MatrixXd product = x.transpose() * x;
      for (Index i = 0; i < columns; ++i)
        for (Index j = 0; j < columns; ++j) {
          if (i < j)
            EXPECT_EQ(s(i, j), 3);
          else
            EXPECT_NEAR(s(i, j), 3 + 2 * product(i, j), 1e-12 * static_cast<double>(rows)) << columns;
        }
    }
}

TEST(ScatterPanel, RowsAheadChangeNothing) {
  const RowMajor x = random_rows(40, 50);
  std::vector<Index> order;
  for (Index i = 39; i >= 0; --i) order.push_back(i);
  Eigen::MatrixXd with = Eigen::MatrixXd::Zero(50, 50), without = with;
  ScatterPanel panel(50);
  for (Index i = 0; i < 40; ++i) panel.append(x.row(i));
  panel.add_to(with, {reinterpret_cast<const char*>(x.data()), 50 * 8, order});
  for (Index i = 0; i < 40; ++i) panel.append(x.row(i));
  panel.add_to(without);
  EXPECT_EQ(with, without);
}

TEST(ScatterPanel, CentresTheLastRowsOnTheirWeightedMean) {
  const Index columns = 6, count = 20;
  const RowMajor x = random_rows(count, columns);
  std::vector<double> weights;
  for (Index i = 0; i < count; ++i) weights.push_back(static_cast<double>(1 + i % 3));
  for (const bool weighted : {false, true}) {
    ScatterPanel panel(columns);
    panel.append(Eigen::RowVectorXd::Constant(columns, 9));  // not among the last
    for (Index i = 0; i < count; ++i) panel.append(x.row(i));
    Eigen::VectorXd mean(8), low(8), high(8);
    panel.centre(count, weighted ? std::span<const double>(weights) : std::span<const double>(), mean.data(),
                 low.data(), high.data());
    for (Index j = 0; j < columns; ++j) {
      double sum = 0, total = 0;
      for (Index i = 0; i < count; ++i) {
        const double w = weighted ? weights[static_cast<std::size_t>(i)] : 1;
        sum += w * x(i, j);
        total += w;
      }
      EXPECT_NEAR(mean[j], sum / total, 1e-14);
      EXPECT_EQ(low[j], x.col(j).minCoeff());
      EXPECT_EQ(high[j], x.col(j).maxCoeff());
      EXPECT_EQ(panel.at(0, j), 9);
      for (Index i = 0; i < count; ++i)
        EXPECT_NEAR(
            panel.at(1 + i, j),
            (x(i, j) - sum / total) * (weighted ? std::sqrt(weights[static_cast<std::size_t>(i)]) : 1),
            1e-14);
    }
  }
}

}  // namespace
}  // namespace discern::scatter_panel_test
