// Which options for several classes go together.
#pragma once

#include "discern/base/index.hpp"
#include "discern/options/multiclass.hpp"

namespace discern {

// Throws Code::usage for options that do not go together or with the number of classes; 0 classes: a
// regression.
void check(const MulticlassOptions& options, Index classes);

}  // namespace discern
