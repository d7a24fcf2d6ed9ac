// The nearest points of two convex hulls, and the point of one convex hull that is nearest to zero:
//
//   min |sum_i a_i z_i|     a >= 0,   sum of a_i over each group = 1
//
// Two groups, the classes with the sign of each in its points, are the two hulls: at the minimum w = sum_i
// a_i z_i is the normal of the plane with the largest margin, and |w| twice that margin. One group of all
// points is the same for planes through the origin. Zero means that no plane separates: a is the proof
// (Gordan 1873).
//
// The method is Wolfe's (1976): the points in use are affinely independent, so they are few; their best
// combination is a small least-squares problem, whose triangular factor is updated as points come and go.
// Every step shortens w, so no set of points comes twice and it ends. The bound
//
//   sum over groups of min_i w . z_i / |w|  <=  the minimum  <=  |w|
//
// tells how far it is from the end.
#pragma once

#include "discern/base/progress.hpp"
#include "discern/model/separable/signed_points.hpp"

namespace discern {

struct NearestPoints {
  Eigen::VectorXd w;
  std::vector<Index> points;   // those in use, as indices into the SignedPoints ...
  std::vector<double> shares;  // ... and their a, above zero
  Index passes = 0;            // over all points
};

struct NearestOptions {
  bool two_hulls = true;
  double tol = 1e-12;  // relative distance of the bounds at which to stop
  Monitor monitor;
};

// Throws Code::interrupted when the monitor asks to stop.
NearestPoints nearest_points(const SignedPoints& points, const NearestOptions& options);

}  // namespace discern
