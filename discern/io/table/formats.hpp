// The table of file formats: adding one is a source file and a row in formats.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "discern/io/table/read.hpp"
#include "discern/io/table/write.hpp"

namespace discern {

struct Format {
  std::string_view name;                     // as --format takes it
  std::vector<std::string_view> extensions;  // with the dot, lower case
  std::string_view summary;                  // one line for the help
  Table (*read)(const std::string& path, const ReadOptions& options);
  void (*write)(const Table& table, const std::string& path);  // nullptr: Discern does not write it
  bool delimited = false;                                      // a separator and a header can be asked for
  bool queried = false;                                        // so can a query
};

std::span<const Format> formats();
std::vector<std::string> written_formats();  // the names of those that Discern writes

// The format with that name, or (name empty) the one of the path's extension; standard input without
// a name is CSV. Throws Code::usage listing the known formats.
const Format& format_of(const std::string& path, const std::string& name);

}  // namespace discern
