// How the means of features that are not centred tie them to the bias and to one another: with c the
// curvatures of the rows, W their sum, m = Z'c / W and b the penalty of the bias,
//
//   H = [ W + b   W m'       ]      (without a bias its second row and column alone)
//       [ W m     C + W m m' ]
//
// where C is the Hessian of the centred features. So H^-1 costs what C^-1 does: with (r, q) the parts of the
// bias and of the features of what H is divided into, (z, y) those of the answer, and share = W / (W + b),
// zero without a bias,
//
//   (C + W (1 - share) m m') y = q - share m r,     z = r / (W + b) - share m'y
//
// where the first line is Sherman's and Morrison's. Even where C is diagonal, H is not: for counts of
// words, say, which are all positive, a change of all weights together acts like a change of the bias.
#pragma once

#include <Eigen/Core>
#include <algorithm>

#include "discern/optim/problem/problem.hpp"

namespace discern {

// Whether features are tied so: sparse ones of one score, but not where some are so far from zero that sums
// of squares have no digits of what is left when the mean is taken off.
inline bool needs_mean_correction(const Problem& problem) {
  return problem.source->sparse() && problem.scores == 1 && !problem.scaling.far;
}

class MeanCorrection {
 public:
  MeanCorrection() = default;  // none

  // `sums`: Z'c. `bias`: the first coordinate is that. `diagonal`, of H, becomes that of C (and W + b), with
  // l2 the part of it that is no sum over rows.
  MeanCorrection(const Eigen::VectorXd& sums, double weight, bool bias, const Eigen::VectorXd& l2,
                 Eigen::Ref<Eigen::VectorXd> diagonal)
      : bias_(bias) {
    constexpr double least = 1e-4;  // of a sum of squares that is left of it: its rounding, and more
    if (!(weight > 0)) return;
    mean_ = sums / weight;
    if (bias) mean_[0] = 0;
    for (Index j = bias ? 1 : 0; j < mean_.size(); ++j) {
      const double squares = std::max(diagonal[j] - l2[j], 0.0);
      diagonal[j] -= std::min(weight * mean_[j] * mean_[j], (1 - least) * squares);
    }
    share_ = bias ? std::min(weight / diagonal[0], 1.0) : 0.0;
    weight_ = weight;
  }

  bool any() const { return mean_.size() > 0; }

  // Those among the coordinates of a mask of ones and zeros.
  MeanCorrection among(const Eigen::VectorXd& mask) const {
    if (!any()) return {};
    MeanCorrection some = *this;
    some.mean_ = mean_.cwiseProduct(mask);
    if (bias_) some.share_ *= mask[0];
    return some;
  }

  // Says what C^-1 gives; inverse(r) is C^-1 of the part of the features, and that of the bias over W + b.
  template <class Inverse>
  void set_inverse(const Inverse& inverse) {
    if (!any()) return;
    const double tied = weight_ * (1 - share_);
    tie_ = inverse(mean_);
    tie_ *= tied / (1 + tied * mean_.dot(tie_));
  }
  // H^-1 r.
  template <class Inverse>
  Eigen::VectorXd solve(const Eigen::VectorXd& r, const Inverse& inverse) const {
    if (!any()) return inverse(r);
    Eigen::VectorXd z = share_ > 0 ? inverse(r - share_ * r[0] * mean_) : inverse(r);
    z -= mean_.dot(z) * tie_;
    if (share_ > 0) z[0] -= share_ * mean_.dot(z);
    return z;
  }

 private:
  bool bias_ = false;
  Eigen::VectorXd mean_;  // m, zero for the bias; empty: nothing is tied
  double weight_ = 0;     // W
  double share_ = 0;
  Eigen::VectorXd tie_;  // C^-1 m tied / (1 + tied m'C^-1 m), tied = W (1 - share)
};

}  // namespace discern
