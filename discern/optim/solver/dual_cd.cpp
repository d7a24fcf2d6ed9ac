#include "discern/optim/solver/dual_cd.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/optim/problem/best_bias.hpp"
#include "discern/optim/solver/dual_loss.hpp"
#include "discern/optim/stochastic/prefetch.hpp"
#include "discern/optim/view/working_set.hpp"
#include "discern/stats/triangle.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

// More samples between their bounds than this are left to the descent.
constexpr Index most_free = 1500;
// Operations that equations between the samples may take before any sweep; each sweep allows as many more as
// it takes.
constexpr double first_allowance = 5e9;

// The rows a_i of a problem in memory, with what belongs to them.
struct Samples {
  Samples(const Problem& whole, const Monitor& monitor)
      : set(whole, all_features(whole), monitor), scale(whole.l2.tail(whole.features()).cwiseSqrt()) {
    const Problem& part = set.problem();
    const Index rows = part.source->rows();
    y.resize(rows), s.resize(rows);
    Scratch scratch;
    for (Index k = 0; k < part.source->block_count(); ++k) {
      const Block block = part.source->block(k, scratch);
      for (Index i = 0; i < block.rows(); ++i) {
        y[block.first + i] = part.target(block, i);
        s[block.first + i] = block.weight(i);
      }
    }
    set.scale_columns(scale.cwiseInverse());
  }
  static std::vector<Index> all_features(const Problem& whole) {
    std::vector<Index> features(static_cast<std::size_t>(whole.features()));
    std::iota(features.begin(), features.end(), Index{0});
    return features;
  }

  WorkingSet set;
  VectorXd scale;  // sqrt(l2_j)
  VectorXd y, s;
};

template <class Dual, class Matrix>
class DualDescent {
 public:
  DualDescent(const Problem& problem, const Samples& samples, const Matrix& rows, std::uint64_t seed,
              const SolverOptions& options, const VectorXd& start)
      : problem_(&problem),
        samples_(&samples),
        rows_(rows.view(0, rows.rows)),
        options_(options),
        random_(seed) {
    const Index n = rows.rows;
    p_.resize(n), q_.resize(n);
    double mean = 0;
    const double largest = start.size() > 0 ? start.maxCoeff() : 0;
    for (Index i = 0; i < n; ++i) {
      p_[i] = start.size() > 0 ? snapped(start[i], s(i), largest) : Dual::start(s(i));
      q_[i] = squared_norm(rows_.row(i));
      mean += q_[i] / static_cast<double>(n);
    }
    free_bias_ = problem.bias && problem.l2[0] == 0;
    // A penalised bias is a feature of value 1 / sqrt(l2_0); the other is held by a penalty of the same
    // weight as a typical sample's features.
    bias_square_ = !problem.bias ? 0 : free_bias_ ? std::max(mean, 1e-300) : 1 / problem.l2[0];
    q_.array() += bias_square_;
    v_ = VectorXd::Zero(rows.cols);
    for (Index i = 0; i < n; ++i) move(i, p_[i]);
  }

  Minimum run() {
    std::vector<Index> active(static_cast<std::size_t>(p_.size()));
    std::iota(active.begin(), active.end(), Index{0});
    const std::vector<Index> all = active;
    certify();
    tell(options_, best_);
    Index next_check = 1;
    try {
      if (options_.max_iter > 0) solve_free();  // also within the tolerance: it ends at the minimum itself
      while (!done()) {
        ask();
        const double violation = sweep(active);
        ++best_.iterations;
        if (free_bias_) center_ = bias();  // the weak penalty moves along
        if (options_.traces(best_.iterations)) options_.trace(now());
        const bool settled = violation <= 0.1 * options_.tol;
        if (best_.iterations < next_check && !settled) continue;
        // A check costs about a sweep.
        next_check = best_.iterations + std::max<Index>(5, best_.iterations / 4);
        certify();
        if (!done()) solve_free();
        if (done()) {
          recompute();
          best_.certificate = infinity;
          certify();
        }
        // What was left out has its say again when the rest has settled.
        if (settled || best_.iterations % 20 == 0) active = all, largest_ = infinity, smallest_ = -infinity;
      }
    } catch (const Error& error) {
      if (error.code() != Code::interrupted) throw;
      best_.interrupted = true;
      recompute();
      certify();
    }
    best_.converged = best_.certificate <= options_.tol;
    return best_;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  static double snapped(double p, double s, double largest) {
    if constexpr (!Dual::has_bounds) return p;
    if (p < 1e-6 * std::min(s, largest)) return 0;
    return p > Dual::bound(s) * (1 - 1e-6) ? Dual::bound(s) : p;
  }

  double y(Index i) const { return samples_->y[i]; }
  double s(Index i) const { return samples_->s[i]; }
  double score(Index i) const { return dot(rows_.row(i), v_.data()); }
  double bias() const { return center_ + bias_square_ * sum_; }
  double margin(Index i) const { return y(i) * (score(i) + bias()); }
  bool done() const { return best_.certificate <= options_.tol || best_.iterations >= options_.max_iter; }

  void ask() const {
    if (!go_on(options_.monitor, progress_of(best_, options_.max_iter)))
      throw Error(Code::interrupted, "interrupted");
  }

  void move(Index i, double change) {
    if (change == 0) return;
    axpy(change * y(i), rows_.row(i), v_.data());
    sum_ += change * y(i);
  }

  // One step for every active sample; returns the spread of the projected slopes.
  double sweep(std::vector<Index>& active) {
    random_.shuffle(active);
    double largest = -infinity, smallest = infinity;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < active.size(); ++k) {
      const Index i = active[k];
      if (k + 2 < active.size()) prefetch(rows_.row(active[k + 2]));
      const double m = margin(i), slope = Dual::slope(m, p_[i], s(i));
      double projected = slope;
      if constexpr (Dual::has_bounds) {
        if (p_[i] <= 0) {
          if (slope > largest_) continue;  // stays at zero: leave it out
          projected = std::min(slope, 0.0);
        } else if (p_[i] >= Dual::bound(s(i))) {
          if (slope < smallest_) continue;
          projected = std::max(slope, 0.0);
        }
      }
      active[kept++] = i;
      largest = std::max(largest, projected);
      smallest = std::min(smallest, projected);
      if (std::fabs(projected) < 1e-14 || !(q_[i] > 0)) continue;
      const double next = Dual::step(m, p_[i], q_[i], s(i));
      move(i, next - p_[i]);
      p_[i] = next;
    }
    allowance_ += static_cast<double>(active.size()) * static_cast<double>(v_.size());
    active.resize(kept);
    largest_ = largest > 0 ? largest : infinity;
    smallest_ = smallest < 0 ? smallest : -infinity;
    return kept == 0 ? 0 : largest - smallest;
  }

