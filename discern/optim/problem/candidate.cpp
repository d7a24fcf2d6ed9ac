#include "discern/optim/problem/candidate.hpp"

#include <utility>

namespace discern {

using Eigen::VectorXd;

Candidate::Candidate(LinearFunction& function, Evaluation at, const Minimum& found, const Monitor& monitor)
    : problem_(&function.problem()),
      found_(found),
      monitor_(monitor),
      function_(&function),
      at_(std::move(at)),
      curvature_(function.curvature()) {}

LinearFunction& Candidate::function() {
  if (function_ == nullptr) {
    at_ = own_.emplace(*problem_).evaluate(point(), monitor_);
    function_ = &*own_;
    curvature_ = function_->curvature();
  }
  return *function_;
}

const Evaluation& Candidate::at() {
  function();
  return at_;
}

double Candidate::value() {
  if (!value_) value_ = at().value + l1_value(*problem_, point());
  return *value_;
}

const VectorXd& Candidate::residual() {
  if (residual_.size() == 0) residual_ = least_subgradient(*problem_, point(), at().gradient);
  return residual_;
}

const RowMajor& Candidate::slopes() {
  if (slopes_.size() == 0) {
    slopes_ = function().scores();
    row_losses(*problem_, function().answers(0, slopes_.rows()), slopes_, nullptr);
  }
  return slopes_;
}

const RowMajor& Candidate::curvature() {
  function();
  return curvature_;
}

const RowMajor& Candidate::bent_curvature() {
  if (bent_curvature_.size() == 0) {
    LinearFunction& at_point = function();
    at_point.drop_flat_rows();
    bent_curvature_ = at_point.curvature();
    total_curvature_ = at_point.mean_curvature();
    at_point.set_curvature(curvature_);
  }
  return bent_curvature_;
}

double Candidate::total_curvature() {
  bent_curvature();
  return *total_curvature_;
}

const VectorXd& Candidate::diagonal() {
  if (diagonal_.size() == 0) {
    function().set_curvature(bent_curvature());
    diagonal_ = function().hessian_diagonal(monitor_);
    function().set_curvature(curvature_);
  }
  return diagonal_;
}

}  // namespace discern
