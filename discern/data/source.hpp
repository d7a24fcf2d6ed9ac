// A source hands out its rows in blocks whose boundaries depend on the shape of the data alone, so that
// a fold over them (stats/fold.hpp) gives the same bits whatever the number of threads and wherever the
// rows live.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "discern/data/features.hpp"

namespace discern {

// Some consecutive rows with what belongs to them.
struct Block {
  Rows x;
  Index first = 0;                       // number of the first row
  std::span<const std::int32_t> labels;  // class indices; empty in regression and in prediction
  std::span<const double> targets;       // regression targets; empty otherwise
  std::span<const double> weights;       // sample weights; empty when all are 1

  Index rows() const {
    return std::visit([](const auto& r) { return r.rows; }, x);
  }
  double weight(Index i) const { return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(i)]; }
};

// Memory that a source may build a block in; the block is valid until the scratch is used again.
struct Workspace {
  std::vector<double> values;
  std::vector<std::uint32_t> columns;
  std::vector<std::int64_t> starts;
};
struct Scratch {
  std::vector<Workspace> stages;  // one for each step of a pipeline
};

class Source {
 public:
  virtual ~Source() = default;
  virtual Index rows() const = 0;
  virtual Index cols() const = 0;
  virtual bool sparse() const = 0;
  // Block k of block_count(). Safe to call from several threads, each with a scratch of its own.
  virtual Block block(Index k, Scratch& scratch) const = 0;
  // The features of some rows in extended precision, row-major: the decimals that their numbers spell
  // (data/decimal.hpp) and what a pipeline makes of those, with no rounding to double on the way.
  virtual void extended(Index first, Index count, std::vector<long double>& values) const = 0;
  // All rows as one block, where they lie in memory.
  virtual std::optional<Block> all_rows() const { return std::nullopt; }

  Index rows_per_block() const;
  Index block_count() const;
};

// The entries of sparse rows, from those of the first block.
double estimated_entries(const Source& source);
// How many entries of sparse rows come before each block, and last how many there are.
std::vector<Index> entries_before_blocks(const Source& source);

// What stands beside the features in memory: class indices or regression targets, and sample weights.
struct Targets {
  std::vector<std::int32_t> labels;
  std::vector<double> values;
  std::vector<double> weights;
};

// Features and targets in memory (or in a mapped file); hands out views. Both must outlive it.
class MemorySource : public Source {
 public:
  MemorySource(const Features& x, const Targets& targets) : x_(&x), targets_(&targets) {}
  Index rows() const override { return row_count(*x_); }
  Index cols() const override { return column_count(*x_); }
  bool sparse() const override { return is_sparse(*x_); }
  Block block(Index k, Scratch& scratch) const override;
  std::optional<Block> all_rows() const override { return slice(0, rows()); }
  void extended(Index first, Index count, std::vector<long double>& values) const override;
  // Block k of blocks of `size` rows, its features replaced by transform(features).
  template <class Transform>
  Block block_of(Index k, Index size, Transform&& transform) const {
    Block result = slice(k * size, size);
    result.x = transform(result.x);
    return result;
  }

 private:
  Block slice(Index first, Index size) const;

  const Features* x_;
  const Targets* targets_;
};

}  // namespace discern
