#include "discern/model/separable/signed_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/stats/coordinates.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

constexpr Index chunk_rows = 4096;

// Sums over the rows that take part.
struct ColumnSums {
  VectorXd sum, low, high;
  double rows = 0;
};

ColumnSums column_sums(const Features& x, std::span<const std::int8_t> side) {
  const Index d = column_count(x);
  ColumnSums sums{VectorXd::Zero(d), VectorXd::Constant(d, HUGE_VAL), VectorXd::Constant(d, -HUGE_VAL), 0};
  std::visit(
      [&](const auto& m) {
        for (Index i = 0; i < m.rows; ++i) {
          if (side[static_cast<std::size_t>(i)] == 0) continue;
          ++sums.rows;
          for_each(m.view(i, 1).row(0), [&](Index j, double v) {
            sums.sum[j] += v;
            sums.low[j] = std::min(sums.low[j], v);
            sums.high[j] = std::max(sums.high[j], v);
          });
        }
      },
      x);
  return sums;
}

VectorXd root_mean_square(const Features& x, std::span<const std::int8_t> side, const VectorXd& center,
                          double rows) {
  VectorXd squares = VectorXd::Zero(column_count(x));
  std::visit(
      [&](const auto& m) {
        for (Index i = 0; i < m.rows; ++i) {
          if (side[static_cast<std::size_t>(i)] == 0) continue;
          for_each(m.view(i, 1).row(0), [&](Index j, double v) {
            const double z = center.size() > 0 ? v - center[j] : v;
            squares[j] += z * z;
          });
        }
      },
      x);
  return (squares / rows).cwiseSqrt();
}

}  // namespace

PointFrame standard_coordinates(const Features& x, std::span<const std::int8_t> side, bool center) {
  const ColumnSums sums = column_sums(x, side);
  PointFrame c;
  if (center && !is_sparse(x)) {
    c.center = sums.sum / sums.rows;
    // A constant feature must become zero exactly, not what rounding leaves of it.
    for (Index j = 0; j < c.center.size(); ++j)
      if (sums.low[j] == sums.high[j]) c.center[j] = sums.low[j];
  }
  c.scale = root_mean_square(x, side, c.center, sums.rows);
  for (Index j = 0; j < c.scale.size(); ++j) {
    const bool varies = sums.low[j] < sums.high[j] || (c.center.size() == 0 && sums.high[j] != 0);
    if (!varies || !(sums.low[j] <= sums.high[j])) c.scale[j] = 1;
    if (!(c.scale[j] < 1e150 && c.scale[j] > 1e-150))
      throw Error(Code::data, fmt::format("feature {}: {}", j + 1, spread_message(c.scale[j])));
  }
  return c;
}

PointFrame same_unit(PointFrame coordinates) {
  // A power of two, so that dividing by it rounds nothing.
  const double largest = coordinates.scale.size() > 0 ? coordinates.scale.maxCoeff() : 1;
  coordinates.scale.setConstant(std::exp2(std::round(std::log2(largest))));
  return coordinates;
}

SignedPoints::SignedPoints(const Features& x, std::span<const std::int8_t> side, PointFrame coordinates,
                           bool augment)
    : x_(&x), coordinates_(std::move(coordinates)), augment_(augment) {
  width_ = column_count(x) + (augment ? 1 : 0);
  for (std::size_t i = 0; i < side.size(); ++i) {
    if (side[i] == 0) continue;
    rows_.push_back(static_cast<Index>(i));
    signs_.push_back(side[i] > 0 ? 1.0 : -1.0);
  }
  lengths_.resize(size());
  if (!is_sparse(x)) dense_.resize(size(), column_count(x));
  const double one = augment ? 1 : 0;
  std::visit(
      [&](const auto& m) {
        for_chunks([&](Index first, Index last) {
          for (Index i = first; i < last; ++i) {
            double squares = one;
            for_each(m.view(row(i), 1).row(0), [&](Index j, double v) {
              const double z = (centered() ? v - coordinates_.center[j] : v) / coordinates_.scale[j];
              squares += z * z;
              if (dense_.size() > 0) dense_(i, j) = sign(i) * z;
            });
            lengths_[i] = std::sqrt(squares);
          }
        });
      },
      x);
}

template <class Body>
void SignedPoints::for_chunks(Body&& body) const {
  parallel_for((size() + chunk_rows - 1) / chunk_rows,
               [&](Index chunk) { body(chunk * chunk_rows, std::min(size(), (chunk + 1) * chunk_rows)); });
}

VectorXd SignedPoints::products(const VectorXd& w) const {
  VectorXd result(size());
  const Index d = column_count(*x_);
  if (!is_sparse(*x_)) {
    for_chunks([&](Index first, Index last) {
      result.segment(first, last - first).noalias() = dense_.middleRows(first, last - first) * w.head(d);
    });
  } else {
    const VectorXd scaled = w.head(d).cwiseQuotient(coordinates_.scale);
    std::visit(
        [&](const auto& m) {
          for_chunks([&](Index first, Index last) {
            for (Index i = first; i < last; ++i)
              result[i] = sign(i) * dot(m.view(row(i), 1).row(0), scaled.data());
          });
        },
        *x_);
  }
  if (augment_)
    for (Index i = 0; i < size(); ++i) result[i] += sign(i) * w[d];
  return result;
}

VectorXd SignedPoints::mean(double wanted) const {
  const Index d = column_count(*x_);
  VectorXd sum = VectorXd::Zero(width_);
  double count = 0;
  std::visit(
      [&](const auto& m) {
        for (Index i = 0; i < size(); ++i) {
          if (sign(i) != wanted) continue;
          ++count;
          if (dense_.size() > 0)
            sum.head(d) += dense_.row(i).transpose();
          else
            axpy(wanted, m.view(row(i), 1).row(0), sum.data());
        }
      },
      *x_);
  if (dense_.size() == 0) sum.head(d) = sum.head(d).cwiseQuotient(coordinates_.scale);
  sum /= std::max(count, 1.0);
  if (augment_) sum[d] = wanted;
  return sum;
}

void SignedPoints::copy(Index i, Eigen::Ref<VectorXd> z) const {
  const Index d = column_count(*x_);
  if (augment_) z[d] = sign(i);
  if (!is_sparse(*x_)) {
    z.head(d) = dense_.row(i).transpose();
    return;
  }
  z.head(d).setZero();
  std::visit(
      [&](const auto& m) {
        for_each(m.view(row(i), 1).row(0),
                 [&](Index j, double v) { z[j] = sign(i) * v / coordinates_.scale[j]; });
      },
      *x_);
}

}  // namespace discern
