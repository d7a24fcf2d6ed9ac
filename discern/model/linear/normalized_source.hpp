// The criterion normalised by the length of the samples, for --normalize-criterion:
//
//   E'(W, b) = sum_i s_i / |z_i|^2 L(g(x_i), y_i) + penalty
//
// with z_i the features of a sample in the coordinates that a penalty acts in: standardised if that was asked
// (and then centred, unless there is no bias of their own; of sparse rows only what is far from zero),
// otherwise as they are. A sample at zero keeps its weight.
#pragma once

#include <vector>

#include "discern/optim/problem/scaling.hpp"

namespace discern {

// The source with its weights divided; it must outlive this one. One pass when constructed.
class NormalizedSource : public Source {
 public:
  NormalizedSource(const Source& whole, const Scaling& coordinates, const Monitor& monitor);

  Index rows() const override { return whole_->rows(); }
  Index cols() const override { return whole_->cols(); }
  bool sparse() const override { return whole_->sparse(); }
  Block block(Index k, Scratch& scratch) const override;
  void extended(Index first, Index count, std::vector<long double>& values) const override {
    whole_->extended(first, count, values);
  }
  double weight() const;  // the sum

 private:
  const Source* whole_;
  std::vector<double> weights_;
};

}  // namespace discern
