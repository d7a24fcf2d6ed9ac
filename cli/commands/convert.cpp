// discern convert: from one file format to another.
#include <fmt/format.h>

#include <filesystem>

#include "cli/flags/files.hpp"
#include "cli/flags/reading.hpp"
#include "cli/report/json.hpp"
#include "cli/report/notes.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/io/table/formats.hpp"
#include "discern/io/table/write.hpp"

namespace discern::cli {
namespace {

std::vector<Flag> convert_flags() {
  return {
      {.name = "target",
       .metavar = "COL",
       .help = "the column that is no feature; LIBSVM writes it as the label",
       .group = "data"},
      {.name = "task",
       .metavar = "TASK",
       .help = "whether the target holds classes or numbers",
       .group = "data",
       .choices = {"classification", "regression"},
       .standard = "classification"},
      {.name = "to",
       .metavar = "NAME",
       .help = "format to write",
       .group = "output",
       .choices = written_formats(),
       .standard = "by the file's extension"},
  };
}

std::int64_t size_of(const std::string& path) {
  std::error_code failure;
  const auto size = std::filesystem::file_size(path, failure);
  return failure ? 0 : static_cast<std::int64_t>(size);
}

std::string bytes_text(std::int64_t bytes) {
  if (bytes < 10000) return counted(bytes, "byte");
  return bytes < 10000000 ? fmt::format("{:.0f} kB", static_cast<double>(bytes) / 1e3)
                          : fmt::format("{:.0f} MB", static_cast<double>(bytes) / 1e6);
}

int run_convert(const Arguments& arguments, Console& console) {
  const Stopwatch time;
  const std::string &input = arguments.positional(0), &output = arguments.positional(1);
  const std::string format = arguments.text("to");
  if (output == "-" && console.json())
    throw Error(Code::usage, "--json needs a file as OUT, not standard output");
  check_different(input, output);
  if (format_of(output, format).write == nullptr)
    throw Error(Code::usage, fmt::format("'{}': this format can be read but not written", output));
  check_writable(output);
  ReadOptions options = read_options(arguments, console);
  // A date stays what it is where nothing is computed with it.
  if (!arguments.has("dates")) options.forms.dates = false;
  const bool text = arguments.text("task", "classification") == "classification";
  if (arguments.has("target")) options.side.push_back({arguments.text("target"), text, true});
  const Table table = read_table(input, options);
  const double read_seconds = time.seconds();
  console.say(notes_text(table.notes, console.err()));
  write_table(table, output, {format});
  const Index columns = table.schema.size() + static_cast<Index>(table.side.size());
  const std::int64_t bytes = output == "-" ? 0 : size_of(output);
  console.say(fmt::format("{} -> {}: {}, {}{}  {}\n", name_of_input(input),
                          output == "-" ? "standard output" : output, counted(table.rows(), "row"),
                          counted(columns, "column"), bytes > 0 ? ", " + bytes_text(bytes) : "",
                          console.err().dim(duration(time.seconds()))));
  if (console.json())
    console.print(object_json({{"output", output},
                               {"n_samples", table.rows()},
                               {"columns", columns},
                               {"bytes", bytes},
                               {"read_seconds", read_seconds},
                               {"seconds", time.seconds()}}));
  return 0;
}

}  // namespace

Command convert_command() {
  return {.name = "convert",
          .usage = "IN OUT [--target COL] [options]",
          .summary = "turn a data file into another format",
          .description = "",
          .positionals = {{.name = "IN", .help = "the file to read, or - for standard input"},
                          {.name = "OUT", .help = "the file to write, or - for standard output"}},
          .flags = join({convert_flags(), reading_flags(), column_flags(), common_flags()}),
          .examples = {{"discern convert adult.csv adult.svm --target income", "CSV to LIBSVM"},
                       {"discern convert a.csv a.csv.zst", "Compress"}},
          .run = run_convert};
}

}  // namespace discern::cli
