// How a command that fails says so: a line on standard error, under --json an object on standard output, too,
// and an exit code.
#pragma once

#include <exception>
#include <string>

#include "discern/base/error.hpp"

namespace discern::cli {

// What an allocation that fails means to a user: it says how much was in use, and what helps.
Error out_of_memory(const std::string& file);

// Returns the exit code. The object is {"error": {"code", "message", "file", "line", "column"}}, where what
// is not known is null; its code is the name of a discern::Code, or "internal" for what no user can help.
int tell_failure(const std::exception& problem, bool json);

// Says so, too, when a thread of oneTBB ends the program because it could not start another.
void tell_what_nobody_catches(bool json);

}  // namespace discern::cli
