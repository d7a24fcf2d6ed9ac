// A model in two dimensions: its rows as points, and what it decides everywhere around them.
//
// Two numeric columns are drawn as they are. Of more, a linear model is drawn in the coordinates that it decides by:
//
//   one score       across: the score g(x); up: z = v.x~, the direction of the largest spread of the standardised
//                   features x~ that is uncorrelated with the score
//   several scores  the two directions in which the scores G = W x + b spread most, z_i = e_i.(G - mean) /
//                   sqrt(l_i), e_i and l_i the eigenvectors and eigenvalues of the covariance of G
//
// There the boundary is exact for every row with one score, and with three classes; with more classes the regions are
// those at the mean of what is not drawn. Any other model is drawn over the two numeric columns that tell the classes
// apart best, with all others held at their median (texts at the most frequent).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "discern/report/plot.hpp"
#include "discern/report/rows.hpp"

namespace discern::report {

struct PlaneView {
  std::string x_label, y_label;
  Numbers x, y;  // of the rows
  Grid grid;
  std::vector<std::int32_t> labels;  // that are decided for, a cell each
  Numbers margin;                    // of the decision, 0 to 1; empty where it has no measure of its own
  bool columns = false;              // the axes are columns of the file
  Index first = 0, second = 0;       // which, of the model's input
  std::string note;                  // what the picture cannot show; empty: nothing
};

// Nothing where there are no two dimensions to show. Of a classifier.
std::optional<PlaneView> plane_view(const Model& model, const DrawnRows& rows);

// What the model decides on rows of these scores.
std::vector<std::int32_t> decided(const Model& model, const Matrix& scores);

// How sure decisions are, from 0 on a boundary to 1: the largest probability less the second, or of scores d / (d + m),
// m the median of d.
Numbers margins_of(const Prediction& said);

}  // namespace discern::report
