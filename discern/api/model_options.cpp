#include "discern/api/model_options.hpp"

#include "discern/catalogue/models.hpp"

namespace discern {

ModelOptions options_of(std::string_view model) { return find_model(model).make(model); }

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelEntry& entry : models()) names.emplace_back(entry.name);
  return names;
}

}  // namespace discern
