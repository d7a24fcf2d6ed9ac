// The JSON of plots and their layers, as web/src/types.ts has them. Numbers are rounded to six significant digits,
// which no picture shows; what is not finite is null.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "discern/data/row.hpp"

namespace discern::report {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<double>;

double tidy(double value);  // six significant digits
Json number(double value);
Json numbers(const Numbers& values);
std::string text_of(const Json& value);  // with what is no UTF-8 replaced

// The middles of the cells of a window.
struct Grid {
  double left = 0, right = 1, bottom = 0, top = 1;
  Index cols = 100, rows = 80;
  double x(Index c) const {
    return left + (static_cast<double>(c) + 0.5) / static_cast<double>(cols) * (right - left);
  }
  double y(Index r) const {
    return bottom + (static_cast<double>(r) + 0.5) / static_cast<double>(rows) * (top - bottom);
  }
  Index cells() const { return cols * rows; }
};
Json window(const Grid& grid);
Json packed(const Numbers& values);                  // two characters each
Json runs(const std::vector<std::int32_t>& labels);  // [label, count, ...]
// f(x, y) at every cell, rows from the bottom up.
template <class Function>
Numbers over(const Grid& grid, Function&& f) {
  Numbers values;
  values.reserve(static_cast<std::size_t>(grid.cells()));
  for (Index r = 0; r < grid.rows; ++r)
    for (Index c = 0; c < grid.cols; ++c) values.push_back(f(grid.x(c), grid.y(r)));
  return values;
}
// `count` numbers from low to high, both included.
Numbers steps(double low, double high, Index count);
template <class Function>
Numbers at(const Numbers& x, Function&& f) {
  Numbers y;
  y.reserve(x.size());
  for (const double v : x) y.push_back(f(v));
  return y;
}
// The smallest and the largest of finite values, widened by a share of their distance.
std::pair<double, double> range_of(const Numbers& values, double room = 0.06);

Json axis(const std::string& label, double low, double high, const Json& more = Json::object());
Json plot(Json x, Json y, Json layers, const Json& more = Json::object());
Json plots(Json panels, const std::vector<std::string>& classes = {}, const Json& more = Json::object());

Json line(const Numbers& x, const Numbers& y, const Json& more = Json::object());
Json points(const Numbers& x, const Numbers& y, const Json& more = Json::object());
Json area(const Numbers& x, const Numbers& low, const Numbers& high, const Json& more = Json::object());
Json bars(const Numbers& edges, const Numbers& heights, const Json& more = Json::object());
Json arrow(double x0, double y0, double x1, double y1, const Json& more = Json::object());
Json regions(const Grid& grid, const std::vector<std::int32_t>& labels, const Numbers& margin = {});
Json levels(const Grid& grid, const Numbers& values, const Numbers& at, const Json& more = Json::object());
// The line w1 x + w2 y + w0 = 0 inside a window; nulls when it does not cross it.
Json straight(const Grid& grid, double w1, double w2, double w0, const Json& more = Json::object());

}  // namespace discern::report
