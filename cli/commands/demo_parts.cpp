#include "cli/commands/demo_parts.hpp"

#include <algorithm>
#include <cmath>

#include "cli/text/text.hpp"

namespace discern::cli {

Picture picture_of(const Table& table, std::size_t rows, std::size_t columns) {
  std::vector<std::pair<double, double>> points;
  std::visit(
      [&](const auto& x) {
        for (Index i = 0; i < x.rows; ++i) {
          double at[2] = {0, 0};
          for_each(x.view(i, 1).row(0), [&](Index j, double v) {
            if (j < 2) at[j] = v;
          });
          points.emplace_back(at[0], at[1]);
        }
      },
      table.x);
  Window window{points[0].first, points[0].first, points[0].second, points[0].second};
  for (const auto& [x, y] : points) {
    window.left = std::min(window.left, x);
    window.right = std::max(window.right, x);
    window.bottom = std::min(window.bottom, y);
    window.top = std::max(window.top, y);
  }
  const double wide = (window.right - window.left) / 8, high = (window.top - window.bottom) / 8;
  Picture picture({window.left - wide, window.right + wide, window.bottom - high, window.top + high}, rows,
                  columns);
  for (std::size_t i = 0; i < points.size(); ++i)
    picture.point(points[i].first, points[i].second, table.side[0].values[i] == 1 ? '+' : 'o');
  return picture;
}

void draw_boundary(Picture& picture, const Linear& linear, char mark) {
  picture.line(linear.weights(0, 0), linear.weights(0, 1), linear.bias_at_origin()[0], mark);
}

std::string score_text(const Linear& linear, const std::vector<std::string>& names) {
  std::string text;
  const auto add = [&](double value, const std::string& name) {
    const std::string sign = text.empty() ? (value < 0 ? "-" : "") : (value < 0 ? " - " : " + ");
    text += sign + rounded(std::fabs(value)) + name;
  };
  for (std::size_t j = 0; j < names.size(); ++j)
    add(linear.weights(0, static_cast<Index>(j)), " " + names[j]);
  add(linear.bias_at_origin()[0], "");
  return text;
}

std::string paragraph(const std::string& text) { return wrap(text, 80, 0) + "\n\n"; }

}  // namespace discern::cli
