#include "discern/model/linear/linear_problem.hpp"

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/model/linear/linear_parts.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

// The user's coordinates, in which a penalty acts: standardised features where asked, others as they are.
Scaling in_units_of_the_penalty(Scaling scaling, const Training& training) {
  for (Index j = 0; j < scaling.scale.size(); ++j) {
    if (training.standardizes(j)) {
      scaling.scale[j] *= std::sqrt(scaling.penalty[j]);
      scaling.penalty[j] = 1;
      continue;
    }
    scaling.scale[j] = scaling.penalty[j] = 1;
    if (scaling.center.size() > 0) scaling.center[j] = 0;
  }
  return scaling;
}

}  // namespace

LinearProblem::LinearProblem(const Loss& loss, const LinearOptions& options, const Training& training,
                             bool own_coordinates)
    : penalize_bias_(options.penalize_bias) {
  if (options.no_bias && options.penalize_bias)
    throw Error(Code::usage, "`no_bias` and `penalize_bias` exclude each other");
  problem_.source = &training.source;
  problem_.loss = loss;
  problem_.bias = !options.no_bias;
  const bool center = !options.no_bias && !options.penalize_bias;
  const Scaling best = own_coordinates && !training.standardize ? unit_scaling(training, center)
                                                                : fit_scaling(training, center);
  problem_.scaling = own_coordinates ? in_units_of_the_penalty(best, training) : best;
  if (!own_coordinates) center_among_rows(problem_.scaling, training.source);
  if (options.normalize_criterion) {
    normalized_.emplace(training.source, in_units_of_the_penalty(best, training), training.monitor);
    problem_.source = &*normalized_;
    problem_.scaling.weight = normalized_->weight();
  }
  shift_sparse_rows(problem_, shifted_);
  if (problem_.softmax()) problem_.scores = training.classes;
  if (!problem_.softmax() && training.task == Task::classification && training.classes > 2) {
    count_ = training.classes;
    if (std::holds_alternative<SquaredLoss>(loss)) problem_.negative = 0;  // 1-of-K
  }
  set_penalty(problem_, {options.l1, options.l2, options.penalize_bias});
}

Problem LinearProblem::part(Index k) const {
  Problem part = problem_;
  if (count_ > 1) part.positive = static_cast<std::int32_t>(k);
  return part;
}

LinearProblem::Weights LinearProblem::no_weights() const {
  return {Matrix::Zero(scores(), problem_.features()), Vector::Zero(scores())};
}

void LinearProblem::put(const VectorXd& point, Index k, Weights& weights) const {
  const Eigen::Map<const RowMajor> rows(point.data(), problem_.width(), problem_.scores);
  weights.weights.middleRows(k * problem_.scores, problem_.scores) =
      rows.bottomRows(problem_.features()).transpose();
  weights.bias.segment(k * problem_.scores, problem_.scores) = rows.row(0).transpose();
}

VectorXd LinearProblem::point_of(const Linear& predictor, Index k) const {
  const Matrix all = rescale(problem_.scaling, predictor);
  const RowMajor part = all.middleCols(k * problem_.scores, problem_.scores);
  return part.reshaped<Eigen::RowMajor>();
}

Linear LinearProblem::predictor(const Weights& weights) const {
  Linear linear = unscale(problem_.scaling, weights.weights, weights.bias, link_of(problem_.loss));
  if (problem_.softmax() && problem_.bias && !penalize_bias_)
    linear.bias.array() -= linear.bias_at_origin().mean();
  return linear;
}

}  // namespace discern
