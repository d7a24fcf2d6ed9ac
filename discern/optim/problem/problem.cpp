#include "discern/optim/problem/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace discern {

Problem without_features(const Problem& problem, const std::vector<Index>& features) {
  Problem part = problem;
  for (const Index j : features) part.scaling.scale[j] = std::numeric_limits<double>::infinity();
  return part;
}

bool is_left_out(const Problem& problem, Index feature) { return std::isinf(problem.scaling.scale[feature]); }

void set_penalty(Problem& problem, const PenaltyStrength& strength) {
  problem.l1.setZero(problem.width());
  problem.l2.setZero(problem.width());
  problem.l1.tail(problem.features()) = strength.l1 * problem.scaling.penalty.array().sqrt();
  problem.l2.tail(problem.features()) = strength.l2 * problem.scaling.penalty;
  if (!strength.bias) return;
  problem.l1[0] = strength.l1;
  problem.l2[0] = strength.l2;
}

double l1_value(const Problem& problem, const Eigen::VectorXd& point) {
  double sum = 0;
  for (Index j = 0; j < problem.width(); ++j)
    sum += problem.l1[j] * point.segment(j * problem.scores, problem.scores).cwiseAbs().sum();
  return sum;
}

void add_l2_gradient(const Problem& problem, const Eigen::VectorXd& point, Eigen::VectorXd& gradient) {
  for (Index j = 0; j < problem.width(); ++j)
    for (Index s = j * problem.scores; s < (j + 1) * problem.scores; ++s)
      gradient[s] += problem.l2[j] * point[s];
}

Eigen::VectorXd least_subgradient(const Problem& problem, const Eigen::VectorXd& point,
                                  const Eigen::VectorXd& smooth_gradient) {
  Eigen::VectorXd result = smooth_gradient;
  if (!problem.bias) result.head(problem.scores).setZero();
  for (Index j = problem.bias ? 0 : 1; j < problem.width(); ++j)
    for (Index s = j * problem.scores; s < (j + 1) * problem.scores; ++s)
      result[s] = ElasticNet{problem.l1[j], 0}.residual(point[s], smooth_gradient[s]);
  return result;
}

namespace {

constexpr Index logistic_rows = 64;  // at a time

template <class L>
double single_score_losses(const Problem& problem, const Block& rows, RowMajor& scores, RowMajor* curvature) {
  double value = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    const double weight = rows.weight(i);
    const Derivatives loss = L::at(scores(i, 0), problem.target(rows, i));
    value += weight * loss.value;
    scores(i, 0) = weight * loss.slope;
    if (curvature != nullptr) (*curvature)(i, 0) = weight * loss.curvature;
  }
  return value;
}

// As single_score_losses, of rows first, ..., first + count - 1 in a few vectors: two calls of the math
// library a row took as long as the row itself. With e = exp(-|g|), of which 1 + e keeps u,
//
//   log(1 + e) = log u + (e - (u - 1)) / u
double logistic_losses(const Problem& problem, const Block& rows, Index first, Index count, RowMajor& scores,
                       RowMajor* curvature) {
  using Few = Eigen::Array<double, Eigen::Dynamic, 1, 0, logistic_rows, 1>;
  Eigen::Map<Eigen::ArrayXd> g(scores.data() + first, count);
  Few y(count), weight(count);
  for (Index i = 0; i < count; ++i) {
    y[i] = problem.target(rows, first + i);
    weight[i] = rows.weight(first + i);
  }
  const Few e = (-g.abs()).exp(), u = 1 + e, wrong = -y * g;
  const double value = (weight * (wrong.max(0.0) + (u.log() + (e - (u - 1)) / u))).sum();
  g = -y * weight * (wrong >= 0).select(1 / u, e / u);
  if (curvature != nullptr)
    Eigen::Map<Eigen::ArrayXd>(curvature->data() + first, count) = weight * e / (u * u);
  return value;
}

