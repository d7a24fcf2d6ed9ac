// Radial basis function networks (Broomhead and Lowe 1988; Moody and Darken 1989): one hidden layer of units
// that answer to nearness, and a linear output layer,
//
//   g_k(x) = sum_m w_km phi(|u - c_m|) + b_k,     phi(r) = exp(-r^2 / (2 s_m^2)) or s_m^2 / (s_m^2 + r^2)
//
// with u the features in standardised coordinates (as they are when the training is not to standardise). The
// units are placed first: at random rows, at the centres of k-means, at the means of a Gaussian mixture
// (transform/placement.hpp, which has the widths, too), or at rows chosen one after the other by orthogonal
// least squares (model/network/orthogonal_least_squares.hpp), where each unit is the one of up to 1000 rows by chance
// that explains the targets best beside those before it; their width is 2 s^2 = the sum of the variances of
// the coordinates, or given.
//
// The output weights are those of ridge least squares (targets as in model/linear/least_squares.hpp) or of logistic
// regression on the units, with the penalty l2/2 |W|^2. The predictor is Linear, behind a step of the
// pipeline that makes the units.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "discern/base/fields.hpp"
#include "discern/base/index.hpp"
#include "discern/options/radial_unit.hpp"

namespace discern {

enum class RbfPlacement { random, kmeans, em, ols };
inline std::span<const std::string_view> value_names(RbfPlacement) {
  static constexpr std::array<std::string_view, 4> names{"random", "kmeans", "em", "ols"};
  return names;
}
enum class RbfLoss { squared, logistic };
inline std::span<const std::string_view> value_names(RbfLoss) {
  static constexpr std::array<std::string_view, 2> names{"squared", "logistic"};
  return names;
}

struct RbfNetwork {
  static constexpr bool every_level = true;  // distances treat all levels of a text alike

  Index centers = 20;
  RbfPlacement placement = RbfPlacement::kmeans;
  RadialUnit unit = RadialUnit::gaussian;
  std::string width = "auto";
  RbfLoss loss = RbfLoss::squared;
  double l2 = 1;
  double tol = 1e-9;
  Index max_iter = 1000;
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, RbfNetwork>
void visit_fields(Self& options, Visitor&& visit) {
  visit(options.centers, Field{"centers", "number of radial units", 1, 100000});
  visit(options.placement, Field{"placement", "how the centres of the radial units are found"});
  visit(options.unit, Field{"unit", "the function of the distance from a centre"});
  visit(options.width, Field{"width", "of the radial units: auto, neighbours, cluster or a number above 0"});
  visit(options.loss, Field{"loss", "what the score of a sample costs"});
  visit(options.l2, Field{"l2", "strength of the penalty on the weights' squares (ridge)", 0});
  visit(options.tol, Field{"tol", "largest certificate that counts as converged", 0});
  visit(options.max_iter, Field{"max-iter", "stop after this many iterations", 1});
}

}  // namespace discern
