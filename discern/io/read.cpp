#include "discern/io/read.hpp"

#include "discern/io/formats.hpp"

namespace discern {

Table read_table(const std::string& path, const ReadOptions& options) {
  return format_of(path, options.format).read(path, options);
}

}  // namespace discern
