// Some rows of a source, with labels of their own: what one machine of many learns from. The features stay
// where they are; of a part the rows of a block are gathered when it is asked for.
#pragma once

#include <vector>

#include "discern/data/source.hpp"

namespace discern {

// The source must outlive it.
class PartSource : public Source {
 public:
  // The rows, ascending, with the labels and the weights (empty: all 1) that belong to them.
  PartSource(const Source& whole, std::vector<Index> rows, Targets targets);

  Index rows() const override { return static_cast<Index>(rows_.size()); }
  Index cols() const override { return whole_->cols(); }
  bool sparse() const override { return whole_->sparse(); }
  Block block(Index k, Scratch& scratch) const override;
  void extended(Index first, Index count, std::vector<long double>& values) const override;

 private:
  Rows gathered(Index first, Index count, Workspace& to) const;

  const Source* whole_;
  std::vector<Index> rows_;
  Targets targets_;
};

}  // namespace discern
