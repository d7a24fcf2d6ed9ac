// The rows of another source with one more step applied, computed once and kept in memory with their targets.
#pragma once

#include "discern/transform/pipeline.hpp"

namespace discern {

class ExpandedSource : public Source {
 public:
  // Throws Code::memory when the features would take more than 8 GB. Both must outlive it.
  ExpandedSource(const Source& origin, const Step& step, Index features);
  Index rows() const override { return memory_.rows(); }
  Index cols() const override { return memory_.cols(); }
  bool sparse() const override { return memory_.sparse(); }
  Block block(Index k, Scratch& scratch) const override { return memory_.block(k, scratch); }
  void extended(Index first, Index count, std::vector<long double>& values) const override;

 private:
  const Source* origin_;
  const Step* step_;
  Features x_;
  Targets targets_;
  MemorySource memory_;
};

}  // namespace discern
