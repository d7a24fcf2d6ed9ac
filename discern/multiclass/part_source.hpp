// Some rows of a source, with labels of their own: what one machine of many learns from. Small parts are
// gathered once, as machines pass over them many times; of larger ones the features stay where they are,
// and the rows of a block are gathered when it is asked for.
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
  bool whole() const { return rows() == whole_->rows(); }
  void gather(Index first, Index count, Workspace& to) const;
  Rows view(const Workspace& of, Index count) const;

  const Source* whole_;
  std::vector<Index> rows_;
  Targets targets_;
  std::vector<Workspace> kept_;  // of a small part, a block each
};

}  // namespace discern
