// The prior probabilities of the classes, as an option of the models that are built from densities.
//
//   shares         what each class has of the weight of the rows (the default)
//   equal          1 / K
//   a=0.3,b=0.7    set by hand, every class once; brought to the sum 1
#pragma once

#include "discern/base/fields.hpp"

namespace discern {

inline constexpr Field priors_field{
    "priors", "probabilities of the classes: shares (those of the rows), equal, or CLASS=P,CLASS=P"};

}  // namespace discern
