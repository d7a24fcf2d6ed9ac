// Pictures made of characters.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace discern::cli {

// Rows of characters in which several marks may want the same place; they then take turns along the row.
class Canvas {
 public:
  Canvas(std::size_t rows, std::size_t columns) : columns_(columns), cells_(rows * columns) {}
  void put(std::size_t row, std::size_t column, char mark) { cells_[row * columns_ + column] += mark; }
  bool empty(std::size_t row, std::size_t column) const { return cells_[row * columns_ + column].empty(); }
  std::string line(std::size_t row, char background) const;

 private:
  std::size_t columns_;
  std::vector<std::string> cells_;
};

// The smallest of 1, 2, 5, 10, 20, ... (or 0.5, 0.2, ...) that covers `length` in at most five.
double tick_for(double length);

// As wide as the terminal, within reason; 72 where there is none.
std::size_t plot_width();

// A part of the plane, with points and lines in it. What lies outside is left out.
struct Window {
  double left = 0, right = 1, bottom = 0, top = 1;
};
class Picture {
 public:
  Picture(const Window& window, std::size_t rows, std::size_t columns);
  void point(double x, double y, char mark);
  // Where w1 x + w2 y + b = 0, under the points.
  void line(double w1, double w2, double b, char mark);
  // With a frame, the ends of the axes and their names.
  std::string text(const std::string& x_name, const std::string& y_name, std::size_t indent) const;

 private:
  std::size_t rows_, columns_;
  Window window_;
  Canvas points_, lines_;
};

}  // namespace discern::cli
