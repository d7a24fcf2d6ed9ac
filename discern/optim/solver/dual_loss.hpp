// The duals of the losses of the margin; see dual_cd.hpp for the formulas. `s` is the weight of the sample.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "discern/loss/hinge.hpp"
#include "discern/loss/logistic.hpp"

namespace discern {

struct DualHinge {
  using Loss = HingeLoss;
  static constexpr bool has_bounds = true;
  static double start(double) { return 0; }
  static double bound(double s) { return s; }
  static double value(double p, double) { return p; }
  // The slope of minus the dual in p, given the margin.
  static double slope(double margin, double, double) { return margin - 1; }
  // The p that maximises the dual in one sample: q is |a|^2.
  static double step(double margin, double p, double q, double s) {
    return std::clamp(p - (margin - 1) / q, 0.0, s);
  }
};

struct DualSquaredHinge {
  using Loss = SquaredHingeLoss;
  static constexpr bool has_bounds = true;
  static double start(double) { return 0; }
  static double bound(double) { return std::numeric_limits<double>::infinity(); }
  static double value(double p, double s) { return p - p * p / (4 * s); }
  static double slope(double margin, double p, double s) { return margin - 1 + p / (2 * s); }
  static double step(double margin, double p, double q, double s) {
    return std::max(0.0, p - slope(margin, p, s) / (q + 1 / (2 * s)));
  }
};

struct DualLogistic {
  using Loss = LogisticLoss;
  static constexpr bool has_bounds = false;  // p stays strictly between its bounds
  static double start(double s) { return 1e-3 * s; }
  static double bound(double s) { return s; }
  // s log s - p log p - (s - p) log(s - p), without the digits that this loses where s is large beside p.
  static double value(double p, double s) {
    const double taken = p > 0 ? p * std::log(s / p) : 0, left = p < s ? (s - p) * std::log1p(-p / s) : 0;
    return taken - left;
  }
  static double slope(double margin, double p, double s) { return margin + std::log(p / (s - p)); }
  // The zero of margin + q (x - p) + log(x / (s - x)), which rises with x: Newton's method in a bracket that
  // shrinks.
  static double step(double margin, double p, double q, double s) {
    double low = 0, high = s, x = p;
    for (int k = 0; k < 60; ++k) {
      const double f = margin + q * (x - p) + std::log(x / (s - x));
      (f > 0 ? high : low) = x;
      const double change = f / (q + s / (x * (s - x)));
      double next = x - change;
      if (!(next > low)) next = 0.5 * (low + x);
      if (!(next < high)) next = 0.5 * (x + high);
      const bool done = std::fabs(next - x) <= 1e-12 * x;
      x = next;
      if (done) break;
    }
    return std::clamp(x, 1e-300, s * (1 - 1e-16));
  }
};

}  // namespace discern
