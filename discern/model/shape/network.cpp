#include "discern/model/shape/network.hpp"

#include <algorithm>
#include <limits>

#include "discern/stats/block.hpp"

namespace discern {
namespace {

constexpr Index rows_at_once = 256;  // so that what the layers give stays in the cache
// The last bits of a matrix product, and of functions of many numbers at once, depend on where in the matrix
// a number is. In whole groups of rows all of them go one way, so that a row predicted alone is the row
// predicted among others.
constexpr Index rows_a_group = 16;

Index whole_groups(Index rows) { return (rows + rows_a_group - 1) / rows_a_group * rows_a_group; }

template <class T>
DenseRows<T> some_of(const DenseRows<T>& rows, Index first, Index count) {
  return {rows.values + first * rows.cols, count, rows.cols};
}

// The sums of the first layer, W (x - c) / s + b, with rows of zeros behind.
template <class T>
Matrix first_sums(const Network& network, const DenseRows<T>& rows, Index first, Index count) {
  RowMajor inputs;
  dense_rows(some_of(rows, first, count), network.center, network.scale, inputs);
  inputs.conservativeResizeLike(RowMajor::Zero(whole_groups(count), rows.cols));
  const Layer& layer = network.layers.front();
  return (inputs * layer.weights.transpose()).rowwise() + layer.bias.transpose();
}

// Of sparse rows only the stored entries are gone through: b - W c / s once, and a column of W / s for each.
class SparseSums {
 public:
  explicit SparseSums(const Network& network) {
    const Layer& layer = network.layers.front();
    by_input_ = layer.weights.transpose();
    if (network.scale.size() > 0) by_input_.array().colwise() /= network.scale.array();
    at_zero_ = layer.bias;
    if (network.center.size() > 0) at_zero_ -= by_input_.transpose() * network.center;
  }
  template <class T>
  Matrix operator()(const SparseRows<T>& rows, Index first, Index count) const {
    Matrix sums = Matrix::Zero(whole_groups(count), at_zero_.size());
    for (Index i = 0; i < count; ++i) {
      sums.row(i) = at_zero_.transpose();
      for_each(rows.row(first + i), [&](Index j, double v) { sums.row(i) += v * by_input_.row(j); });
    }
    return sums;
  }

 private:
  Matrix by_input_;  // inputs x units
  Vector at_zero_;
};

// The scores, from the sums of the first layer.
Matrix finish(const Network& network, Matrix sums) {
  std::vector<bool> beyond(static_cast<std::size_t>(sums.rows()));
  for (std::size_t l = 0;; ++l) {
    for (Index i = 0; i < sums.rows(); ++i)
      if (!sums.row(i).allFinite()) beyond[static_cast<std::size_t>(i)] = true;
    if (l + 1 == network.layers.size()) break;
    activate(network.layers[l].unit, network.slope, sums.data(), sums.size());
    const Layer& next = network.layers[l + 1];
    sums = ((sums * next.weights.transpose()).rowwise() + next.bias.transpose()).eval();
  }
  for (Index i = 0; i < sums.rows(); ++i)
    if (beyond[static_cast<std::size_t>(i)])
      sums.row(i).setConstant(std::numeric_limits<double>::quiet_NaN());
  return sums;
}

template <class T>
void network_scores(const Network& network, const DenseRows<T>& rows, Matrix& out) {
  for (Index first = 0; first < rows.rows; first += rows_at_once) {
    const Index count = std::min(rows_at_once, rows.rows - first);
    out.middleRows(first, count) = finish(network, first_sums(network, rows, first, count)).topRows(count);
  }
}

template <class T>
void network_scores(const Network& network, const SparseRows<T>& rows, Matrix& out) {
  const SparseSums sums(network);
  for (Index first = 0; first < rows.rows; first += rows_at_once) {
    const Index count = std::min(rows_at_once, rows.rows - first);
    out.middleRows(first, count) = finish(network, sums(rows, first, count)).topRows(count);
  }
}

}  // namespace

Matrix scores_of(const Network& network, const Rows& x) {
  return std::visit(
      [&](const auto& rows) {
        Matrix out(rows.rows, network.scores());
        network_scores(network, rows, out);
        return out;
      },
      x);
}

}  // namespace discern
