// What a command is, as data. The parser, the help, the man page and the shell completions all read the same
// declarations, so a flag is written down once, in the command that owns it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace discern::cli {

class Arguments;
class Console;

struct Flag {
  std::string name = {};                  // after the two dashes; empty when there is only a letter
  char letter = 0;                        // after the single dash; 0: none
  std::string metavar = {};               // what stands for the value in the help; empty: a switch
  std::string help = {};                  // one line, no full stop
  std::string group = {};                 // the heading it stands under in the help
  std::vector<std::string> choices = {};  // the values it takes, when they are few
  std::string standard = {};              // the value when it is not given, for the help
  bool list = false;                      // comma-separated values, and may be given several times
  bool file = false;                      // the value is a file's name

  bool is_switch() const { return metavar.empty(); }
  std::string key() const { return name.empty() ? std::string(1, letter) : name; }
  std::string spelling() const { return name.empty() ? std::string("-") + letter : "--" + name; }
};

struct Positional {
  std::string name;  // in capitals, as the usage line shows it
  std::string help;
  bool required = true;
  std::vector<std::string> choices = {};
  bool file = true;
};

struct Example {
  std::string line;  // what to type
  std::string note;  // what it does
};

struct Command {
  std::string name;
  std::string usage;        // what follows the name in the usage line
  std::string summary;      // one line, for the list of commands
  std::string description;  // a paragraph or two
  std::vector<Positional> positionals;
  std::vector<Flag> flags;
  std::vector<Example> examples;
  int (*run)(const Arguments& arguments, Console& console);

  const Flag* find(std::string_view key) const;
};

// The flags that belong to many commands.
std::vector<Flag> common_flags();                              // --threads --seed --json --quiet --help
std::vector<Flag> reading_flags();                             // how a data file is read
std::vector<Flag> join(std::vector<std::vector<Flag>> lists);  // one after the other

// A declaration a command; each is defined in the source file of that name.
Command fit_command();
Command predict_command();
Command evaluate_command();
Command cv_command();
Command compare_command();
Command path_command();
Command inspect_command();
Command project_command();
Command separable_command();
Command losses_command();
Command demo_command();
Command generate_command();
Command convert_command();
Command describe_command();
Command split_command();
Command models_command();
Command completion_command();
Command man_command();

const std::vector<Command>& commands();  // in the order of the help
// Throws Code::usage with the nearest name.
const Command& find_command(std::string_view name);

constexpr std::string_view program_summary = "linear discriminants: from a plain CSV to a certified model";
std::string_view program_version();

}  // namespace discern::cli
