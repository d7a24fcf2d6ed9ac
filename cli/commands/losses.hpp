// The losses as curves over the margin m = y g of a score, ready to be printed.
#pragma once

#include <string>
#include <vector>

namespace discern::cli {

struct LossCurve {
  std::string name;
  std::string formula;
  char mark;  // what draws it in the picture
  std::vector<double> values, slopes, curvatures;
};

// Every loss of discern/loss/all.hpp at these margins, and the logistic one divided by log 2, which makes it
// 1 at the boundary like the hinge.
std::vector<LossCurve> loss_curves(const std::vector<double>& margins);

}  // namespace discern::cli
