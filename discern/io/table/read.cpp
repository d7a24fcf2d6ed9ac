#include "discern/io/table/read.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

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
  if (!options.query.empty() && !format.queried) refuse("`query`", "SQLite databases");
}

}  // namespace

Table read_table(const std::string& path, const ReadOptions& options) {
  // Before its format is asked for, which a mistyped name does not tell.
  if (path != "-" && !std::filesystem::exists(path))
    throw Error(Code::io, "cannot open: No such file or directory", {path, 0, ""});
  const Format& format = format_of(path, options.format);
  check_options(format, options);
  return format.read(path, options);
}

}  // namespace discern
