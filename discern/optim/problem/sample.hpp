// A part of a source that stands for the whole: blocks at even distances, so that every region of the data is
// in it whatever their order. Used where an approximate answer saves passes over everything: a point to start
// from, a Hessian to precondition with.
#pragma once

#include <algorithm>
#include <cmath>

#include "discern/optim/problem/problem.hpp"

namespace discern {

class SampledSource : public Source {
 public:
  // About `share` of the rows, in whole blocks, one at least; all rows for 1.
  SampledSource(const Source& whole, double share)
      : whole_(&whole),
        count_(share == 1
                   ? whole.block_count()
                   : std::max<Index>(
                         1, static_cast<Index>(std::ceil(share * static_cast<double>(full_blocks(whole)))))),
        step_(std::max<Index>(1, full_blocks(whole) / count_)) {}

  Index rows() const override { return std::min(count_ * rows_per_block(), whole_->rows()); }
  Index cols() const override { return whole_->cols(); }
  bool sparse() const override { return whole_->sparse(); }
  Block block(Index k, Scratch& scratch) const override {
    Block block = whole_->block(k * step_, scratch);
    block.first = k * rows_per_block();
    return block;
  }
  // Block by block, since the rows of two of them are not neighbours in the whole.
  void extended(Index first, Index count, std::vector<long double>& values) const override {
    values.clear();
    std::vector<long double> part;
    for (Index row = first; row < first + count;) {
      const Index block = row / rows_per_block(),
                  end = std::min((block + 1) * rows_per_block(), first + count);
      whole_->extended(row + block * (step_ - 1) * rows_per_block(), end - row, part);
      values.insert(values.end(), part.begin(), part.end());
      row = end;
    }
  }
  // Of a number that every row of the whole has, those of the sample's rows.
  Eigen::VectorXd sampled(const Eigen::VectorXd& of_whole) const {
    Eigen::VectorXd result(rows());
    for (Index first = 0; first < rows(); first += rows_per_block()) {
      const Index count = std::min(rows_per_block(), rows() - first);
      result.segment(first, count) = of_whole.segment(first * step_, count);
    }
    return result;
  }
  static Index full_blocks(const Source& whole) { return whole.rows() / whole.rows_per_block(); }

 private:
  const Source* whole_;
  Index count_, step_;
};

// The problem on a sample, its penalty in proportion. Both must outlive it.
inline Problem sampled_problem(const Problem& whole, const SampledSource& sample) {
  Problem part = whole;
  const double share = static_cast<double>(sample.rows()) / static_cast<double>(whole.source->rows());
  part.source = &sample;
  part.l1 *= share;
  part.l2 *= share;
  part.scaling.weight *= share;
  return part;
}

}  // namespace discern
