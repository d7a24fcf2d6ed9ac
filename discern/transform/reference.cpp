#include "discern/transform/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"

namespace discern {
namespace {

constexpr std::size_t most_levels_named = 20;

std::optional<std::size_t> place_of(const std::vector<std::string>& levels, const std::string& level) {
  const auto found = std::find(levels.begin(), levels.end(), level);
  if (found == levels.end()) return std::nullopt;
  return static_cast<std::size_t>(found - levels.begin());
}

[[noreturn]] void refuse_level(const Column& column, const std::string& level) {
  std::vector<std::string> names = column.levels;
  names.resize(std::min(names.size(), most_levels_named));
  throw Error(Code::usage,
              fmt::format("`reference`: the column '{}' has no level '{}'; its levels are {}{}", column.name,
                          level, join(names, ", "), column.levels.size() > names.size() ? ", ..." : ""));
}

std::pair<std::string, std::string> parse_reference(const std::string& item, const Schema& schema) {
  std::optional<Index> column;
  std::string level;
  for (auto equals = item.find('='); equals != std::string::npos; equals = item.find('=', equals + 1)) {
    const auto found = schema.find(item.substr(0, equals));
    if (!found) continue;
    column = found;
    level = item.substr(equals + 1);
    if (schema.categorical(*found) && place_of(schema.column(*found).levels, level)) break;
  }
  if (!column)
    throw Error(Code::usage,
                fmt::format("`reference`: expected COLUMN=LEVEL with a column of text, got '{}'", item));
  if (!schema.categorical(*column))
    throw Error(Code::usage,
                fmt::format("`reference`: the column '{}' holds numbers, which have no reference level",
                            schema.name(*column)));
  if (!place_of(schema.column(*column).levels, level)) refuse_level(schema.column(*column), level);
  return {schema.name(*column), level};
}

// Moves a level to the front of the others, which keep their order, and does the same to the codes in the cells.
template <class T>
void move_to_front(DenseMatrix<T>& x, Index j, std::size_t front) {
  for (Index i = 0; i < x.rows; ++i) {
    T& cell = x.values[i * x.cols + j];
    if (std::isnan(cell)) continue;
    const auto code = static_cast<std::size_t>(cell);
    cell = static_cast<T>(code == front ? 0 : code < front ? code + 1 : code);
  }
}

template <class List>
void move_to_front(List& list, std::size_t front) {
  const auto begin = list.begin();
  std::rotate(begin, begin + static_cast<std::ptrdiff_t>(front),
              begin + static_cast<std::ptrdiff_t>(front) + 1);
}

template <class T>
DenseMatrix<T> copy_of(const DenseMatrix<T>& x) {
  DenseMatrix<T> copy{Buffer<T>(x.values.size()), x.rows, x.cols};
  std::copy(x.values.begin(), x.values.end(), copy.values.data());
  return copy;
}

}  // namespace

References parse_references(const std::string& text, const Table& table) {
  References references;
  if (text.empty()) return references;
  for (const std::string& item : split_list(text)) {
    references.push_back(parse_reference(item, table.schema));
    for (std::size_t k = 0; k + 1 < references.size(); ++k)
      if (references[k].first == references.back().first)
        throw Error(Code::usage,
                    fmt::format("`reference`: the column '{}' is named twice", references[k].first));
  }
  return references;
}

References present_references(const References& all, const Table& table) {
  References present;
  for (const auto& one : all) {
    const auto j = table.schema.find(one.first);
    if (j && table.schema.categorical(*j) && place_of(table.schema.column(*j).levels, one.second))
      present.push_back(one);
  }
  return present;
}

Table with_references(const Table& table, const References& references) {
  Table result = table;
  std::vector<Column> columns;
  for (Index j = 0; !references.empty() && j < table.schema.size(); ++j)
    columns.push_back(table.schema.column(j));
  std::vector<std::pair<Index, std::size_t>> moves;
  for (const auto& [name, level] : references) {
    const Index j = *table.schema.find(name);
    auto& levels = columns[static_cast<std::size_t>(j)].levels;
    const std::size_t front = *place_of(levels, level);
    if (front == 0) continue;
    moves.emplace_back(j, front);
    move_to_front(levels, front);
    if (result.noticed.empty()) continue;
    auto& lines = result.noticed[static_cast<std::size_t>(j)].level_line;
    if (lines.size() > front) move_to_front(lines, front);
  }
  if (moves.empty()) return result;
  result.schema = Schema(std::move(columns));
  std::visit(
      [&]<class M>(const M& x) {
        if constexpr (std::is_same_v<M, DenseMatrix<float>> || std::is_same_v<M, DenseMatrix<double>>) {
          M copy = copy_of(x);
          for (const auto& [j, front] : moves) move_to_front(copy, j, front);
          result.x = std::move(copy);
        }
      },
      table.x);
  return result;
}

}  // namespace discern
