// E and the certificate of a point that somebody has found, in one pass.
#pragma once

#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

// Sets them from the point alone.
void judge(const Problem& problem, Minimum& minimum);

}  // namespace discern
