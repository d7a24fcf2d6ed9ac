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

#include "discern/model/linear/linear_options.hpp"
#include "discern/model/shape/training.hpp"

namespace discern {

struct Logistic : LinearOptions {
  Logistic() { l2 = 1; }
  bool firth = false;
};

template <class Self, class Visitor>
requires std::is_same_v<std::remove_const_t<Self>, Logistic>
void visit_fields(Self& options, Visitor&& visit) {
  visit_linear_fields(options, visit);
  visit(options.firth, Field{"firth", "Firth's correction for small or separated samples, instead of l2"});
}

Fitted fit(const Logistic& options, const Training& training);

}  // namespace discern
