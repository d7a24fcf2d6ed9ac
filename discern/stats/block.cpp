#include "discern/stats/block.hpp"

namespace discern {
namespace {

template <class T>
void copy(const DenseRows<T>& rows, RowMajor& out) {
  using Source = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  out = Eigen::Map<const Source>(rows.values, rows.rows, rows.cols).template cast<double>();
}

template <class T>
void copy(const SparseRows<T>& rows, RowMajor& out) {
  out.setZero(rows.rows, rows.cols);
  for (Index i = 0; i < rows.rows; ++i) for_each(rows.row(i), [&](Index j, double v) { out(i, j) = v; });
}

}  // namespace

void dense_rows(const Rows& rows, const Eigen::VectorXd& center, const Eigen::VectorXd& scale,
                RowMajor& out) {
  std::visit([&](const auto& r) { copy(r, out); }, rows);
  if (center.size() > 0) out.rowwise() -= center.transpose();
  if (scale.size() > 0) out.array().rowwise() /= scale.transpose().array();
}

}  // namespace discern
