#include "discern/model/shape/row_scores.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "discern/loss/softmax.hpp"

namespace discern {
namespace {

// dot(x - c, w), in the same order and so with the same bits, but in one pass.
template <class T>
double centred_dot(DenseRow<T> x, const double* c, const double* w) {
  using lanes::Double4;
  Double4 s0{}, s1{}, s2{}, s3{};
  const auto add = [&](Double4& s, Index j) {
    Double4 a, b, center;
    lanes::load(x.values + j, a), lanes::load(c + j, center), lanes::load(w + j, b);
    a -= center;
    s += a * b;
  };
  Index j = 0;
  for (; j + 16 <= x.size; j += 16) add(s0, j), add(s1, j + 4), add(s2, j + 8), add(s3, j + 12);
  for (; j + 4 <= x.size; j += 4) add(s0, j);
  s0 = (s0 + s1) + (s2 + s3);
  double sum = (s0[0] + s0[1]) + (s0[2] + s0[3]);
  for (; j < x.size; ++j) sum += (static_cast<double>(x.values[j]) - c[j]) * w[j];
  return sum;
}

template <class T>
void linear_row(const Linear& linear, DenseRow<T> row, RowRoom& room, double* out) {
  if (linear.scores() == 1) {
    const double* w = linear.weights.data();
    out[0] =
        (linear.center.size() > 0 ? centred_dot(row, linear.center.data(), w) : dot(row, w)) + linear.bias[0];
    return;
  }
  for (Index j = 0; j < row.size; ++j) room.x[j] = static_cast<double>(row.values[j]);
  if (linear.center.size() > 0) room.x -= linear.center;
  for (Index k = 0; k < linear.scores(); ++k)
    out[k] = dot(DenseRow<double>{room.x.data(), row.size}, linear.weights.row(k).data()) + linear.bias[k];
}

}  // namespace

void row_scores(const Linear& linear, DenseRow<float> row, RowRoom& room, double* out) {
  linear_row(linear, row, room, out);
}
void row_scores(const Linear& linear, DenseRow<double> row, RowRoom& room, double* out) {
  linear_row(linear, row, room, out);
}

void row_scores(const Quadratic& quadratic, DenseRow<double> row, RowRoom& room, double* out) {
  const Eigen::Map<const Vector> x(row.values, row.size);
  for (Index k = 0; k < quadratic.scores(); ++k) {
    room.x = x - quadratic.means.row(k).transpose();
    room.product.noalias() =
        quadratic.whiten[static_cast<std::size_t>(k)].triangularView<Eigen::Lower>() * room.x;
    out[k] = quadratic.bias[k] - 0.5 * room.product.squaredNorm();
  }
}

void row_probabilities(const double* scores, Index count, Link link, double* out) {
  assert(link != Link::none);
  if (link == Link::softmax) {
    if (out != scores) std::copy(scores, scores + count, out);
    softmax_in_place(out, count, -1);
    return;
  }
  // sigmoid(-g) and sigmoid(g), with one exponential.
  const double e = std::exp(-std::fabs(scores[0])), larger = 1 / (1 + e), smaller = e / (1 + e);
  const bool positive = scores[0] >= 0;
  out[0] = positive ? smaller : larger;
  out[1] = positive ? larger : smaller;
}

}  // namespace discern
