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

TEST(ScatterPanel, TotalsAreThoseOfTheLastRows) {
  const Index columns = 6, count = 21;
  const RowMajor x = random_rows(count, columns);
  std::vector<double> weights;
  for (Index i = 0; i < count; ++i) weights.push_back(static_cast<double>(1 + i % 3));
  for (const bool weighted : {false, true}) {
    const auto weight = [&](Index i) { return weighted ? weights[static_cast<std::size_t>(i)] : 1; };
    ScatterPanel panel(columns);
    ScatterPanel::Totals totals;
    totals.clear(panel.stride());
    panel.append(Eigen::RowVectorXd::Constant(columns, 9));  // not among the last
    for (const auto& [first, part] : {std::pair<Index, Index>{0, 8}, {8, 13}}) {
      for (Index i = first; i < first + part; ++i) panel.append(x.row(i));
      const std::span<const double> all(weights);
      panel.total(part, weighted ? all.subspan(static_cast<std::size_t>(first)) : all.first(0), totals);
    }
    for (Index j = 0; j < columns; ++j) {
      double sum = 0;
      for (Index i = 0; i < count; ++i) sum += weight(i) * x(i, j);
      EXPECT_NEAR(totals.sum[j], sum, 1e-13);
      EXPECT_EQ(totals.low[j], x.col(j).minCoeff());
      EXPECT_EQ(totals.high[j], x.col(j).maxCoeff());
      EXPECT_EQ(panel.row(0)[j], 9);
      for (Index i = 0; i < count; ++i)
        EXPECT_NEAR(panel.row(1 + i)[j], std::sqrt(weight(i)) * x(i, j), 1e-14);
    }
  }
}

}  // namespace
}  // namespace discern::scatter_panel_test
