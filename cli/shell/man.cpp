// The man page, made from the declarations of the commands.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/shell/arguments.hpp"
#include "cli/shell/command.hpp"
#include "cli/shell/console.hpp"
#include "cli/shell/help.hpp"
#include "discern/catalogue/models.hpp"

namespace discern::cli {
namespace {

// Plain text for troff: a dash that can be copied, a backslash that is one, no accidental request.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  if (!result.empty() && (result[0] == '.' || result[0] == '\'')) result.insert(0, "\\&");
  return result;
}

std::string entry(std::string_view heading, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", roff(heading), roff(text));
}

std::string section(const Command& command) {
  std::string page = fmt::format(".SS {}\n.B discern {}\n{}\n.PP\n{}.\n", command.name, command.name,
                                 roff(command.usage), roff(command.summary));
  if (!command.description.empty()) page += fmt::format(".PP\n{}\n", roff(command.description));
  for (const Positional& positional : command.positionals) {
    std::string help = positional.help;
    if (!positional.choices.empty()) help += fmt::format(": {}", fmt::join(positional.choices, ", "));
    page += entry(positional.name, help);
  }
  for (const Flag& flag : command.flags) page += entry(flag_heading(flag), flag_text(flag));
  for (const Example& example : command.examples)
    page += fmt::format(".PP\n{}:\n.PP\n.RS\n.nf\n{}\n.fi\n.RE\n", roff(example.note), roff(example.line));
  return page;
}

std::string exit_codes() {
  return ".SH EXIT STATUS\n" + entry("0", "done") +
         entry(
             "1",
             "the data, the model file or the system is at fault; the message names file, line and column") +
         entry("2", "the command line is at fault") +
         entry("3", "a fit stopped short of its tolerance under --strict; no model was written") +
         entry("130",
               "interrupted (128 + the signal). An interrupted fit writes the model so far, unless "
               "--strict was given; everything else leaves nothing behind");
}

std::string man_page() {
  std::string page = fmt::format(".TH DISCERN 1 \"\" \"discern {}\" \"User Commands\"\n", program_version());
  page += fmt::format(".SH NAME\ndiscern \\- {}\n", roff(program_summary));
  page += ".SH SYNOPSIS\n";
  for (const Command& command : commands())
    page += fmt::format(".B discern {}\n{}\n.br\n", command.name, roff(command.usage));
  page +=
      ".SH DESCRIPTION\nDiscern learns linear discriminants from a table with a label column. Results go to "
      "standard output, words for people to standard error.\n.SH COMMANDS\n";
  for (const Command& command : commands()) page += section(command);
  page += ".SH MODELS\n";
  for (const ModelEntry& model : models()) page += entry(model.name, model.summary);
  page += exit_codes();
  page += ".SH ENVIRONMENT\n" + entry("NO_COLOR", "when set, nothing is coloured, not even on a terminal");
  return page;
}

int run_man(const Arguments&, Console& console) {
  console.print(man_page());
  return 0;
}

}  // namespace

Command man_command() {
  return {
      .name = "man",
      .usage = "> discern.1",
      .summary = "print the man page",
      .description = "",
      .positionals = {},
      .flags = {{.name = "help", .letter = 'h', .metavar = "", .help = "show this help", .group = "common"}},
      .examples = {{"discern man | man -l -", "Read the page"}},
      .run = run_man};
}

}  // namespace discern::cli
