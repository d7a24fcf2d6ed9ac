#include "discern/model/separable/nearest_points.hpp"

#include <Eigen/Jacobi>
#include <algorithm>
#include <cmath>
#include <limits>

#include "discern/base/error.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr Index candidates_per_group = 32;
constexpr Index most_passes = 100000;

// The points in use, and the triangle R of the QR decomposition of their columns [z; k e], where e marks the
// group: adding k^2 |sums|^2 changes nothing while the sums are fixed, and makes the columns independent.
class Corral {
 public:
  Corral(Index width, Index groups, double k) : groups_(groups), k_(k), z_(width, 8), r_(8, 8) {}

  auto z() const { return z_.leftCols(size_); }
  Index size() const { return size_; }
  const std::vector<Index>& points() const { return points_; }
  const VectorXd& shares() const { return shares_; }
  VectorXd sum() const { return z() * shares_; }
  // The same vector, but orthogonal to the differences of the points to the last digits of its components:
  // the sum cancels to what may be a tiny part of the points' lengths.
  VectorXd normal() const {
    VectorXd w = sum();
    VectorXd level = levels(w);
    const MatrixXd e = groups_matrix();
    for (int round = 0; round < 2; ++round) {
      const VectorXd uneven = z().transpose() * w - e.transpose() * level;
      const VectorXd part = solve_upper(solve_transposed(uneven));
      w -= z() * part;
      level += k_ * k_ * (e * part);
    }
    return w;
  }
  // What w . z is on the points of each group, which at the best shares all have the same.
  VectorXd levels(const VectorXd& w) const {
    VectorXd level = VectorXd::Zero(groups_);
    const VectorXd products = z().transpose() * w;
    for (Index j = 0; j < size_; ++j) level[group_[static_cast<std::size_t>(j)]] += shares_[j] * products[j];
    return level;
  }
  bool contains(Index point) const {
    return std::find(points_.begin(), points_.end(), point) != points_.end();
  }

  // Adds a point with a share of its own. False, and nothing is changed, when it depends on those in use.
  bool add(Index point, Index group, const VectorXd& column, double share) {
    VectorXd rest = column, marks = VectorXd::Zero(groups_), row = VectorXd::Zero(size_);
    marks[group] = k_;
    // Twice, because once leaves a part of the size of the rounding errors along the others.
    for (int round = 0; round < 2; ++round) {
      const VectorXd part =
          solve_transposed(z().transpose() * rest + k_ * (groups_matrix().transpose() * marks));
      const VectorXd combination = solve_upper(part);
      row += part;
      rest -= z() * combination;
      marks -= k_ * (groups_matrix() * combination);
    }
    const double length = std::sqrt(rest.squaredNorm() + marks.squaredNorm());
    if (!(length > 16 * epsilon * std::sqrt(column.squaredNorm() + k_ * k_))) return false;
    reserve(size_ + 1);
    z_.col(size_) = column;
    r_.col(size_).head(size_) = row;
    r_.row(size_).head(size_).setZero();
    r_(size_, size_) = length;
    points_.push_back(point);
    group_.push_back(group);
    shares_.conservativeResize(size_ + 1);
    shares_[size_++] = share;
    return true;
  }

  // Moves the shares to the best combination of the points in use, and drops those that would turn negative
  // on the way.
  void settle() {
    while (true) {
      const VectorXd best = best_shares();
      if (best.minCoeff() > 0) {
        shares_ = best;
        return;
      }
      double step = 1;
      Index first = -1;
      for (Index j = 0; j < size_; ++j) {
        if (best[j] > 0 || shares_[j] > step * (shares_[j] - best[j])) continue;
        step = shares_[j] / (shares_[j] - best[j]);
        first = j;
      }
      if (first < 0) return;  // no numbers: rounding has the last word
      shares_ += step * (best - shares_);
      for (Index j = size_ - 1; j >= 0; --j)
        if (j == first || shares_[j] <= 0) remove(j);
    }
  }

  // The same combination to the last digits: corrections from residuals in extended precision.
  void polish() {
    using Long = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
    if (size_ == 0) return;
    const auto columns = z().template cast<long double>().eval();
    const auto marks = groups_matrix().cast<long double>().eval();
    Long shares = shares_.cast<long double>();
    for (int round = 0; round < 3; ++round) {
      const Long slope = columns.transpose() * (columns * shares);
      const Long missing = Long::Ones(groups_) - marks * shares;
      shares += correction(slope.cast<double>(), missing.cast<double>()).cast<long double>();
    }
    const VectorXd rounded = shares.cast<double>();
    if (rounded.allFinite() && rounded.minCoeff() > 0) shares_ = rounded;
  }

