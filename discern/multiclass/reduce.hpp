// Fits a model for two classes as many machines and makes one model of many classes of them
// (model/shape/reduction.hpp), and calibrates scores. A machine is an ordinary fit on the rows of the classes that
// are on its sides; features are standardised by all rows, so that a penalty means the same in all of them.
// The machines are fitted in parallel and are the same on any number of threads.
#pragma once

#include <functional>
#include <optional>

#include "discern/model/shape/reduction.hpp"
#include "discern/model/shape/training.hpp"
#include "discern/multiclass/options.hpp"

namespace discern {

using Trainer = std::function<Fitted(const Training&)>;

struct Reduced {
  Fitted fitted;
  std::optional<Reduction> reduction;  // empty: jointly, and not calibrated
};

// Two classes are one machine, whatever the strategy. `loss` is what the machines minimise, a name in
// loss/all.hpp. The summary has the worst certificate, the sum of objectives and iterations, and has
// converged when all have. Throws what check() does, Code::usage for a trace of several machines, and the
// errors of the first machine that has one, with its name.
Reduced fit_reduced(const Trainer& fit, const Training& training, const MulticlassOptions& options,
                    std::string_view loss);

}  // namespace discern
