// The weights of a linear model, one row a feature, and as images where the features are pixels.
#pragma once

#include <optional>
#include <vector>

#include "discern/model/shape/model.hpp"
#include "discern/report/figure.hpp"

namespace discern::report {

// `deviation`: the standard deviation of each feature; empty: weights are per unit.
std::optional<Figure> weights_figure(const Model& model, const Vector& deviation);
// Of two-class logistic models with standard errors.
std::optional<Figure> odds_figure(const Model& model, const Vector& deviation);
// Throws Code::usage when height times width is not the number of features.
std::optional<Figure> weight_pictures(const Model& model, const Vector& deviation, Index height, Index width);

}  // namespace discern::report
