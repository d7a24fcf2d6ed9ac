#include "cli/flags/reading.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/io/table/formats.hpp"

namespace discern::cli {
namespace {

constexpr std::uintmax_t quick_to_read = 64 << 20;      // bytes; a tenth of a second
constexpr std::size_t shortest_max_record = 1'000'000;  // a row of a stream is measured in steps below this
constexpr Index most_names = 40;                        // column names in a message

std::optional<char> separator_of(const Arguments& arguments) {
  if (!arguments.has("separator")) return std::nullopt;
  const std::string text = arguments.text("separator");
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() == 1 && text != "\"" && text != "\n" && text != "\r") return text[0];
  throw Error(Code::usage, fmt::format("--separator: expected one character or tab, got '{}'", text));
}

// One character of those in `known` (empty: any), or "none", which gives '\0'.
std::optional<char> mark_of(const Arguments& arguments, const std::string& flag, std::string_view known,
                            bool may_be_none) {
  if (!arguments.has(flag)) return std::nullopt;
  const std::string text = arguments.text(flag);
  if (may_be_none && text == "none") return '\0';
  if (text == "point") return '.';
  if (text == "comma") return ',';
  if (text == "blank") return ' ';
  const bool character = text.size() == 1 && text != "\"" && text != "\n" && text != "\r";
  if (character && (known.empty() || known.find(text[0]) != std::string_view::npos)) return text[0];
  std::string expected = known.empty() ? "one character" : "";
  for (const char c : known)
    expected += fmt::format("{}{}", expected.empty() ? "" : " or ", c == ' ' ? "blank" : std::string(1, c));
  throw Error(Code::usage, fmt::format("--{}: expected {}{}, got '{}'", flag, expected,
                                       may_be_none ? " or none" : "", text));
}

FormOptions forms_of(const Arguments& arguments) {
  FormOptions forms;
  forms.decimal = mark_of(arguments, "decimal", ".,", false);
  forms.thousands = mark_of(arguments, "thousands", ",. '", true);
  forms.dates = arguments.text("dates", "number") != "text";
  if (forms.decimal && forms.thousands == forms.decimal)
    throw Error(Code::usage, "--decimal and --thousands are the same mark");
  return forms;
}

std::optional<bool> header_of(const Arguments& arguments) {
  const bool yes = arguments.has("header"), no = arguments.has("no-header");
  if (yes && no) throw Error(Code::usage, "--header and --no-header exclude each other");
  if (!yes && !no) return std::nullopt;
  return yes;
}

std::string columns_of(const std::string& path, const ReadOptions& options) {
  std::error_code failure;
  if (path == "-" || std::filesystem::file_size(path, failure) > quick_to_read || failure) return "";
  // A file that cannot be read has no names to offer; what is wrong with it is not the question here.
  const auto table = attempt([&] { return read_table(path, options); });
  if (!table) return "";
  const Schema& schema = table.value().schema;
  std::string names;
  for (Index j = 0; j < std::min(schema.size(), most_names); ++j)
    names += (j > 0 ? ", " : "") + shown(schema.name(j));
  if (schema.size() > most_names) names += fmt::format(", ... ({} in all)", grouped(schema.size()));
  return fmt::format("; the columns of {} are: {}", path, names);
}

}  // namespace

std::vector<Flag> column_flags() {
  return {
      {.name = "features",
       .metavar = "LIST",
       .help = "use only these columns as features",
       .group = "features",
       .standard = "all but the target",
       .list = true},
      {.name = "ignore",
       .metavar = "LIST",
       .help = "leave these columns out",
       .group = "features",
       .list = true},
      {.name = "categorical",
       .metavar = "LIST",
       .help = "read these columns as text, whatever they look like",
       .group = "features",
       .list = true},
      {.name = "numeric",
       .metavar = "LIST",
       .help = "read these columns as numbers; a text in them is an error",
       .group = "features",
       .list = true},
  };
}

Flag sample_weight_flag() {
  return {.name = "sample-weight",
          .metavar = "COL",
          .help = "the column that says how much each row counts",
          .group = "data"};
}

Flag max_record_flag() {
  return {.name = "max-record",
          .metavar = "SIZE",
          .help = "of a stream: refuse a row that is longer, as after a quote that is never closed",
          .group = "data",
          .standard = "64MB"};
}

ReadOptions read_options(const Arguments& arguments, Console& console) {
  ReadOptions options;
  options.format = arguments.text("format");
  options.separator = separator_of(arguments);
  options.header = header_of(arguments);
  options.comment = mark_of(arguments, "comment", "", true);
  options.na_values = arguments.list("na-values");
  options.forms = forms_of(arguments);
  options.bad_rows = arguments.text("bad-rows", "error") == "skip" ? BadRows::skip : BadRows::error;
  options.query = arguments.text("query");
  options.max_record = arguments.size("max-record", shortest_max_record).value_or(options.max_record);
  options.features = arguments.list("features");
  options.ignore = arguments.list("ignore");
  options.categorical = arguments.list("categorical");
  options.numeric = arguments.list("numeric");
  options.monitor = console.monitor();
  return options;
}

bool has_label(const std::string& path, const ReadOptions& options) {
  const std::string_view format = format_of(path, options.format).name;
  return format == "libsvm" || format == "idx";
}

std::string target_of(const Arguments& arguments, const std::string& path, const ReadOptions& options) {
  if (arguments.has("target")) return arguments.text("target");
  if (has_label(path, options)) return "label";
  throw Error(Code::usage, fmt::format("--target COL is missing: the column that holds the classes{}",
                                       columns_of(path, options)));
}

void warn_unread(const UnreadRows& rows, Console& console) {
  if (rows.count > 0) console.warn(unread_text(rows));
}

std::string name_of_input(const std::string& path) { return path == "-" ? "standard input" : path; }

}  // namespace discern::cli
