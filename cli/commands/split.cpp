// discern split: rows to fit on and rows to judge by.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/flags/files.hpp"
#include "cli/flags/reading.hpp"
#include "cli/flags/training.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "cli/text/flag_names.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/catalogue/split_file.hpp"
#include "discern/io/table/formats.hpp"

namespace discern::cli {
namespace {

constexpr std::size_t most_values_shown = 20;

std::vector<Flag> split_flags() {
  return {
      {.name = "test",
       .metavar = "SHARE|ROWS",
       .help = "the part of TEST: a share of the rows below 1, or a number of rows",
       .group = "data",
       .standard = "0.25"},
      {.name = "stratify",
       .metavar = "COL",
       .help = "give each value of this column, a class for instance, its share of both parts",
       .group = "data"},
      {.name = "group",
       .metavar = "COL",
       .help = "keep rows with the same value in this column, of one patient for instance, in one part",
       .group = "data"},
      {.name = "time",
       .metavar = "COL",
       .help = "the last rows in the order of this column are TEST; nothing is drawn by chance",
       .group = "data"},
      {.name = "output",
       .letter = 'o',
       .metavar = "TRAIN",
       .help = "write the rows to fit on to this file",
       .group = "output",
       .file = true},
      {.name = "to",
       .metavar = "NAME",
       .help = "format of both files",
       .group = "output",
       .choices = written_formats(),
       .standard = "by the files' extensions"},
  };
}

SplitOptions split_options(const Arguments& arguments) {
  SplitOptions options;
  options.test = arguments.number("test", 1e-9, 1e15).value_or(options.test);
  options.stratify = arguments.text("stratify");
  options.group = arguments.text("group");
  options.time = arguments.text("time");
  options.seed = arguments.seed();
  options.format = arguments.text("to");
  return options;
}

void check_outputs(const std::string& input, const std::string& train, const std::string& test,
                   const SplitOptions& options) {
  if (train.empty())
    throw Error(Code::usage, "-o TRAIN is missing: `discern split DATA -o TRAIN TEST` writes two files");
  for (const std::string& output : {train, test}) {
    if (output == "-") throw Error(Code::usage, "-: the two parts need a file each, not standard output");
    check_different(input, output);
    if (format_of(output, options.format).write == nullptr)
      throw Error(Code::usage, fmt::format("'{}': this format can be read but not written", output));
    check_writable(output);
  }
  check_two_files("-o", train, "TEST", test);
}

std::string how_text(const SplitOptions& options) {
  if (!options.time.empty()) return "the last in the order of " + shown(options.time);
  std::string text = "drawn at random";
  if (!options.group.empty()) text += ", groups of " + shown(options.group) + " whole";
  if (!options.stratify.empty()) text += ", with equal shares of " + shown(options.stratify);
  return text + fmt::format(" (seed {})", options.seed);
}

std::string part_text(const SplitOutcome& all, const SplitPart& part) {
  std::string text = fmt::format("{} ({})", counted(part.rows, "row"),
                                 percent(static_cast<double>(part.rows) / static_cast<double>(all.rows)));
  if (part.groups > 0) text += fmt::format(", {}", counted(part.groups, "group"));
  return text;
}

std::string split_text(const SplitOutcome& all, const std::string& train, const std::string& test) {
  TextTable files({Align::left, Align::left});
  files.row({train, part_text(all, all.train)});
  files.row({test, part_text(all, all.test)});
  std::string text = files.text();
  if (all.values.empty() || all.values.size() > most_values_shown) return text;
  TextTable table({Align::left, Align::right, Align::right}, 2);
  table.row({"", "train", "test"});
  for (std::size_t k = 0; k < all.values.size(); ++k)
    table.row({all.values[k].empty() ? "(none)" : shown(all.values[k]), grouped(all.train.of_value[k]),
               grouped(all.test.of_value[k])});
  return text + table.text();
}

std::string split_json(const SplitOutcome& all, const std::string& train, const std::string& test,
                       const std::vector<std::string>& warnings, double seconds) {
  const auto part = [&](const SplitPart& one, const std::string& file) {
    nlohmann::ordered_json object{{"output", file}, {"n_samples", one.rows}};
    if (one.groups > 0) object["groups"] = one.groups;
    for (std::size_t k = 0; k < all.values.size(); ++k) object["strata"][all.values[k]] = one.of_value[k];
    return object;
  };
  const nlohmann::ordered_json object{{"n_samples", all.rows},        {"train", part(all.train, train)},
                                      {"test", part(all.test, test)}, {"byte_for_byte", all.byte_for_byte},
                                      {"warnings", warnings},         {"seconds", seconds}};
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

int run_split(const Arguments& arguments, Console& console) {
  const Stopwatch time;
  const std::string &input = arguments.positional(0), &test = arguments.positional(1);
  const std::string train = arguments.text("output");
  const SplitOptions options = split_options(arguments);
  check_outputs(input, train, test, options);
  ReadOptions reading = read_options(arguments, console);
  if (has_label(input, reading)) reading.side.push_back({"label", true, true});
  const SplitOutcome all = split_file(input, reading, train, test, options);
  const std::vector<std::string> warnings = with_flags(all.warnings);
  for (const std::string& warning : warnings) console.warn(warning);
  console.say(
      console.err().dim(fmt::format("{}: {}, {}  {}\n", name_of_input(input), counted(all.rows, "row"),
                                    how_text(options), duration(time.seconds()))));
  console.say(split_text(all, train, test));
  if (console.json()) console.print(split_json(all, train, test, warnings, time.seconds()));
  return 0;
}

}  // namespace

Command split_command() {
  return {.name = "split",
          .usage = "DATA -o TRAIN TEST [--test SHARE|ROWS] [--stratify COL] [--group COL] [--time COL]",
          .summary = "divide a table into rows to fit on and rows to judge by",
          .description =
              "Rows are drawn by chance, the same with the same --seed, and keep their order. Of a CSV or "
              "TSV file "
              "that is written as one they keep every byte. Either both files are written or neither.",
          .positionals = {{.name = "DATA", .help = "the table: a file, or - for standard input"},
                          {.name = "TEST", .help = "the file for the rows to judge by"}},
          .flags = by_group(join({split_flags(), reading_flags(), common_flags()})),
          .examples = {{"discern split adult.csv -o train.csv test.csv --stratify income",
                        "A quarter for testing, with the classes as in the whole"},
                       {"discern split speech.csv -o train.csv test.csv --group speaker --test 0.1",
                        "No speaker is on both sides"},
                       {"discern split load.csv -o past.csv future.csv --time date --test 168",
                        "The last 168 rows in time"}},
          .run = run_split};
}

}  // namespace discern::cli
