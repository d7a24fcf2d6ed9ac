#include "discern/stats/updated_cholesky.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <iterator>

namespace discern {

using Eigen::MatrixXd;
using Eigen::VectorXd;

bool UpdatedCholesky::cover(const MatrixXd& h, const std::vector<Index>& indices) {
  std::vector<Index> kept = order_;
  std::sort(kept.begin(), kept.end());
  std::vector<Index> gone, more;
  std::set_difference(kept.begin(), kept.end(), indices.begin(), indices.end(), std::back_inserter(gone));
  std::set_difference(indices.begin(), indices.end(), kept.begin(), kept.end(), std::back_inserter(more));
  if (10 * gone.size() > indices.size()) {
    order_.clear();
    more = indices;
  } else if (!gone.empty()) {
    for (auto place = static_cast<Index>(order_.size()) - 1; place >= 0; --place)
      if (std::binary_search(gone.begin(), gone.end(), order_[static_cast<std::size_t>(place)]))
        remove(place);
  }
  if (more.empty() || append(h, more)) return true;
  order_.clear();
  return false;
}

// With the new rows [X' C]:   L X = H(order, more),   C C' = H(more, more) - X'X
bool UpdatedCholesky::append(const MatrixXd& h, const std::vector<Index>& more) {
  const auto k = static_cast<Index>(order_.size()), m = static_cast<Index>(more.size());
  if (l_.rows() < k + m) l_.conservativeResize(k + m + k / 2, k + m + k / 2);
  MatrixXd corner = h(more, more);
  const VectorXd diagonal = corner.diagonal();
  if (k > 0) {
    MatrixXd x = h(order_, more);
    l_.topLeftCorner(k, k).triangularView<Eigen::Lower>().solveInPlace(x);
    corner.selfadjointView<Eigen::Lower>().rankUpdate(x.transpose(), -1);
    l_.block(k, 0, m, k) = x.transpose();
  }
  const Eigen::LLT<Eigen::Ref<MatrixXd>> factor(corner);
  if (factor.info() != Eigen::Success) return false;
  for (Index i = 0; i < m; ++i)
    if (!(corner(i, i) * corner(i, i) > 1e-13 * diagonal[i])) return false;
  l_.block(k, k, m, m).triangularView<Eigen::Lower>() = corner;
  order_.insert(order_.end(), more.begin(), more.end());
  return true;
}

void UpdatedCholesky::remove(Index place) {
  const auto k = static_cast<Index>(order_.size());
  for (Index j = 0; j < k; ++j)
    for (Index i = std::max(place, j - 1); i + 1 < k; ++i) l_(i, j) = l_(i + 1, j);
  // Row i now has an entry right of the diagonal; turning columns i and i + 1 takes it away.
  for (Index i = place; i + 1 < k; ++i) {
    const double a = l_(i, i), b = l_(i, i + 1), r = std::hypot(a, b), c = a / r, s = b / r;
    double* left = l_.col(i).data();
    double* right = l_.col(i + 1).data();
    for (Index row = i; row + 1 < k; ++row) {
      const double x = left[row], y = right[row];
      left[row] = c * x + s * y;
      right[row] = c * y - s * x;
    }
  }
  order_.erase(order_.begin() + place);
}

void UpdatedCholesky::rename(const std::vector<Index>& to) {
  for (Index& index : order_) index = to[static_cast<std::size_t>(index)];
  if (std::find(order_.begin(), order_.end(), Index{-1}) != order_.end()) clear();
}

VectorXd UpdatedCholesky::solve(const VectorXd& m) const {
  const auto k = static_cast<Index>(order_.size());
  const auto lower = l_.topLeftCorner(k, k).triangularView<Eigen::Lower>();
  VectorXd x = m;
  lower.solveInPlace(x);
  lower.transpose().solveInPlace(x);
  return x;
}

}  // namespace discern
