// Least squares, for classification and regression.
//
//   E(W, b) = sum_i s_i 1/2 |y_i - W (x_i) - b|^2  +  l2/2 |W|^2        (the bias is not penalised)
//
// Targets y: the number in regression; -1 and +1 for two classes; 1-of-K for K classes.
// Solved by a QR decomposition of [1 X Y], never by the normal equations, so that the digits lost are those
// of the condition number and not of its square. The decomposition is a fold: each block of rows is reduced
// into a triangle and triangles merge (a "tall skinny QR"). Small problems are factorised in extended
// precision. Rank-deficient data give the solution of least norm (of the standardised weights) and report the
// rank.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "discern/base/fields.hpp"
#include "discern/model/training.hpp"

namespace discern {

enum class LeastSquaresSolver { automatic, closed_form };
inline std::span<const std::string_view> value_names(LeastSquaresSolver) {
  static constexpr std::array<std::string_view, 2> names{"auto", "closed-form"};
  return names;
}

struct LeastSquaresOptions {
  double l2 = 0;
  LeastSquaresSolver solver = LeastSquaresSolver::automatic;
  double tol = 1e-8;
  bool no_bias = false;
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, LeastSquaresOptions>
void visit_fields(Self& options, Visitor&& visit) {
  visit(options.l2, Field{"l2", "strength of the squared penalty on the weights (ridge)", 0});
  visit(options.solver, Field{"solver", "how to minimise"});
  visit(options.tol, Field{"tol", "largest relative gradient norm that counts as converged", 0});
  visit(options.no_bias, Field{"no-bias", "force the hyperplane through the origin"});
}

Fitted fit(const LeastSquaresOptions& options, const Training& training);

}  // namespace discern
