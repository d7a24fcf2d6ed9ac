#include "cli/shell/app.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <new>
#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "cli/shell/command.hpp"
#include "cli/shell/console.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/memory.hpp"
#include "cli/text/flag_names.hpp"
#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"

namespace discern::cli {
namespace {

int exit_code(Code code) {
  switch (code) {
    case Code::usage:
      return 2;
    case Code::not_converged:
      return 3;
    case Code::interrupted:
      return interrupted() ? 128 + interrupt_signal() : 130;
    default:
      return 1;
  }
}

void complain(std::string_view message) {
  const Paint paint(wants_color(STDERR_FILENO));
  const std::string line = fmt::format("discern: {}: {}\n", paint.red("error"), with_flags(message));
  std::fwrite(line.data(), 1, line.size(), stderr);
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
  if (command.find("threads") == nullptr) return command.run(arguments, console);
  with_threads(arguments.threads(), [&] { code = command.run(arguments, console); });
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

}  // namespace

int run_program(int count, char** words) {
  keep_freed_memory();
  catch_signals();
  try {
    return dispatch({words + (count > 0 ? 1 : 0), words + count});
  } catch (const Error& error) {
    complain(error.what());
    return exit_code(error.code());
  } catch (const std::bad_alloc&) {
    complain("out of memory");
    return 1;
  } catch (const std::exception& error) {
    complain(fmt::format("internal error: {}", error.what()));
    return 1;
  }
}

}  // namespace discern::cli
