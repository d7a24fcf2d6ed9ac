// Logistic regression for two classes and softmax regression for more.
//
//   two classes   E(w, b) = sum_i s_i log(1 + exp(-t_i g_i))            +  penalty,   t_i = -1 or +1
//   K classes     E(W, b) = sum_i s_i (log sum_k exp(g_ik) - g_i,y(i))  +  penalty
//
// with g = w.x + b and the penalty l2/2 |W|^2 + l1 |W|_1, the bias never penalised unless asked. A shift
// common to the K scores changes nothing: the solution reported has sum_k b_k = 0, and without l1
// sum_k w_k = 0. Without a penalty the minimum need not exist: when a plane separates the classes the weights
// grow without end. That is found and reported, and such a fit never claims to have converged;
// Firth's correction (model/inference/firth.hpp) is finite then, too.
#pragma once

#include <type_traits>

#include "discern/options/linear.hpp"

namespace discern {

struct Logistic {
  static constexpr bool starts = true;  // from given weights

  double l1 = 0;
  double l2 = 1;
  Solver solver = Solver::automatic;
  double tol = 1e-9;
  Index max_iter = 1000;
  bool no_bias = false;
  bool penalize_bias = false;
  double learning_rate = 0;
  Schedule schedule = Schedule::linear;
  Index batch_size = 1;
  Index epochs = 10;
  bool average = false;
  SampleOrder order = SampleOrder::shuffled;
  bool normalize_weights = false;
  bool normalize_criterion = false;
  bool firth = false;
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, Logistic>
void visit_fields(Self& options, Visitor&& visit) {
  visit_linear_fields(options, visit);
  visit(options.firth, Field{"firth", "Firth's correction for small or separated samples, instead of l2"});
}

}  // namespace discern
