// Inference (model/inference/inference.hpp) for the models that maximise a likelihood by minimising a Problem.
#pragma once

#include <optional>

#include "discern/model/inference/inference.hpp"
#include "discern/model/inference/profile.hpp"
#include "discern/model/shape/training.hpp"
#include "discern/optim/solver/newton_terms.hpp"

namespace discern {

// A minimum in Newton's coordinates, with the expansion there. `expand` gives the expansion at other points,
// for profiles; its Hessian is the information that the errors come from.
struct Likelihood {
  const Problem* problem = nullptr;
  Eigen::MatrixXd q;   // the sum-zero basis of softmax; empty for two classes
  Eigen::MatrixXd at;  // (1 + features) x free scores
  Expansion expansion;
  double log_likelihood = 0;
  ExpansionAt expand;
};

// At a solver's point; nothing when there are too many coordinates. The problem must outlive it. `expansion`:
// that at the point, where it is known; otherwise one pass.
std::optional<Likelihood> likelihood_at(const Problem& problem, const Eigen::VectorXd& point,
                                        const Expansion* expansion, const Monitor& monitor);

// The warning that maximum likelihood overestimates the odds in a sample this small, with the first-order
// bias (model/inference/firth.hpp); empty with 500 rows or more, or when the bias is below a twentieth of the weights.
std::string small_sample_warning(const Likelihood& likelihood, const Training& training);

// Needs a minimum that exists and was reached: the caller says why there is none otherwise.
Inference infer(const Likelihood& likelihood, const Training& training);

}  // namespace discern
