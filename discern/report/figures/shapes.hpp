// What models that are not linear consist of: the densities of naive Bayes, the units of a network, the rows of a sum
// of kernels, the means and spreads of quadratic discriminants.
#pragma once

#include <optional>

#include "discern/model/shape/model.hpp"
#include "discern/report/figure.hpp"

namespace discern::report {

std::optional<Figure> densities_figure(const Model& model);  // of naive Bayes, feature by feature
std::optional<Figure> wiring_figure(const Model& model);     // of a network
std::optional<Figure> means_figure(const Model& model);      // of quadratic discriminants
std::optional<Figure> support_figure(const Model& model);    // of sums of kernels

}  // namespace discern::report
