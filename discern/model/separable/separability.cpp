#include "discern/model/separable/separability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/model/separable/nearest_points.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;
using Long = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

// Points of the hulls that agree to this share of the radius are one point: what is left is the rounding of
// the coordinates and of the shares.
constexpr double same_point = 1e-13;
constexpr Index chunk_samples = 4096;

// The rows, the side of each, and how they are taken.
struct Samples {
  const Features* x;
  std::span<const std::int8_t> side;
  const SeparabilityOptions* options;
  Index features() const { return column_count(*x); }
};

// sum_j (x_j - c_j) v_j + b with the rounding error that it may have.
struct Score {
  long double value = 0;
  long double error = 0;
};

template <class Row>
Score score_of(const Row& row, const Linear& plane, bool centered) {
  Score score;
  long double size = 0;
  for_each(row, [&](Index j, double v) {
    const long double z = static_cast<long double>(v) - (centered ? plane.center[j] : 0.0);
    const long double term = z * plane.weights(0, j);
    score.value += term;
    size += std::fabs(term);
    ++score.error;
  });
  score.value += plane.bias[0];
  score.error = (score.error + 3) * std::numeric_limits<long double>::epsilon() *
                (size + static_cast<long double>(std::fabs(plane.bias[0])));
  return score;
}

// The scores of both classes: the lowest of the positive, the highest of the negative, errors allowed for.
struct PointSides {
  long double low = std::numeric_limits<long double>::infinity();
  long double high = -std::numeric_limits<long double>::infinity();
};

PointSides sides_of(const Samples& samples, const Linear& plane) {
  const Index rows = row_count(*samples.x), chunks = (rows + chunk_samples - 1) / chunk_samples;
  std::vector<PointSides> parts(static_cast<std::size_t>(chunks));
  std::visit(
      [&](const auto& m) {
        parallel_for(chunks, [&](Index chunk) {
          PointSides& part = parts[static_cast<std::size_t>(chunk)];
          for (Index i = chunk * chunk_samples; i < std::min(rows, (chunk + 1) * chunk_samples); ++i) {
            const int side = samples.side[static_cast<std::size_t>(i)];
            if (side == 0) continue;
            const Score score = score_of(m.view(i, 1).row(0), plane, plane.center.size() > 0);
            if (side > 0)
              part.low = std::min(part.low, score.value - score.error);
            else
              part.high = std::max(part.high, score.value + score.error);
          }
        });
      },
      *samples.x);
  PointSides all;
  for (const PointSides& part : parts) {
    all.low = std::min(all.low, part.low);
    all.high = std::max(all.high, part.high);
  }
  return all;
}

// The plane with normal w of some coordinates, in the units of the features and moved to the middle of the
// gap; nothing when it does not separate. A plane through the origin is not moved.
std::optional<Linear> separating_plane(const Samples& samples, const PointFrame& coordinates,
                                       const VectorXd& w) {
  const SeparabilityOptions& options = *samples.options;
  Linear plane;
  plane.center = coordinates.center;
  plane.weights = w.head(samples.features()).cwiseQuotient(coordinates.scale).transpose();
  const double length = plane.weights.norm();
  if (!(length > 0 && std::isfinite(length)) && !options.augment) return std::nullopt;
  plane.bias = VectorXd::Constant(1, options.augment ? w[samples.features()] : 0.0);
  PointSides sides = sides_of(samples, plane);
  if (options.bias) {
    plane.bias[0] = static_cast<double>(-(sides.low + sides.high) / 2);
    sides = sides_of(samples, plane);
  }
  const auto least = static_cast<double>(std::min(sides.low, -sides.high));
  if (!(least > 0)) return std::nullopt;
  plane.weights /= least;
  plane.bias /= least;
  return plane;
}

// The smallest distance of a row to a plane whose scores are 1 or more in size.
double margin_of(const Linear& plane, const PointFrame& coordinates, double unit, bool augment) {
  const VectorXd w = plane.weights.row(0).transpose().cwiseProduct(coordinates.scale) / unit;
  if (!augment) return 1 / w.norm();
  const double bias = coordinates.center.size() > 0 ? plane.bias[0] : plane.bias_at_origin()[0];
  return 1 / std::hypot(w.norm(), bias);
}

// Adds sum_i a_i z_i of a group in extended precision, in the units of the features. The largest share is
// taken to be what the others leave of 1, so that the sum of the shares is 1 without rounding.
void add_group(const Samples& samples, const PointFrame& coordinates, std::span<const Share> positive,
               std::span<const Share> negative, Long& sum) {
  const auto add = [&](long double a, const Share& share, double sign) {
    std::visit(
        [&](const auto& m) {
          for_each(m.view(share.row, 1).row(0), [&](Index j, double v) {
            const double center = coordinates.center.size() > 0 ? coordinates.center[j] : 0.0;
            sum[j] += a * sign * (static_cast<long double>(v) - center);
          });
        },
        *samples.x);
    if (samples.options->augment) sum[samples.features()] += a * sign;
  };
  const Share* largest = nullptr;
  for (const auto& shares : {positive, negative})
    for (const Share& share : shares)
      if (largest == nullptr || share.share > largest->share) largest = &share;
  long double rest = 1;
  double sign_of_largest = 1;
  for (const double sign : {1.0, -1.0})
    for (const Share& share : sign > 0 ? positive : negative) {
      if (&share == largest) {
        sign_of_largest = sign;
        continue;
      }
      add(share.share, share, sign);
      rest -= share.share;
    }
  if (largest != nullptr) add(rest, *largest, sign_of_largest);
}

