#include "discern/optim/lower_point.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "discern/optim/coordinate_hessian.hpp"
#include "discern/optim/function.hpp"
#include "discern/stats/symmetric.hpp"
#include "discern/stats/triangle.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

VectorXd diagonal_step(const LinearFunction& function, const VectorXd& residual) {
  VectorXd diagonal = function.hessian_diagonal({});
  diagonal = diagonal.cwiseMax(1e-10 * std::max(diagonal.maxCoeff(), 1e-300));
  return -residual.cwiseQuotient(diagonal);
}

// sqrt(s L'') [1 z, -L'/L''] of every row that is curved, and sqrt(l2) [1, -u] of every weight: the rows of a
// least-squares problem whose solution is the step.
class StepRows {
 public:
  StepRows(const LinearFunction& function, const VectorXd& slopes, const VectorXd& point)
      : problem_(function.problem()), function_(&function), slopes_(slopes), point_(point) {
    design_.features = problem_.features();
  }

  Dense<double> triangle() const {
    Triangle<double> triangle(design_);
    RowMajor z;
    Scratch scratch;
    for (Index k = 0; k < problem_.source->block_count(); ++k) {
      const Block block = problem_.source->block(k, scratch);
      dense_rows(block.x, problem_.scaling.center, problem_.scaling.scale, z, 1);
      triangle.push(curved_rows(z, block.first));
    }
    triangle.push(penalties());
    return triangle.result();
  }

 private:
  Dense<double> curved_rows(const RowMajor& z, Index first) const {
    Dense<double> rows(z.rows(), design_.width());
    Index count = 0;
    for (Index i = 0; i < z.rows(); ++i) {
      const double curvature = function_->curvature()(first + i, 0);
      if (!(curvature > 0)) continue;
      const double root = std::sqrt(curvature);
      rows.row(count).head(z.cols()) = root * z.row(i);
      if (!problem_.bias) rows(count, 0) = 0;
      rows(count, z.cols()) = -slopes_[first + i] / root;
      ++count;
    }
    return rows.topRows(count);
  }
  Dense<double> penalties() const {
    Dense<double> rows = Dense<double>::Zero(problem_.width(), design_.width());
    for (Index j = 0; j < problem_.width(); ++j) {
      rows(j, j) = std::sqrt(problem_.l2[j]);
      rows(j, problem_.width()) = -rows(j, j) * point_[j];
    }
    return rows;
  }

  const Problem& problem_;
  const LinearFunction* function_;
  VectorXd slopes_, point_;
  Design design_;
};

VectorXd step_of_rows(const LinearFunction& function, const VectorXd& slopes, const VectorXd& point) {
  constexpr double alike = 1e-13;
  const Dense<double> r = StepRows(function, slopes, point).triangle();
  const Index width = point.size();
  Dense<double> columns = r.leftCols(width);
  VectorXd lengths = columns.colwise().norm();
  for (double& length : lengths)
    if (!(length > 0)) length = 1;
  columns = columns * lengths.cwiseInverse().asDiagonal();
  const VectorXd step = least_norm<double>(columns, r.rightCols(1), alike).x;
  return step.cwiseQuotient(lengths);
}

VectorXd newton_step(const LinearFunction& function, const VectorXd& gradient, const VectorXd& slopes,
                     const VectorXd& point) {
  const Problem& problem = function.problem();
  std::vector<Index> all(static_cast<std::size_t>(problem.size() - (problem.bias ? 0 : 1)));
  std::iota(all.begin(), all.end(), problem.bias ? 0 : 1);
  const SemidefiniteFactor factor(coordinate_hessian(problem, function.curvature(), all, {}));
  if (!factor.regular()) return step_of_rows(function, slopes, point);
  VectorXd step = VectorXd::Zero(point.size());
  const VectorXd down = -gradient(all);
  step(all) = factor.solve(down).x;
  return step;
}

}  // namespace

bool has_small_factor(const Problem& problem) {
  const auto width = static_cast<double>(problem.width());
  return problem.scores == 1 && !problem.has_l1() && width <= 501 &&
         static_cast<double>(problem.source->rows()) * width * width <= 4e9;
}

double tolerated_share(const Minimum& found, double tol) {
  return std::max(1e-10, found.certificate_kind == "relative-gradient-norm" ? 100 * tol * tol : 2 * tol);
}

namespace {

// The weights of features whose units have been narrowed.
std::vector<Index> narrowed_coordinates(const Problem& problem) {
  constexpr std::size_t most = 100;
  std::vector<Index> coordinates;
  const VectorXd& units = problem.scaling.units;
  for (Index j = 0; j < units.size(); ++j)
    for (Index s = 0; s < problem.scores && units[j] < 1 && coordinates.size() < most; ++s)
      coordinates.push_back((j + 1) * problem.scores + s);
  return coordinates;
}

// Looks along directions from a point.
class Search {
 public:
  Search(const LinearFunction& function, const VectorXd& point, double value, double share)
      : function_(&function), point_(&point), scores_(function.scores()) {
    limit_ = value - share * std::fabs(value);
  }
  std::optional<VectorXd> along(const VectorXd& direction) const {
    if (!direction.allFinite() || direction.isZero(0)) return std::nullopt;
    const RowMajor change = function_->scores_of(direction, {});
    for (double t = 1; t > 1e-10; t /= 2) {
      const VectorXd there = *point_ + t * direction;
      const double value =
          function_->value(there, scores_ + t * change) + l1_value(function_->problem(), there);
      if (value < limit_) return there;
    }
    return std::nullopt;
  }

 private:
  const LinearFunction* function_;
  const VectorXd* point_;
  RowMajor scores_;
  double limit_ = 0;
};

}  // namespace

std::optional<VectorXd> lower_point(const Problem& problem, const VectorXd& point, double share) {
  LinearFunction function(problem);
  const Evaluation at = function.evaluate(point, {});
  const Search search(function, point, at.value + l1_value(problem, point), share);
  const auto step = [&](const VectorXd& gradient, const RowMajor& slopes) {
    return has_small_factor(problem) ? newton_step(function, gradient, slopes.col(0), point)
                                     : diagonal_step(function, least_subgradient(problem, point, gradient));
  };
  function.make_cautious();
  RowMajor slopes = function.scores();
  row_losses(problem, function.answers(0, slopes.rows()), slopes, nullptr);
  if (auto there = search.along(step(at.gradient, slopes))) return there;
  slopes = function.drop_flat_rows();
  VectorXd gradient = function.transposed_times(slopes, {});
  add_l2_gradient(problem, point, gradient);
  if (auto there = search.along(step(gradient, slopes))) return there;
  // One flat row that a step would bring to the other side must not hide what the others allow.
  const VectorXd each = diagonal_step(function, least_subgradient(problem, point, gradient));
  for (const Index c : narrowed_coordinates(problem))
    if (auto there = search.along(each[c] * VectorXd::Unit(point.size(), c))) return there;
  return std::nullopt;
}

}  // namespace discern
