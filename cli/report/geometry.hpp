// The hyperplanes of a linear model, as people read them.
//
//   g_k(x) = w_k . x + b_k        norm |w_k|        origin_distance b_k / |w_k|
//   origin_foot -b_k w_k / |w_k|^2, the point of the plane that is nearest to the origin
//
// with x the features that the pipeline makes, in the units of the file. The signed distance of a labelled
// row is positive on its own side: t g / |w| with one score, and to the plane that divides its class from the
// nearest other, (g_i - g_j) / |w_i - w_j|, with one a class.
#pragma once

#include <optional>
#include <string>

#include "discern/model/shape/model.hpp"
#include "discern/report/names.hpp"

namespace discern::cli {

struct Geometry {
  Matrix weights;  // scores x features
  Vector bias;
  Vector norm;
  Vector origin_distance;  // 0 where the norm is
  Matrix origin_foot;      // scores x features
};

// Nothing for a predictor that is not linear.
std::optional<Geometry> geometry_of(const Model& model);

struct RowDistance {
  Index row = 0;
  std::int32_t label = 0;  // the truth
  double distance = 0;     // negative on the wrong side
};
// The signed distances of labelled rows with these scores, smallest first. Of a linear classifier.
std::vector<RowDistance> row_distances(const Model& model, const Geometry& geometry, const Matrix& scores,
                                       const std::vector<std::int32_t>& labels);

// The `limit` features with the largest weights of all scores, largest first, as an aligned table with a
// column a score.
std::string weights_table(const Model& model, const Geometry& geometry, Index limit, std::size_t indent);

}  // namespace discern::cli
