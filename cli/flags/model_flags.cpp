#include "cli/flags/model_flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/flags/auto_penalty.hpp"
#include "discern/base/error.hpp"

namespace discern::cli {
namespace {

// An option and the models that have it.
struct Shared {
  FieldInfo field;
  std::vector<std::string> models;
  bool same_standard = true;
};

std::vector<Shared> shared_fields() {
  std::vector<Shared> all;
  for (const ModelEntry& model : models()) {
    for (const FieldInfo& field : fields_of(model.make(model.name))) {
      const auto known =
          std::find_if(all.begin(), all.end(), [&](const Shared& s) { return s.field.name == field.name; });
      if (known == all.end()) {
        all.push_back({field, {std::string(model.name)}});
        continue;
      }
      known->models.emplace_back(model.name);
      known->same_standard = known->same_standard && known->field.value == field.value;
      for (const std::string& choice : field.choices)
        if (std::find(known->field.choices.begin(), known->field.choices.end(), choice) ==
            known->field.choices.end())
          known->field.choices.push_back(choice);
    }
  }
  return all;
}

std::string metavar_of(const FieldInfo& field) {
  if (field.kind == "flag") return "";
  if (field.kind == "integer") return "N";
  return field.kind == "number" ? "X" : "NAME";
}

std::string flags_of(const ModelOptions& options) {
  std::vector<std::string> names;
  for (const FieldInfo& field : fields_of(options)) names.push_back("--" + field.name);
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

std::vector<Flag> model_flags() {
  std::vector<Flag> flags;
  for (const Shared& shared : shared_fields()) {
    const FieldInfo& field = shared.field;
    std::string help = field.help;
    if (shared.models.size() < models().size()) help += fmt::format(" [{}]", fmt::join(shared.models, ", "));
    flags.push_back({.name = field.name,
                     .metavar = metavar_of(field),
                     .help = std::move(help),
                     .group = "model",
                     .choices = field.choices,
                     .standard = shared.same_standard && field.kind != "flag" ? field.value : ""});
  }
  return flags;
}

std::vector<Flag> multiclass_flags() {
  std::vector<Flag> flags;
  for (const FieldInfo& field : list_fields(MulticlassOptions{}))
    flags.push_back({.name = field.name,
                     .metavar = metavar_of(field),
                     .help = field.help,
                     .group = "model",
                     .choices = field.choices,
                     .standard = field.value});
  return flags;
}

MulticlassOptions multiclass_options(const Arguments& arguments) {
  MulticlassOptions options;
  for (const Flag& flag : multiclass_flags())
    if (arguments.has(flag.name)) set_field(options, flag.name, arguments.text(flag.name));
  return options;
}

ModelOptions model_options(const Arguments& arguments, std::string_view name) {
  const ModelEntry& model = find_model(name);
  ModelOptions options = model.make(name);
  const auto own = fields_of(options);
  for (const Shared& shared : shared_fields()) {
    const std::string& flag = shared.field.name;
    if (!arguments.has(flag)) continue;
    if (std::none_of(own.begin(), own.end(), [&](const FieldInfo& f) { return f.name == flag; }))
      throw Error(Code::usage, fmt::format("--{} is no option of the model {} (its options: {})", flag, name,
                                           flags_of(options)));
    if (is_auto(arguments, flag)) continue;  // chosen when the data are known
    set_option(options, flag, shared.field.kind == "flag" ? "true" : arguments.text(flag));
  }
  // Firth's correction is a penalty of its own: the default l2 gives way to it.
  if (auto* logistic = std::get_if<Logistic>(&options);
      logistic != nullptr && logistic->firth && !arguments.has("l2"))
    logistic->l2 = 0;
  return options;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelEntry& model : models()) {
    names.emplace_back(model.name);
    names.insert(names.end(), model.aliases.begin(), model.aliases.end());
  }
  return names;
}

}  // namespace discern::cli
