// The hyperplanes of a linear model, as people read them.
//
//   g_k(x) = w_k . x + b_k        norm |w_k|        origin_distance b_k / |w_k|
//
// with x the features that the pipeline makes, in the units of the file.
#pragma once

#include <optional>
#include <string>

#include "discern/model/model.hpp"

namespace discern::cli {

struct Geometry {
  Matrix weights;  // scores x features
  Vector bias;
  Vector norm;
  Vector origin_distance;  // 0 where the norm is
};

// Nothing for a predictor that is not linear.
std::optional<Geometry> geometry_of(const Model& model);

// The names of the scores: the classes, the positive class for the one score of two classes, the target of
// a regression.
std::vector<std::string> score_names(const Model& model);

// The `limit` features with the largest weights of all scores, largest first, as an aligned table with a
// column a score.
std::string weights_table(const Model& model, const Geometry& geometry, Index limit, std::size_t indent);

}  // namespace discern::cli
