// Models and their options by name, for programs that get them as text: other languages, files of settings.
//
//   ModelOptions options = options_of("logistic");
//   set_option(options, "max-iter", "50");
//   const FittedModel model = fit(options, X, y);
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "discern/base/fields.hpp"
#include "discern/options/all.hpp"

namespace discern {

// The options of a model by its name or alias ("ridge"), as `discern models` lists them. Code::usage otherwise.
ModelOptions options_of(std::string_view model);

std::vector<std::string> model_names();

// Sets an option by its name, and lists them all. Code::usage for an unknown name or a value out of range.
void set_option(ModelOptions& options, std::string_view name, std::string_view text);
std::vector<FieldInfo> fields_of(const ModelOptions& options);

}  // namespace discern
