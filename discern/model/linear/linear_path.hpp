// The regularisation path of the models that minimise a smooth loss of linear scores: the fit under each of a
// row of falling penalties (optim/l1/path.hpp), each with its certificate.
//
//   l1            l1_k = l1_0 r^(k/(N-1)), l2 fixed;   l1_0 the smallest for which all weights are zero
//   l2            l2_k = l2_0 r^(k/(N-1)), l1 fixed;   l2_0 the trace of the Hessian at the bias alone
//   elastic net   l1_k = R s_k, l2_k = (1 - R) s_k / sd;    s_0 = l1_0 / R, R the ratio
//
// sd is the standard deviation of a regression's target (with divisor n; without a bias around zero) and 1 in
// classification: l1 has the unit of the target and l2 has none, so that the target's unit does not matter
// (glmnet divides the target by sd first). The objective and the coordinates are those of a fit
// (model/linear/linear_fit.hpp): the fit under the penalty of a point gives its weights, or as good ones where the
// minimum is at several, as that of softmax with l1 may be. r is 1e-6 for l2; for l1 it is 1e-4, or 1e-2 when
// there are fewer rows than features.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "discern/model/linear/least_squares.hpp"
#include "discern/model/linear/logistic.hpp"
#include "discern/model/linear/svm.hpp"
#include "discern/model/shape/training.hpp"
#include "discern/optim/problem/problem.hpp"
#include "discern/options/path.hpp"

namespace discern {

struct PathOptions {
  PathPenalty penalty = PathPenalty::l1;
  double l1_ratio = 0.5;  // R of the elastic net
  double fixed = 0;       // the penalty that stays as it is: l2 on a path of l1, l1 on a path of l2
  Index points = 100;
  double ratio = 0;                         // r; 0: as above
  std::vector<PenaltyStrength> given = {};  // the penalties themselves; empty: as above
};

struct PathPoint {
  double l1 = 0, l2 = 0;
  double objective = 0;
  Index nonzero = 0;              // weights
  std::optional<double> freedom;  // degrees of freedom of the weights, where they are affordable
  double explained = 0;  // 1 - loss / loss of the bias alone, 0 at least: of the deviance, in a likelihood
  Certificate certificate;
  bool converged = false;
  Index iterations = 0;
  std::vector<std::pair<Index, double>> weights;  // (score * features + feature, weight) of those not zero
  Vector bias;                                    // at the centre
};

struct LinearPath {
  std::vector<PathPoint> points = {};  // the largest penalty first
  Index scores = 0, features = 0;
  Vector center;
  Vector scale;  // the features' standard deviations
  Link link = Link::none;
  bool biased = true;
  double tolerance = 0;
  bool interrupted = false;  // points are missing at the end

  Linear predictor(std::size_t point) const;
};

// When each feature first has a weight, in that order; those of one point in the order of the features.
struct PathEntry {
  Index feature = 0;
  std::size_t point = 0;
};
std::vector<PathEntry> entries_of(const LinearPath& path);

// Throws Code::usage for options that a path does not go with.
void check_path(const LeastSquares& options);
void check_path(const Logistic& options);
void check_path(const Svm& options);

// The path of a model; of its options l1 and l2 do not matter.
LinearPath fit_path(const LeastSquares& options, const Training& training, const PathOptions& path);
LinearPath fit_path(const Logistic& options, const Training& training, const PathOptions& path);
LinearPath fit_path(const Svm& options, const Training& training, const PathOptions& path);

}  // namespace discern
