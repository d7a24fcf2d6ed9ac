// k-means: centres c_1, ..., c_K that make
//
//   J = sum_i s_i min_k |x_i - c_k|^2
//
// small (s_i: sample weight). Lloyd's iteration: every point goes to its nearest centre, every centre to the
// mean of its points; J never rises. A centre without points goes to the point that is farthest from its own.
//
// It starts from k-means++ (Arthur and Vassilvitskii 2007): each centre is one of the points, drawn with a
// probability in proportion to its squared distance from the nearest centre so far; of 2 + log K such draws
// the one that lowers J most is taken. Equal points count once in the draw. With many points the start, and a
// first Lloyd's iteration to its end, use a sample of 50 points a centre.
//
// It ends when no point changes its centre or J falls by less than `tol` of itself, at a local minimum. When
// the monitor stops it, it ends with the centres so far (from rows at random where it had not started yet).
#pragma once

#include "discern/cluster/points.hpp"

namespace discern {

struct KMeansOptions {
  Index centers = 8;
  std::uint64_t seed = 0;
  double tol = 1e-4;
  Index max_iter = 100;
  Monitor monitor = {};
};

struct KMeans {
  RowMajor centers;                   // fewer than asked for when there are fewer different points
  std::vector<std::int32_t> nearest;  // the centre of each point
  Eigen::VectorXd weight;             // of the points of each centre
  Eigen::VectorXd squares;            // sum_i s_i |x_i - c_k|^2 over the points of each centre
  std::vector<double> objectives;     // J at each iteration
  bool converged = false;
  bool interrupted = false;

  double objective() const { return objectives.empty() ? 0 : objectives.back(); }
  Index iterations() const { return static_cast<Index>(objectives.size()); }
};

KMeans kmeans(const Points& points, const KMeansOptions& options);

// The rows that k-means++ starts from. Throws Code::interrupted.
std::vector<Index> kmeans_start(const Points& points, Index centers, std::uint64_t seed,
                                const Monitor& monitor = {});

// Lloyd's iteration from given centres.
KMeans lloyd(const Points& points, RowMajor centers, const KMeansOptions& options);

// The points' nearest centres, which stay where they are.
KMeans assign_points(const Points& points, const RowMajor& centers);

}  // namespace discern