double logistic_losses(const Problem& problem, const Block& rows, RowMajor& scores, RowMajor* curvature) {
  // Vectors lose what is not a number.
  if (!scores.allFinite()) return single_score_losses<LogisticLoss>(problem, rows, scores, curvature);
  double value = 0;
  for (Index first = 0; first < scores.rows(); first += logistic_rows)
    value += logistic_losses(problem, rows, first, std::min(logistic_rows, scores.rows() - first), scores,
                             curvature);
  return value;
}

double softmax_losses(const Block& rows, RowMajor& scores, RowMajor* curvature) {
  double value = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    const auto y = static_cast<Index>(rows.labels[static_cast<std::size_t>(i)]);
    const double weight = rows.weight(i);
    value += weight * softmax_in_place(scores.row(i).data(), scores.cols(), y);
    if (curvature != nullptr) curvature->row(i) = scores.row(i);
    // p - 1 as what the others sum up to, which keeps the digits of rows that are nearly certain.
    scores(i, y) = 0;
    scores(i, y) = -scores.row(i).sum();
    scores.row(i) *= weight;
  }
  return value;
}

}  // namespace

double row_losses(const Problem& problem, const Block& rows, RowMajor& scores, RowMajor* curvature) {
  if (curvature != nullptr) curvature->resize(scores.rows(), scores.cols());
  return std::visit(
      [&]<class L>(L) {
        if constexpr (std::is_same_v<L, SoftmaxLoss>)
          return softmax_losses(rows, scores, curvature);
        else if constexpr (std::is_same_v<L, LogisticLoss>)
          return logistic_losses(problem, rows, scores, curvature);
        else
          return single_score_losses<L>(problem, rows, scores, curvature);
      },
      problem.loss);
}

namespace {

// tanh(m/2) / (2m) = (1/2 - p) / m of a row whose class has the probability p < 1/2: m = log((1 - p)/p).
double chord(double p) {
  if (p > 0.499) return 0.25;  // its limit, before the quotient loses digits
  return (0.5 - p) / std::log((1 - p) / std::fmax(p, 1e-300));
}

}  // namespace

void cautious_curvature(const Problem& problem, const Block& rows, const Eigen::Ref<const RowMajor>& scores,
                        Eigen::Ref<RowMajor> curvature) {
  if (std::holds_alternative<LogisticLoss>(problem.loss)) {
    for (Index i = 0; i < curvature.rows(); ++i) {
      const double margin = scores(i, 0) * problem.target(rows, i);
      if (margin < 0) curvature(i, 0) = rows.weight(i) * chord(sigmoid(margin));
    }
  } else if (problem.softmax()) {
    // p_y becomes the q with q (1 - q) = chord, the others keep their proportions.
    for (Index i = 0; i < curvature.rows(); ++i) {
      const auto y = static_cast<Index>(rows.labels[static_cast<std::size_t>(i)]);
      const double p = curvature(i, y);
      if (p >= 0.5) continue;
      const double q = 0.5 - std::sqrt(std::fmax(0.25 - chord(p), 0.0));
      curvature.row(i) *= (1 - q) / (1 - p);
      curvature(i, y) = q;
    }
  }
}

void times_curvature(const Problem& problem, const Block& rows, const Eigen::Ref<const RowMajor>& curvature,
                     RowMajor& change) {
  if (!problem.softmax()) {
    change.array() *= curvature.array();
    return;
  }
  for (Index i = 0; i < change.rows(); ++i) {
    // Changes are taken from that of the likeliest class, which keeps the digits of rows that are nearly
    // certain.
    Index likeliest = 0;
    curvature.row(i).maxCoeff(&likeliest);
    change.row(i).array() -= double{change(i, likeliest)};
    const double mean = curvature.row(i).dot(change.row(i));
    const double weight = rows.weight(i);
    for (Index k = 0; k < change.cols(); ++k) change(i, k) = weight * curvature(i, k) * (change(i, k) - mean);
  }
}

}  // namespace discern
