#include "discern/catalogue/target_sizes.hpp"

#include <fmt/format.h>

#include "discern/base/error.hpp"
#include "discern/io/table/read.hpp"

namespace discern {
namespace {

void check_column(const Table& table, const std::string& path) {
  if (table.schema.size() != 1 || table.schema.categorical(0))
    throw Error(Code::data,
                fmt::format("found {} columns{}, expected one of numbers: the size of every row's target",
                            table.schema.size(), table.schema.size() == 1 ? " of text" : ""),
                {path, 0, ""});
  if (!table.noticed.empty() && table.noticed[0].missing > 0)
    throw Error(Code::data, "the cell is empty, expected a number above 0",
                {path, table.noticed[0].first_missing_line, table.schema.name(0)});
}

}  // namespace

bool has_target_file(const ModelOptions& options) {
  const auto* least_squares = std::get_if<LeastSquares>(&options);
  return least_squares != nullptr && least_squares->targets != "pm1" && least_squares->targets != "fisher";
}

std::vector<double> read_target_sizes(const ModelOptions& options) {
  if (!has_target_file(options)) return {};
  const std::string& path = std::get<LeastSquares>(options).targets;
  const Table table = read_table(path);
  check_column(table, path);
  std::vector<double> sizes(static_cast<std::size_t>(table.rows()));
  std::visit(
      [&](const auto& x) {
        for (Index i = 0; i < x.rows; ++i) {
          double& size = sizes[static_cast<std::size_t>(i)];
          for_each(x.view(i, 1).row(0), [&](Index, double v) { size = v; });
          if (!(size > 0))
            throw Error(Code::data,
                        fmt::format("row {}: found the target {}, expected a number above 0", i + 1, size),
                        {path, 0, ""});
        }
      },
      table.x);
  return sizes;
}

}  // namespace discern
