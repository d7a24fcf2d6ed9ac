// Completion scripts for bash, zsh and fish, made from the declarations of the commands.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/shell/arguments.hpp"
#include "cli/shell/command.hpp"
#include "cli/shell/console.hpp"
#include "discern/base/error.hpp"

namespace discern::cli {
namespace {

std::vector<std::string> spellings(const Flag& flag) {
  std::vector<std::string> all;
  if (flag.letter != 0) all.push_back(std::string("-") + flag.letter);
  if (!flag.name.empty()) all.push_back("--" + flag.name);
  return all;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.push_back(command.name);
  return names;
}

// A text for the inside of single quotes, with the characters of `special` behind a backslash.
std::string escaped(std::string_view text, std::string_view special = "") {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result;
}

std::string shell_quoted(std::string_view text) { return "'" + escaped(text) + "'"; }

std::string bash_words(const std::vector<std::string>& words, std::string_view indent) {
  return fmt::format("{}mapfile -t COMPREPLY < <(compgen -W {} -- \"$cur\")\n", indent,
                     shell_quoted(fmt::format("{}", fmt::join(words, " "))));
}

std::string bash_files(std::string_view indent) {
  return fmt::format(
      "{0}compopt -o filenames 2>/dev/null\n{0}mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n", indent);
}

std::string bash_value(const Command& command, const Flag& flag) {
  std::vector<std::string> patterns;
  for (const std::string& spelling : spellings(flag))
    patterns.push_back(fmt::format("\"{} {}\"", command.name, spelling));
  std::string text = fmt::format("    {})\n", fmt::join(patterns, "|"));
  if (!flag.choices.empty())
    text += bash_words(flag.choices, "      ");
  else if (flag.file)
    text += bash_files("      ");
  return text + "      return ;;\n";
}

std::string bash_command(const Command& command) {
  std::vector<std::string> flags;
  for (const Flag& flag : command.flags)
    for (std::string& spelling : spellings(flag)) flags.push_back(std::move(spelling));
  std::string text = fmt::format("    {})\n      if [[ $cur == -* ]]; then\n", command.name);
  text += bash_words(flags, "        ") + "      else\n";
  const bool choices = !command.positionals.empty() && !command.positionals[0].choices.empty();
  if (choices)
    text += bash_words(command.positionals[0].choices, "        ");
  else if (!command.positionals.empty())
    text += bash_files("        ");
  else
    text += "        :\n";
  return text + "      fi ;;\n";
}

std::string bash_script() {
  std::string text =
      "# bash completion for discern: discern completion bash > "
      "~/.local/share/bash-completion/completions/discern\n_discern() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  COMPREPLY=()\n  if [[ $COMP_CWORD -eq 1 ]]; then\n";
  auto names = command_names();
  names.insert(names.end(), {"--help", "--version"});
  text += bash_words(names, "    ") + "    return\n  fi\n  case \"${COMP_WORDS[1]} $prev\" in\n";
  for (const Command& command : commands())
    for (const Flag& flag : command.flags)
      if (!flag.is_switch()) text += bash_value(command, flag);
  text += "  esac\n  case \"${COMP_WORDS[1]}\" in\n";
  for (const Command& command : commands()) text += bash_command(command);
  return text + "  esac\n}\ncomplete -F _discern discern\n";
}

// What zsh offers for a value: one of some words, a file, or only its name.
std::string zsh_values(const std::string& name, const std::vector<std::string>& choices, bool file) {
  if (!choices.empty()) return fmt::format(":{}:({})", name, fmt::join(choices, " "));
  return fmt::format(":{}:{}", name, file ? "_files" : "");
}

std::string zsh_flag(const Flag& flag) {
  std::string text;
  const std::string help = escaped(flag.help, "[]:");
  const std::string values = flag.is_switch() ? "" : zsh_values(flag.metavar, flag.choices, flag.file);
  for (const std::string& spelling : spellings(flag))
    text += fmt::format("        '{}{}[{}]{}' \\\n", flag.list ? "*" : "", spelling, help, values);
  return text;
}

std::string zsh_script() {
  std::string text =
      "#compdef discern\n# zsh completion for discern: put it into a folder of $fpath as _discern\n"
      "_discern() {\n  if (( CURRENT == 2 )); then\n    local -a names=(\n";
  for (const Command& command : commands())
    text += fmt::format("      {}\n", shell_quoted(fmt::format("{}:{}", command.name, command.summary)));
  text +=
      "    )\n    _describe 'command' names\n    return\n  fi\n  local name=$words[2]\n"
      "  shift words\n  (( CURRENT-- ))\n  case $name in\n";
  for (const Command& command : commands()) {
    text += fmt::format("    {})\n      _arguments \\\n", command.name);
    for (const Flag& flag : command.flags) text += zsh_flag(flag);
    for (const Positional& positional : command.positionals)
      text += fmt::format("        '{}{}' \\\n", positional.required ? "" : ":",
                          zsh_values(positional.name, positional.choices, positional.file));
    text += "        ;;\n";
  }
  return text + "  esac\n}\n_discern \"$@\"\n";
}

std::string fish_flag(const Command& command, const Flag& flag) {
  std::string line = fmt::format("complete -c discern -n '__fish_seen_subcommand_from {}'", command.name);
  if (flag.letter != 0) line += fmt::format(" -s {}", flag.letter);
  if (!flag.name.empty()) line += fmt::format(" -l {}", flag.name);
  if (!flag.is_switch()) line += flag.file ? " -r -F" : " -x";
  if (!flag.choices.empty())
    line += fmt::format(" -a {}", shell_quoted(fmt::format("{}", fmt::join(flag.choices, " "))));
  return line + fmt::format(" -d {}\n", shell_quoted(flag.help));
}

std::string fish_script() {
  std::string text =
      "# fish completion for discern: discern completion fish > "
      "~/.config/fish/completions/discern.fish\n";
  for (const Command& command : commands())
    text += fmt::format("complete -c discern -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        shell_quoted(command.summary));
  text +=
      "complete -c discern -n __fish_use_subcommand -l version -d 'show the version'\n"
      "complete -c discern -n __fish_use_subcommand -l help -d 'show the help'\n";
  for (const Command& command : commands()) {
    for (const Positional& positional : command.positionals)
      if (!positional.choices.empty())
        text +=
            fmt::format("complete -c discern -n '__fish_seen_subcommand_from {}' -f -a {}\n", command.name,
                        shell_quoted(fmt::format("{}", fmt::join(positional.choices, " "))));
    for (const Flag& flag : command.flags) text += fish_flag(command, flag);
  }
  return text;
}

int run_completion(const Arguments& arguments, Console& console) {
  const std::string& shell = arguments.positional(0);
  if (shell == "bash")
    console.print(bash_script());
  else if (shell == "zsh")
    console.print(zsh_script());
  else if (shell == "fish")
    console.print(fish_script());
  else
    throw Error(Code::usage, fmt::format("SHELL: expected bash, zsh or fish, got '{}'", shell));
  return 0;
}

}  // namespace

Command completion_command() {
  return {
      .name = "completion",
      .usage = "bash|zsh|fish",
      .summary = "print a completion script for a shell",
      .description = "",
      .positionals = {{.name = "SHELL",
                       .help = "the shell to complete in",
                       .choices = {"bash", "zsh", "fish"},
                       .file = false}},
      .flags = {{.name = "help", .letter = 'h', .metavar = "", .help = "show this help", .group = "common"}},
      .examples = {{"source <(discern completion bash)", "Complete in this shell"}},
      .run = run_completion};
}

}  // namespace discern::cli
