// Classes that a plane separates have no finite logistic or softmax estimate without a penalty: the weights
// grow without end and the gradient shrinks on the way, so that it proves nothing.
//
//   complete   every sample is on its side of the plane found
//   partial    some lie on it: a direction raises the margins of some samples and lowers none
//
// Margins are linear in the weights, so that E falls along such a direction for ever.
#pragma once

#include <optional>
#include <string>

#include "discern/model/inference/likelihood_inference.hpp"
#include "discern/model/shape/training.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

// True for problems of that kind.
bool unpenalised_likelihood(const Problem& problem);

// What shows at a point that the classes are separated.
struct Separation {
  bool complete = false;
  Eigen::VectorXd direction;  // along which E falls; of a point without an expansion the point itself
};
// Nothing where none is seen. `likelihood`: the expansion at the point, where it has few enough coordinates.
std::optional<Separation> separation_at(const Problem& problem, const Eigen::VectorXd& point,
                                        const std::optional<Likelihood>& likelihood, const Monitor& monitor);

// The warning that says so, naming the features that move most along the direction.
std::string separation_warning(const Problem& problem, const Training& training,
                               const Separation& separation);

}  // namespace discern
