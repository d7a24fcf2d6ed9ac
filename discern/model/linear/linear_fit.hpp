// The one trainer of the models that minimise a loss of linear scores: the choice of coordinates and of the
// solver, the classes one against the rest where the loss has one score, and the report.
#pragma once

#include "discern/loss/all.hpp"
#include "discern/model/shape/training.hpp"
#include "discern/options/linear.hpp"

namespace discern {

// Minimises the loss plus the penalty. Throws Code::usage when the solver asked for cannot.
Fitted fit_linear(const Loss& loss, const LinearOptions& options, const Training& training);

}  // namespace discern
