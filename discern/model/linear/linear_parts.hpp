// What the trainers of linear models share.
#pragma once

#include <string>

#include "discern/loss/all.hpp"
#include "discern/model/shape/training.hpp"
#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/problem/scaling.hpp"

namespace discern {

// The coordinates that a fit is solved in (optim/problem/scaling.hpp). Centred if asked and the features are dense.
Scaling fit_scaling(const Training& training, bool center);
// Those in which every feature is as it is; throws as check_spread does.
Scaling unit_scaling(const Training& training, bool center);

// Throws Code::data naming a feature whose spread is so large or small (beyond 1e+-150) that its square
// leaves the range of double, since every model here needs it.
void check_spread(const Training& training, const Eigen::VectorXd& deviation);

// The predictor in the units of the features, from the scores x features weights u of the scaled features and
// the biases at the centre.
Linear unscale(const Scaling& scaling, const Matrix& u, const Vector& bias, Link link);

// The other way round: a column for each score, the bias at the centre and below it the weights u.
Matrix rescale(const Scaling& scaling, const Linear& linear);

// What makes probabilities of the scores that minimise a loss.
Link link_of(const Loss& loss);

// The score of a class that an interrupted fit has no weights for: below that of any class which has some, so
// that no row is assigned to it, and its square is a number yet.
inline constexpr double score_without_weights = -1e100;
// Which classes these are, for a person.
std::string without_weights(const std::vector<std::int32_t>& classes, const Training& training);

// Throws Code::memory when the dense size x size matrices of a fit would take more than 8 GB.
void check_matrix_size(Index size, std::string_view what);

// The same for the dense rows of a fit that has fewer rows than columns.
void check_rows_size(Index rows, Index columns, std::string_view what);

std::string feature_name(const Training& training, Index j);

// The part of a report that says why a solver stopped short of the tolerance.
std::string stopped_short(const Minimum& minimum, Index max_iter);

// The warning that the features are linearly dependent.
// `given`: which of the weights that fit equally well are given.
std::string rank_warning(Index rank, Index features, std::string_view given);

}  // namespace discern
