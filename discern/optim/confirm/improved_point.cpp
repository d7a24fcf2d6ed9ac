#include "discern/optim/confirm/improved_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "discern/optim/confirm/curvature_bound.hpp"
#include "discern/optim/confirm/newton_step.hpp"
#include "discern/optim/problem/certificate.hpp"
#include "discern/optim/problem/limits.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd diagonal_step(const LinearFunction& function, const VectorXd& residual, const Monitor& monitor) {
  VectorXd diagonal = function.hessian_diagonal(monitor);
  diagonal = diagonal.cwiseMax(1e-10 * std::max(diagonal.maxCoeff(), 1e-300));
  return -residual.cwiseQuotient(diagonal);
}

// The weights of rescaled features.
std::vector<Index> rescaled_coordinates(const Problem& problem) {
  constexpr std::size_t most = 100;
  std::vector<Index> coordinates;
  const VectorXd& units = problem.scaling.units;
  for (Index j = 0; j < units.size(); ++j)
    for (Index s = 0; s < problem.scores && units[j] < 1 && coordinates.size() < most; ++s)
      coordinates.push_back((j + 1) * problem.scores + s);
  return coordinates;
}

// What rounding of the scores may make of E,
//
//   sum_i |s_i L'(g_i)| d_i + s_i L''(g_i) d_i^2 / 2,   d_i = 16 eps |g_i|
//
// where residuals that are all rounding have squares to fall by for ever. (Those of softmax, whose curvature
// is another, fall with their slopes.)
double rounding_of(const Problem& problem, const RowMajor& scores, const RowMajor& slopes,
                   const RowMajor& curvature) {
  const RowMajor d = 16 * std::numeric_limits<double>::epsilon() * scores.cwiseAbs();
  const double first = slopes.cwiseAbs().cwiseProduct(d).sum();
  return problem.softmax() ? first : first + 0.5 * curvature.cwiseProduct(d.cwiseAbs2()).sum();
}

// Puts back the curvature that a function had.
class CurvatureRestored {
 public:
  explicit CurvatureRestored(LinearFunction& function)
      : function_(&function), curvature_(function.curvature()) {}
  ~CurvatureRestored() { function_->set_curvature(std::move(curvature_)); }
  CurvatureRestored(const CurvatureRestored&) = delete;
  CurvatureRestored& operator=(const CurvatureRestored&) = delete;

 private:
  LinearFunction* function_;
  RowMajor curvature_;
};

// Looks along directions from a point and keeps the lowest one seen.
class Search {
 public:
  // Points count that are below `least`.
  Search(LinearFunction& function, const VectorXd& point, double least, const Monitor& monitor)
      : function_(&function), point_(&point), monitor_(&monitor), scores_(function.scores()), least_(least) {}

  // The steps of Newton's method with the curvature that the function has and these slopes. One that flat
  // rows are in the way of is taken again with the curvature that they have at its end. True where a whole
  // step leads below what is known.
  bool take_steps(const VectorXd& gradient, const RowMajor& slopes) {
    constexpr int most = 4;
    const Problem& problem = function_->problem();
    for (int k = 0; k < most; ++k) {
      const VectorXd step =
          limits::hessian_is_small(problem)
              ? newton_step(*function_, *point_, slopes, *monitor_)
              : diagonal_step(*function_, least_subgradient(problem, *point_, gradient), *monitor_);
      if (along(step)) return true;
      if (!leads_anywhere(step) || !foresee(slopes)) return false;
    }
    return false;
  }
  bool along(const VectorXd& direction) {
    if (!leads_anywhere(direction)) return false;
    change_ = function_->scores_of(direction, *monitor_);
    stop_at_zeros(direction);
    for (double t = 1; t > 1e-10; t /= 2)
      if (notice(*point_ + t * direction, t)) return t == 1;
    return false;
  }
  const std::optional<VectorXd>& lowest() const { return lowest_; }

