#include "discern/optim/l1/column_cd.hpp"

#include <cmath>
#include <numeric>

#include "discern/base/threads.hpp"
#include "discern/penalty/elastic_net.hpp"

namespace discern {

SparseColumns::SparseColumns(const SparseMatrix<double>& from) : rows(from.rows), cols(from.cols) {
  starts.assign(static_cast<std::size_t>(cols) + 1, 0);
  const Index entries = from.values.size();
  for (Index k = 0; k < entries; ++k) ++starts[from.columns[k] + 1];
  for (std::size_t j = 1; j < starts.size(); ++j) starts[j] += starts[j - 1];
  row.resize(static_cast<std::size_t>(entries));
  value.resize(static_cast<std::size_t>(entries));
  std::vector<std::int64_t> next(starts.begin(), starts.end() - 1);
  for (Index i = 0; i < rows; ++i)
    for_each(from.view(i, 1).row(0), [&](Index j, double v) {
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(j)]++);
      row[at] = static_cast<std::uint32_t>(i);
      value[at] = v;
    });
}

namespace {

using Eigen::VectorXd;

class ColumnSweeps {
 public:
  explicit ColumnSweeps(const ColumnModel& model)
      : m_(&model), v_(model.u), t_(VectorXd::Zero(model.h.size())) {
    curvature_.resize(v_.size());
    curvature_[0] = model.bias ? model.h.sum() : 0;
    parallel_for((v_.size() + chunk - 1) / chunk, [&](Index k) {
      for (Index c = std::max<Index>(1, k * chunk); c < std::min((k + 1) * chunk, v_.size()); ++c) {
        double sum = 0;
        for_each(model.z->column(c - 1), [&](Index i, double z) { sum += model.h[i] * z * z; });
        curvature_[c] = sum;
      }
    });
    active_.resize(static_cast<std::size_t>(v_.size()));
    std::iota(active_.begin(), active_.end(), Index{0});
    all_ = active_;
  }

  ColumnMinimum run(double accuracy, Index sweeps) {
    double residual = 0;
    for (Index k = 0; k < sweeps; ++k) {
      const bool everything = active_.size() == all_.size();
      residual = sweep();
      if (residual > accuracy) continue;
      if (everything) break;
      active_ = all_;
    }
    return {v_, residual};
  }

 private:
  static constexpr Index chunk = 64;

  double slope(Index c) const {
    double sum = m_->g[c] + m_->l2[c] * (v_[c] - m_->u[c]);
    if (c == 0) return sum + m_->h.dot(t_);
    double s0 = 0, s1 = 0;
    const auto z = m_->z->column(c - 1);
    Index k = 0;
    for (; k + 2 <= z.size; k += 2) {
      s0 += z.values[k] * m_->h[z.columns[k]] * t_[z.columns[k]];
      s1 += z.values[k + 1] * m_->h[z.columns[k + 1]] * t_[z.columns[k + 1]];
    }
    if (k < z.size) s0 += z.values[k] * m_->h[z.columns[k]] * t_[z.columns[k]];
    return sum + s0 + s1;
  }

  // A step in each active coordinate; returns the length of the least subgradient as it was met.
  double sweep() {
    double sum = 0;
    std::size_t kept = 0;
    for (const Index c : active_) {
      const double curvature = curvature_[c] + m_->l2[c];
      const double before = v_[c], slope_here = slope(c), l1 = m_->l1[c];
      if (!(curvature > 0) && !ElasticNet{l1, 0}.holds(slope_here)) continue;
      if (before == 0 && std::fabs(slope_here) < 0.9 * l1) continue;  // held at zero firmly
      active_[kept++] = c;
      const double r = ElasticNet{l1, 0}.residual(before, slope_here);
      sum += r * r;
      const double after = ElasticNet{l1, 0}.step(before, slope_here, curvature);
      if (after == before) continue;
      if (c == 0)
        t_.array() += after - before;
      else
        axpy(after - before, m_->z->column(c - 1), t_.data());
      v_[c] = after;
    }
    active_.resize(kept);
    return std::sqrt(sum);
  }

  const ColumnModel* m_;
  VectorXd v_, t_, curvature_;
  std::vector<Index> active_, all_;
};

}  // namespace

ColumnMinimum column_cd(const ColumnModel& model, double accuracy, Index sweeps) {
  return ColumnSweeps(model).run(accuracy, sweeps);
}

}  // namespace discern
