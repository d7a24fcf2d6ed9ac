#include "discern/transform/pointwise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "discern/transform/dense_step.hpp"

namespace discern {
namespace {

// The smallest values at which the weight so far reaches these shares of all, each once.
std::vector<double> quantiles(const std::vector<double>& values, const std::vector<double>& weights,
                              const std::vector<double>& shares) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  double total = 0, so_far = 0;
  for (const std::size_t i : order) total += weight(i);
  std::vector<double> found;
  std::size_t next = 0;
  for (const std::size_t i : order) {
    so_far += weight(i);
    for (; next < shares.size() && so_far >= shares[next] * total; ++next)
      if (found.empty() || values[i] > found.back()) found.push_back(values[i]);
  }
  return found;
}

std::vector<double> widths_between(const std::vector<double>& points) {
  std::vector<double> widths;
  const std::size_t last = points.size() - 1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i == 0 || i == last)
      widths.push_back(i == 0 ? points[1] - points[0] : points[last] - points[last - 1]);
    else
      widths.push_back(points[i + 1] / 2 - points[i - 1] / 2);
  }
  return widths;
}

template <class Scalar>
Scalar function_of(PointFunction function, Scalar x) {
  if (function == PointFunction::log) return std::log(x);
  return function == PointFunction::log1p ? std::log1p(x) : std::sqrt(x);
}

template <class Scalar>
Scalar value_at(const Pointwise& basis, std::size_t m, Scalar x) {
  const auto point = static_cast<Scalar>(basis.points[m]);
  if (basis.function == PointFunction::parts)
    return static_cast<Scalar>(part_of(static_cast<DatePart>(point), static_cast<double>(x)));
  if (elementwise(basis.function))
    return function_of(basis.function, takes(basis.function, static_cast<double>(x)) ? x : point);
  // A value that spells the same double as the threshold reaches it, in extended precision, too.
  if (basis.function == PointFunction::step)
    return static_cast<double>(x) >= basis.points[m] ? Scalar{1} : Scalar{0};
  const Scalar z = (x - point) / static_cast<Scalar>(basis.widths[m]);
  return std::exp(-z * z / 2);
}

// Calls f(point, column in use) for all points.
template <class F>
void each_point(const Pointwise& basis, F&& f) {
  std::size_t m = 0;
  for (std::size_t u = 0; u < basis.counts.size(); ++u)
    for (Index k = 0; k < basis.counts[u]; ++k) f(m++, static_cast<std::size_t>(basis.selection.used[u]));
}

}  // namespace

std::string_view name_of(PointFunction function) {
  switch (function) {
    case PointFunction::gaussian:
      return "gauss";
    case PointFunction::step:
      return "threshold";
    case PointFunction::log:
      return "log";
    case PointFunction::log1p:
      return "log1p";
    case PointFunction::sqrt:
      return "sqrt";
    case PointFunction::parts:
      return "parts";
  }
  return "";
}

bool elementwise(PointFunction function) {
  return function == PointFunction::log || function == PointFunction::log1p ||
         function == PointFunction::sqrt;
}

double part_of(DatePart part, double days) {
  constexpr double most = 1e7;  // days, so that the calendar holds them
  const double whole = std::clamp(std::floor(days), -most, most);
  const std::chrono::sys_days day{std::chrono::days(static_cast<int>(whole))};
  const std::chrono::year_month_day date(day);
  switch (part) {
    case DatePart::year:
      return static_cast<int>(date.year());
    case DatePart::month:
      return static_cast<unsigned>(date.month());
    case DatePart::day:
      return static_cast<unsigned>(date.day());
    case DatePart::weekday:
      return std::chrono::weekday(day).iso_encoding();
    case DatePart::hour:
      return 24 * (days - std::floor(days));
  }
  return 0;
}

bool takes(PointFunction function, double value) {
  if (function == PointFunction::log) return value > 0;
  return function == PointFunction::log1p ? value > -1 : function != PointFunction::sqrt || value >= 0;
}

ColumnPoints column_points(PointFunction function, Index count, std::vector<double> values,
                           const std::vector<double>& weights) {
  std::vector<double> shares;
  for (Index i = 1; i <= count; ++i) {
    const auto n = static_cast<double>(count), k = static_cast<double>(i);
    shares.push_back(function == PointFunction::step ? k / (n + 1) : (k - 0.5) / n);
  }
  ColumnPoints found{quantiles(values, weights, shares), {}};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (values.empty() || *low == *high) return {};
  if (function == PointFunction::step) {
    if (found.points.empty() || found.points[0] > *low) return found;
    double above = *high;
    for (const double v : values)
      if (v > *low) above = std::min(above, v);
    found.points[0] = above;
    if (found.points.size() > 1 && found.points[1] == above) found.points.erase(found.points.begin());
    return found;
  }
  if (found.points.size() == 1)
    found.widths = {std::max(*high - found.points[0], found.points[0] - *low)};
  else
    found.widths = widths_between(found.points);
  return found;
}

std::vector<Feature> Pointwise::names(const std::vector<Feature>& in) const {
  std::vector<Feature> out;
  if (elementwise(function)) {
    for (const Index j : selection.used)
      out.push_back({fmt::format("{}({})", name_of(function), in[static_cast<std::size_t>(j)].name), false});
    selection.append(in, out);
    return out;
  }
  if (function == PointFunction::parts) {
    constexpr const char* part_names[date_parts] = {"year", "month", "day", "weekday", "hour"};
    each_point(*this, [&](std::size_t m, std::size_t j) {
      out.push_back(
          {fmt::format("{}.{}", in[j].name, part_names[static_cast<std::size_t>(points[m])]), false});
    });
    selection.append(in, out);
    return out;
  }
  const char* form = function == PointFunction::step ? "{}>={}" : "gauss({}={})";
  // Six digits, or all of them where six would give two points of a column one name.
  const auto digits = [&](std::size_t m) { return fmt::format("{:.6g}", points[m]); };
  std::size_t m = 0;
  for (std::size_t u = 0; u < counts.size(); ++u) {
    const std::size_t end = m + static_cast<std::size_t>(counts[u]);
    bool enough = true;
    for (std::size_t k = m + 1; k < end; ++k) enough = enough && digits(k) != digits(k - 1);
    for (; m < end; ++m)
      out.push_back({fmt::format(fmt::runtime(form), in[static_cast<std::size_t>(selection.used[u])].name,
                                 enough ? digits(m) : fmt::format("{}", points[m])),
                     false});
  }
  selection.append(in, out);
  return out;
}

Rows Pointwise::apply(const Rows& in, Workspace& out) const {
  return each_dense_row(
      in, selection, static_cast<Index>(points.size()), out, [&](double* y, const double* x) {
        each_point(*this, [&](std::size_t m, std::size_t j) { y[m] = value_at(*this, m, x[j]); });
      });
}

void Pointwise::extend(std::vector<long double>& row) const {
  std::vector<long double> out;
  each_point(*this, [&](std::size_t m, std::size_t j) { out.push_back(value_at(*this, m, row[j])); });
  selection.append(row, out);
  row = std::move(out);
}

}  // namespace discern
