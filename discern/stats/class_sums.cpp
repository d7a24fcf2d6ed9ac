#include "discern/stats/class_sums.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "discern/stats/class_columns.hpp"

namespace discern {

void ClassSums::add(const Block& block) {
  if (refused()) return;
  if (sums_.size() == 0) sums_.setZero(weights_.size(), columns_);
  std::visit(
      [&](const auto& rows) {
        if constexpr (requires { rows.columns; })
          add_rows(rows, block);
        else
          assert(false);
      },
      block.x);
}

// Class by class, so that the sums of one stay in the cache.
template <class T>
void ClassSums::add_rows(const SparseRows<T>& rows, const Block& block) {
  const RowsByClass groups(block, weights_.size());
  double low = low_, high = high_, broken = broken_;
  for (std::size_t c = 0; c < groups.classes.size(); ++c) {
    const Index k = groups.classes[c];
    double* sums = sums_.row(k).data();
    for (Index r = groups.starts[c]; r < groups.starts[c + 1]; ++r) {
      const Index i = groups.rows[static_cast<std::size_t>(r)];
      const double weight = block.weight(i);
      weights_[k] += weight;
      for_each(rows.row(i), [&](Index j, double v) {
        sums[j] += weight * v;
        low = std::min(low, v);
        high = std::max(high, v);
        broken = std::max(broken, std::fabs(v - std::nearbyint(v)));
      });
    }
  }
  low_ = low, high_ = high, broken_ = broken;
}

void ClassSums::merge(const ClassSums& other) {
  low_ = std::min(low_, other.low_);
  high_ = std::max(high_, other.high_);
  broken_ = std::max(broken_, other.broken_);
  if (refused() || other.sums_.size() == 0) return;
  weights_ += other.weights_;
  if (sums_.size() == 0)
    sums_ = other.sums_;
  else
    sums_ += other.sums_;
}

}  // namespace discern
