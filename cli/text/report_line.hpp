// A line of what `inspect` and `separable` tell: its label in bold, then the text, wrapped beside it.
#pragma once

#include <string>
#include <string_view>

#include "cli/shell/console.hpp"

namespace discern::cli {

constexpr std::size_t label_width = 12;
std::string report_line(const Paint& paint, std::string_view label, std::string_view text);

}  // namespace discern::cli
