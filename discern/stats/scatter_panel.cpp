#include "discern/stats/scatter_panel.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace discern {
namespace {

using lanes::Double4;

// The product of `rows` rows at z, added to the lower triangle of the column-major s.
struct Product {
  // A vector where it lies in a row. Of a copy (lanes::load) of several side by side GCC 12 makes a loop over
  // the stack, which takes three times as long as the product.
  using InRow __attribute__((may_alias)) = Double4;
  static constexpr Index width = 4;
  static constexpr Index rest = 2;  // columns at a time that are taken the other way round

  const double* z;
  Index rows, stride, columns;
  double* s;
  RowsAhead ahead;
  Index lines = 0;  // to be fetched during a tile

  // sums[q][w] = sum_r (z_r,i ... z_r,i+width-1) z_r,j+q     for the vector w from column i on
  template <int vectors, int across>
  [[gnu::always_inline]] void multiply(Index i, Index j, Double4 (&sums)[across][vectors]) {
    const double *left = z + i, *right = z + j;
    for (Index r = 0; r < rows; ++r, left += stride, right += stride) {
      Double4 a[vectors];
      for (int w = 0; w < vectors; ++w) a[w] = reinterpret_cast<const InRow*>(left)[w];
      for (int q = 0; q < across; ++q)
        for (int w = 0; w < vectors; ++w) sums[q][w] += a[w] * right[q];
      if (r < lines) ahead.fetch(1);
    }
  }

  // On the diagonal only the sums from it on are added.
  template <int vectors>
  [[gnu::always_inline]] void add_tile(Index i, Index j) {
    Double4 sums[width][vectors] = {};
    multiply(i, j, sums);
    decltype(sums[0][0] < sums[0][0]) lane;
    for (Index l = 0; l < width; ++l) lane[l] = l;
    for (Index q = 0; q < width; ++q) {
      if (i == j) sums[q][0] = lane >= q ? sums[q][0] : Double4{};
      for (Index w = 0; w < vectors; ++w) {
        double* to = s + (j + q) * columns + i + w * width;
        Double4 so_far;
        lanes::load(to, so_far);
        lanes::store(to, so_far + sums[q][w]);
      }
    }
  }

  // The columns j and j + 1 by vectors before them, or by the one that they lie in themselves.
  template <int vectors>
  [[gnu::always_inline]] void add_rest(Index i, Index j) {
    Double4 sums[rest][vectors] = {};
    multiply(i, j, sums);
    for (Index q = 0; q < std::min(rest, columns - j); ++q)
      for (Index w = 0; w < vectors; ++w)
        for (Index l = 0; l < width && i + w * width + l <= j + q; ++l)
          s[(i + w * width + l) * columns + j + q] += sums[q][w][l];
  }

  // The whole vectors from number i on by all columns up to them, and by those that are left over.
  template <int vectors>
  [[gnu::always_inline]] void add_strips(Index i) {
    for (Index j = 0; j <= i; ++j) add_tile<vectors>(i * width, j * width);
    if constexpr (vectors > 1) add_tile<vectors - 1>((i + 1) * width, (i + 1) * width);
    if constexpr (vectors > 2) add_tile<vectors - 2>((i + 2) * width, (i + 2) * width);
    for (Index j = columns / width * width; j < columns; j += rest) add_rest<vectors>(i * width, j);
  }

  // Three vectors at a time, and two where one would be left over: one alone has too few partial sums to keep
  // the multipliers busy.
  [[gnu::always_inline]] void add() {
    const Index strips = columns / width, tiles = strips * (strips + 3) / 6 + 1;
    lines = ahead.lines() / tiles + 1;
    Index i = 0;
    for (Index left = strips; left > 0; left = strips - i)
      if (left == 1)
        add_strips<1>(i), i += 1;
      else if (left == 2 || left == 4)
        add_strips<2>(i), i += 2;
      else
        add_strips<3>(i), i += 3;
    for (Index j = strips * width; j < columns; j += rest) add_rest<1>(strips * width, j);
  }
};

// Of eight columns. Two chains of sums, smallest and largest values, which do not wait for one another.
template <bool weighted>
void total_columns(double* z, Index stride, Index count, std::span<const double> weights, double* sum,
                   double* low, double* high) {
  Double4 sums[2][2] = {}, smallest[2], largest[2], v;
  for (int h = 0; h < 2; ++h) lanes::load(low + 4 * h, smallest[h]), lanes::load(high + 4 * h, largest[h]);
  const auto take = [&](double* at, Index r, int chain) {
    for (int h = 0; h < 2; ++h) {
      lanes::load(at + 4 * h, v);
      smallest[h] = v < smallest[h] ? v : smallest[h];
      largest[h] = v > largest[h] ? v : largest[h];
      if constexpr (weighted) {
        const double w = weights[static_cast<std::size_t>(r)];
        sums[chain][h] += w * v;
        v *= std::sqrt(w);
        lanes::store(at + 4 * h, v);
      } else {
        sums[chain][h] += v;
      }
    }
  };
  Index r = 0;
  for (; r + 2 <= count; r += 2, z += 2 * stride) take(z, r, 0), take(z + stride, r + 1, 1);
  if (r < count) take(z, r, 0);
  for (int h = 0; h < 2; ++h) {
    lanes::load(sum + 4 * h, v);
    lanes::store(sum + 4 * h, v + (sums[0][h] + sums[1][h]));
    lanes::store(low + 4 * h, smallest[h]), lanes::store(high + 4 * h, largest[h]);
  }
}

// An odd number of cache lines: rows of a power of two would fall on each other in the cache.
Index row_stride(Index columns) { return 8 * (((columns + 7) / 8) | 1); }

}  // namespace

ScatterPanel::ScatterPanel(Index columns)
    : columns_(columns), stride_(row_stride(columns)), values_(stride_ * capacity) {
  std::fill_n(values_.data(), values_.size(), 0.0);
}

Index ScatterPanel::extend(Index count) {
  assert(count <= room());
  rows_ += count;
  return rows_ - count;
}

void ScatterPanel::append(const Eigen::Ref<const Eigen::RowVectorXd>& row) {
  std::copy_n(row.data(), columns_, this->row(extend(1)));
}

void ScatterPanel::Totals::clear(Index columns) {
  sum.setZero(columns);
  low.setConstant(columns, std::numeric_limits<double>::infinity());
  high = -low;
}

void ScatterPanel::total(Index count, std::span<const double> weights, Totals& totals) {
  double* z = row(rows_ - count);
  for (Index j = 0; j < stride_; j += 8) {
    double *sum = totals.sum.data() + j, *low = totals.low.data() + j, *high = totals.high.data() + j;
    if (weights.empty())
      total_columns<false>(z + j, stride_, count, {}, sum, low, high);
    else
      total_columns<true>(z + j, stride_, count, weights, sum, low, high);
  }
}

void ScatterPanel::add_to(Eigen::MatrixXd& s, RowsAhead ahead) {
  if (rows_ > 0) Product{values_.data(), rows_, stride_, columns_, s.data(), ahead}.add();
  rows_ = 0;
}

}  // namespace discern
