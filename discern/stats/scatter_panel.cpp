#include "discern/stats/scatter_panel.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace discern {

using lanes::Double4;

ScatterPanel::ScatterPanel(Index columns)
    : columns_(columns), strips_((columns + strip_width - 1) / strip_width), values_(strips_ * stride) {
  if (strips_ > 0) values_.tail(stride).setZero();  // columns that fill up the last strip
}

Index ScatterPanel::extend(Index count) {
  assert(count <= room());
  rows_ += count;
  return rows_ - count;
}

void ScatterPanel::append(const Eigen::Ref<const Eigen::RowVectorXd>& row) {
  const Index r = extend(1);
  for (Index j = 0; j < columns_; ++j) at(r, j) = row[j];
}

void ScatterPanel::centre(Index count, std::span<const double> weights, double* mean, double* low,
                          double* high) {
  double total = static_cast<double>(count);
  if (!weights.empty()) {
    weights_ = Eigen::Map<const Eigen::VectorXd>(weights.data(), count);
    roots_ = weights_.cwiseSqrt();
    total = weights_.sum();
  }
  for (Index s = 0; s < strips_; ++s) {
    double* z = strip(s, rows_ - count);
    const Index at = strip_width * s;
    if (weights.empty())
      centre_strip<false>(z, count, total, mean + at, low + at, high + at);
    else
      centre_strip<true>(z, count, total, mean + at, low + at, high + at);
  }
}

// Four chains of sums, smallest and largest values, which do not wait for one another.
template <bool weighted>
void ScatterPanel::centre_strip(double* z, Index count, double total, double* mean, double* low,
                                double* high) const {
  constexpr Index chains = 4;
  Double4 sum[chains] = {}, smallest[chains], largest[chains], v;
  lanes::load(z, v);
  for (Index c = 0; c < chains; ++c) smallest[c] = largest[c] = v;
  const auto take = [&](Index r, Index c) {
    lanes::load(z + strip_width * r, v);
    smallest[c] = v < smallest[c] ? v : smallest[c];
    largest[c] = v > largest[c] ? v : largest[c];
    if constexpr (weighted)
      sum[c] += weights_[r] * v;
    else
      sum[c] += v;
  };
  Index r = 0;
  for (; r + chains <= count; r += chains)
    for (Index c = 0; c < chains; ++c) take(r + c, c);
  for (; r < count; ++r) take(r, 0);
  for (Index c = 1; c < chains; ++c) {
    sum[0] += sum[c];
    smallest[0] = smallest[c] < smallest[0] ? smallest[c] : smallest[0];
    largest[0] = largest[c] > largest[0] ? largest[c] : largest[0];
  }
  const Double4 average = sum[0] / total;
  for (r = 0; r < count; ++r) {
    lanes::load(z + strip_width * r, v);
    v -= average;
    if constexpr (weighted) v *= roots_[r];
    lanes::store(z + strip_width * r, v);
  }
  lanes::store(mean, average);
  lanes::store(low, smallest[0]);
  lanes::store(high, largest[0]);
}

// `width` strips from strip i by the columns of strip j.
template <int width>
void ScatterPanel::tile(Index i, Index j, Eigen::MatrixXd& s) {
  Double4 sums[width][strip_width] = {}, a[width];
  const double *left = strip(i, 0), *right = strip(j, 0);
  for (Index r = 0; r < rows_; ++r, left += strip_width, right += strip_width) {
    for (int w = 0; w < width; ++w) lanes::load(left + w * stride, a[w]);
    for (int q = 0; q < strip_width; ++q)
      for (int w = 0; w < width; ++w) sums[w][q] += a[w] * right[q];
  }
  const Index row = strip_width * i, column = strip_width * j;
  if (i > j && row + width * strip_width <= columns_) {
    for (int q = 0; q < strip_width; ++q)
      for (int w = 0; w < width; ++w) {
        double* to = &s(row + w * strip_width, column + q);
        Double4 so_far;
        lanes::load(to, so_far);
        lanes::store(to, so_far + sums[w][q]);
      }
    return;
  }
  // On the diagonal and at the end only some of the sums are wanted.
  const Index end = std::min(columns_, row + width * strip_width);
  for (int q = 0; q < strip_width && column + q < columns_; ++q) {
    double kept[width * strip_width];
    for (int w = 0; w < width; ++w) lanes::store(kept + w * strip_width, sums[w][q]);
    for (Index at = std::max(row, column + q); at < end; ++at) s(at, column + q) += kept[at - row];
  }
}

// Three strips at a time, and two where one would be left over: one alone has too few partial sums to keep
// the multipliers busy.
void ScatterPanel::add_to(Eigen::MatrixXd& s, RowsAhead ahead) {
  const Index tiles = strips_ * (strips_ + 3) / 6 + 1;
  const Index lines = ahead.lines() / tiles + 1;
  for (Index i = 0; rows_ > 0 && i < strips_;) {
    const Index left = strips_ - i, width = left == 4 ? 2 : std::min<Index>(left, 3);
    for (Index j = 0; j < i + width; ++j) {
      const Index from = std::max(i, j);
      switch (i + width - from) {
        case 3:
          tile<3>(from, j, s);
          break;
        case 2:
          tile<2>(from, j, s);
          break;
        default:
          tile<1>(from, j, s);
      }
      ahead.fetch(lines);
    }
    i += width;
  }
  rows_ = 0;
}

}  // namespace discern
