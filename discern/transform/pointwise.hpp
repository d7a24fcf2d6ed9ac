// Functions of single features, several of each:
//
//   gauss:N      exp(-(x_j - m)^2 / (2 s^2)),    m at the (i - 1/2)/N quantiles of x_j, i = 1..N,
//                s: half the distance between the neighbours of m (at the ends, the distance to the one)
//   threshold:N  1 where x_j >= t, else 0,       t at the i/(N + 1) quantiles of x_j
//
//   log, log1p, sqrt   that function of x_j. A value that it does not take (x <= 0, x <= -1, x < 0) is an error in
//                the rows that it is fitted to; in later ones the least value of those stands for it
//
//   parts              of a date, as days since 1970-01-01: the year, the month, the day of the month, the day of the week
//                      (Monday is 1) and, where the dates have times, the hour
//
// Equal quantiles count once, so that there may be fewer than N. A threshold that all values reach would say
// nothing: it moves up to the next value, so that a feature that is nearly always at its minimum has a step
// above it. A constant feature has none and disappears. They take the place of their feature.
#pragma once

#include <string_view>
#include <vector>

#include "discern/data/source.hpp"
#include "discern/transform/feature.hpp"

namespace discern {

enum class PointFunction { gaussian, step, log, log1p, sqrt, parts };

// "gauss", "threshold", "log", "log1p", "sqrt", "parts": as --basis and the model file call them.
std::string_view name_of(PointFunction function);
// Of those with one value for each feature, and no points at its quantiles.
bool elementwise(PointFunction function);
// Whether the function takes the value.
bool takes(PointFunction function, double value);

// What a date is taken apart into; the points of `parts` are these numbers.
enum class DatePart { year, month, day, weekday, hour };
inline constexpr Index date_parts = 5;
double part_of(DatePart part, double days);

struct Pointwise {
  PointFunction function = PointFunction::gaussian;
  std::vector<Index> columns;  // asked for; empty: all numeric ones
  std::vector<Index> counts;   // points of each column in use
  // One column after the other; widths of Gaussians alone. Of log, log1p and sqrt the one point of a column is its
  // least value in training.
  std::vector<double> points, widths;
  Selection selection;  // follows from the columns

  std::vector<Feature> names(const std::vector<Feature>& in) const;
  Rows apply(const Rows& in, Workspace& out) const;
  void extend(std::vector<long double>& row) const;
};

// The points of one column from its values, with weights (empty: all 1).
struct ColumnPoints {
  std::vector<double> points, widths;
};
ColumnPoints column_points(PointFunction function, Index count, std::vector<double> values,
                           const std::vector<double>& weights);

}  // namespace discern
