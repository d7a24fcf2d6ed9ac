#include "cli/flags/training.hpp"

#include <fmt/format.h>

#include "cli/flags/model_flags.hpp"
#include "cli/flags/preparing.hpp"
#include "cli/flags/reading.hpp"
#include "cli/flags/saying.hpp"
#include "cli/text/text.hpp"
#include "discern/api/tables.hpp"
#include "discern/base/error.hpp"
#include "discern/catalogue/target_sizes.hpp"
#include "discern/transform/basis_spec.hpp"

namespace discern::cli {
namespace {

std::string basis_help() {
  std::string text = "features made from the features, one after the other by commas:";
  for (const BasisForm& form : basis_forms())
    text += fmt::format("{} {} ({})", text.back() == ':' ? "" : ",", form.form, form.what);
  return text + "; with (COLUMN,COLUMN) behind one, from these columns alone";
}

}  // namespace

std::vector<Flag> training_flags() {
  std::vector<Flag> flags{
      {.name = "target",
       .metavar = "COL",
       .help = "the column with the classes (or the numbers of a regression)",
       .group = "data"},
      sample_weight_flag(),
      missing_flag(),
      keep_all_flag(),
      rare_flag(),
      {.name = "standardize",
       .help = "let penalties act on features of unit variance (the default)",
       .group = "features"},
      {.name = "no-standardize",
       .help = "let penalties act on the features as they are",
       .group = "features"},
      {.name = "no-encode",
       .help = "refuse text features instead of encoding each level as a column",
       .group = "features"},
      {.name = "reference",
       .metavar = "COL=LEVEL,...",
       .help = "encode texts by their difference from a level, for these columns from this one; for others "
               "from the "
               "first",
       .group = "features",
       .standard = "only without a penalty"},
      {.name = "basis", .metavar = "SPEC", .help = basis_help(), .group = "features"},
      {.name = "task",
       .metavar = "TASK",
       .help = "what the target is",
       .group = "model",
       .choices = {"classification", "regression"},
       .standard = "classification"},
      {.name = "class-weight",
       .metavar = "SPEC",
       .help = "balanced, or weights as LABEL=WEIGHT,LABEL=WEIGHT",
       .group = "model"},
      {.name = "positive",
       .metavar = "LABEL",
       .help = "the class that a score above zero means, of two",
       .group = "model",
       .standard = positive_standard},
  };
  return join({std::move(flags), multiclass_flags()});
}

Flag model_flag() {
  return {.name = "model",
          .letter = 'm',
          .metavar = "NAME",
          .help = "what to fit; `discern models` explains each",
          .group = "model",
          .choices = model_names(),
          .standard = "logistic"};
}

std::vector<Flag> by_group(const std::vector<Flag>& flags) {
  std::vector<Flag> sorted;
  for (const char* group : {"data", "folds", "models", "model", "decision", "features", "output", "common"})
    for (const Flag& flag : flags)
      if (flag.group == group) sorted.push_back(flag);
  return sorted;
}

std::string basis_text(const Arguments& arguments) {
  const std::string text = arguments.text("basis");
  if (arguments.has("basis") && text.empty())
    throw Error(Code::usage,
                "--basis: expected features to make, such as poly:2 or rbf:100, got ''; leave it out for the "
                "features as they are");
  parse_basis(text);
  return text;
}

FitSettings training_settings(const Arguments& arguments, Console& console) {
  FitOptions options;
  const bool regression = arguments.text("task") == "regression";
  for (const char* flag : {"positive", "class-weight"})
    if (regression && arguments.has(flag))
      throw Error(Code::usage, fmt::format("--{} has no meaning in a regression", flag));
  if (arguments.has("standardize") && arguments.has("no-standardize"))
    throw Error(Code::usage, "--standardize and --no-standardize exclude each other");
  options.weight_column = arguments.text("sample-weight");
  options.class_weight = arguments.text("class-weight");
  options.positive = arguments.text("positive");
  options.basis = basis_text(arguments);
  options.reference = arguments.text("reference");
  options.multiclass = multiclass_options(arguments);
  options.standardize = !arguments.has("no-standardize");
  options.encode = !arguments.has("no-encode");
  options.seed = arguments.seed();
  options.monitor = console.monitor();
  FitSettings settings = settings_for(options, regression ? Task::regression : Task::classification);
  settings.positive_by_name = true;
  set_preparing(arguments, settings);
  return settings;
}

std::string why_positive(const Model& model, const FitSettings& settings) {
  if (model.classes.size() != 2 || model.positive == 1) return "";
  if (settings.before != nullptr) return "as in the model that goes on";
  return settings.positive.empty() ? "as its name says; --positive chooses the other" : "by --positive";
}

std::string model_name(const Arguments& arguments) { return arguments.text("model", "logistic"); }

void set_model(const Arguments& arguments, FitSettings& settings) {
  const std::string model = model_name(arguments);
  settings.options = model_options(arguments, model);
  settings.target_sizes = read_target_sizes(settings.options);
  if (settings.task == Task::regression && !find_model(model).regression)
    throw Error(Code::usage, fmt::format("--task regression: the model {} only classifies", model));
}

ReadOptions reading_for(const Arguments& arguments, Console& console, FitSettings& settings,
                        const std::string& group) {
  ReadOptions options = read_options(arguments, console);
  if (settings.before == nullptr)
    settings.target = target_of(arguments, arguments.positional(0), options);
  else
    options.expected = &settings.before->pipeline.input();
  const auto refuse = [](const std::string& name, std::string_view one, std::string_view other) {
    throw Error(Code::usage, fmt::format("'{}' cannot be both the {} and the {}", name, one, other));
  };
  options.side.push_back({settings.target, settings.task == Task::classification, true});
  if (!settings.sample_weight.empty()) {
    if (settings.before != nullptr) check_weight(*settings.before, settings.sample_weight);
    if (settings.sample_weight == settings.target) refuse(settings.target, "target", "sample weight");
    options.side.push_back({settings.sample_weight, false, true});
  }
  if (group.empty()) return options;
  if (group == settings.target) refuse(group, "target", "group");
  if (group == settings.sample_weight) refuse(group, "sample weight", "group");
  options.side.push_back({group, true, true});
  return options;
}

void use_names(const Table& table, const std::vector<std::string*>& names) {
  std::size_t next = 0;
  for (std::string* name : names) {
    if (name->empty()) continue;
    if (table.find_side(*name) == nullptr && next < table.side.size()) *name = table.side[next].name;
    ++next;
  }
}

std::string regression_hint(const Table& table, const FitSettings& settings) {
  const SideColumn* target = table.find_side(settings.target);
  if (settings.task == Task::regression || target == nullptr) return "";
  const auto levels = static_cast<Index>(target->levels.size());
  if (levels < 50 || levels * 4 < table.rows()) return "";
  for (const std::string& level : target->levels)
    if (!number_of(level)) return "";
  return fmt::format("the target '{}' has {} different numbers in {}; --task regression predicts numbers",
                     settings.target, grouped(levels), counted(table.rows(), "row"));
}

}  // namespace discern::cli
