// The models' options as flags of `fit`: the union of what the catalogue's models declare.
#pragma once

#include <vector>

#include "cli/shell/arguments.hpp"
#include "cli/shell/command.hpp"
#include "discern/catalogue/models.hpp"

namespace discern::cli {

// Every option of every model once; the help says which models take it.
std::vector<Flag> model_flags();
// --multiclass, --decision, --calibrate and what belongs to them.
std::vector<Flag> multiclass_flags();
MulticlassOptions multiclass_options(const Arguments& arguments);

// The options of the model called `name` with those set that were given. A flag that the model does not have
// is Code::usage, naming the options that it has.
ModelOptions model_options(const Arguments& arguments, std::string_view name);

std::vector<std::string> model_names();  // aliases included

}  // namespace discern::cli