 private:
  VectorXd solve_upper(VectorXd v) const {
    if (size_ > 0) r_.topLeftCorner(size_, size_).triangularView<Eigen::Upper>().solveInPlace(v);
    return v;
  }
  VectorXd solve_transposed(VectorXd v) const {
    if (size_ > 0) r_.topLeftCorner(size_, size_).transpose().triangularView<Eigen::Lower>().solveInPlace(v);
    return v;
  }
  MatrixXd groups_matrix() const {
    MatrixXd e = MatrixXd::Zero(groups_, size_);
    for (Index j = 0; j < size_; ++j) e(group_[static_cast<std::size_t>(j)], j) = 1;
    return e;
  }

  // The change of the shares that makes up for a slope Z'Z a and for what the sums lack:
  // minimises 1/2 |R d|^2 + slope . d with E d = missing.
  VectorXd correction(const VectorXd& slope, const VectorXd& missing) const {
    MatrixXd u(size_, groups_);
    const MatrixXd e = groups_matrix();
    for (Index g = 0; g < groups_; ++g) u.col(g) = solve_transposed(e.row(g).transpose());
    const VectorXd down = solve_transposed(slope);
    const MatrixXd m = u.transpose() * u;
    const VectorXd right = missing + u.transpose() * down;
    VectorXd lambda(groups_);
    if (groups_ == 1) {
      lambda[0] = right[0] / m(0, 0);
    } else {
      const double determinant = m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0);
      lambda[0] = (right[0] * m(1, 1) - right[1] * m(0, 1)) / determinant;
      lambda[1] = (right[1] * m(0, 0) - right[0] * m(1, 0)) / determinant;
    }
    return solve_upper(u * lambda - down);
  }

  VectorXd best_shares() const {
    VectorXd shares = VectorXd::Zero(size_);
    for (int round = 0; round < 2; ++round) {
      const VectorXd slope = z().transpose() * (z() * shares);
      shares += correction(slope, VectorXd::Ones(groups_) - groups_matrix() * shares);
    }
    return shares;
  }

  // Without column j the triangle has a subdiagonal, which rotations remove.
  void remove(Index j) {
    const Index last = size_ - 1;
    for (Index c = j; c < last; ++c) {
      r_.col(c).head(c + 2) = r_.col(c + 1).head(c + 2);
      z_.col(c) = z_.col(c + 1);
      shares_[c] = shares_[c + 1];
    }
    for (Index c = j; c < last; ++c) {
      Eigen::JacobiRotation<double> rotation;
      rotation.makeGivens(r_(c, c), r_(c + 1, c));
      r_.block(0, c, size_, last - c).applyOnTheLeft(c, c + 1, rotation.adjoint());
      r_(c + 1, c) = 0;
    }
    points_.erase(points_.begin() + j);
    group_.erase(group_.begin() + j);
    shares_.conservativeResize(last);
    size_ = last;
  }

  void reserve(Index columns) {
    if (columns <= z_.cols()) return;
    z_.conservativeResize(Eigen::NoChange, 2 * columns);
    r_.conservativeResize(2 * columns, 2 * columns);
  }

  Index groups_;
  double k_;
  Index size_ = 0;
  MatrixXd z_, r_;
  std::vector<Index> points_, group_;
  VectorXd shares_;
};

class NearestSearch {
 public:
  NearestSearch(const SignedPoints& points, const NearestOptions& options)
      : points_(&points),
        options_(&options),
        groups_(options.two_hulls ? 2 : 1),
        corral_(points.width(), groups_, points.radius() > 0 ? typical_length(points) : 1) {}

