#include "discern/model/inference/influence.hpp"
#include "discern/optim/problem/certificate.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/stats/fold.hpp"
#include "discern/stats/triangle.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double not_there = std::numeric_limits<double>::quiet_NaN();

// Target k of a row: +1 and -1 for one score, 1-of-K for K, the number in regression.
double target(const Problem& problem, const Block& block, Index i, Index k, Index scores) {
  if (scores == 1 || block.labels.empty()) return problem.target(block, i);
  return block.labels[static_cast<std::size_t>(i)] == k ? 1.0 : 0.0;
}

Derivatives loss_at(const Problem& problem, double g, double y) {
  if (std::holds_alternative<LogisticLoss>(problem.loss)) return LogisticLoss::at(g, y);
  return SquaredLoss::at(g, y);
}

void scaled_rows(const Problem& problem, const Block& block, RowMajor& z) {
  dense_rows(block.x, problem.scaling.center, problem.scaling.scale, z, 1);
  if (!problem.bias) z.col(0).setZero();
}

// The triangle of the rows sqrt(s v) z, the gradients of the loss at the point and at zero, and the squares
// of the targets.
class CurvedRows {
 public:
  CurvedRows(const Problem& problem, const Design& design, const MatrixXd& at)
      : problem_(&problem),
        at_(&at),
        triangle_(design),
        gradient_(MatrixXd::Zero(at.rows(), at.cols())),
        start_(gradient_) {}

  void add(const Block& block) {
    scaled_rows(*problem_, block, z_);
    const MatrixXd scores = z_ * *at_;
    MatrixXd slopes(scores.rows(), scores.cols()), first = slopes, rows = z_;
    for (Index i = 0; i < scores.rows(); ++i) {
      double curvature = 0;
      for (Index k = 0; k < scores.cols(); ++k) {
        const double y = target(*problem_, block, i, k, scores.cols());
        const Derivatives here = loss_at(*problem_, scores(i, k), y);
        slopes(i, k) = block.weight(i) * here.slope;
        first(i, k) = block.weight(i) * loss_at(*problem_, 0, y).slope;
        squares_ += block.weight(i) * y * y;
        curvature = here.curvature;  // that of the squared loss is 1 for every score
      }
      rows.row(i) *= std::sqrt(block.weight(i) * curvature);
    }
    gradient_.noalias() += z_.transpose() * slopes;
    start_.noalias() += z_.transpose() * first;
    triangle_.push(rows);
  }
  void merge(const CurvedRows& other) {
    gradient_ += other.gradient_;
    start_ += other.start_;
    squares_ += other.squares_;
    triangle_.merge(other.triangle_);
  }
  double bytes() const { return triangle_.bytes(); }
  MatrixXd triangle() const { return triangle_.result(); }
  double target_squares() const { return squares_; }

  double relative_gradient() const {
    MatrixXd gradient = gradient_ + problem_->l2.asDiagonal() * *at_;
    return gradient.norm() / certificate_scale(start_.norm(), problem_->scaling.weight);
  }

 private:
  const Problem* problem_;
  const MatrixXd* at_;
  Triangle<double> triangle_;
  MatrixXd gradient_, start_;
  double squares_ = 0;  // sum s y^2
  RowMajor z_;
};

// Leverage and residuals of the rows of a block.
void measure(const Problem& problem, const MatrixXd& at, const MatrixXd& root, const Block& block,
             Influence& result) {
  RowMajor z;
  scaled_rows(problem, block, z);
  const MatrixXd scores = z * at;
  const VectorXd length = (z * root).rowwise().squaredNorm();
  for (Index i = 0; i < z.rows(); ++i) {
    double losses = 0, squares = 0, curvature = 0, sign = 1;
    for (Index k = 0; k < scores.cols(); ++k) {
      const double y = target(problem, block, i, k, scores.cols());
      const Derivatives here = loss_at(problem, scores(i, k), y);
      losses += here.value;
      squares += here.slope * here.slope;
      curvature = here.curvature;
      if (scores.cols() == 1 || y == 1) sign = here.slope > 0 ? -1 : 1;
    }
    const double s = block.weight(i);
    const Index row = block.first + i;
    result.leverage[row] = std::min(1.0, s * curvature * length[i]);
    result.pearson[row] = sign * std::sqrt(s * squares / curvature);
    result.deviance[row] = sign * std::sqrt(2 * s * losses);
  }
}

