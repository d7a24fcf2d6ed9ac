#include "cli/text/plot.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "cli/text/text.hpp"

namespace discern::cli {

std::string Canvas::line(std::size_t row, char background) const {
  std::string text;
  for (std::size_t j = 0; j < columns_; ++j) {
    const std::string& marks = cells_[row * columns_ + j];
    text += marks.empty() ? background : marks[j % marks.size()];
  }
  return text;
}

double tick_for(double length) {
  const double decade = std::pow(10, std::floor(std::log10(length / 5)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (5 * factor * decade >= length * (1 - 1e-9)) return factor * decade;
  return 10 * decade;
}

std::size_t plot_width() {
  winsize size{};
  if (::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return 72;
  return std::clamp<std::size_t>(size.ws_col, 48, 120);
}

Picture::Picture(const Window& window, std::size_t rows, std::size_t columns)
    : rows_(rows), columns_(columns), window_(window), points_(rows, columns), lines_(rows, columns) {}

void Picture::point(double x, double y, char mark) {
  const double across =
      (x - window_.left) / (window_.right - window_.left) * static_cast<double>(columns_ - 1);
  const double down = (window_.top - y) / (window_.top - window_.bottom) * static_cast<double>(rows_ - 1);
  if (!(across > -0.5 && down > -0.5)) return;
  const auto column = static_cast<std::size_t>(std::max(0.0, std::round(across)));
  const auto row = static_cast<std::size_t>(std::max(0.0, std::round(down)));
  if (column >= columns_ || row >= rows_) return;
  if (points_.line(row, '\0')[column] != mark) points_.put(row, column, mark);
}

// A cell is on the line when the score changes its sign within it, going across or down, whichever changes it
// more: that draws the line one cell thick.
void Picture::line(double w1, double w2, double b, char mark) {
  const double width = (window_.right - window_.left) / static_cast<double>(columns_ - 1);
  const double height = (window_.top - window_.bottom) / static_cast<double>(rows_ - 1);
  const double half = std::max(std::fabs(w1) * width, std::fabs(w2) * height) / 2;
  for (std::size_t i = 0; i < rows_; ++i)
    for (std::size_t j = 0; j < columns_; ++j) {
      const double x = window_.left + static_cast<double>(j) * width;
      const double y = window_.top - static_cast<double>(i) * height;
      if (std::fabs(w1 * x + w2 * y + b) <= half) lines_.put(i, j, mark);
    }
}

std::string Picture::text(const std::string& x_name, const std::string& y_name, std::size_t indent) const {
  const std::string top = rounded(window_.top, 3), bottom = rounded(window_.bottom, 3);
  const std::size_t margin = std::max({top.size(), bottom.size(), y_name.size()});
  std::string text;
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::string label = i == 0 ? top : i + 1 == rows_ ? bottom : i == rows_ / 2 ? y_name : "";
    const std::string above = points_.line(i, ' '), below = lines_.line(i, ' ');
    std::string cells;
    for (std::size_t j = 0; j < columns_; ++j) cells += points_.empty(i, j) ? below[j] : above[j];
    std::string row = std::string(indent, ' ') + pad_left(label, margin) + " |" + cells;
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + '\n';
  }
  const std::string left = rounded(window_.left, 3), right = rounded(window_.right, 3);
  std::string foot = left + pad_left(x_name, columns_ / 2 - std::min(columns_ / 2, left.size()));
  foot += pad_left(right, columns_ - std::min(columns_, foot.size()));
  return text + std::string(indent + margin + 1, ' ') + '+' + std::string(columns_, '-') + '\n' +
         std::string(indent + margin + 2, ' ') + foot + '\n';
}

}  // namespace discern::cli
