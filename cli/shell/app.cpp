#include "cli/shell/app.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <string>
#include <vector>

#include "cli/flags/reading.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/command.hpp"
#include "cli/shell/console.hpp"
#include "cli/shell/failure.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/memory.hpp"
#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"

namespace discern::cli {
namespace {

// A file that is opened while one of the first three descriptors is closed would get its number, and then be
// written to as standard output or error. They are opened the wrong way round, so that using them still
// fails.
void open_closed_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) < 0 && errno == EBADF)
      ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// Also for a command line that cannot be understood.
bool wants_json(const std::vector<std::string>& words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::find(words.begin(), end, "--json") != end;
}

std::string data_file(const Command& command, const Arguments& arguments) {
  for (std::size_t i = 0; i < command.positionals.size(); ++i)
    if (const auto& name = command.positionals[i].name; name == "DATA" || name == "IN")
      return name_of_input(arguments.positional(i));
  return "";
}

// Memory is short because of the data, whichever part of the program asks for it.
int run_on_data(const Command& command, const Arguments& arguments, Console& console) {
  try {
    return command.run(arguments, console);
  } catch (const std::bad_alloc&) {
    throw out_of_memory(data_file(command, arguments));
  } catch (const Error& error) {
    if (error.code() != Code::memory || !error.place().file.empty()) throw;
    throw Error(error.code(), error.message(), {data_file(command, arguments), 0, ""});
  }
}

int run_command(const Command& command, const std::vector<std::string>& words) {
  const Arguments arguments = parse(command, words);
  Console console(arguments.has("quiet"), arguments.has("json"));
  if (arguments.has("help")) {
    console.print(command_help(command, console.out()));
    return 0;
  }
  arguments.require_positionals();
  int code = 0;
  if (command.find("threads") == nullptr) return run_on_data(command, arguments, console);
  with_threads(arguments.threads(), [&] { code = run_on_data(command, arguments, console); });
  return code;
}

int dispatch(std::vector<std::string> words) {
  Console console(false, false);
  if (words.empty()) {
    console.say(program_help(console.err()));
    return 2;
  }
  const std::string first = words.front();
  words.erase(words.begin());
  if (first == "--version" || first == "-V") {
    console.print(fmt::format("discern {}\n", program_version()));
    return 0;
  }
  if (first == "--help" || first == "-h" || first == "help") {
    console.print(words.empty() ? program_help(console.out())
                                : command_help(find_command(words.front()), console.out()));
    return 0;
  }
  if (first.starts_with('-'))
    throw Error(
        Code::usage,
        fmt::format("'{}' stands before the command; flags follow it, as in `discern fit {}`", first, first));
  return run_command(find_command(first), words);
}

// As dispatch, but with a failure told.
int try_dispatch(const std::vector<std::string>& words) {
  tell_what_nobody_catches(wants_json(words));
  try {
    return dispatch(words);
  } catch (const std::exception& problem) {
    return tell_failure(problem, wants_json(words));
  }
}

}  // namespace

int run_program(int count, char** words) {
  open_closed_descriptors();
  keep_freed_memory();
  prepare_for_lack_of_memory();
  catch_signals();
  try {
    return try_dispatch({words + (count > 0 ? 1 : 0), words + count});
  } catch (const std::bad_alloc&) {  // of telling what happened
    return tell_lack_of_memory();
  }
}

}  // namespace discern::cli
