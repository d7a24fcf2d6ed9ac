#include "discern/cluster/points.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"

namespace discern {
namespace {

// The finaliser of splitmix64.
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15U;

// Zeros are left out, so that a sparse row has the key of the dense one.
template <class Row>
std::uint64_t key_of(const Row& row, const std::vector<bool>& counts) {
  std::uint64_t key = 0;
  for_each(row, [&](Index j, double v) {
    if (v == 0 || !counts[static_cast<std::size_t>(j)]) return;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &v, sizeof bits);
    key += mix(bits + golden * (static_cast<std::uint64_t>(j) + 1));
  });
  return mix(key);
}

// Calls f(block) for every block of the source.
template <class F>
void each_block(const Source& source, const Monitor& monitor, F&& f) {
  std::atomic<bool> stopped{false};
  parallel_for(source.block_count(), [&](Index k) {
    if (stopped) return;
    Scratch scratch;
    f(source.block(k, scratch));
    if (!go_on(monitor, {.stage = "reading the rows", .done = k, .total = source.block_count()}))
      stopped = true;
  });
  if (stopped) throw Error(Code::interrupted, "interrupted");
}

std::vector<std::uint64_t> keys_of(const Source& source, const Coordinates& coordinates,
                                   const Monitor& monitor) {
  std::vector<bool> counts(static_cast<std::size_t>(source.cols()), false);
  for (const Index j : coordinates.columns) counts[static_cast<std::size_t>(j)] = true;
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(source.rows()));
  each_block(source, monitor, [&](const Block& block) {
    std::visit(
        [&](const auto& rows) {
          for (Index i = 0; i < rows.rows; ++i)
            keys[static_cast<std::size_t>(block.first + i)] = key_of(rows.row(i), counts);
        },
        block.x);
  });
  return keys;
}

}  // namespace

Index affordable_rows(Index columns) {
  return static_cast<Index>(2e9 / (8.0 * static_cast<double>(std::max<Index>(columns, 1))));
}

Points gather_points(const Source& source, const Coordinates& coordinates, Index most_rows,
                     const Monitor& monitor) {
  std::vector<std::uint64_t> keys = keys_of(source, coordinates, monitor);
  const Index all = source.rows();
  // The row of the result for each row of the source, -1 for those left out.
  std::vector<Index> place(static_cast<std::size_t>(all));
  std::iota(place.begin(), place.end(), Index{0});
  Index taken = all;
  if (all > most_rows) {
    std::vector<std::uint64_t> sorted = keys;
    std::nth_element(sorted.begin(), sorted.begin() + most_rows, sorted.end());
    const std::uint64_t limit = sorted[static_cast<std::size_t>(most_rows)];
    taken = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) place[i] = keys[i] < limit ? taken++ : -1;
  }
  Points points{
      RowMajor(taken, coordinates.size()), {}, std::vector<std::uint64_t>(static_cast<std::size_t>(taken))};
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (place[i] >= 0) points.keys[static_cast<std::size_t>(place[i])] = keys[i];
  Scratch scratch;
  const bool weighted = all > 0 && !source.block(0, scratch).weights.empty();
  if (weighted) points.weights.resize(static_cast<std::size_t>(taken));
  const CoordinateRows writer(coordinates, source.cols());
  each_block(source, monitor, [&](const Block& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      const Index to = place[static_cast<std::size_t>(block.first + i)];
      if (to < 0) continue;
      writer.write(block.x, i, 1, points.x.middleRows(to, 1));
      if (weighted) points.weights[static_cast<std::size_t>(to)] = block.weight(i);
    }
  });
  return points;
}

double chance(std::uint64_t key, std::uint64_t seed, std::uint64_t step) {
  const std::uint64_t mixed = mix(mix(key + golden * (seed + 1)) + golden * (step + 1));
  return (static_cast<double>(mixed >> 11) + 0.5) * 0x1p-53;
}

std::vector<Index> random_rows(const Points& points, Index count, std::uint64_t seed) {
  std::vector<std::pair<double, Index>> order;
  for (Index i = 0; i < points.rows(); ++i)
    order.emplace_back(chance(points.keys[static_cast<std::size_t>(i)], seed, 0), i);
  std::sort(order.begin(), order.end());
  std::vector<Index> rows;
  for (std::size_t i = 0; i < order.size() && static_cast<Index>(rows.size()) < count; ++i)
    if (i == 0 || order[i].first != order[i - 1].first) rows.push_back(order[i].second);
  return rows;
}

Points pick_points(const Points& points, const std::vector<Index>& rows) {
  Points picked{RowMajor(static_cast<Index>(rows.size()), points.cols()), {}, {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    picked.x.row(static_cast<Index>(i)) = points.x.row(rows[i]);
    picked.keys.push_back(points.keys[static_cast<std::size_t>(rows[i])]);
    if (!points.weights.empty()) picked.weights.push_back(points.weight(rows[i]));
  }
  return picked;
}

Block PointSource::block(Index k, Scratch&) const {
  const Index first = k * rows_per_block(), count = std::min(rows_per_block(), rows() - first);
  Block block{DenseRows<double>{points_->x.data() + first * cols(), count, cols()}, first, {}, {}, {}};
  if (!points_->weights.empty())
    block.weights = std::span<const double>(points_->weights)
                        .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  return block;
}

void PointSource::extended(Index first, Index count, std::vector<long double>& values) const {
  const double* begin = points_->x.data() + first * cols();
  values.assign(begin, begin + count * cols());
}

void squared_distances(const Eigen::Ref<const RowMajor>& x, const RowMajor& centers,
                       const Eigen::VectorXd& squares, RowMajor& out) {
  out.resize(x.rows(), centers.rows());
  out.noalias() = x * centers.transpose();
  for (Index i = 0; i < x.rows(); ++i) {
    const double own = squared_norm(DenseRow<double>{x.row(i).data(), x.cols()});
    double* row = out.row(i).data();
    for (Index k = 0; k < centers.rows(); ++k) {
      const double distance = own - 2 * row[k] + squares[k];
      row[k] = distance < 0 ? 0 : distance;
    }
  }
}

}  // namespace discern
