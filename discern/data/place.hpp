// An index as the standard containers take it.
#pragma once

#include <cstddef>

#include "discern/data/row.hpp"

namespace discern {

inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace discern
