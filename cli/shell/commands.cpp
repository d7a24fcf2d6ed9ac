#include <fmt/format.h>

#include <algorithm>

#include "cli/shell/command.hpp"
#include "cli/shell/nearest.hpp"
#include "discern/base/error.hpp"
#include "discern/io/table/formats.hpp"

namespace discern::cli {

const Flag* Command::find(std::string_view key) const {
  const auto found = std::find_if(flags.begin(), flags.end(), [&](const Flag& f) { return f.key() == key; });
  return found == flags.end() ? nullptr : &*found;
}

std::vector<Flag> common_flags() {
  return {
      {.name = "threads",
       .metavar = "N",
       .help = "use at most N threads; results do not depend on it",
       .group = "common",
       .standard = "all"},
      {.name = "seed",
       .metavar = "S",
       .help = "seed of everything random",
       .group = "common",
       .standard = "0"},
      {.name = "json", .help = "print one JSON object on standard output, nothing else", .group = "common"},
      {.name = "quiet", .letter = 'q', .help = "say nothing but warnings and errors", .group = "common"},
      {.name = "help", .letter = 'h', .help = "show this help", .group = "common"},
  };
}

std::vector<Flag> reading_flags() {
  std::vector<std::string> names;
  for (const Format& format : formats()) names.emplace_back(format.name);
  return {
      {.name = "format",
       .metavar = "NAME",
       .help = "format of the data file",
       .group = "data",
       .choices = std::move(names),
       .standard = "by the file's extension"},
      {.name = "separator",
       .metavar = "CHAR",
       .help = "what separates the cells of a text file: a character, or tab",
       .group = "data",
       .standard = "detected"},
      {.name = "header", .help = "the first line holds the names of the columns", .group = "data"},
      {.name = "no-header",
       .help = "there are no names; the columns are called x1, x2, ...",
       .group = "data"},
      {.name = "comment",
       .metavar = "CHAR",
       .help = "lines of a text file that begin with it are left out; none: there are no such lines",
       .group = "data",
       .standard = "# where the file begins with such lines"},
      {.name = "na-values",
       .metavar = "LIST",
       .help =
           "texts that stand for a missing cell, besides the empty one, NA, NaN, N/A, NULL, None, ? and .; "
           "to be said to predict, too",
       .group = "data",
       .list = true},
      {.name = "decimal",
       .metavar = "CHAR",
       .help = "the decimal mark of a text file, a point or a comma",
       .group = "data",
       .standard = "detected column by column"},
      {.name = "thousands",
       .metavar = "CHAR",
       .help = "what stands between thousands in a text file; none: nothing does",
       .group = "data",
       .standard = "detected column by column"},
      {.name = "dates",
       .metavar = "AS",
       .help = "ISO dates and times are numbers, the days since 1970-01-01; a fit can also take these apart "
               "into year, "
               "month, day, day of the week and hour; or they are text",
       .group = "data",
       .choices = {"number", "parts", "text"},
       .standard = "number"},
      {.name = "bad-rows",
       .metavar = "POLICY",
       .help = "of a text file: a row with too many or too few cells, or a text where a number must be, is "
               "an error, "
               "or left out and counted",
       .group = "data",
       .choices = {"error", "skip"},
       .standard = "error"},
      {.name = "query", .metavar = "SQL", .help = "SQLite: the SELECT that gives the table", .group = "data"},
  };
}

std::vector<Flag> join(std::vector<std::vector<Flag>> lists) {
  std::vector<Flag> all;
  for (auto& list : lists) std::move(list.begin(), list.end(), std::back_inserter(all));
  return all;
}

const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
      fit_command(),    predict_command(),    evaluate_command(), cv_command(),        compare_command(),
      path_command(),   inspect_command(),    project_command(),  separable_command(), losses_command(),
      demo_command(),   generate_command(),   convert_command(),  describe_command(),  split_command(),
      models_command(), completion_command(), man_command(),
  };
  return table;
}

const Command& find_command(std::string_view name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (command.name == name) return command;
    names.push_back(command.name);
  }
  const auto hint = nearest(name, names);
  throw Error(Code::usage, fmt::format("unknown command '{}'{}; `discern --help` lists the commands", name,
                                       hint.empty() ? "" : fmt::format(", did you mean '{}'?", hint)));
}

std::string_view program_version() { return DISCERN_VERSION; }

}  // namespace discern::cli
