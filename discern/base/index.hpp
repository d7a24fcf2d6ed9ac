// The type of every count and position: 64 bits and signed, so that differences are safe.
#pragma once

#include <cstdint>

namespace discern {

using Index = std::int64_t;

}  // namespace discern
