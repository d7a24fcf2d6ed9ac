#include "discern/stats/ordinary_values.hpp"

#include <cmath>

namespace discern {
namespace {

// Counts instead of stopping at the first, so that the compiler can look at several values at a time.
template <class T>
bool ordinary(const T* values, Index count) {
  Index others = 0;
  for (Index k = 0; k < count; ++k) {
    const double size = std::fabs(static_cast<double>(values[k]));
    others += static_cast<Index>(!(size == 0) & !((size >= 1e-100) & (size <= 1e100)));
  }
  return others == 0;
}

template <class T>
bool ordinary(const DenseRows<T>& rows) {
  return ordinary(rows.values, rows.rows * rows.cols);
}
template <class T>
bool ordinary(const SparseRows<T>& rows) {
  return ordinary(rows.values + rows.starts[0], rows.starts[rows.rows] - rows.starts[0]);
}

}  // namespace

void OrdinaryValues::add(const Block& block) {
  all_ = all_ && std::visit([](const auto& rows) { return ordinary(rows); }, block.x);
  for (Index i = 0; i < block.rows(); ++i) weight_ += block.weight(i);
}

void OrdinaryValues::merge(const OrdinaryValues& other) {
  all_ = all_ && other.all_;
  weight_ += other.weight_;
}

}  // namespace discern
