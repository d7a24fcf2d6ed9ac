// The help texts, made from the declarations of the commands.
#pragma once

#include <string>

#include "cli/shell/command.hpp"
#include "cli/shell/console.hpp"

namespace discern::cli {

std::string program_help(const Paint& paint);
std::string command_help(const Command& command, const Paint& paint);

// "-o, --output MODEL" and "what it does (default: x)", as help and man page show them.
std::string flag_heading(const Flag& flag);
std::string flag_text(const Flag& flag);
// The headings of the flags' groups in order of appearance.
std::vector<std::string> groups_of(const Command& command);

}  // namespace discern::cli
