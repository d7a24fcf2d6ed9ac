// Weights as pictures, for features that are the pixels of an image.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "discern/model/shape/predictor.hpp"

namespace discern::cli {

// --pixels and --images.
std::vector<Flag> pixel_flags(const std::string& standard);

// Height and width of --pixels; nothing when it is not given. Throws Code::usage as below.
std::optional<std::pair<Index, Index>> pixel_size(const Arguments& arguments, Index features);

// Writes row k of the weights as the picture PREFIX-NAME.pgm (portable greymap): grey is zero, white the
// largest size, black the same below zero. Returns the files' names; none when --pixels is not given. Throws
// Code::usage when --pixels is not HxW or does not fit the features.
std::vector<std::string> write_pictures(const Arguments& arguments, const Matrix& weights,
                                        const std::vector<std::string>& names, const std::string& prefix);

}  // namespace discern::cli
