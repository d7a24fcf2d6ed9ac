#include "discern/io/table/read.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "discern/base/error.hpp"
#include "discern/io/table/formats.hpp"

namespace discern {
namespace {

// What a format has no use for is not ignored in silence.
void check_options(const Format& format, const ReadOptions& options) {
  const auto refuse = [&](std::string_view what, std::string_view whose) {
    throw Error(Code::usage,
                fmt::format("{} is for {}, and this file is read as {}", what, whose, format.name));
  };
  if (options.separator && !format.delimited) refuse("`separator`", "delimited text");
  if (options.header && !format.delimited)
    refuse(*options.header ? "`header`" : "`no_header`", "delimited text");
  if (!format.delimited) {
    const FormOptions& forms = options.forms;
    if (options.comment) refuse("`comment`", "delimited text");
    if (!options.na_values.empty()) refuse("`na_values`", "delimited text");
    if (forms.decimal) refuse("`decimal`", "delimited text");
    if (forms.thousands) refuse("`thousands`", "delimited text");
    if (options.bad_rows != BadRows::error) refuse("`bad_rows`", "delimited text");
  }
  if (!options.query.empty() && !format.queried) refuse("`query`", "SQLite databases");
}

}  // namespace

Table read_table(const std::string& path, const ReadOptions& options) {
  // Before its format is asked for, which a mistyped name does not tell.
  std::error_code failure;
  if (path != "-" && !std::filesystem::exists(path, failure)) {
    if (!failure) failure = std::make_error_code(std::errc::no_such_file_or_directory);
    throw Error(Code::io, fmt::format("cannot open: {}", failure.message()), {path, 0, ""});
  }
  const Format& format = format_of(path, options.format);
  check_options(format, options);
  return format.read(path, options);
}

}  // namespace discern
