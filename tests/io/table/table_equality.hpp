// Comparing tables cell by cell, whatever the layout of their features.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "discern/data/table.hpp"

namespace discern {

inline double cell(const Features& x, Index i, Index j) {
  double found = 0;
  std::visit(
      [&](const auto& rows) {
        for_each(rows.row(0), [&](Index k, double v) {
          if (k == j) found = v;
        });
      },
      rows_of(x, i, 1));
  return found;
}

inline bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

inline void expect_equal(const Noticed& a, const Noticed& b) {
  EXPECT_EQ(a.missing, b.missing);
  EXPECT_EQ(a.first_missing_line, b.first_missing_line);
  EXPECT_EQ(a.level_line, b.level_line);
}

inline void expect_equal(const SideColumn& a, const SideColumn& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.text, b.text);
  EXPECT_EQ(a.levels, b.levels);
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i) EXPECT_TRUE(same_number(a.values[i], b.values[i])) << i;
}

inline void expect_equal(const Table& a, const Table& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.schema.size(), b.schema.size());
  EXPECT_EQ(a.x.index(), b.x.index());
  for (Index j = 0; j < a.schema.size(); ++j) {
    EXPECT_EQ(a.schema.name(j), b.schema.name(j));
    EXPECT_EQ(a.schema.categorical(j), b.schema.categorical(j));
    EXPECT_EQ(a.schema.column(j).levels, b.schema.column(j).levels);
    for (Index i = 0; i < a.rows(); ++i)
      EXPECT_TRUE(same_number(cell(a.x, i, j), cell(b.x, i, j))) << "row " << i << " column " << j;
  }
  ASSERT_EQ(a.side.size(), b.side.size());
  for (std::size_t k = 0; k < a.side.size(); ++k) expect_equal(a.side[k], b.side[k]);
}

}  // namespace discern
