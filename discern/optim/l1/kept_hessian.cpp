#include "discern/optim/l1/kept_hessian.hpp"

#include <algorithm>

#include "discern/optim/l1/proximal_newton.hpp"
#include "discern/stats/fold.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;

// sum_i h_i z_i z_i(fresh)' over rows z_i = [1 x_i] of features that are scaled already; without the 1 where
// there is no bias.
class Columns {
 public:
  Columns(Index rows, bool bias, const std::vector<Index>& fresh, const RowMajor& curvature)
      : bias_(bias), fresh_(&fresh), curvature_(&curvature) {
    sum_.setZero(rows, static_cast<Index>(fresh.size()));
    place_.assign(static_cast<std::size_t>(rows), -1);
    for (std::size_t k = 0; k < fresh.size(); ++k)
      place_[static_cast<std::size_t>(fresh[k])] = static_cast<Index>(k);
  }

  void add(const Block& block) {
    std::visit([&](const auto& rows) { add_rows(rows, block); }, block.x);
  }
  void merge(const Columns& other) { sum_ += other.sum_; }
  double bytes() const { return 8.0 * static_cast<double>(sum_.size()); }
  const MatrixXd& result() const { return sum_; }

 private:
  template <class T>
  void add_rows(const DenseRows<T>&, const Block& block) {
    dense_rows(block.x, {}, {}, z_, bias_ ? 1 : 0);
    part_ = z_(Eigen::all, *fresh_);
    part_.array().colwise() *= curvature_->middleRows(block.first, z_.rows()).col(0).array();
    sum_.noalias() += z_.transpose() * part_;
  }
  template <class T>
  void add_rows(const SparseRows<T>& rows, const Block& block) {
    for (Index i = 0; i < rows.rows; ++i) {
      const auto row = rows.row(i);
      const double h = (*curvature_)(block.first + i, 0);
      for_each(row, [&](Index f, double x) {
        const Index at = place_[static_cast<std::size_t>(f + (bias_ ? 1 : 0))];
        if (at < 0) return;
        if (bias_) sum_(0, at) += h * x;
        for_each(row, [&](Index j, double y) { sum_(j + (bias_ ? 1 : 0), at) += h * x * y; });
      });
    }
  }

  bool bias_;
  const std::vector<Index>* fresh_;
  const RowMajor* curvature_;
  std::vector<Index> place_;  // of a coordinate among the fresh ones
  RowMajor z_, part_;
  MatrixXd sum_;
};

}  // namespace

KeptHessian carried_over(KeptHessian kept, const std::vector<Index>& features_before, const WorkingSet& set,
                         const RowMajor& curvature, const Monitor& monitor) {
  const Problem& part = set.problem();
  const bool plain = std::holds_alternative<SquaredLoss>(part.loss) && ProximalNewton::keeps_hessian(part);
  if (!plain || kept.matrix.size() == 0) return {};
  const Index first = part.bias ? 1 : 0, count = part.features() + first;
  // Coordinates of the set that were there before, their places then, and the rest.
  std::vector<Index> old, was, fresh;
  std::vector<Index> now(static_cast<std::size_t>(kept.matrix.rows()), -1);
  if (part.bias) {
    old = was = {0};
    now[0] = 0;
  }
  for (Index c = first; c < count; ++c) {
    const Index feature = set.features()[static_cast<std::size_t>(c - first)];
    const auto found = std::lower_bound(features_before.begin(), features_before.end(), feature);
    if (found == features_before.end() || *found != feature) {
      fresh.push_back(c);
      continue;
    }
    old.push_back(c);
    was.push_back(found - features_before.begin() + first);
    now[static_cast<std::size_t>(was.back())] = c;
    if (kept.l2[was.back() + 1 - first] != part.l2[c + 1 - first]) return {};
  }
  if (kept.l2[0] != part.l2[0]) return {};
  KeptHessian result;
  result.matrix.resize(count, count);
  result.matrix(old, old) = kept.matrix(was, was);
  if (!fresh.empty()) {
    const MatrixXd columns =
        fold(*part.source, Columns(count, part.bias, fresh, curvature), monitor).result();
    result.matrix(Eigen::all, fresh) = columns;
    result.matrix(fresh, Eigen::all) = columns.transpose();
    for (const Index c : fresh) result.matrix(c, c) += part.l2[c + 1 - first];
  }
  result.l2 = part.l2;
  result.factor = std::move(kept.factor);
  result.factor.rename(now);
  return result;
}

}  // namespace discern
