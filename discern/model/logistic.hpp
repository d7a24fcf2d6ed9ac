// Logistic regression for two classes and softmax regression for more, by Newton's method.
//
//   two classes   E(w, b) = sum_i s_i log(1 + exp(-t_i g_i))            +  l2/2 |w|^2,   t_i = -1 or +1
//   K classes     E(W, b) = sum_i s_i (log sum_k exp(g_ik) - g_i,y(i))  +  l2/2 |W|^2
//
// with g = w.x + b, the bias never penalised. The K-class scores are only defined up to a common shift; the
// solution reported has sum_k w_k = 0 and sum_k b_k = 0. Without a penalty the minimum need not exist:
// when a plane separates the classes the weights grow without end. That is found and reported, and such
// a fit never claims to have converged.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "discern/base/fields.hpp"
#include "discern/model/training.hpp"

namespace discern {

enum class LogisticSolver { automatic, newton };
inline std::span<const std::string_view> value_names(LogisticSolver) {
  static constexpr std::array<std::string_view, 2> names{"auto", "newton"};
  return names;
}

struct LogisticOptions {
  double l2 = 1;
  LogisticSolver solver = LogisticSolver::automatic;
  double tol = 1e-8;
  Index max_iter = 100;
  bool no_bias = false;
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, LogisticOptions>
void visit_fields(Self& options, Visitor&& visit) {
  visit(options.l2, Field{"l2", "strength of the squared penalty on the weights; 0 for none", 0});
  visit(options.solver, Field{"solver", "how to minimise"});
  visit(options.tol, Field{"tol", "stop when the relative gradient norm is at most this", 0});
  visit(options.max_iter, Field{"max-iter", "stop after this many iterations", 1});
  visit(options.no_bias, Field{"no-bias", "force the hyperplane through the origin"});
}

Fitted fit(const LogisticOptions& options, const Training& training);

}  // namespace discern
