// discern separable: can planes separate the classes, with a proof either way.
#include <fmt/format.h>

#include "cli/flags/preparing.hpp"
#include "cli/flags/reading.hpp"
#include "cli/flags/report_flag.hpp"
#include "cli/flags/training.hpp"
#include "cli/report/notes.hpp"
#include "cli/report/separable_report.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/report/pages/separable.hpp"

namespace discern::cli {
namespace {

std::vector<Flag> separable_flags() {
  return {
      {.name = "target", .metavar = "COL", .help = "the column with the classes", .group = "data"},
      {.name = "multiclass",
       .metavar = "WAY",
       .help = "more than two classes: each pair, or each against the rest",
       .group = "classes",
       .choices = {"ovo", "ovr"},
       .standard = "ovo"},
      {.name = "positive",
       .metavar = "LABEL",
       .help = "the class that a score above zero means, of two",
       .group = "classes",
       .standard = positive_standard},
      {.name = "standardize",
       .help = "measure the margin with features of unit variance; the verdict does not depend on it",
       .group = "features"},
      missing_flag(),
      keep_all_flag(),
      {.name = "basis",
       .metavar = "SPEC",
       .help = "features made from the features, as in fit",
       .group = "features"},
      report_flag(),
  };
}

FitSettings separable_settings(const Arguments& arguments, Console& console) {
  FitSettings settings;
  settings.positive = arguments.text("positive");
  settings.positive_by_name = true;
  settings.basis = basis_text(arguments);
  settings.standardize = arguments.has("standardize");
  settings.encode = true;
  set_preparing(arguments, settings);
  settings.monitor = console.monitor();
  return settings;
}

// The proofs name the rows of the file.
ClassSeparability with_row_numbers(ClassSeparability all, const Table& table) {
  for (PairSeparability& pair : all.pairs) {
    for (Share& share : pair.result.positive) share.row = table.row_number(share.row);
    for (Share& share : pair.result.negative) share.row = table.row_number(share.row);
  }
  return all;
}

int run_separable(const Arguments& arguments, Console& console) {
  const Stopwatch time;
  const std::string& path = arguments.positional(0);
  FitSettings settings = separable_settings(arguments, console);
  const std::string page = report_path(arguments, path);
  const bool one_vs_rest = arguments.text("multiclass", "ovo") == "ovr";
  ReadOptions reading = read_options(arguments, console);
  settings.target = target_of(arguments, path, reading);
  reading.side.push_back({settings.target, true, true});
  Table read = read_table(path, reading);
  // A column may be asked for by its number; the table has it under its name.
  if (read.find_side(settings.target) == nullptr && !read.side.empty()) settings.target = read.side[0].name;
  const PreparedTable prepared = prepare(std::move(read), settings);
  const Table& table = prepared.table;
  const ClassSeparability all = class_separability(table, settings, one_vs_rest);
  console.say(notes_text(prepared, console.err()));
  if (all.imputed > 0)
    console.warn(fmt::format("{} filled in: the verdict is on the table without gaps",
                             counted(all.imputed, "missing cell")));
  console.say(console.err().dim(fmt::format(
      "{}: {}, {}, {}  {}\n", name_of_input(path), counted(table.rows(), "row"),
      counted(all.pipeline.features(), "feature"),
      counted(static_cast<std::int64_t>(all.pairs.size()), "verdict"), duration(time.seconds()))));
  const ClassSeparability told = with_row_numbers(all, table);
  console.print(console.json() ? with_notes(separability_json(told), prepared)
                               : separability_text(told, console.out()));
  if (!page.empty())
    write_report(report::separable_page({all, table, settings.target, name_of_input(path)}), page, console);
  return 0;
}

}  // namespace

Command separable_command() {
  return {
      .name = "separable",
      .usage = "DATA --target COL [options]",
      .summary = "can a plane separate the classes: a verdict with its proof",
      .description =
          "For each pair of classes either the separating plane with the largest margin, or rows of both "
          "classes whose weighted means are the same point, so that no plane can have the classes on its two "
          "sides. Both are checked against the data; what cannot be proved in double precision is called "
          "undecided. The margin is in the units of the file (text columns count as 0/1 columns) unless "
          "--standardize.",
      .positionals = {{.name = "DATA", .help = "the labelled table: a file, or - for standard input"}},
      .flags = join({separable_flags(), column_flags(), reading_flags(), common_flags()}),
      .examples = {{"discern separable iris.csv --target class",
                    "Which species can be told apart by a plane"},
                   {"discern separable iris.csv --target class --multiclass ovr --json",
                    "Each against the rest, with planes and proofs for a program"},
                   {"discern separable xor.csv --target y --basis products:2",
                    "Whether products of the features make the classes separable"}},
      .run = run_separable};
}

}  // namespace discern::cli
