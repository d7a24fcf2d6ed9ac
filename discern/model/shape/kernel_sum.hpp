// The scores of a KernelSum (model/shape/predictor.hpp), and the kernels of rows that it is made of.
//
// With p_n = metric (x_n - center), metric = 1 / scale^2, the product of u and u_n is p_n.(x - center): for
// sparse rows p_n.x - p_n.center, so that only the stored entries are gone through.
#pragma once

#include "discern/model/perceptron/perceptron_frame.hpp"

namespace discern {

// One of the rows that others are compared with.
struct KernelPoint {
  Vector pull;         // p_n
  double offset = 0;   // p_n.center
  double squares = 0;  // |u_n|^2
};

template <class FrameRows, class Row>
KernelPoint kernel_point(const PerceptronFrame& frame, FrameRows& rows, Row row, Index features) {
  KernelPoint point;
  const auto seen = rows.seen(row);
  point.pull = Vector::Zero(features);
  axpy(1, rows.moved(seen), point.pull.data());
  const SquaredLengths lengths(frame);
  point.squares = lengths.of(row, rows.squares(seen));
  if constexpr (requires { row.columns; }) {
    if (frame.center.size() > 0) point.pull -= lengths.pull();
  }
  if (frame.center.size() > 0) point.offset = point.pull.dot(frame.center);
  return point;
}

// u.u_n of a row as it is seen.
template <class T>
double product(DenseRow<T> seen, const KernelPoint& point) {
  return dot(seen, point.pull.data());
}
template <class T>
double product(SparseRow<T> seen, const KernelPoint& point) {
  return dot(seen, point.pull.data()) - point.offset;
}

// The coordinates of its rows.
PerceptronFrame frame_of(const KernelSum& sum);

Matrix scores_of(const KernelSum& sum, const Rows& x);

}  // namespace discern
