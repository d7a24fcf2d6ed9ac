// Curves of a score over a number, as a picture made of characters.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace discern::cli {

struct Curve {
  char mark = '+';
  std::vector<std::optional<double>> y;   // a point each; without one there is a gap
  std::vector<std::optional<double>> se;  // drawn as a bar of one se up and down; may be empty
};

// The x of all curves; they are drawn on a logarithmic scale when all are above zero and they span a factor
// of 20 or more. Empty when there are not two different x or no y at all.
std::string curve_picture(const std::vector<double>& x, const std::vector<Curve>& curves,
                          const std::string& x_name, const std::string& y_name);

}  // namespace discern::cli