// |sum_i a_i z_i|
double combination_length(const Samples& samples, const Separability& result, const PointFrame& coordinates) {
  Long sum = Long::Zero(samples.features() + 1);
  if (samples.options->bias) {
    add_group(samples, coordinates, result.positive, {}, sum);
    add_group(samples, coordinates, {}, result.negative, sum);
  } else {
    add_group(samples, coordinates, result.positive, result.negative, sum);
  }
  for (Index j = 0; j < samples.features(); ++j) sum[j] /= coordinates.scale[j];
  return static_cast<double>(sum.norm());
}

// The shares by class and row, of a sum of one in each group up to the last digit.
void set_shares(const SignedPoints& points, const NearestPoints& nearest, Separability& result) {
  result.positive.clear();
  result.negative.clear();
  for (std::size_t k = 0; k < nearest.points.size(); ++k) {
    const Index point = nearest.points[k];
    (points.sign(point) > 0 ? result.positive : result.negative)
        .push_back({points.row(point), nearest.shares[k]});
  }
  for (auto* shares : {&result.positive, &result.negative})
    std::sort(shares->begin(), shares->end(), [](const Share& a, const Share& b) { return a.row < b.row; });
}

// The largest distance of a row to the middle of the data, or to its foot on a plane with normal w.
double radius_about_foot(const SignedPoints& points, const VectorXd& w, double bias) {
  const VectorXd positive = points.mean(1), negative = points.mean(-1);
  VectorXd foot = 0.5 * (positive - negative);
  foot -= (foot.dot(w) + bias) / w.squaredNorm() * w;
  const VectorXd products = points.products(foot);
  double largest = 0;
  for (Index i = 0; i < points.size(); ++i) {
    const double square =
        points.lengths()[i] * points.lengths()[i] - 2 * points.sign(i) * products[i] + foot.squaredNorm();
    largest = std::max(largest, square);
  }
  return std::sqrt(largest);
}

void check_sides(const Features& x, std::span<const std::int8_t> side) {
  const auto count = [&](int wanted) {
    return std::count_if(side.begin(), side.end(), [=](std::int8_t s) { return s == wanted; });
  };
  if (static_cast<Index>(side.size()) != row_count(x) || count(1) == 0 || count(-1) == 0)
    throw Error(Code::data, "separability needs at least one row of each of two classes");
}

// The coordinates of the features as they are, but for a common unit. Those of augmented samples have no unit
// to choose: the 1 has none.
PointFrame own_coordinates(const Samples& samples, const PointFrame& standard) {
  if (samples.options->augment) return {{}, VectorXd::Ones(samples.features())};
  return same_unit(standard);
}

// The margin and what belongs to it, for classes that are separable; `nearest` is that of the coordinates in
// which the margin is measured, `known` a plane that separates.
void measure(const Samples& samples, const SignedPoints& points, const NearestPoints& nearest,
             const Linear& known, Separability& result) {
  const SeparabilityOptions& options = *samples.options;
  const PointFrame& coordinates = points.coordinates();
  const double unit = options.standardize || options.augment ? 1.0 : coordinates.scale[0];
  result.plane = known;
  result.margin = margin_of(known, coordinates, unit, options.augment);
  if (const auto plane = separating_plane(samples, coordinates, nearest.w)) {
    const double margin = margin_of(*plane, coordinates, unit, options.augment);
    if (margin > result.margin) {
      result.plane = *plane;
      result.margin = margin;
    }
  }
  set_shares(points, nearest, result);
  const double distance = unit * combination_length(samples, result, coordinates);
  result.margin_bound = options.bias ? distance / 2 : distance;
  result.gap = std::max(0.0, 1 - result.margin / result.margin_bound);
  result.converged = result.gap <= options.tol;
  const VectorXd w = result.plane.weights.row(0).transpose().cwiseProduct(coordinates.scale);
  result.radius =
      unit * (options.bias ? radius_about_foot(points, w, result.plane.bias[0]) : points.radius());
}

}  // namespace

Separability separability(const Features& x, std::span<const std::int8_t> side,
                          const SeparabilityOptions& options) {
  check_sides(x, side);
  const Samples samples{&x, side, &options};
  const NearestOptions how{options.bias, 1e-12, options.monitor};
  const PointFrame standard = standard_coordinates(x, side, options.bias || options.augment);
  const SignedPoints points(x, side, standard, options.augment);
  const NearestPoints nearest = nearest_points(points, how);

  Separability result;
  result.standardized = options.standardize;
  set_shares(points, nearest, result);
  result.radius = points.radius();
  result.residual = result.radius > 0 ? combination_length(samples, result, standard) / result.radius : 0;
  const auto plane = separating_plane(samples, standard, nearest.w);
  if (!plane) {
    result.verdict = result.residual <= same_point ? Verdict::not_separable : Verdict::unproved;
    return result;
  }
  result.verdict = Verdict::separable;
  if (options.standardize) {
    measure(samples, points, nearest, *plane, result);
    return result;
  }
  const SignedPoints own(x, side, own_coordinates(samples, standard), options.augment);
  measure(samples, own, nearest_points(own, how), *plane, result);
  return result;
}

}  // namespace discern