// Sums of squares of residuals up to this part of those of the targets are rounding.
double exact_share(Index width) {
  const double rounding = 16.0 * static_cast<double>(width) * std::numeric_limits<double>::epsilon();
  return rounding * rounding;
}

void check_freedom(const Influence& result) {
  if (!std::isnan(result.freedom())) return;
  throw Error(Code::data,
              fmt::format("n = {:.8g} (the sum of the sample weights) is not above the number of parameters "
                          "p = {:.6g}, which leaves no dispersion to measure residuals by",
                          result.samples, result.parameters));
}

// What follows from leverages and residuals.
void finish(bool likelihood, Influence& result) {
  const double p = result.parameters, squares = result.deviance.squaredNorm();
  if (!likelihood) result.dispersion = squares / result.freedom();
  const Index rows = result.leverage.size();
  result.standardized = result.studentized = result.dffits = result.cook =
      VectorXd::Constant(rows, not_there);
  if (result.exact) return;
  for (Index i = 0; i < rows; ++i) {
    const double h = result.leverage[i], rest = 1 - h, d = result.deviance[i], r = result.pearson[i];
    if (!(rest > 1e-10)) continue;
    const double left = squares - d * d / rest;
    const double without = (left > 1e-12 * squares ? left : 0) / result.freedom(1);
    result.standardized[i] = d / std::sqrt(result.dispersion * rest);
    result.studentized[i] =
        likelihood ? std::copysign(std::sqrt(d * d + h * r * r / rest), d) : d / std::sqrt(without * rest);
    result.dffits[i] = d * std::sqrt(h / without) / rest;
    result.cook[i] = r * r * h / (p * result.dispersion * rest * rest);
  }
}

}  // namespace

double Influence::freedom(double left_out) const {
  const double rest = samples - parameters - left_out;
  return rest > 1e-9 * std::max(samples, parameters) ? rest : not_there;
}

MatrixXd inverse_root(const MatrixXd& r, const VectorXd& l2, const VectorXd& center) {
  const Index width = r.cols();
  MatrixXd a = MatrixXd::Zero(r.rows() + width, width);
  a.topRows(r.rows()) = r;
  VectorXd length = r.colwise().norm();
  for (Index j = 0; j < width; ++j) {
    const double offset = j > 0 && center.size() > 0 ? std::fabs(center[j - 1]) * length[0] : 0.0;
    if (length[j] <= 4 * std::numeric_limits<double>::epsilon() * offset) a.col(j).setZero();
  }
  a.bottomRows(width) = l2.cwiseSqrt().asDiagonal();
  length = a.colwise().norm();
  for (Index j = 0; j < width; ++j)
    if (!(length[j] > 0)) length[j] = 1;
  a = a * length.cwiseInverse().asDiagonal();
  const MatrixXd square =
      Eigen::HouseholderQR<MatrixXd>(a).matrixQR().topRows(width).triangularView<Eigen::Upper>();
  const double threshold = 8.0 * static_cast<double>(width) * std::numeric_limits<double>::epsilon();
  const MatrixXd identity = MatrixXd::Identity(width, width);
  return length.cwiseInverse().asDiagonal() * least_norm<double>(square, identity, threshold).x;
}

Influence influence(const Problem& problem, const MatrixXd& at, const Monitor& monitor) {
  assert(!problem.has_l1() && !problem.softmax());
  const Scaling& scaling = problem.scaling;
  const Design design{problem.source, problem.bias, {}, problem.features(), 0, {}};
  const CurvedRows seen = fold(*problem.source, CurvedRows(problem, design, at), monitor);
  const VectorXd center =
      scaling.center.size() > 0 ? VectorXd(scaling.center.cwiseQuotient(scaling.scale)) : VectorXd();
  const MatrixXd root = inverse_root(seen.triangle(), problem.l2, center);
  Influence result;
  const Index rows = problem.source->rows();
  result.leverage = result.pearson = result.deviance = VectorXd::Zero(rows);
  parallel_for(problem.source->block_count(), [&](Index k) {
    Scratch scratch;
    measure(problem, at, root, problem.source->block(k, scratch), result);
  });
  result.samples = scaling.weight;
  result.parameters = result.leverage.sum();
  result.gradient = seen.relative_gradient();
  const bool likelihood = std::holds_alternative<LogisticLoss>(problem.loss);
  if (!likelihood) check_freedom(result);
  result.exact = !likelihood &&
                 result.deviance.squaredNorm() <= exact_share(1 + problem.features()) * seen.target_squares();
  finish(likelihood, result);
  return result;
}

}  // namespace discern
