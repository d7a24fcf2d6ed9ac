#include "discern/io/table/write.hpp"

#include <fmt/format.h>

#include "discern/base/error.hpp"
#include "discern/io/table/formats.hpp"

namespace discern {

void write_table(const Table& table, const std::string& path, const WriteOptions& options) {
  const Format& format = format_of(path, options.format);
  if (format.write == nullptr)
    throw Error(Code::usage, fmt::format("the format '{}' can be read but not written", format.name));
  format.write(table, path);
}

}  // namespace discern
