// discern demo: the lectures' examples, each from one command.
#include "cli/commands/demo.hpp"

#include <fmt/format.h>

#include <array>

#include "cli/report/json.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/nearest.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"

namespace discern::cli {
namespace {

std::vector<std::string> demo_names() {
  std::vector<std::string> names;
  for (const Demo& demo : demos()) names.emplace_back(demo.name);
  return names;
}

const Demo& find_demo(const std::string& name) {
  for (const Demo& demo : demos())
    if (demo.name == name) return demo;
  const std::string hint = nearest(name, demo_names());
  throw Error(Code::usage, fmt::format("no demo '{}'{}; `discern demo` lists them", name,
                                       hint.empty() ? "" : fmt::format(", did you mean '{}'?", hint)));
}

std::string demo_list(const Paint& paint) {
  TextTable table({Align::left, Align::left}, 2);
  for (const Demo& demo : demos()) table.row({paint.bold(demo.name), std::string(demo.summary)});
  return paint.bold("demos") + '\n' + table.text() + "\n`discern demo NAME` shows one.\n";
}

int run_demo(const Arguments& arguments, Console& console) {
  if (arguments.positionals() == 0) {
    std::vector<std::pair<std::string, JsonValue>> items;
    for (const Demo& demo : demos()) items.emplace_back(std::string(demo.name), std::string(demo.summary));
    console.print(console.json() ? object_json(items) : demo_list(console.out()));
    return 0;
  }
  const Demo& demo = find_demo(arguments.positional(0));
  const std::string story = demo.story(console.json() ? Paint(false) : console.out());
  console.print(console.json() ? object_json({{"demo", std::string(demo.name)}, {"text", story}}) : story);
  return 0;
}

}  // namespace

std::span<const Demo> demos() {
  static constexpr std::array<Demo, 6> table{{
      {"or", "the truth table of OR, by one line with given weights", or_story},
      {"and", "the truth table of AND, by one line with given weights", and_story},
      {"xor", "why no line can do XOR; two layers and a product that can", xor_story},
      {"separable", "a margin, the perceptron's mistakes and their bound", separable_story},
      {"outlier", "points that are too correct bend least squares, not logistic regression", outlier_story},
      {"learning-rate", "gradient descent with a small, a good and a too large step", learning_rate_story},
  }};
  return table;
}

Command demo_command() {
  return {
      .name = "demo",
      .usage = "[NAME]",
      .summary = "the classic examples, each a short story in the terminal",
      .description =
          "Without a name: the list. Every story is computed when it is told, with the same fits as the "
          "other commands, and is the same every time.",
      .positionals =
          {{.name = "NAME", .help = "which one", .required = false, .choices = demo_names(), .file = false}},
      .flags = common_flags(),
      .examples = {{"discern demo xor", "What a line cannot do, with the proof"},
                   {"discern demo learning-rate", "Three gradient descents side by side"}},
      .run = run_demo};
}

}  // namespace discern::cli
