#include "discern/data/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "discern/base/threads.hpp"
#include "discern/data/decimal.hpp"
#include "discern/data/table.hpp"

namespace discern {

std::string unread_text(const UnreadRows& rows) {
  const bool one = rows.count == 1;
  return fmt::format("{} row{} that cannot be read {} left out; the first: {}", rows.count, one ? "" : "s",
                     one ? "is" : "are", rows.first);
}
namespace {

template <class T>
std::span<const T> part(const std::vector<T>& items, Index first, Index count) {
  if (items.empty()) return {};
  return std::span<const T>(items).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
}

}  // namespace

const SideColumn* Table::find_side(std::string_view name) const {
  const auto found =
      std::find_if(side.begin(), side.end(), [&](const SideColumn& c) { return c.name == name; });
  return found == side.end() ? nullptr : &*found;
}

std::optional<Index> Table::first_missing() const {
  std::vector<Index> columns(noticed.size());
  std::iota(columns.begin(), columns.end(), Index{0});
  return first_missing(columns);
}

std::optional<Index> Table::first_missing(std::span<const Index> columns) const {
  std::optional<Index> first;
  if (noticed.empty()) return first;
  const auto of = [&](Index column) -> const Noticed& { return noticed[static_cast<std::size_t>(column)]; };
  for (const Index column : columns)
    if (of(column).missing > 0 && (!first || of(column).first_missing_line < of(*first).first_missing_line))
      first = column;
  return first;
}

// About 1 MB of doubles when dense, which stays in a core's L2 cache while a block is worked on.
Index Source::rows_per_block() const {
  if (sparse()) return 2048;
  return std::clamp<Index>((Index{1} << 17) / std::max<Index>(cols(), 1), 128, 4096);
}

Index Source::block_count() const { return (rows() + rows_per_block() - 1) / rows_per_block(); }

double estimated_entries(const Source& source) {
  Scratch scratch;
  const Block block = source.block(0, scratch);
  return static_cast<double>(sparse_entries(block.x)) /
         static_cast<double>(std::max<Index>(block.rows(), 1)) * static_cast<double>(source.rows());
}

std::vector<Index> entries_before_blocks(const Source& source) {
  std::vector<Index> before(static_cast<std::size_t>(source.block_count()) + 1);
  parallel_for(source.block_count(), [&](Index k) {
    Scratch scratch;
    before[static_cast<std::size_t>(k) + 1] = sparse_entries(source.block(k, scratch).x);
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  return before;
}

Block MemorySource::slice(Index first, Index size) const {
  const Index count = std::min(size, rows() - first);
  Block block{rows_of(*x_, first, count), first, {}, {}, {}};
  block.labels = part(targets_->labels, first, count);
  block.targets = part(targets_->values, first, count);
  block.weights = part(targets_->weights, first, count);
  return block;
}

void MemorySource::extended(Index first, Index count, std::vector<long double>& values) const {
  values.assign(static_cast<std::size_t>(count * cols()), 0.0L);
  std::visit(
      [&](const auto& rows) {
        for (Index i = 0; i < count; ++i)
          for_each(rows.row(i), [&](Index j, double v) {
            values[static_cast<std::size_t>(i * rows.cols + j)] = decimal_value(v);
          });
      },
      rows_of(*x_, first, count));
}

Block MemorySource::block(Index k, Scratch&) const { return slice(k * rows_per_block(), rows_per_block()); }

}  // namespace discern
