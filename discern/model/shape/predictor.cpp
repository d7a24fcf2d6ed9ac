#include "discern/model/shape/predictor.hpp"

#include <algorithm>
#include <cmath>

#include "discern/model/shape/additive.hpp"
#include "discern/model/shape/kernel_sum.hpp"
#include "discern/model/shape/network.hpp"
#include "discern/model/shape/row_scores.hpp"

namespace discern {
namespace {

using ExtendedVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

ExtendedVector extended_bias_at_origin(const Linear& linear) {
  const auto shift = linear.weights.cast<long double>() * linear.center.cast<long double>();
  return linear.bias.cast<long double>() - shift;
}

}  // namespace

Vector Linear::bias_at_origin() const {
  return center.size() == 0 ? bias : extended_bias_at_origin(*this).cast<double>();
}

namespace {

constexpr Index scores_at_once = 64;

// The same sums as below, some scores for all rows at a time: the weights of thousands of classes do not stay
// in the cache from one row to the next.
template <class T>
void tiled_scores(const Linear& linear, const DenseRows<T>& rows, Matrix& out) {
  Matrix x = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
                 rows.values, rows.rows, rows.cols)
                 .template cast<double>();
  if (linear.center.size() > 0) x.rowwise() -= linear.center.transpose();
  for (Index first = 0; first < linear.scores(); first += scores_at_once)
    for (Index i = 0; i < rows.rows; ++i)
      for (Index k = first; k < std::min(first + scores_at_once, linear.scores()); ++k)
        out(i, k) =
            dot(DenseRow<double>{x.row(i).data(), rows.cols}, linear.weights.row(k).data()) + linear.bias[k];
}

template <class T>
void linear_scores(const Linear& linear, const DenseRows<T>& rows, Matrix& out) {
  if (linear.scores() > scores_at_once) {
    tiled_scores(linear, rows, out);
    return;
  }
  RowRoom room(rows.cols);
  for (Index i = 0; i < rows.rows; ++i) row_scores(linear, rows.row(i), room, out.row(i).data());
}

// Sparse rows are not centred: where the features lie far from zero the sum cancels with the bias.
bool cancels(const Linear& linear) {
  if (linear.center.size() == 0) return false;
  const double size = linear.bias.cwiseAbs().maxCoeff();
  return (linear.weights.cwiseAbs() * linear.center.cwiseAbs()).maxCoeff() > 1000 * size;
}

// That takes digits which a double does not have: at 1e9 standard deviations from zero it would keep seven.
template <class T>
void far_scores(const Linear& linear, const ExtendedVector& bias, const SparseRows<T>& rows, Matrix& out) {
  for (Index i = 0; i < rows.rows; ++i)
    for (Index k = 0; k < linear.scores(); ++k) {
      long double sum = bias[k];
      for_each(rows.row(i), [&, w = linear.weights.row(k).data()](Index j, double v) {
        sum += static_cast<long double>(v) * static_cast<long double>(w[j]);
      });
      out(i, k) = static_cast<double>(sum);
    }
}

template <class T>
void near_scores(const Linear& linear, const Vector& bias, const SparseRows<T>& rows, Matrix& out) {
  for (Index i = 0; i < rows.rows; ++i)
    for (Index k = 0; k < linear.scores(); ++k)
      out(i, k) = dot(rows.row(i), linear.weights.row(k).data()) + bias[k];
}

Matrix scores_of(const Quadratic& quadratic, const Rows& x) {
  return std::visit(
      [&](const auto& rows) {
        Matrix out(rows.rows, quadratic.scores());
        RowRoom room(rows.cols);
        Vector dense(rows.cols);
        for (Index i = 0; i < rows.rows; ++i) {
          dense.setZero();
          for_each(rows.row(i), [&](Index j, double v) { dense[j] = v; });
          row_scores(quadratic, {dense.data(), dense.size()}, room, out.row(i).data());
        }
        return out;
      },
      x);
}

}  // namespace

Index score_count(const Predictor& predictor) {
  return std::visit([](const auto& p) { return p.scores(); }, predictor);
}

Index feature_count(const Predictor& predictor) {
  return std::visit([](const auto& p) { return p.features(); }, predictor);
}

Link link_of(const Predictor& predictor) {
  if (const auto* linear = std::get_if<Linear>(&predictor)) return linear->link;
  if (const auto* network = std::get_if<Network>(&predictor)) return network->link;
  return std::holds_alternative<KernelSum>(predictor) ? Link::none : Link::softmax;
}

Scorer::Scorer(const Predictor& predictor, bool sparse) : predictor_(&predictor) {
  const auto* linear = std::get_if<Linear>(&predictor);
  if (linear == nullptr || !sparse) return;
  bias_ = linear->center.size() == 0 ? linear->bias.cast<long double>() : extended_bias_at_origin(*linear);
  cancels_ = cancels(*linear);
}

Matrix Scorer::operator()(const Rows& x) const {
  return std::visit(
      [&]<class P>(const P& predictor) {
        if constexpr (std::is_same_v<P, Linear>)
          return linear(predictor, x);
        else
          return scores_of(predictor, x);
      },
      *predictor_);
}

Matrix Scorer::linear(const Linear& linear, const Rows& x) const {
  return std::visit(
      [&](const auto& rows) {
        Matrix out(rows.rows, linear.scores());
        if constexpr (!requires { rows.starts; })
          linear_scores(linear, rows, out);
        else if (cancels_)
          far_scores(linear, bias_, rows, out);
        else
          near_scores(linear, bias_.template cast<double>(), rows, out);
        return out;
      },
      x);
}

Matrix scores_of(const Predictor& predictor, const Rows& x) {
  const bool sparse = std::visit(
      [](const auto& rows) {
        return requires { rows.starts; };
      },
      x);
  return Scorer(predictor, sparse)(x);
}

Matrix probabilities(const Matrix& scores, Link link) {
  Matrix proba(scores.rows(), link == Link::softmax ? scores.cols() : 2);
  for (Index i = 0; i < scores.rows(); ++i)
    row_probabilities(scores.row(i).data(), scores.cols(), link, proba.row(i).data());
  return proba;
}

std::int32_t decide(const double* scores, Index count) {
  if (count == 1) return scores[0] >= 0 ? 1 : 0;
  return static_cast<std::int32_t>(std::max_element(scores, scores + count) - scores);
}

}  // namespace discern
