#include "cli/shell/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "cli/text/text.hpp"

namespace discern::cli {
namespace {

constexpr std::size_t page_width = 96;
constexpr std::size_t text_column = 28;      // where the explanations start
constexpr std::size_t longest_choices = 24;  // longer lists go into the explanation

std::string joined_choices(const Flag& flag) { return fmt::format("{}", fmt::join(flag.choices, "|")); }

bool choices_in_heading(const Flag& flag) {
  return !flag.choices.empty() && joined_choices(flag).size() <= longest_choices;
}

std::string entry(std::string_view heading, std::string_view text, const Paint& paint) {
  const std::size_t width = display_width(heading) + 4;
  std::string start = "  " + paint.bold(heading);
  start +=
      width > text_column ? "\n" + std::string(text_column, ' ') : std::string(text_column - width + 2, ' ');
  return start + wrap(text, page_width, text_column) + '\n';
}

std::string title(std::string_view name, const Paint& paint) {
  std::string text(name);
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return paint.bold(text) + '\n';
}

std::string examples_text(const Command& command, const Paint& paint) {
  std::string text = title("examples", paint);
  for (const Example& example : command.examples)
    text += fmt::format("  {}\n      {}\n", wrap(example.note, page_width, 2), paint.bold(example.line));
  return text;
}

}  // namespace

std::string flag_heading(const Flag& flag) {
  std::string heading;
  if (flag.letter != 0) heading = fmt::format("-{}{}", flag.letter, flag.name.empty() ? "" : ", ");
  if (!flag.name.empty()) heading += "--" + flag.name;
  if (flag.is_switch()) return heading;
  return heading + ' ' + (choices_in_heading(flag) ? joined_choices(flag) : flag.metavar);
}

std::string flag_text(const Flag& flag) {
  std::string text = flag.help;
  if (!flag.choices.empty() && !choices_in_heading(flag))
    text += fmt::format(": {}", fmt::join(flag.choices, ", "));
  if (!flag.standard.empty()) text += fmt::format(" (default: {})", flag.standard);
  return text;
}

std::vector<std::string> groups_of(const Command& command) {
  std::vector<std::string> groups;
  for (const Flag& flag : command.flags)
    if (std::find(groups.begin(), groups.end(), flag.group) == groups.end()) groups.push_back(flag.group);
  return groups;
}

std::string program_help(const Paint& paint) {
  std::string text = fmt::format("discern {}: {}\n\n", program_version(), program_summary);
  text += paint.bold("Usage") + "\n  discern COMMAND [arguments]\n\n" + paint.bold("Commands") + '\n';
  for (const Command& command : commands())
    text += fmt::format("  {}{}\n", paint.bold(pad_right(command.name, 12)), command.summary);
  text += '\n' + paint.bold("First steps") + '\n';
  text += "  discern fit data.csv --target class -o model     train\n";
  text += "  discern evaluate model more.csv                  how good is it\n";
  text += "  discern predict model new.csv                    use it\n\n";
  return text + "`discern COMMAND --help` explains a command, `discern models` lists the models.\n";
}

std::string command_help(const Command& command, const Paint& paint) {
  std::string text = fmt::format("{}: {}\n\n{}\n  discern {} {}\n\n", paint.bold("discern " + command.name),
                                 command.summary, paint.bold("Usage"), command.name, command.usage);
  if (!command.description.empty()) text += wrap(command.description, page_width, 0) + "\n\n";
  if (!command.positionals.empty()) text += title("arguments", paint);
  for (const Positional& positional : command.positionals) {
    std::string help = positional.help;
    if (!positional.choices.empty()) help += fmt::format(": {}", fmt::join(positional.choices, ", "));
    text += entry(positional.name, help, paint);
  }
  if (!command.positionals.empty()) text += '\n';
  for (const std::string& group : groups_of(command)) {
    text += title(group, paint);
    for (const Flag& flag : command.flags)
      if (flag.group == group) text += entry(flag_heading(flag), flag_text(flag), paint);
    text += '\n';
  }
  if (!command.examples.empty()) text += examples_text(command, paint);
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace discern::cli
