// The squared error of a linear score without a bias over its two weights, and the steps of fits on it.
#pragma once

#include <string>
#include <utility>

#include "discern/report/gallery/parts.hpp"

namespace discern::report {

// E(w) = 1/2 sum_i (t_i - w.x_i)^2 of a table of two columns, t = -1 or +1.
class ErrorSurface {
 public:
  explicit ErrorSurface(const Table& table);
  double at(double w1, double w2) const;
  std::pair<double, double> minimum() const;
  // Level lines about the minimum, at distances that grow evenly.
  Json level_lines(const Grid& grid) const;

 private:
  double a_ = 0, b_ = 0, c_ = 0, d_ = 0, e_ = 0, f_ = 0;  // of the quadratic form
};

// A table of two classes whose surface is a narrow valley.
Table valley_table();

// The weights of a watched fit, one after the other.
struct Steps {
  Numbers w1, w2;
};
Steps steps_of(const History& history);
// Frames that show the first k of them.
Json growing_frames(const Steps& steps, std::size_t most = 60);

}  // namespace discern::report
