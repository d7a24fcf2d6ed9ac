// The options of the models that minimise a loss of linear scores. Loss, penalty and solver are independent;
// a solver that cannot do what is asked says what it lacks.
//
// Each model repeats these members, in this order, so that one can write Logistic{.l2 = 0.5, .tol = 1e-12};
// `visit_linear_fields` lists their names, ranges and help once for all of them.
#pragma once

#include <array>
#include <concepts>
#include <span>
#include <string_view>

#include "discern/base/fields.hpp"
#include "discern/base/index.hpp"
#include "discern/options/solver.hpp"
#include "discern/options/stochastic.hpp"

namespace discern {

struct LinearOptions {
  double l1 = 0;
  double l2 = 0;
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
};

template <class Self, class Visitor>
void visit_linear_fields(Self& options, Visitor&& visit) {
  visit(options.l1, Field{"l1", "strength of the penalty on the weights' sizes (lasso)", 0});
  visit(options.l2, Field{"l2", "strength of the penalty on the weights' squares (ridge)", 0});
  visit(options.solver, Field{"solver", "how to minimise"});
  visit(options.tol, Field{"tol", "largest certificate that counts as converged", 0});
  visit(options.max_iter, Field{"max-iter", "stop after this many iterations", 1});
  visit(options.no_bias, Field{"no-bias", "force the hyperplane through the origin"});
  visit(options.penalize_bias, Field{"penalize-bias", "penalise the bias like a weight, as LIBLINEAR does"});
  visit(options.learning_rate, Field{"learning-rate", "step length; 0 leaves it to gd and sgd", 0});
  visit(options.schedule,
        Field{"schedule", "how the step length falls with the steps l: to 0 at the last, 1, 1/l, 1/sqrt(l)"});
  visit(options.batch_size, Field{"batch-size", "samples a step of sgd", 1});
  visit(options.epochs, Field{"epochs", "passes over the data (at most, where it stops by itself)", 1});
  visit(options.average,
        Field{"average", "give the mean of sgd's weights over its last half (Polyak-Ruppert)"});
  visit(options.order,
        Field{"order", "how sgd takes the samples: shuffled each epoch, drawn with replacement, as given"});
  visit(options.normalize_weights,
        Field{"normalize-weights", "bring the weights of gd and sgd to unit length after each step"});
  visit(options.normalize_criterion,
        Field{"normalize-criterion", "divide the loss of each sample by its squared length"});
}

// A model that has all of them as members of its own, so that it stays an aggregate.
template <class M>
concept LinearModel = requires(const M& m) {
  { m.l1 } -> std::same_as<const double&>;
  { m.l2 } -> std::same_as<const double&>;
  { m.solver } -> std::same_as<const Solver&>;
  { m.tol } -> std::same_as<const double&>;
  { m.max_iter } -> std::same_as<const Index&>;
  { m.no_bias } -> std::same_as<const bool&>;
  { m.penalize_bias } -> std::same_as<const bool&>;
  { m.learning_rate } -> std::same_as<const double&>;
  { m.schedule } -> std::same_as<const Schedule&>;
  { m.batch_size } -> std::same_as<const Index&>;
  { m.epochs } -> std::same_as<const Index&>;
  { m.average } -> std::same_as<const bool&>;
  { m.order } -> std::same_as<const SampleOrder&>;
  { m.normalize_weights } -> std::same_as<const bool&>;
  { m.normalize_criterion } -> std::same_as<const bool&>;
};

template <LinearModel M>
LinearOptions linear_options(const M& m) {
  return {.l1 = m.l1,
          .l2 = m.l2,
          .solver = m.solver,
          .tol = m.tol,
          .max_iter = m.max_iter,
          .no_bias = m.no_bias,
          .penalize_bias = m.penalize_bias,
          .learning_rate = m.learning_rate,
          .schedule = m.schedule,
          .batch_size = m.batch_size,
          .epochs = m.epochs,
          .average = m.average,
          .order = m.order,
          .normalize_weights = m.normalize_weights,
          .normalize_criterion = m.normalize_criterion};
}

}  // namespace discern
