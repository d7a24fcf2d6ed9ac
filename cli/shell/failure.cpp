#include "cli/shell/failure.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>

#include "cli/shell/console.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/memory.hpp"
#include "cli/text/flag_names.hpp"
#include "cli/text/text.hpp"
#include "discern/base/code_name.hpp"
#include "discern/base/memory_text.hpp"

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

std::size_t most_memory_used() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

// What else can be thrown, as an Error; nothing when no user can help it.
std::optional<Error> as_error(const std::exception& problem) {
  if (const auto* error = dynamic_cast<const Error*>(&problem)) return *error;
  if (dynamic_cast<const std::bad_alloc*>(&problem) != nullptr) return out_of_memory("");
  if (dynamic_cast<const std::system_error*>(&problem) != nullptr) return Error(Code::io, problem.what());
  // The only word that oneTBB has for a thread that it cannot have.
  if (std::string_view(problem.what()).starts_with("pthread_create"))
    return Error(
        Code::io,
        "the system gives no more threads; take fewer with --threads 1, or allow more (ulimit -u, -v)");
  return std::nullopt;
}

void complain(std::string_view message) {
  const Paint paint(wants_color(STDERR_FILENO));
  const std::string line = fmt::format("discern: {}: {}\n", paint.red("error"), visible(with_flags(message)));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

// Where standard output is what fails, standard error and the exit code have said it.
void print_error(const char* code, const std::string& message, const Place& place) {
  using Object = nlohmann::ordered_json;
  const auto known = [](const std::string& text) { return text.empty() ? Object(nullptr) : Object(text); };
  const Object object{{"error",
                       {{"code", code},
                        {"message", with_flags(message)},
                        {"file", known(place.file)},
                        {"line", place.line > 0 ? Object(place.line) : Object(nullptr)},
                        {"column", known(place.column)}}}};
  const std::string line = object.dump(-1, ' ', false, Object::error_handler_t::replace) + '\n';
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

Error out_of_memory(const std::string& file) {
  return Error(Code::memory,
               fmt::format("out of memory: more is needed than the {} that were in use at most; {}",
                           bytes_text(most_memory_used()), memory_advice),
               {file, 0, ""});
}

void tell_what_nobody_catches(bool json) {
  static bool as_json;
  as_json = json;
  std::set_terminate([] {
    end_if_memory_ran_out();
    try {
      if (const auto problem = std::current_exception()) std::rethrow_exception(problem);
    } catch (const std::exception& problem) {
      ::_exit(tell_failure(problem, as_json));
    } catch (...) {
    }
    std::abort();
  });
}

int tell_failure(const std::exception& problem, bool json) {
  const std::optional<Error> error = as_error(problem);
  complain(error ? error->what() : fmt::format("internal error: {}", problem.what()));
  if (json && error) print_error(name_of(error->code()), error->message(), error->place());
  if (json && !error) print_error("internal", problem.what(), {});
  return error ? exit_code(error->code()) : 1;
}

}  // namespace discern::cli
