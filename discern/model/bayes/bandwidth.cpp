#include "discern/model/bayes/bandwidth.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace discern {
namespace {

constexpr std::size_t most_points = 2000;  // that are taken as they are
constexpr double negligible = 40;          // exp(-40) beside the largest term

// The value at a position from 0 to n - 1 among the sorted values, each as often as its weight says; between
// two values where the position lies between two rows.
double value_at(const WeightedValues& points, double position) {
  const double whole = std::floor(position), part = position - whole;
  const auto at = [&](double index) {
    double passed = 0;
    for (const WeightedValue& point : points)
      if ((passed += point.weight) > index) return point.value;
    return points.back().value;
  };
  const double low = at(whole);
  return part > 0 ? low + part * (at(whole + 1) - low) : low;
}

double smallest_gap(const WeightedValues& points) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < points.size(); ++i)
    least = std::min(least, points[i].value - points[i - 1].value);
  return least;
}

// Values as multiples of a cell.
WeightedValues rounded(const WeightedValues& points, double cell) {
  WeightedValues cells;
  for (const WeightedValue& point : points) {
    const double value = std::round((point.value - points[0].value) / cell) * cell;
    if (!cells.empty() && cells.back().value == value)
      cells.back().weight += point.weight;
    else
      cells.push_back({value, point.weight});
  }
  return cells;
}

// log p_-i(x_i) + log(h sqrt(2 pi)), the terms from the nearest on.
double log_density_without(const WeightedValues& points, std::size_t i, double h, double n) {
  const double left_out = std::min(points[i].weight, 1.0), copies = points[i].weight - left_out;
  const auto exponent = [&](std::size_t j) {
    const double u = (points[i].value - points[j].value) / h;
    return u * u / 2;
  };
  double nearest = std::numeric_limits<double>::infinity();
  if (copies > 0) nearest = 0;
  if (i > 0) nearest = std::min(nearest, exponent(i - 1));
  if (i + 1 < points.size()) nearest = std::min(nearest, exponent(i + 1));
  double sum = std::max(copies, 0.0);
  const auto add = [&](std::size_t j) {
    const double beyond = exponent(j) - nearest;
    if (beyond < negligible) sum += points[j].weight * std::exp(-beyond);
    return beyond < negligible;
  };
  for (std::size_t j = i; j > 0 && add(j - 1); --j) {
  }
  for (std::size_t j = i + 1; j < points.size() && add(j); ++j) {
  }
  return std::log(sum / (n - left_out)) - nearest;
}

// The largest f between two ends, by golden section, to a thousandth of the logarithm.
template <class F>
double golden_section(const F& f, double low, double high) {
  const double share = 1 / std::numbers::phi;
  double a = high - share * (high - low), b = low + share * (high - low);
  double at_a = f(a), at_b = f(b);
  while (high - low > 1e-3) {
    if (at_a >= at_b) {
      high = b;
      b = a;
      at_b = at_a;
      at_a = f(a = high - share * (high - low));
    } else {
      low = a;
      a = b;
      at_a = at_b;
      at_b = f(b = low + share * (high - low));
    }
  }
  return at_a >= at_b ? a : b;
}

}  // namespace

double silverman_bandwidth(const WeightedValues& points, double n, double squares) {
  if (!(n > 1)) return 0;
  const double deviation = std::sqrt(squares / (n - 1));
  const double range = (value_at(points, 0.75 * (n - 1)) - value_at(points, 0.25 * (n - 1))) / 1.34;
  return 0.9 * (range > 0 ? std::min(deviation, range) : deviation) * std::pow(n, -0.2);
}

double leave_one_out(const WeightedValues& points, double h) {
  double n = 0, sum = 0;
  for (const WeightedValue& point : points) n += point.weight;
  for (std::size_t i = 0; i < points.size(); ++i)
    sum += points[i].weight * log_density_without(points, i, h, n);
  return sum - n * std::log(h * std::sqrt(2 * std::numbers::pi));
}

double cross_validated_bandwidth(const WeightedValues& points, double silverman) {
  if (points.size() < 2 || !(silverman > 0)) return silverman;
  const WeightedValues used = points.size() > most_points ? rounded(points, silverman / 40) : points;
  const double top = std::log(10 * silverman),
               bottom = std::min(std::log(std::max(silverman / 10, smallest_gap(points) / 2)), top);
  const auto likelihood = [&](double log_h) { return leave_one_out(used, std::exp(log_h)); };
  const int steps = std::max(1, static_cast<int>(std::ceil((top - bottom) / std::numbers::ln10 * 8)));
  const auto at = [&](int k) { return bottom + (top - bottom) * k / steps; };
  int best = 0;
  double largest = likelihood(bottom);
  for (int k = 1; k <= steps; ++k)
    if (const double value = likelihood(at(k)); value > largest) {
      best = k;
      largest = value;
    }
  const double found = golden_section(likelihood, at(std::max(best - 1, 0)), at(std::min(best + 1, steps)));
  return std::exp(likelihood(found) > largest ? found : at(best));
}

}  // namespace discern
