#include "discern/optim/problem/certificate.hpp"

#include <algorithm>

#include "discern/optim/problem/function.hpp"

namespace discern {

using Eigen::VectorXd;

double certificate_scale(double norm_at_zero, double weight) { return std::max(norm_at_zero, 1e-6 * weight); }

double norm_in_deviations(const Problem& problem, const VectorXd& gradient) {
  const VectorXd& units = problem.scaling.units;
  if (units.size() == 0) return gradient.norm();
  RowMajor scaled = Eigen::Map<const RowMajor>(gradient.data(), problem.width(), problem.scores);
  scaled.bottomRows(units.size()).array().colwise() *= units.array();
  return scaled.norm();
}

CertificateScale::CertificateScale(const Problem& problem, const VectorXd& gradient_at_zero,
                                   double slopes_at_zero)
    : scale_(certificate_scale(norm_in_deviations(problem, gradient_at_zero), problem.scaling.weight)),
      slopes_at_zero_(slopes_at_zero) {
  const bool penalised = problem.l2.maxCoeff() > 0 || problem.has_l1();
  const bool logistic = problem.softmax() || std::holds_alternative<LogisticLoss>(problem.loss);
  if (penalised && logistic) floor_ = 1e-12;
}

double CertificateScale::at(double slopes) const {
  return slopes_at_zero_ > 0 ? scale_ * std::clamp(10 * slopes / slopes_at_zero_, floor_, 1.0) : scale_;
}

double certificate(const Problem& problem, const VectorXd& point, const Evaluation& at,
                   const CertificateScale& scale) {
  return least_subgradient(problem, point, at.gradient).norm() / scale.at(at.slopes);
}

void certify(const Problem& problem, Minimum& minimum) {
  const EvaluationWithZero found = evaluate_with_zero(problem, minimum.point);
  const CertificateScale scale(problem, found.gradient_at_zero, found.slopes_at_zero);
  minimum.value = found.at.value + l1_value(problem, minimum.point);
  minimum.certificate = certificate(problem, minimum.point, found.at, scale);
  minimum.certificate_kind = gradient_norm;
}

}  // namespace discern
