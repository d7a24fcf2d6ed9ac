#include "discern/report/plot.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace discern::report {
namespace {

Json with(Json object, const Json& more) {
  for (const auto& item : more.items()) object[item.key()] = item.value();
  return object;
}

}  // namespace

double tidy(double value) {
  if (!std::isfinite(value) || value == 0) return value == 0 ? 0.0 : value;
  char text[32];
  const auto end = fmt::format_to(text, "{:.6g}", value);
  double rounded = value;
  fast_float::from_chars(text, end, rounded);
  return rounded;
}

Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  const double v = tidy(value);
  if (v == std::floor(v) && std::abs(v) < 1e9) return static_cast<std::int64_t>(v);
  return v;
}

Json numbers(const Numbers& values) {
  Json list = Json::array();
  for (const double v : values) list.push_back(number(v));
  return list;
}

std::string text_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json window(const Grid& grid) {
  return {{"x", {grid.left, grid.right}},
          {"y", {grid.bottom, grid.top}},
          {"cols", grid.cols},
          {"rows", grid.rows}};
}

Json packed(const Numbers& values) {
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double v : values)
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  if (!(low <= high)) low = high = 0;
  const double scale = high > low ? 4095 / (high - low) : 0;
  std::string text;
  text.reserve(2 * values.size());
  for (const double v : values) {
    if (!std::isfinite(v)) {
      text += "~~";
      continue;
    }
    const auto step = static_cast<std::size_t>(std::lround((v - low) * scale));
    text += letters[step / 64];
    text += letters[step % 64];
  }
  return {{"low", low}, {"high", high}, {"text", text}};
}

Json runs(const std::vector<std::int32_t>& labels) {
  Json list = Json::array();
  for (std::size_t i = 0; i < labels.size();) {
    std::size_t end = i;
    while (end < labels.size() && labels[end] == labels[i]) ++end;
    list.push_back(labels[i]);
    list.push_back(end - i);
    i = end;
  }
  return list;
}

Numbers steps(double low, double high, Index count) {
  Numbers values;
  for (Index i = 0; i < count; ++i)
    values.push_back(low + (high - low) * static_cast<double>(i) /
                               static_cast<double>(std::max<Index>(1, count - 1)));
  return values;
}

std::pair<double, double> range_of(const Numbers& values, double room) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double v : values)
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  if (!(low <= high)) return {0, 1};
  double spread = room * (high - low);
  if (!(spread > 0)) spread = low == 0 ? 1 : 0.1 * std::abs(low);
  return {low - spread, high + spread};
}

Json axis(const std::string& label, double low, double high, const Json& more) {
  return with({{"label", label}, {"domain", {number(low), number(high)}}}, more);
}

Json plot(Json x, Json y, Json layers, const Json& more) {
  return with({{"x", std::move(x)}, {"y", std::move(y)}, {"layers", std::move(layers)}}, more);
}

Json plots(Json panels, const std::vector<std::string>& classes, const Json& more) {
  Json object{{"kind", "plots"}};
  if (!classes.empty()) object["classes"] = classes;
  object["panels"] = std::move(panels);
  return with(std::move(object), more);
}

Json line(const Numbers& x, const Numbers& y, const Json& more) {
  return with({{"type", "line"}, {"x", numbers(x)}, {"y", numbers(y)}}, more);
}
Json points(const Numbers& x, const Numbers& y, const Json& more) {
  return with({{"type", "points"}, {"x", numbers(x)}, {"y", numbers(y)}}, more);
}
Json area(const Numbers& x, const Numbers& low, const Numbers& high, const Json& more) {
  return with({{"type", "area"}, {"x", numbers(x)}, {"low", numbers(low)}, {"high", numbers(high)}}, more);
}
Json bars(const Numbers& edges, const Numbers& heights, const Json& more) {
  return with({{"type", "bars"}, {"edges", numbers(edges)}, {"heights", numbers(heights)}}, more);
}
Json arrow(double x0, double y0, double x1, double y1, const Json& more) {
  return with({{"type", "arrow"}, {"x", numbers({x0, x1})}, {"y", numbers({y0, y1})}}, more);
}

Json regions(const Grid& grid, const std::vector<std::int32_t>& labels, const Numbers& margin) {
  Json layer{{"type", "regions"}, {"window", window(grid)}, {"labels", runs(labels)}};
  if (!margin.empty()) layer["margin"] = packed(margin);
  return layer;
}

Json levels(const Grid& grid, const Numbers& values, const Numbers& at, const Json& more) {
  return with({{"type", "levels"}, {"window", window(grid)}, {"values", packed(values)}, {"at", numbers(at)}},
              more);
}

Json straight(const Grid& grid, double w1, double w2, double w0, const Json& more) {
  Numbers x, y;
  // The line through the window, wherever it runs: along x where it is flat, along y where it is steep.
  const double wide = grid.right - grid.left, high = grid.top - grid.bottom;
  if (std::abs(w2) * high >= std::abs(w1) * wide && w2 != 0) {
    x = {grid.left, grid.right};
    for (const double v : x) y.push_back(-(w1 * v + w0) / w2);
  } else if (w1 != 0) {
    y = {grid.bottom, grid.top};
    for (const double v : y) x.push_back(-(w2 * v + w0) / w1);
  }
  return line(x, y, more);
}

}  // namespace discern::report
