#include "discern/stats/block.hpp"

namespace discern {
namespace {

// One pass over each row: reading, shifting and scaling while it is in registers.
template <class T>
void copy(const DenseRows<T>& rows, const double* center, const double* factor, Index ones, RowMajor& out) {
  for (Index i = 0; i < rows.rows; ++i) {
    const T* from = rows.row(i).values;
    double* to = out.row(i).data() + ones;
    for (Index j = 0; j < rows.cols; ++j) to[j] = (static_cast<double>(from[j]) - center[j]) * factor[j];
  }
}

template <class T>
void copy(const SparseRows<T>& rows, const double* center, const double* factor, Index ones, RowMajor& out) {
  for (Index i = 0; i < rows.rows; ++i) {
    double* to = out.row(i).data() + ones;
    for (Index j = 0; j < rows.cols; ++j) to[j] = -center[j] * factor[j];
    for_each(rows.row(i), [&](Index j, double v) { to[j] = (v - center[j]) * factor[j]; });
  }
}

}  // namespace

void dense_rows(const Rows& rows, const Eigen::VectorXd& center, const Eigen::VectorXd& scale, RowMajor& out,
                Index ones) {
  std::visit(
      [&](const auto& r) {
        Eigen::VectorXd shift = center, factor = scale.cwiseInverse();
        if (center.size() == 0) shift.setZero(r.cols);
        if (scale.size() == 0) factor.setOnes(r.cols);
        out.resize(r.rows, ones + r.cols);
        out.leftCols(ones).setOnes();
        copy(r, shift.data(), factor.data(), ones, out);
      },
      rows);
}

}  // namespace discern
