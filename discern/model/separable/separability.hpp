// Can a plane separate two classes? A verdict with a proof either way, from the nearest points of their
// convex hulls (model/separable/nearest_points.hpp).
//
//   separable       w . x + b >= 1 for the one class and <= -1 for the other, with the largest margin
//                   1 / |w|: half the distance of the hulls. No plane has a larger margin than
//                   `margin_bound`, half the length of a difference of two points of the hulls.
//   not separable   shares a >= 0 that sum to 1 in each class, with sum a_i x_i of the one class equal to
//                   that of the other up to `residual`: no plane can have this point on both of its sides
//                   (Gordan 1873).
//   unproved        neither proof holds in double precision.
//
// The verdict does not depend on units and is sought with standardised features; the margin does, and is that
// of the features as they are unless `standardize`. Both proofs are checked against the rows in extended
// precision, with a bound for the rounding, before they are given. Sample weights do not matter.
//
// Without a bias the plane passes through the origin, and the nearest point of the hull of the signed samples
// to zero takes the place of the two hulls: the margin is its length. With `augment` every sample has one
// more coordinate 1: the plane of a perceptron.
#pragma once

#include <span>
#include <vector>

#include "discern/base/progress.hpp"
#include "discern/model/shape/predictor.hpp"

namespace discern {

enum class Verdict { separable, not_separable, unproved };

struct SeparabilityOptions {
  bool standardize = false;  // measure the margin with every feature divided by its standard deviation
  bool bias = true;
  bool augment = false;  // only without a bias: samples [x, 1], whose last weight becomes the plane's bias
  double tol = 1e-9;     // largest relative gap between margin and margin_bound that counts as converged
  Monitor monitor = {};
};

struct Share {
  Index row = 0;
  double share = 0;
};

struct Separability {
  Verdict verdict = Verdict::unproved;
  // The shares of the nearest points found: the proof when not separable, the support of the plane when
  // separable. In order of the rows.
  std::vector<Share> positive, negative;
  double residual = 0;  // distance of the nearest points, standardised, divided by the radius
  // Largest distance of a row to the middle of the data; when separable, to the middle's foot on the plane,
  // and in the coordinates of the margin.
  double radius = 0;
  bool standardized = false;  // what the margin and that radius are measured in

  // When separable.
  Linear plane;             // one score, in the units of the features; at least 1 or at most -1 on every row
  double margin = 0;        // smallest distance of a row to the plane
  double margin_bound = 0;  // no plane has more
  double gap = 0;           // 1 - margin / margin_bound
  bool converged = false;   // gap <= tol
  // The perceptron, started at zero with the origin on the plane, makes at most (radius / margin)^2 mistakes.
  double mistake_bound() const { return (radius / margin) * (radius / margin); }
};

// `side` is a row each: +1 for the one class, -1 for the other, 0 for rows that do not take part. Throws
// Code::data when a class has no row, and Code::interrupted.
Separability separability(const Features& x, std::span<const std::int8_t> side,
                          const SeparabilityOptions& options = {});

}  // namespace discern
