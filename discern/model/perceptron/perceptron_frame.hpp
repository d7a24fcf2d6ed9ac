// The coordinates in which a perceptron learns.
//
//   y = [z 1],   z_j = (x_j - center_j) / scale_j,   g = u.z + b = w.(x - center) + b,   w_j = u_j / scale_j
//
// Weights are kept as w, in the units of the features, so that a row can be scored as it is. The correction
// u += h z is then
//
//   w_j += h metric_j (x_j - center_j),     metric_j = 1 / scale_j^2
//
// Sparse rows stay sparse: instead of w, v = w + b (metric center) is kept, which only changes where a row
// has entries (b is the sum of all h), and what v.x + b lacks of g follows from numbers that each row and
// each correction have one of (see SequentialPasses).
#pragma once

#include "discern/model/shape/training.hpp"
#include "discern/optim/stochastic/compact_rows.hpp"

namespace discern {

struct PerceptronFrame {
  Vector center;  // empty: zero
  Vector metric;  // empty: one
  bool bias = true;

  bool plain() const { return metric.size() == 0; }
  double squared_length(const Linear& plane) const;  // |a|^2 = sum_k |u_k|^2 + b_k^2
};

// Standardised features when the training asks for them, otherwise as they are. Centred only where there is a
// bias. Throws Code::data for a feature whose squares overflow.
PerceptronFrame fit_frame(const Training& training, bool bias);

// Rows as they are scored, `seen`, and as they are added to the weights, `moved`. Plain ones are themselves.
struct PlainRows {
  template <class Row>
  Row seen(Row row) const {
    return row;
  }
  template <class Row>
  Row moved(Row seen) const {
    return seen;
  }
  template <class Row>
  double squares(Row seen) const {
    return squared_norm(seen);
  }
};

// Others are in a buffer that the next row overwrites. Dense rows are centred, sparse ones are not.
class FramedRows {
 public:
  explicit FramedRows(const PerceptronFrame& frame)
      : center_(frame.center),
        metric_(frame.metric),
        seen_(frame.metric.size()),
        moved_(frame.metric.size()) {
    if (center_.size() == 0) center_.setZero(metric_.size());
  }

  template <class T>
  DenseRow<double> seen(DenseRow<T> row) {
    const Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>> x(row.values, row.size);
    seen_.array() = x.template cast<double>() - center_.array();
    return {seen_.data(), row.size};
  }
  template <class SparseOne>
  SparseOne seen(SparseOne row) {
    return row;
  }
  DenseRow<double> moved(DenseRow<double> seen) {
    moved_.array() = Eigen::Map<const Eigen::ArrayXd>(seen.values, seen.size) * metric_.array();
    return {moved_.data(), seen.size};
  }
  template <class SparseOne>
  auto moved(SparseOne seen) {
    for (Index k = 0; k < seen.size; ++k)
      moved_[k] = static_cast<double>(seen.values[k]) * metric_[seen.columns[k]];
    return with_values(seen, moved_.data());
  }
  // sum_j metric_j seen_j^2
  template <class Row>
  double squares(Row seen) const {
    double sum = 0;
    for_each(seen, [&](Index j, double x) { sum += metric_[j] * x * x; });
    return sum;
  }

 private:
  Vector center_, metric_, seen_, moved_;
};

// |y|^2 of a row from its squares as seen: sparse rows are seen uncentred.
class SquaredLengths {
 public:
  explicit SquaredLengths(const PerceptronFrame& frame) : bias_(frame.bias) {
    if (frame.center.size() == 0) return;
    pull_ = frame.metric.cwiseProduct(frame.center);
    center_squares_ = pull_.dot(frame.center);
  }
  double center_squares() const { return center_squares_; }  // sum_j metric_j center_j^2
  template <class SparseOne>
  double shift(SparseOne row) const {  // sum_j metric_j center_j x_j
    return pull_.size() == 0 ? 0 : dot(row, pull_.data());
  }
  template <class T>
  double shift(DenseRow<T>) const {
    return 0;
  }
  template <class T>
  double of(DenseRow<T>, double squares) const {
    return squares + (bias_ ? 1 : 0);
  }
  template <class SparseOne>
  double of(SparseOne row, double squares) const {
    return squares - 2 * shift(row) + center_squares_ + (bias_ ? 1 : 0);
  }
  const Vector& pull() const { return pull_; }  // metric_j center_j; empty: zero

 private:
  bool bias_;
  Vector pull_;
  double center_squares_ = 0;
};

// Calls f(rows) with the PlainRows or FramedRows of a frame.
template <class F>
auto with_rows(const PerceptronFrame& frame, F&& f) {
  if (frame.plain()) {
    PlainRows rows;
    return f(rows);
  }
  FramedRows rows(frame);
  return f(rows);
}

}  // namespace discern
