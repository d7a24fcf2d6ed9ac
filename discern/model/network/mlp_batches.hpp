// Learning a network by a step after every batch of rows, in single precision (model/network/mlp.hpp has the steps).
//
// The rows of a batch go through the network in parts of fixed size, the gradient is made in parts of fixed
// size, and so is the step, each on any thread: the same bits on one or many. The rate h of step l of n falls
// by the schedule as in optim/stochastic/sgd.hpp. Without a rate of the user's it is 0.001 for adam and otherwise four
// over the largest number of inputs to a layer, which bounds the curvature of standardised inputs (times 1 -
// m with a momentum m, which takes the length of a step to 1 / (1 - m) of itself).
#pragma once

#include <cstdint>

#include "discern/model/network/mlp.hpp"
#include "discern/model/network/network_function.hpp"
#include "discern/optim/problem/minimum.hpp"

namespace discern {

// What was found, and where it did best on the rows held out.
struct NetworkMinimum : Minimum {
  std::optional<double> held_loss;  // the mean loss of the rows held out, at the point
  bool stopped_early = false;
  Index found_after = 0;  // iterations, of the point
};

// `function` is that of the task, for the objective and the certificate. Throws Code::usage when the loss
// explodes.
NetworkMinimum learn_in_batches(const Mlp& options, const NetworkTask& task, const Source& source,
                                NetworkFunction& function, const Eigen::VectorXd& start,
                                double gradient_scale, std::uint64_t seed, const SolverOptions& how);

// Throws Code::usage, with a rate to try, when a mean loss is no number or a thousand times that at the
// start.
void check_loss(double loss, double at_start, Index step, double rate);

}  // namespace discern
