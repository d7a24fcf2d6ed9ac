#include "discern/transform/expanded_source.hpp"

#include <fmt/format.h>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"

namespace discern {
namespace {

constexpr double most_bytes = 8e9;

DenseMatrix<double> empty_matrix(Index rows, Index cols) {
  const double bytes = 8.0 * static_cast<double>(rows) * static_cast<double>(cols);
  if (bytes > most_bytes)
    throw Error(Code::memory,
                fmt::format("{} rows of {} basis functions need {:.1f} GB, and the limit is {:.0f} GB", rows,
                            cols, bytes / 1e9, most_bytes / 1e9));
  return {Buffer<double>(rows * cols), rows, cols};
}

template <class T>
void keep(std::span<const T> part, Index first, Index rows, std::vector<T>& all) {
  if (part.empty()) return;
  if (all.empty()) all.resize(static_cast<std::size_t>(rows));
  std::copy(part.begin(), part.end(), all.begin() + first);
}

}  // namespace

ExpandedSource::ExpandedSource(const Source& origin, const Step& step, Index features)
    : origin_(&origin), step_(&step), memory_(x_, targets_) {
  DenseMatrix<double> x = empty_matrix(origin.rows(), features);
  parallel_for(origin.block_count(), [&](Index k) {
    Scratch scratch;
    Workspace made;
    const Block block = origin.block(k, scratch);
    const Rows rows = std::visit([&](const auto& s) { return s.apply(block.x, made); }, step);
    const auto& dense = std::get<DenseRows<double>>(rows);
    std::copy_n(dense.values, dense.rows * dense.cols, x.values.data() + block.first * dense.cols);
  });
  Scratch scratch;
  for (Index k = 0; k < origin.block_count(); ++k) {
    const Block block = origin.block(k, scratch);
    keep(block.labels, block.first, origin.rows(), targets_.labels);
    keep(block.targets, block.first, origin.rows(), targets_.values);
    keep(block.weights, block.first, origin.rows(), targets_.weights);
  }
  x_ = std::move(x);
}

void ExpandedSource::extended(Index first, Index count, std::vector<long double>& values) const {
  std::vector<long double> raw, row;
  origin_->extended(first, count, raw);
  values.clear();
  for (Index i = 0; i < count; ++i) {
    const auto begin = raw.begin() + i * origin_->cols();
    row.assign(begin, begin + origin_->cols());
    std::visit([&](const auto& s) { s.extend(row); }, *step_);
    values.insert(values.end(), row.begin(), row.end());
  }
}

}  // namespace discern
