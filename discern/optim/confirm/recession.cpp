#include "discern/optim/confirm/recession.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "discern/base/error.hpp"
#include "discern/optim/problem/function.hpp"
#include "discern/optim/problem/limits.hpp"
#include "discern/stats/triangle.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A row and the class that its own is compared with; -1 where there are two.
struct MarginPair {
  Index row = 0;
  Index other = -1;
};

class MarginRows {
 public:
  MarginRows(const Problem& problem, const Monitor& monitor)
      : problem_(&problem), function_(problem), monitor_(&monitor) {
    const Index n = problem.source->rows();
    const Block rows = answers();
    for (Index i = 0; i < n; ++i) {
      if (rows.weight(i) == 0) continue;
      if (!problem.softmax()) pairs_.push_back({i, -1});
      for (Index k = 0; problem.softmax() && k < problem.scores; ++k)
        if (k != label(rows, i)) pairs_.push_back({i, k});
    }
  }

  Index count() const { return static_cast<Index>(pairs_.size()); }

  // The margins that a point gives, in the order of the pairs.
  VectorXd times(const VectorXd& point) const {
    const RowMajor scores = function_.scores_of(point, *monitor_);
    const Block rows = answers();
    VectorXd margins(count());
    for (Index p = 0; p < count(); ++p) {
      const auto [i, other] = pairs_[static_cast<std::size_t>(p)];
      margins[p] =
          other < 0 ? problem_->target(rows, i) * scores(i, 0) : scores(i, label(rows, i)) - scores(i, other);
    }
    return margins;
  }

  // Some of them (in ascending order) as rows of a matrix.
  MatrixXd gathered(const std::vector<Index>& chosen) const {
    MatrixXd rows = MatrixXd::Zero(static_cast<Index>(chosen.size()), problem_->size());
    visit(chosen, [&](Index place, const auto& z, Index label, Index other) {
      auto row = rows.row(place);
      if (other < 0) {
        row = label * z;
        return;
      }
      row(Eigen::seqN(label, problem_->width(), problem_->scores)) = z;
      row(Eigen::seqN(other, problem_->width(), problem_->scores)) = -z;
    });
    return rows;
  }

  // The lengths of all of them with every coordinate divided by its unit.
  VectorXd lengths(const VectorXd& units) const {
    std::vector<Index> all(pairs_.size());
    for (std::size_t p = 0; p < all.size(); ++p) all[p] = static_cast<Index>(p);
    const Eigen::Map<const RowMajor> unit(units.data(), problem_->width(), problem_->scores);
    const RowMajor share = unit.array().square().inverse();
    VectorXd lengths(count());
    visit(all, [&](Index place, const auto& z, Index label, Index other) {
      const Eigen::RowVectorXd squares = z.cwiseAbs2();
      const double own = squares * share.col(other < 0 ? 0 : label);
      lengths[place] = std::sqrt(other < 0 ? own : own + squares * share.col(other));
    });
    return lengths;
  }

 private:
  Block answers() const { return function_.answers(0, problem_->source->rows()); }
  static Index label(const Block& rows, Index i) {
    return static_cast<Index>(rows.labels[static_cast<std::size_t>(i)]);
  }

  // Gives each its place among the chosen, [1 z], and its class and the other one, or its sign and -1.
  template <class Take>
  void visit(const std::vector<Index>& chosen, const Take& take) const {
    const Block rows = answers();
    Scratch scratch;
    RowMajor z;
    Index at = -1;
    Block block;
    for (std::size_t c = 0; c < chosen.size(); ++c) {
      const auto [i, other] = pairs_[static_cast<std::size_t>(chosen[c])];
      const Index k = i / problem_->source->rows_per_block();
      if (k != at) {
        if (!go_on(*monitor_, {})) throw Error(Code::interrupted, "interrupted");
        block = problem_->source->block(k, scratch);
        dense_rows(block.x, problem_->scaling.center, problem_->scaling.scale, z, 1);
        if (!problem_->bias) z.col(0).setZero();
        at = k;
      }
      const Index own = other < 0 ? static_cast<Index>(problem_->target(rows, i)) : label(rows, i);
      take(static_cast<Index>(c), z.row(i - block.first), own, other);
    }
  }

  const Problem* problem_;
  LinearFunction function_;
  const Monitor* monitor_;
  std::vector<MarginPair> pairs_;
};

// At most so many of some places, evenly spread.
std::vector<Index> spread_of(const std::vector<Index>& places, Index most) {
  const auto count = static_cast<Index>(places.size());
  const Index step = std::max<Index>(1, (count + most - 1) / most);
  std::vector<Index> some;
  for (Index p = 0; p < count; p += step) some.push_back(places[static_cast<std::size_t>(p)]);
  return some;
}

// The directions that leave some rows where they are, as columns. The units of the coordinates are such that
// these rows have columns of length one.
struct FreeDirections {
  VectorXd units;
  MatrixXd directions;

