// How rows are divided into folds; evaluate/folds.hpp has the rules.
#pragma once

#include <cstdint>

#include "discern/base/index.hpp"

namespace discern {

struct FoldOptions {
  Index folds = 5;
  Index repeats = 1;  // each with an order of its own
  bool leave_one_out = false;
  bool time_ordered = false;
  std::uint64_t seed = 0;
  bool asked_for = true;  // the number of folds, so that messages may speak of it
};

}  // namespace discern
