#include "discern/io/read.hpp"

#include <filesystem>

#include "discern/base/error.hpp"
#include "discern/io/formats.hpp"

namespace discern {

Table read_table(const std::string& path, const ReadOptions& options) {
  // Before its format is asked for, which a mistyped name does not tell.
  if (path != "-" && !std::filesystem::exists(path))
    throw Error(Code::io, "cannot open: No such file or directory", {path, 0, ""});
  return format_of(path, options.format).read(path, options);
}

}  // namespace discern