  NearestPoints run() {
    start();
    double shortest = std::numeric_limits<double>::infinity();
    Index passes = 1;
    for (; passes < most_passes; ++passes) {
      const double length = corral_.sum().norm();
      const VectorXd w = corral_.normal(), products = points_->products(w);
      const double bound = lowest(products).sum() / std::max(w.norm(), std::numeric_limits<double>::min());
      const Progress progress{.stage = "separating",
                              .done = passes,
                              .total = 0,
                              .objective = length,
                              .certificate = 1 - bound / length,
                              .iterative = true};
      if (!go_on(options_->monitor, progress)) throw Error(Code::interrupted, "interrupted");
      if (length - bound <= options_->tol * length) break;
      if (length <= 4 * epsilon * points_->radius()) break;
      if (!(length < shortest)) break;  // rounding
      shortest = length;
      improve(candidates(products, corral_.levels(w)));
    }
    corral_.polish();
    NearestPoints found{corral_.normal(), {}, {}, passes};
    for (Index j = 0; j < corral_.size(); ++j) {
      if (corral_.shares()[j] <= epsilon) continue;  // rounding
      found.points.push_back(corral_.points()[static_cast<std::size_t>(j)]);
      found.shares.push_back(corral_.shares()[j]);
    }
    return found;
  }

 private:
  static double typical_length(const SignedPoints& points) {
    return std::sqrt(points.lengths().squaredNorm() / static_cast<double>(points.size()));
  }
  Index group(Index point) const { return groups_ == 2 && points_->sign(point) < 0 ? 1 : 0; }

  VectorXd lowest(const VectorXd& products) const {
    VectorXd low = VectorXd::Constant(groups_, std::numeric_limits<double>::infinity());
    for (Index i = 0; i < products.size(); ++i) low[group(i)] = std::min(low[group(i)], products[i]);
    return low;
  }

  // In each group the point that lies farthest against the difference of the means.
  void start() {
    const VectorXd w = points_->mean(1) + points_->mean(-1);
    const VectorXd products = points_->products(w);
    VectorXd column(points_->width());
    for (Index g = 0; g < groups_; ++g) {
      Index best = -1;
      for (Index i = 0; i < products.size(); ++i)
        if (group(i) == g && (best < 0 || products[i] < products[best])) best = i;
      points_->copy(best, column);
      corral_.add(best, g, column, 1);
    }
  }

  // The points with the smallest products, some of each group, the first in order among equals.
  std::vector<Index> candidates(const VectorXd& products, const VectorXd& level) const {
    std::vector<Index> chosen;
    for (Index g = 0; g < groups_; ++g) {
      std::vector<Index> all;
      for (Index i = 0; i < products.size(); ++i)
        if (group(i) == g && products[i] < level[g]) all.push_back(i);
      const auto count = static_cast<std::ptrdiff_t>(
          std::min<std::size_t>(all.size(), static_cast<std::size_t>(candidates_per_group)));
      std::partial_sort(all.begin(), all.begin() + count, all.end(), [&](Index a, Index b) {
        return products[a] != products[b] ? products[a] < products[b] : a < b;
      });
      chosen.insert(chosen.end(), all.begin(), all.begin() + count);
    }
    return chosen;
  }

  // Takes in candidates, the one that is farthest below its group's level first, while that shortens w.
  void improve(const std::vector<Index>& chosen) {
    MatrixXd columns(points_->width(), static_cast<Index>(chosen.size()));
    for (std::size_t c = 0; c < chosen.size(); ++c)
      points_->copy(chosen[c], columns.col(static_cast<Index>(c)));
    std::vector<bool> useless(chosen.size());
    for (std::size_t round = 0; round < 4 * chosen.size(); ++round) {
      const VectorXd w = corral_.normal(), level = corral_.levels(w), products = columns.transpose() * w;
      const double noise =
          std::max(0.1 * options_->tol * w.squaredNorm(), epsilon * points_->radius() * w.norm());
      Index best = -1;
      double most = noise;
      for (Index c = 0; c < products.size(); ++c) {
        const Index point = chosen[static_cast<std::size_t>(c)];
        const double below = level[group(point)] - products[c];
        if (useless[static_cast<std::size_t>(c)] || below <= most || corral_.contains(point)) continue;
        best = c;
        most = below;
      }
      if (best < 0) return;
      const Index point = chosen[static_cast<std::size_t>(best)];
      if (corral_.add(point, group(point), columns.col(best), 0)) corral_.settle();
      if (!corral_.contains(point)) useless[static_cast<std::size_t>(best)] = true;
    }
  }

  const SignedPoints* points_;
  const NearestOptions* options_;
  Index groups_;
  Corral corral_;
};

}  // namespace

NearestPoints nearest_points(const SignedPoints& points, const NearestOptions& options) {
  return NearestSearch(points, options).run();
}

}  // namespace discern
