// What the trainers of linear models share.
#pragma once

#include <string>

#include "discern/model/training.hpp"
#include "discern/optim/scaling.hpp"

namespace discern {

Scaling fit_scaling(const Training& training, bool bias);

// The predictor in the units of the features, from the scores x features weights u of the scaled features and
// the biases at the centre.
Linear unscale(const Scaling& scaling, const Matrix& u, const Vector& bias, Link link);

// Throws Code::memory when a dense matrix of size x size would take more than 4 GB.
void check_matrix_size(Index size, std::string_view what);

std::string feature_name(const Training& training, Index j);

// The warning that the features are linearly dependent.
std::string rank_warning(Index rank, Index features);

}  // namespace discern