  // v and the sum from p, without what rounding has added up.
  void recompute() {
    v_.setZero();
    sum_ = 0;
    for (Index i = 0; i < p_.size(); ++i) {
      if (p_[i] != 0) axpy(p_[i] * y(i), rows_.row(i), v_.data());
      sum_ += p_[i] * y(i);
    }
  }

  // The primal at v and its best bias, the dual at the nearest p that satisfies the constraint.
  Minimum now() const {
    VectorXd scores(p_.size());
    constexpr Index chunk = 1024;
    parallel_for((p_.size() + chunk - 1) / chunk, [&](Index k) {
      for (Index i = k * chunk; i < std::min((k + 1) * chunk, p_.size()); ++i) scores[i] = score(i);
    });
    double at = bias();
    if (free_bias_) at = best_bias<typename Dual::Loss>(scores, samples_->y, samples_->s);
    double primal = 0.5 * v_.squaredNorm();
    for (Index i = 0; i < p_.size(); ++i) primal += s(i) * Dual::Loss::at(scores[i] + at, y(i)).value;
    double dual = 0;
    if (free_bias_) {
      dual = balanced_dual();
    } else {
      const double extra = bias_square_ > 0 ? 0.5 * at * at / bias_square_ : 0;
      primal += extra;
      dual = -0.5 * v_.squaredNorm() - extra;
      for (Index i = 0; i < p_.size(); ++i) dual += Dual::value(p_[i], s(i));
    }
    Minimum here;
    here.value = primal;
    // A dual above the primal is rounding, and proves no more than one that is as far below.
    here.certificate = std::fabs(primal - dual) / std::max(std::fabs(primal), 1e-300);
    here.certificate_kind = duality_gap;
    here.point.resize(v_.size() + 1);
    here.point[0] = at;
    here.point.tail(v_.size()) = v_.cwiseQuotient(samples_->scale);
    here.iterations = best_.iterations;
    return here;
  }

  void certify() {
    Minimum here = now();
    if (best_.point.size() == 0 || here.certificate < best_.certificate) best_ = std::move(here);
  }

  double balanced_dual() const {
    double positive = 0, negative = 0;
    for (Index i = 0; i < p_.size(); ++i) (y(i) > 0 ? positive : negative) += p_[i];
    const double up = positive > negative ? negative / positive : 1,
                 down = negative > positive ? positive / negative : 1;
    VectorXd v = VectorXd::Zero(v_.size());
    double dual = 0;
    for (Index i = 0; i < p_.size(); ++i) {
      const double p = p_[i] * (y(i) > 0 ? up : down);
      if (p != 0) axpy(p * y(i), rows_.row(i), v.data());
      dual += Dual::value(p, s(i));
    }
    return dual - 0.5 * v.squaredNorm();
  }

