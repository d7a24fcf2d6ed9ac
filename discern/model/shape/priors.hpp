// The prior probabilities of the classes from the option (options/priors.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "discern/model/shape/training.hpp"
#include "discern/options/priors.hpp"

namespace discern {

// P_k from "equal" or CLASS=P,..., in the order of the names. Throws Code::usage as below.
Vector parse_priors(std::string_view text, const std::vector<std::string>& classes);

// log P_k. Throws Code::usage for a class that is not there, missing or twice, or a number that is not above
// 0.
Vector log_priors(const std::string& text, const Vector& class_weights, const Training& training);

}  // namespace discern
