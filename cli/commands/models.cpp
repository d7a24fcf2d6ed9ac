// discern models: what can be fitted, and with which options.
#include "discern/catalogue/models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/flags/model_flags.hpp"
#include "cli/report/json.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "cli/text/flag_names.hpp"
#include "cli/text/text.hpp"

namespace discern::cli {
namespace {

std::string indented(std::string_view text, std::size_t indent) {
  std::string result(indent, ' ');
  for (const char c : text) {
    result += c;
    if (c == '\n') result += std::string(indent, ' ');
  }
  return result + '\n';
}

std::string model_list(const Paint& paint) {
  TextTable table({Align::left, Align::left, Align::left, Align::left});
  table.row(
      {paint.bold("model"), paint.bold("regression"), paint.bold("probabilities"), paint.bold("what it is")});
  for (const ModelEntry& entry : models()) {
    std::string name(entry.name);
    if (!entry.aliases.empty()) name += fmt::format(" ({})", fmt::join(entry.aliases, ", "));
    table.row(
        {name, entry.regression ? "yes" : "", entry.probabilities ? "yes" : "", std::string(entry.summary)});
  }
  return table.text();
}

std::string model_text(const ModelEntry& entry, std::string_view name, const Paint& paint) {
  std::string text = fmt::format("{}: {}\n", paint.bold(entry.name), entry.summary);
  if (!entry.aliases.empty()) text += fmt::format("also called {}\n", fmt::join(entry.aliases, ", "));
  text += '\n' + indented(with_flags(entry.formula), 2) + '\n';
  TextTable table({Align::left, Align::left, Align::left, Align::left}, 2);
  for (const FieldInfo& field : fields_of(entry.make(name)))
    table.row(
        {paint.bold("--" + field.name), field.kind == "flag" ? "" : field.value, field.range, field.help});
  text += paint.bold("options") + " with their defaults and ranges\n" + table.text() + '\n';
  text += fmt::format("gives probabilities: {}, does regression: {}\n\n", entry.probabilities ? "yes" : "no",
                      entry.regression ? "yes" : "no");
  if (entry.grid != nullptr) {
    std::vector<std::string> tried;
    for (const GridAxis& axis : entry.grid(name))
      tried.push_back(fmt::format("{} = {}", axis.option, fmt::join(axis.values, ", ")));
    text += fmt::format("compare tries {}\n\n", fmt::join(tried, "; "));
  }
  return text + paint.bold("example") +
         fmt::format("\n  discern fit data.csv --target class --model {} -o model\n", name);
}

int run_models(const Arguments& arguments, Console& console) {
  if (arguments.positionals() == 0) {
    console.print(console.json() ? models_json() : model_list(console.out()));
    return 0;
  }
  const std::string& name = arguments.positional(0);
  const ModelEntry& entry = find_model(name, "NAME");
  console.print(console.json() ? model_json(entry, name) : model_text(entry, name, console.out()));
  return 0;
}

}  // namespace

Command models_command() {
  return {
      .name = "models",
      .usage = "[NAME]",
      .summary = "list the models, or explain one",
      .description = "",
      .positionals =
          {{.name = "NAME", .help = "a model", .required = false, .choices = model_names(), .file = false}},
      .flags = common_flags(),
      .examples = {{"discern models logistic", "Formula, options, ranges and defaults"}},
      .run = run_models};
}

}  // namespace discern::cli
