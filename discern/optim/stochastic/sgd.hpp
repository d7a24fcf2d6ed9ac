// Stochastic gradient descent: a step after every batch B of b samples,
//
//   u <- u - h_l ( sum_{i in B} s_i grad L_i(u) + b/n l2 u ),     l = 1, 2, ...
//
// with h_l = h, h/l, h/sqrt(l), or falling in a line to zero at the last of T steps, h (1 - (l - 1)/T). The
// l1 penalty is taken as cumulative clipping (Tsuruoka, Tsujii and Ananiadou 2009), which gives exact zeros.
// For any loss; where it has a kink a subgradient. Starts at zero; the losses that are flat or stationary
// there (the units and the perceptron criterion) at a small random point.
//
// A step costs what its samples cost and nothing for features that they do not have: the l2 penalty is one
// factor common to all weights, the l1 penalty is applied to a weight when it is next used, and the mean of
// the weights is kept by what was changed. (Bringing the weights to unit length, or l2 penalties that differ
// between features, do cost a pass over the weights. With l1 the mean is of the weights as they were last
// used.) The steps are sequential by nature and use one thread, so the result does not depend on the number
// of threads; a second one only reads ahead (read_ahead.hpp).
//
// The solver stops after the epochs, not at a tolerance. At the end E and the certificate are computed, in
// one pass with the gradient at zero that it is relative to, and `converged` says whether that is within tol.
// `iterations` are the epochs done; in a trace they are the steps, each of them up to 1,000 rows and the last
// of every epoch beyond.
#pragma once

#include <cstdint>

#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/problem/problem.hpp"
#include "discern/options/stochastic.hpp"

namespace discern {

struct SgdOptions {
  double learning_rate = 0;  // 0: chosen from the data, see automatic_rate; then l above counts epochs, so
                             // that h/l does not die away before the first is over
  Schedule schedule = Schedule::linear;
  Index batch_size = 1;
  Index epochs = 10;
  bool average = false;  // return the mean of u over the last half of the steps (Polyak and Ruppert)
  SampleOrder order = SampleOrder::shuffled;
  bool normalize_weights = false;  // bring the weights with the bias to unit length after each step
  std::uint64_t seed = 0;
};

// Throws Code::usage when the steps are so long that the weights overflow.
Minimum sgd(const Problem& problem, const SgdOptions& how, const SolverOptions& options);

}  // namespace discern
