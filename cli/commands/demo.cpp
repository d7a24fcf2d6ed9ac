// discern demo: the lectures' examples, each from one command.
#include "cli/commands/demo.hpp"

#include <fmt/format.h>

#include <array>

#include "cli/flags/report_flag.hpp"
#include "cli/report/json.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/nearest.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/report/gallery/gallery.hpp"

namespace discern::cli {
namespace {

const report::Exhibit* exhibit_of(std::string_view name) {
  // The stories of OR and AND are told by one figure.
  const std::string_view figure = name == "or" || name == "and" ? "logic" : name;
  for (const report::Exhibit& exhibit : report::exhibits())
    if (exhibit.name == figure) return &exhibit;
  return nullptr;
}

const Demo* demo_of(std::string_view name) {
  for (const Demo& demo : demos())
    if (demo.name == name) return &demo;
  return nullptr;
}

// The stories first, then the figures that have none; each with its line.
std::vector<std::pair<std::string, std::string>> demo_lines() {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Demo& demo : demos()) lines.emplace_back(demo.name, demo.summary);
  for (const report::Exhibit& exhibit : report::exhibits())
    if (demo_of(exhibit.name) == nullptr) lines.emplace_back(exhibit.name, exhibit.summary);
  return lines;
}

std::vector<std::string> demo_names() {
  std::vector<std::string> names;
  for (const auto& [name, summary] : demo_lines()) names.push_back(name);
  return names;
}

void check_demo(const std::string& name) {
  if (demo_of(name) != nullptr || exhibit_of(name) != nullptr) return;
  const std::string hint = nearest(name, demo_names());
  throw Error(Code::usage, fmt::format("no demo '{}'{}; `discern demo` lists them", name,
                                       hint.empty() ? "" : fmt::format(", did you mean '{}'?", hint)));
}

std::string demo_list(const Paint& paint) {
  TextTable table({Align::left, Align::left}, 2);
  for (const auto& [name, summary] : demo_lines()) table.row({paint.bold(name), summary});
  return paint.bold("demos") + '\n' + table.text() +
         "\n`discern demo NAME` tells one, --report FILE.html draws it; --all --report FILE.html draws "
         "all.\n";
}

// What a figure says where there is no picture.
std::string figures_text(const report::Page& page, const Paint& paint) {
  std::string text;
  for (const report::Figure& figure : page.figures) {
    text += paint.bold(figure.title) + "\n\n" + wrap(figure.text, 80, 0) + "\n\n";
    if (!figure.formula.empty()) text += "  " + figure.formula + "\n\n";
    TextTable numbers({Align::left, Align::right}, 2);
    for (const auto& [name, value] : figure.numbers) numbers.row({name, value});
    if (!figure.numbers.empty()) text += numbers.text() + '\n';
  }
  return text + "--report FILE.html draws it.\n";
}

std::string story_of(const std::string& name, const Paint& paint) {
  if (const Demo* demo = demo_of(name)) return demo->story(paint);
  return figures_text(report::exhibit_page(*exhibit_of(name)), paint);
}

int run_demo(const Arguments& arguments, Console& console) {
  const std::string page = report_path(arguments, "");
  if (arguments.has("all")) {
    if (page.empty()) throw Error(Code::usage, "--all draws every figure; give --report FILE.html, too");
    if (arguments.positionals() > 0)
      throw Error(Code::usage, "--all and the name of a demo exclude each other");
    write_report(report::picture_book(), page, console);
    return 0;
  }
  if (arguments.positionals() == 0) {
    if (!page.empty()) throw Error(Code::usage, "--report draws one demo; give its NAME, or --all");
    std::vector<std::pair<std::string, JsonValue>> items;
    for (const auto& [name, summary] : demo_lines()) items.emplace_back(name, summary);
    console.print(console.json() ? object_json(items) : demo_list(console.out()));
    return 0;
  }
  const std::string& name = arguments.positional(0);
  check_demo(name);
  const std::string story = story_of(name, console.json() ? Paint(false) : console.out());
  if (console.json())
    console.print(object_json({{"demo", name}, {"text", story}}));
  else if (!console.quiet())
    console.print(story);
  if (!page.empty()) write_report(report::exhibit_page(*exhibit_of(name)), page, console);
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
      .usage = "[NAME | --all] [--report FILE.html]",
      .summary = "the classic examples, as short stories and as figures",
      .description =
          "Without a name: the list. Every story is computed when it is told, with the same fits as the "
          "other commands, and is the same every time.",
      .positionals =
          {{.name = "NAME", .help = "which one", .required = false, .choices = demo_names(), .file = false}},
      .flags = join({{{.name = "all",
                       .help = "every figure of the subject on one page, with --report",
                       .group = "output"},
                      report_flag()},
                     common_flags()}),
      .examples = {{"discern demo xor", "What a line cannot do, with the proof"},
                   {"discern demo learning-rate", "Three gradient descents side by side"},
                   {"discern demo fisher --report fisher.html", "Turn the axis of a projection"},
                   {"discern demo --all --report figures.html", "A picture book of the subject"}},
      .run = run_demo};
}

}  // namespace discern::cli
