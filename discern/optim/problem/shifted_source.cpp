#include "discern/optim/problem/shifted_source.hpp"

#include <fmt/format.h>

#include <utility>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"

namespace discern {
namespace {

// Writes rows with x - shift in place of x, also where x is zero and not stored.
class Shift {
 public:
  explicit Shift(const Eigen::VectorXd& shift) : shift_(&shift) {
    for (Index j = 0; j < shift.size(); ++j)
      if (shift[j] != 0) shifted_.push_back(j);
  }
  std::size_t columns() const { return shifted_.size(); }

  template <class R>
  Workspace operator()(const R& rows) const {
    Workspace to;
    to.starts.assign(1, 0);
    const auto most = static_cast<std::size_t>(sparse_entries(rows)) +
                      static_cast<std::size_t>(rows.rows) * shifted_.size();
    to.values.reserve(most);
    to.columns.reserve(most);
    for (Index i = 0; i < rows.rows; ++i) {
      auto next = shifted_.begin();
      const auto put_zeros_before = [&](Index j) {
        for (; next != shifted_.end() && *next < j; ++next) put(*next, 0, to);
      };
      for_each(rows.row(i), [&](Index j, double v) {
        put_zeros_before(j);
        if (next != shifted_.end() && *next == j) ++next;
        put(j, v, to);
      });
      put_zeros_before(rows.cols);
      to.starts.push_back(static_cast<std::int64_t>(to.values.size()));
    }
    return to;
  }

 private:
  void put(Index j, double v, Workspace& to) const {
    to.values.push_back(v - (*shift_)[j]);
    to.columns.push_back(static_cast<std::uint32_t>(j));
  }

  const Eigen::VectorXd* shift_;
  std::vector<Index> shifted_;  // columns whose shift is not zero, in order
};

}  // namespace

ShiftedSource::ShiftedSource(const Source& from, const Eigen::VectorXd& shift)
    : from_(&from), shift_(shift), blocks_(static_cast<std::size_t>(from.block_count())) {
  const Shift shifted(shift_);
  constexpr double most_bytes = 8e9;
  if (const double bytes = 12.0 * static_cast<double>(from.rows()) * static_cast<double>(shifted.columns());
      bytes > most_bytes)
    throw Error(
        Code::memory,
        fmt::format(
            "{} columns are far from zero (their means are more than ten deviations, with the weights of "
            "the rows), and centring them takes {:.0f} GB of sparse rows, where the limit is 8 GB",
            shifted.columns(), bytes / 1e9));
  parallel_for(from.block_count(), [&](Index k) {
    Scratch scratch;
    const Block block = from.block(k, scratch);
    blocks_[static_cast<std::size_t>(k)] = std::visit(shifted, block.x);
  });
}

Block ShiftedSource::block(Index k, Scratch& scratch) const {
  Block block = from_->block(k, scratch);
  const Workspace& rows = blocks_[static_cast<std::size_t>(k)];
  block.x =
      SparseRows<double>{rows.values.data(), rows.columns.data(), rows.starts.data(), block.rows(), cols()};
  return block;
}

void ShiftedSource::extended(Index first, Index count, std::vector<long double>& values) const {
  from_->extended(first, count, values);
  for (Index i = 0; i < count; ++i)
    for (Index j = 0; j < cols(); ++j) values[static_cast<std::size_t>(i * cols() + j)] -= shift_[j];
}

void shift_sparse_rows(Problem& problem, std::optional<ShiftedSource>& shifted) {
  Scaling& scaling = problem.scaling;
  if (!problem.source->sparse() || scaling.center.size() == 0) return;
  if (scaling.center.isZero(0)) {
    scaling.center = {};
    return;
  }
  problem.source = &shifted.emplace(*problem.source, scaling.center);
  scaling.origin = std::exchange(scaling.center, {});
}

}  // namespace discern