 private:
  static bool leads_anywhere(const VectorXd& direction) {
    return direction.allFinite() && !direction.isZero(0);
  }
  // Keeps a point that the last direction leads to where it is lower than what is known.
  bool notice(const VectorXd& there, double t) {
    const double value =
        function_->value(there, scores_ + t * change_) + l1_value(function_->problem(), there);
    if (!(value < least_)) return false;
    least_ = value;
    lowest_ = there;
    return true;
  }
  // With l1 the minimum on the way may be where a weight becomes zero, however near that is.
  void stop_at_zeros(const VectorXd& direction) {
    constexpr std::size_t most = 16;
    if (!function_->problem().has_l1()) return;
    std::vector<std::pair<double, Index>> zeros;
    for (Index c = 0; c < direction.size(); ++c)
      if (const double t = -(*point_)[c] / direction[c]; t > 0 && t < 1) zeros.emplace_back(t, c);
    std::sort(zeros.begin(), zeros.end());
    zeros.resize(std::min(zeros.size(), most));
    for (const auto& [t, c] : zeros) {
      VectorXd there = *point_ + t * direction;
      there[c] = 0;
      notice(there, t);
    }
  }
  // Gives rows that the last step would bring to bear (of softmax: some class of theirs) a curvature that
  // holds them; false where there are none.
  bool foresee(const RowMajor& slopes) {
    const Problem& problem = function_->problem();
    const RowMajor there = scores_ + change_;
    if (!there.allFinite()) return false;
    const Block rows = function_->answers(0, there.rows());
    RowMajor slopes_there = there, curvature_there, curvature = function_->curvature();
    row_losses(problem, rows, slopes_there, &curvature_there);
    if (!problem.softmax()) cautious_curvature(problem, rows, there, curvature_there);
    bool some = false;
    for (Index i = 0; i < there.rows(); ++i) {
      if (!comes_to_bear(slopes.row(i), slopes_there.row(i), rows.weight(i))) continue;
      some = true;
      // Probabilities of both ends: what holds the others still does.
      if (problem.softmax()) curvature_there.row(i) = 0.5 * (curvature.row(i) + curvature_there.row(i));
      curvature.row(i) = curvature_there.row(i);
    }
    function_->set_curvature(std::move(curvature));
    return some;
  }
  template <class Now, class Then>
  static bool comes_to_bear(const Now& now, const Then& then, double weight) {
    constexpr double noticeable = 1e-3;
    return (now.array().abs() < flat_slope * weight && then.array().abs() > noticeable * weight).any();
  }

  LinearFunction* function_;
  const VectorXd* point_;
  const Monitor* monitor_;
  RowMajor scores_, change_;  // at the point, and by the last direction
  double least_;
  std::optional<VectorXd> lowest_;
};

}  // namespace

std::optional<VectorXd> improved_point(Candidate& candidate, double share) {
  const Problem& problem = candidate.problem();
  const VectorXd& point = candidate.point();
  const Monitor& monitor = candidate.monitor();
  LinearFunction& function = candidate.function();
  const CurvatureRestored restored(function);
  const double rounding = rounding_of(problem, function.scores(), candidate.slopes(), candidate.curvature());
  Search search(function, point, candidate.value() - share * std::fabs(candidate.value()) - rounding,
                monitor);
  function.make_cautious();
  const RowMajor cautious = function.curvature();
  if (search.take_steps(candidate.at().gradient, candidate.slopes())) return search.lowest();
  for (const double flat : {flat_slope, 1e-3 * flat_slope}) {
    function.set_curvature(cautious);
    const RowMajor slopes = function.drop_flat_rows(flat);
    const RowMajor dropped = function.curvature();
    VectorXd gradient = function.transposed_times(slopes, monitor);
    add_l2_gradient(problem, point, gradient);
    if (search.take_steps(gradient, slopes)) return search.lowest();
    // One flat row that a step would bring to the other side must not hide what the others allow.
    function.set_curvature(dropped);
    const VectorXd each = diagonal_step(function, least_subgradient(problem, point, gradient), monitor);
    for (const Index c : rescaled_coordinates(problem)) {
      if (search.lowest()) break;
      search.along(each[c] * VectorXd::Unit(point.size(), c));
    }
  }
  return search.lowest();
}

Minimum accurate_newton(const Problem& problem, const Minimum& found, const SolverOptions& options) {
  constexpr Index patience = 5;  // with steps that gain next to nothing
  constexpr double next_to_nothing = 1e-8;
  const double share = tolerated_share(found, options.tol);
  const Index most = std::min(limits::most_accurate_steps(problem), options.max_iter);
  Minimum best = found;
  best.iterations = 0;
  std::optional<VectorXd> lower;
  Index small = 0;
  while (small < patience) {
    Candidate candidate(problem, best, options.monitor);
    lower = improved_point(candidate, share);
    if (!lower || best.iterations >= most) break;
    const double before = best.value;
    best.point = *lower;
    best.diagonal.resize(0);
    certify(problem, best);
    ++best.iterations;
    tell(options, best);
    small = best.value < before - next_to_nothing * std::fabs(before) ? 0 : small + 1;
  }
  best.converged = best.certificate <= options.tol && !lower;
  return best;
}

}  // namespace discern
