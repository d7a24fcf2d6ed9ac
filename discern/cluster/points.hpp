// Rows in memory, in the coordinates that distances are measured in (stats/coordinates.hpp), and choices
// among them that depend on what the rows hold and on nothing else.
//
// Every row has a key, a 64-bit number mixed from its values: equal rows have equal keys. Whatever has to be
// random comes from the keys and the seed, never from the number of a row, so that the order of the rows, a
// row written twice instead of weighted 2, dense or sparse, one thread or many make no difference.
#pragma once

#include <cstdint>
#include <vector>

#include "discern/stats/coordinates.hpp"

namespace discern {

struct Points {
  RowMajor x;                       // a row each
  std::vector<double> weights;      // empty: all 1
  std::vector<std::uint64_t> keys;  // a row each

  Index rows() const { return x.rows(); }
  Index cols() const { return x.cols(); }
  double weight(Index i) const { return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(i)]; }
};

// The rows of a source; when they are more than `most_rows`, as many of them by chance (of their keys).
Points gather_points(const Source& source, const Coordinates& coordinates, Index most_rows,
                     const Monitor& monitor = {});
// Rows of a matrix product: few enough that what it gives stays in the cache.
constexpr Index rows_at_once = 192;
// How many rows of doubles fit into 2 GB.
Index affordable_rows(Index columns);

// Up to `count` different rows by chance, as their numbers.
std::vector<Index> random_rows(const Points& points, Index count, std::uint64_t seed);
// The rows of these numbers.
Points pick_points(const Points& points, const std::vector<Index>& rows);

// A number from 0 to 1, both excluded, from a key, a seed and a step.
double chance(std::uint64_t key, std::uint64_t seed, std::uint64_t step);

// Hands out points and their weights in the blocks of a fold. Must not outlive them.
class PointSource : public Source {
 public:
  explicit PointSource(const Points& points) : points_(&points) {}
  Index rows() const override { return points_->rows(); }
  Index cols() const override { return points_->cols(); }
  bool sparse() const override { return false; }
  Block block(Index k, Scratch& scratch) const override;
  void extended(Index first, Index count, std::vector<long double>& values) const override;

 private:
  const Points* points_;
};

// The rows of a block of a PointSource.
inline Eigen::Map<const RowMajor> matrix_of(const Block& block) {
  const auto& rows = std::get<DenseRows<double>>(block.x);
  return {rows.values, rows.rows, rows.cols};
}

// out(i, k) = |x_i - c_k|^2 by a matrix product, |x|^2 - 2 x.c + |c|^2, never below 0 (NaN where a value
// overflows). `squares`: |c_k|^2.
void squared_distances(const Eigen::Ref<const RowMajor>& x, const RowMajor& centers,
                       const Eigen::VectorXd& squares, RowMajor& out);

}  // namespace discern
