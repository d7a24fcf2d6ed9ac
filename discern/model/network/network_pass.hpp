// Some rows through a network, and the slopes of their losses back through it (back-propagation).
//
//   a_l = y_(l-1) W_l + b_l,   y_l = f_l(a_l),   y_0 = z,   scores g = a_L           forward
//   d_L = s dL/dg,   d_(l-1) = (d_l W_l') f'_(l-1),   dE/dW_l = y_(l-1)' d_l          backward
//
// with the rows of all matrices the rows of data, W of inputs x units, d the slopes with respect to a. Rows
// do not depend on each other, so that parts of a batch can go forward and backward at the same time;
// the gradient is a sum over the rows, and its own parts (of inputs) can again be had at the same time. Both
// kinds of parts are fixed by the shape of the batch alone, and so are the bits of the result.
//
// Of sparse rows the first layer goes through the stored entries: with v_j = x_j / s_j and t_j = -c_j / s_j,
// z W = v W + t W, and t W is the same for all rows.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "discern/data/source.hpp"
#include "discern/model/network/network_layout.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

// What is learned: the loss of the scores of a network plus l2/2 of the squares of its weights.
struct NetworkTask {
  NetworkLayout layout;
  NetworkScaling scaling;
  Problem loss;               // the loss of the scores; the rest of the problem is not used
  bool softmax_unit = false;  // squared error behind softmax instead (loss/unit.hpp)
  double l2 = 0;
  bool sparse = false;
  std::vector<bool> held;  // rows that are held out; empty: none

  Eigen::VectorXd penalty() const;  // of each number in the point: 0 for biases
};

// Rows that are in memory, by their number.
struct RowSet {
  std::span<const Block> blocks;
  Index rows_per_block = 1;
  const Block& block_of(Index n) const { return blocks[static_cast<std::size_t>(n / rows_per_block)]; }
  Index row_of(Index n) const { return n % rows_per_block; }
};

template <class T>
class NetworkPass {
 public:
  using Rectangle = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  explicit NetworkPass(const NetworkTask& task) : task_(&task), factor_(task.scaling.scale.cwiseInverse()) {}

  // The rows of the batch. The views in `set` must stay valid until the next batch.
  void take(const RowSet& set, std::span<const std::uint32_t> which);
  // What the sparse rows of a batch have in common.
  void prepare(const T* point);

  // For the rows first, ..., first + count - 1 of the batch, in this order:
  void load(Index first, Index count);
  void add_noise(Index first, Index count, double deviation, Random& random);  // to dense inputs
  void forward(const T* point, Index first, Index count);
  double held_losses(Index first, Index count) const;  // sum of the losses of rows that are held out
  double losses(Index first, Index count);             // of the others; their slopes are kept
  void backward(const T* point, Index first, Index count);

  // A part of the gradient of one layer: some of its inputs, or of sparse inputs some of its units.
  struct Part {
    std::size_t layer;
    Index first, count;
  };
  std::vector<Part> parts() const;
  // Sets this part of the gradient of the sum of the losses, or adds to it.
  void gradient(const Part& part, bool add, T* gradient) const;

  Index rows() const { return rows_; }

 private:
  bool through_entries(std::size_t layer) const { return layer == 0 && task_->sparse; }
  const Rectangle& inputs_of(std::size_t layer) const { return layer == 0 ? inputs_ : given_[layer - 1]; }
  Eigen::Map<const Rectangle> layer(const T* point, std::size_t l) const {
    return {point + task_->layout.start(l), 1 + task_->layout.inputs(l), task_->layout.outputs(l)};
  }
  double losses_of(Index first, Index count, bool held, RowMajor& scores) const;
  void entries_gradient(const Part& part, bool add, T* gradient) const;

  const NetworkTask* task_;
  Vector factor_;  // 1 / s
  RowSet set_;
  std::span<const std::uint32_t> which_;
  Index rows_ = 0;
  Rectangle inputs_;                            // of dense rows
  std::vector<T> values_;                       // of sparse rows: the entries, divided by the scale,
  std::vector<std::uint32_t> columns_;          // their columns
  std::vector<Index> starts_;                   // and where those of each row begin
  Eigen::Matrix<T, 1, Eigen::Dynamic> common_;  // b + t W of the first layer
  std::vector<Rectangle> given_, slopes_;       // y and d of each layer
  std::vector<std::int32_t> labels_;
  std::vector<double> targets_, weights_;
};

extern template class NetworkPass<float>;
extern template class NetworkPass<double>;

}  // namespace discern
