// Kernels: inner products of rows in a space of more features, from those of the rows themselves.
//
//   linear     k(u, v) = u.v
//   poly:K     k(u, v) = (1 + u.v)^K
//   gauss:S    k(u, v) = exp(-|u - v|^2 / (2 S^2))
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "discern/data/row.hpp"

namespace discern {

enum class KernelKind { linear, polynomial, gaussian };

struct Kernel {
  KernelKind kind = KernelKind::linear;
  double parameter = 0;  // K or S

  // From u.v, |u|^2 and |v|^2.
  double operator()(double product, double u_squares, double v_squares) const {
    switch (kind) {
      case KernelKind::polynomial:
        return power(1 + product, static_cast<Index>(parameter));
      case KernelKind::gaussian: {
        const double distance = u_squares + v_squares - 2 * product;
        // Overflow is far away; and rounding must not make a row's distance from itself negative.
        if (!(distance < std::numeric_limits<double>::infinity())) return 0;
        return std::exp(-std::max(0.0, distance) / (2 * parameter * parameter));
      }
      default:
        return product;
    }
  }

 private:
  static double power(double base, Index exponent) {
    double result = 1;
    for (; exponent > 0; exponent /= 2, base *= base)
      if (exponent % 2 == 1) result *= base;
    return result;
  }
};

constexpr Index highest_kernel_degree = 100;

// "linear", "poly:3", "gauss:0.5". Throws Code::usage saying what was received and what is expected.
Kernel parse_kernel(std::string_view text);

}  // namespace discern