  // Solves what holds at the solution for the samples between their bounds: margin_i = 1 - p_i / D'',
  // sum_i p_i y_i = 0. A p that would leave its bounds stops there and the rest goes on.
  void solve_free() {
    if constexpr (!Dual::has_bounds) return;
    Index between = 0;
    for (Index i = 0; i < p_.size(); ++i) between += p_[i] > 0 && p_[i] < Dual::bound(s(i)) ? 1 : 0;
    if (between == 0 || between > most_free || std::pow(between, 3) > allowance_) return;
    const VectorXd kept_p = p_, kept_v = v_;
    const double kept_center = center_, kept_sum = sum_;
    for (int round = 0; round < 30; ++round) {
      std::vector<Index> free;
      for (Index i = 0; i < p_.size(); ++i)
        if (p_[i] > 0 && p_[i] < Dual::bound(s(i))) free.push_back(i);
      const double size = static_cast<double>(free.size()), operations = size * size * size;
      if (free.empty() || operations > allowance_) break;
      ask();
      allowance_ -= operations;
      if (!step_free(free)) break;
    }
    recompute();
    const double before = best_.certificate;
    certify();
    if (best_.certificate < before) return;
    p_ = kept_p, v_ = kept_v;
    center_ = kept_center, sum_ = kept_sum;
  }

  // One such step; true when a bound was hit, so that another may help.
  bool step_free(const std::vector<Index>& free) {
    const auto n = static_cast<Index>(free.size());
    const Index size = n + (free_bias_ ? 1 : 0);
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(size, size);
    VectorXd right(size);
    VectorXd unpacked = VectorXd::Zero(v_.size());
    for (Index k = 0; k < n; ++k) {
      const Index i = free[static_cast<std::size_t>(k)];
      axpy(1.0, rows_.row(i), unpacked.data());
      for (Index l = 0; l <= k; ++l) {
        const Index m = free[static_cast<std::size_t>(l)];
        const double product = dot(rows_.row(m), unpacked.data()) + (free_bias_ ? 0 : bias_square_);
        a(k, l) = a(l, k) = y(i) * y(m) * product;
      }
      for_each(rows_.row(i), [&](Index j, double) { unpacked[j] = 0; });
      a(k, k) += Dual::slope(0, 1, s(i)) - Dual::slope(0, 0, s(i));
      right[k] = -Dual::slope(margin(i), p_[i], s(i));
      if (free_bias_) a(k, n) = a(n, k) = y(i);
    }
    if (free_bias_) {
      right[n] = 0;
      for (Index i = 0; i < p_.size(); ++i) right[n] -= p_[i] * y(i);
    }
    const double before = bias();
    const VectorXd step = least_norm<double>(a, right, 1e-13).x;
    if (!step.allFinite()) return false;
    double t = 1;
    for (Index k = 0; k < n; ++k) {
      const Index i = free[static_cast<std::size_t>(k)];
      const double target = p_[i] + step[k], bound = Dual::bound(s(i));
      if (target < 0) t = std::min(t, p_[i] / -step[k]);
      if (target > bound) t = std::min(t, (bound - p_[i]) / step[k]);
    }
    for (Index k = 0; k < n; ++k) {
      const Index i = free[static_cast<std::size_t>(k)];
      double next = p_[i] + t * step[k];
      const double bound = Dual::bound(s(i));
      if (next < 1e-13 * s(i)) next = 0;
      if (next > bound * (1 - 1e-13)) next = bound;
      axpy((next - p_[i]) * y(i), rows_.row(i), v_.data());
      sum_ += (next - p_[i]) * y(i);
      p_[i] = next;
    }
    if (free_bias_) center_ = before + t * step[n] - bias_square_ * sum_;
    return t < 1;
  }

  const Problem* problem_;
  const Samples* samples_;
  decltype(std::declval<const Matrix&>().view(0, 0)) rows_;
  SolverOptions options_;
  Random random_;
  VectorXd p_, q_, v_;
  double center_ = 0, sum_ = 0, bias_square_ = 0;  // the bias is center + square * sum of p y
  bool free_bias_ = false;
  double allowance_ = first_allowance;  // operations left to solve_free
  double largest_ = infinity, smallest_ = -infinity;
  Minimum best_;
};

template <class Dual>
Minimum solve(const Problem& problem, std::uint64_t seed, const SolverOptions& options,
              const VectorXd& start) {
  const Samples samples(problem, options.monitor);
  const auto descend = [&](const auto& rows) {
    return DualDescent<Dual, std::decay_t<decltype(rows)>>(problem, samples, rows, seed, options, start)
        .run();
  };
  if (const auto* sparse = std::get_if<SparseMatrix<double>>(&samples.set.columns())) return descend(*sparse);
  return descend(std::get<DenseMatrix<double>>(samples.set.columns()));
}

}  // namespace

Minimum dual_coordinate_descent(const Problem& problem, std::uint64_t seed, const SolverOptions& options,
                                const VectorXd& start) {
  if (std::holds_alternative<HingeLoss>(problem.loss)) return solve<DualHinge>(problem, seed, options, start);
  if (std::holds_alternative<SquaredHingeLoss>(problem.loss))
    return solve<DualSquaredHinge>(problem, seed, options, start);
  return solve<DualLogistic>(problem, seed, options, start);
}

}  // namespace discern
