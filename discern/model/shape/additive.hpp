// The scores of an Additive predictor, and the kernel densities in them.
#pragma once

#include "discern/model/shape/predictor.hpp"

namespace discern {

Matrix scores_of(const Additive& additive, const Rows& x);

// log p(x) of density number `density`, exact to rounding however far x lies from the points: the nearest
// point is taken out of the sum, and points whose part is below exp(-50) of its part are left out.
double log_density(const Kernels& kernels, Index density, double x);

}  // namespace discern