  explicit FreeDirections(const MatrixXd& rows) : units(rows.colwise().norm()) {
    for (double& unit : units)
      if (unit == 0) unit = 1;
    if (rows.rows() == 0) {
      directions.setIdentity(units.size(), units.size());
      return;
    }
    MatrixXd a = units.cwiseInverse().asDiagonal() * rows.transpose();
    for (Index i = 0; i < a.cols(); ++i)
      if (const double length = a.col(i).norm(); length > 0) a.col(i) /= length;
    Eigen::ColPivHouseholderQR<MatrixXd> qr;
    qr.setThreshold(rank_threshold(a.rows()));
    qr.compute(a);
    const MatrixXd q = qr.householderQ();
    directions = units.cwiseInverse().asDiagonal() * q.rightCols(q.cols() - qr.rank());
  }
};

// The combination of directions that adds to these rows nearest to what is wanted, relative to that.
VectorXd nearest(const MatrixXd& directions, const MatrixXd& rows, const VectorXd& wanted) {
  const MatrixXd b = wanted.cwiseInverse().asDiagonal() * (rows * directions);
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> factor;
  factor.setThreshold(rank_threshold(directions.rows()));
  factor.compute(b);
  return directions * factor.solve(VectorXd::Ones(b.rows()));
}

// The direction that leaves alone what the given one moves by less than a share of what it moves most, and
// raises the others in proportion. Of the rows on that plane some are enough to begin with; others come in
// where they are lowered, and with them those that are lowered by no more than the share.
std::optional<VectorXd> put_right(const MarginRows& margins, Index size, const VectorXd& added,
                                  double share) {
  const double rounding = rank_threshold(size);
  // One step of Newton's method adds about 1 to margins, but for those of rows far beyond the others.
  const double least = share * std::min(1.0, added.maxCoeff());
  const Index limit = 4 * size;
  const auto on_plane = [&](Index p) { return std::fabs(added[p]) <= least; };
  std::vector<Index> plane, raised;
  for (Index p = 0; p < added.size(); ++p)
    if (on_plane(p))
      plane.push_back(p);
    else if (added[p] > 0)
      raised.push_back(p);
  plane = spread_of(plane, limit);
  raised = spread_of(raised, limit);
  const MatrixXd rows = margins.gathered(raised);
  const VectorXd wanted = added(raised);
  for (int round = 0; round < 10; ++round) {
    const FreeDirections free(margins.gathered(plane));
    if (free.directions.cols() == 0) return std::nullopt;
    const VectorXd found = nearest(free.directions, rows, wanted);
    const VectorXd now = margins.times(found);
    if (!now.allFinite()) return std::nullopt;
    const VectorXd allowed = rounding * found.cwiseProduct(free.units).norm() * margins.lengths(free.units);
    std::vector<Index> lowered;
    for (Index p = 0; p < now.size(); ++p) {
      if (now[p] >= -allowed[p]) continue;
      if (now[p] < -least && !on_plane(p)) return std::nullopt;
      lowered.push_back(p);
    }
    if (lowered.empty()) {
      const bool raises = (now.array() > 1e4 * allowed.array()).any();
      return raises ? std::optional<VectorXd>(found) : std::nullopt;
    }
    lowered = spread_of(lowered, limit);
    std::vector<Index> both;
    std::set_union(plane.begin(), plane.end(), lowered.begin(), lowered.end(), std::back_inserter(both));
    if (both.size() == plane.size() || static_cast<Index>(both.size()) > 3 * limit) return std::nullopt;
    plane = std::move(both);
  }
  return std::nullopt;
}

}  // namespace

double least_margin(const Problem& problem, const VectorXd& point, const Monitor& monitor) {
  return MarginRows(problem, monitor).times(point).minCoeff();
}

std::optional<VectorXd> recession(const Problem& problem, const VectorXd& point,
                                  const std::vector<VectorXd>& near, const Monitor& monitor) {
  const MarginRows margins(problem, monitor);
  const bool small = limits::hessian_is_small(problem);
  for (const VectorXd& direction : near) {
    const VectorXd added = margins.times(direction);
    const double most = added.maxCoeff();
    if (!added.allFinite() || !(most > 0.1)) continue;
    if (small) {
      for (const double share : {1e-2, 1e-4, 1e-6, 1e-9})
        if (auto found = put_right(margins, problem.size(), added, share)) return found;
    } else if (most < 1e4 && added.minCoeff() > -1e-6) {
      return direction;
    }
  }
  if (!small) return std::nullopt;
  // Rows whose loss has vanished at the point are those that are not on the plane.
  const VectorXd now = margins.times(point);
  for (const double vanished : {8.0, 12.0, 16.0, 20.0, 30.0}) {
    const VectorXd added = (now.array() > vanished).select(now, 0.0);
    if (!added.allFinite() || !(added.maxCoeff() > 0)) break;
    if (auto found = put_right(margins, problem.size(), added, 1e-9)) return found;
  }
  return std::nullopt;
}

}  // namespace discern
