// The prior probabilities of the classes, as an option of the models that are built from densities.
//
//   shares         what each class has of the weight of the rows (the default)
//   equal          1 / K
//   a=0.3,b=0.7    set by hand, every class once; brought to the sum 1
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "discern/base/fields.hpp"
#include "discern/model/shape/training.hpp"

namespace discern {

inline constexpr Field priors_field{
    "priors", "probabilities of the classes: shares (those of the rows), equal, or CLASS=P,CLASS=P"};

// P_k from "equal" or CLASS=P,..., in the order of the names. Throws Code::usage as below.
Vector parse_priors(std::string_view text, const std::vector<std::string>& classes);

// log P_k. Throws Code::usage for a class that is not there, missing or twice, or a number that is not above
// 0.
Vector log_priors(const std::string& text, const Vector& class_weights, const Training& training);

}  // namespace discern
