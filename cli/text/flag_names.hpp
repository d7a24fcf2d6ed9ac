// The library names options as its users write them in C++, between backquotes: `max_iter`. Here they are the
// flags that people type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace discern::cli {

// "raise `max_iter`" becomes "raise --max-iter". What is no flag of any command stays as it is.
std::string with_flags(std::string_view message);
std::vector<std::string> with_flags(const std::vector<std::string>& messages);

}  // namespace discern::cli
