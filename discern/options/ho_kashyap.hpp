// The Ho-Kashyap procedure (1965): least squares with targets b that are learned along, and a verdict.
//
// The rows of Y are the samples y_i = t_i [1, x_i] with t_i = +1 or -1, so that a plane a separates when Y a
// > 0. From b_i = margin > 0,
//
//   a = Y^+ b,      e = Y a - b,      b <- b + d max(e, 0),      0 < d < 2
//
// minimises |Y a - b|^2 over a and b >= its start: every step takes at least d (2 - d) |max(e, 0)|^2 off
// |e|^2. The pseudo-inverse comes from a QR decomposition of the data; every step corrects what rounding left
// in the one before. It ends with one of
//
//   separable       Y a > 0: a plane, and its margin
//   not separable   e <= 0 and e != 0: since Y'e = 0 by least squares, the sizes of e are Gordan's
//                   multipliers, which no separating plane allows. The positive part of e only vanishes in
//                   the limit. So from time to time the multipliers q = max(-e, 0) are completed to Y'q = 0
//                   on the rows that they are made of, q_i (1 - c.y_i) with (Y' diag(q) Y) c = Y'q, and if
//                   none turns negative that is the proof.
//   undecided       neither within `max_iter` steps
//
// The verdict is reported as a fact, for two separable classes with the margin min_i t_i g(x_i) / |w| of the
// plane found in the units of the features (`discern separable` has the largest).
//
// With weights s_i both sums carry them: weight two is the row twice. The procedure depends on the span of
// the columns of Y alone, so units and origin of the features do not matter. More than two classes: each
// against the rest.
//
// Given weights to start from, b begins at max(Y a, margin) with their a: where they separate the rows, that
// is the end.
#pragma once

#include <type_traits>

#include "discern/base/fields.hpp"
#include "discern/base/index.hpp"

namespace discern {

struct HoKashyap {
  static constexpr bool starts = true;  // from given weights

  double margin = 1;
  double learning_rate = 1.9;
  double tol = 1e-13;
  Index max_iter = 10000;
  bool no_bias = false;
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, HoKashyap>
void visit_fields(Self& options, Visitor&& visit) {
  visit(options.margin, Field{"margin", "what every target b is at the start, above 0", 1e-100, 1e100});
  visit(options.learning_rate,
        Field{"learning-rate", "share of its error that a target follows in a step, above 0 and below 2",
              1e-6, 1.999999});
  visit(options.tol, Field{"tol", "largest certificate that counts as converged", 0});
  visit(options.max_iter, Field{"max-iter", "stop after this many iterations", 1});
  visit(options.no_bias, Field{"no-bias", "force the hyperplane through the origin"});
}

}  // namespace discern
