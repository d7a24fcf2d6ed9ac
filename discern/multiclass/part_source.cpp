#include "discern/multiclass/part_source.hpp"

#include <algorithm>

namespace discern {
namespace {

constexpr double most_kept = 4e6;  // entries of a part that is gathered once

// Puts some rows of a block, given by their numbers, after those that are there already.
template <class T>
void append(const DenseRows<T>& rows, std::span<const Index> wanted, Index first, Index there,
            Workspace& to) {
  double* place = to.values.data() + there * rows.cols;
  for (const Index row : wanted) place = std::copy_n(rows.row(row - first).values, rows.cols, place);
}

template <class T>
void append(const SparseRows<T>& rows, std::span<const Index> wanted, Index first, Index, Workspace& to) {
  for (const Index row : wanted) {
    const SparseRow<T> from = rows.row(row - first);
    to.values.insert(to.values.end(), from.values, from.values + from.size);
    to.columns.insert(to.columns.end(), from.columns, from.columns + from.size);
    to.starts.push_back(static_cast<std::int64_t>(to.values.size()));
  }
}

}  // namespace

PartSource::PartSource(const Source& whole, std::vector<Index> rows, Targets targets)
    : whole_(&whole), rows_(std::move(rows)), targets_(std::move(targets)) {
  const double entries = static_cast<double>(this->rows()) * static_cast<double>(cols());
  if (this->whole() || sparse() || entries > most_kept) return;
  kept_.resize(static_cast<std::size_t>(block_count()));
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const Index first = static_cast<Index>(k) * rows_per_block();
    gather(first, std::min(rows_per_block(), this->rows() - first), kept_[k]);
  }
}

void PartSource::gather(Index first, Index count, Workspace& to) const {
  to.columns.clear();
  to.starts.assign(1, 0);
  to.values.resize(sparse() ? 0 : static_cast<std::size_t>(count * cols()));
  const std::span<const Index> wanted =
      std::span(rows_).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  Scratch scratch;
  for (auto next = wanted.begin(); next != wanted.end();) {
    const Block block = whole_->block(*next / whole_->rows_per_block(), scratch);
    const auto end = std::lower_bound(next, wanted.end(), block.first + block.rows());
    std::visit(
        [&](const auto& rows) {
          append(rows, {next, end}, block.first, next - wanted.begin(), to);
        },
        block.x);
    next = end;
  }
}

Rows PartSource::view(const Workspace& of, Index count) const {
  if (sparse())
    return SparseRows<double>{of.values.data(), of.columns.data(), of.starts.data(), count, cols()};
  return DenseRows<double>{of.values.data(), count, cols()};
}

Block PartSource::block(Index k, Scratch& scratch) const {
  const Index first = k * rows_per_block(), count = std::min(rows_per_block(), rows() - first);
  Block block{};
  if (whole()) {
    block = whole_->block(k, scratch);
  } else {
    if (scratch.stages.empty()) scratch.stages.resize(1);
    if (kept_.empty()) gather(first, count, scratch.stages[0]);
    block.x = view(kept_.empty() ? scratch.stages[0] : kept_[static_cast<std::size_t>(k)], count);
    block.first = first;
  }
  const auto from = static_cast<std::size_t>(first), size = static_cast<std::size_t>(count);
  block.labels = std::span(targets_.labels).subspan(from, size);
  block.weights = {};
  if (!targets_.weights.empty()) block.weights = std::span(targets_.weights).subspan(from, size);
  return block;
}

void PartSource::extended(Index first, Index count, std::vector<long double>& values) const {
  values.clear();
  std::vector<long double> some;
  for (Index i = first; i < first + count;) {
    const Index row = rows_[static_cast<std::size_t>(i)];
    Index run = 1;
    while (i + run < first + count && rows_[static_cast<std::size_t>(i + run)] == row + run) ++run;
    whole_->extended(row, run, some);
    values.insert(values.end(), some.begin(), some.end());
    i += run;
  }
}

}  // namespace discern
