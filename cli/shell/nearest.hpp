// The name that a user most likely meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace discern::cli {

// Number of inserted, deleted, replaced and swapped neighbouring letters between two words (the
// restricted Damerau-Levenshtein distance).
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest of the names, or "" when none is close: more than a third of the letters differ and the
// word is no beginning of a name.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

}  // namespace discern::cli
