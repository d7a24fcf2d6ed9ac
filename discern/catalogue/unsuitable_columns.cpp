#include "discern/catalogue/unsuitable_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "discern/base/threads.hpp"

namespace discern {
namespace {

constexpr Index least_texts = 20;           // different ones, of an identifier
constexpr Index least_named = 20;           // cells, where the name says that it is an identifier
constexpr Index least_numbered = 50;        // cells, where only the numbers say so
constexpr double distinct_named = 0.9;      // share of the cells
constexpr double distinct_numbered = 0.98;  // share of the cells
constexpr double free_text_length = 40;     // bytes
constexpr std::size_t first_look = 256;     // cells
constexpr Index least_array = 4;            // columns
constexpr double largest_whole = 0x1p53;

bool is_whole(double value) { return std::trunc(value) == value && std::fabs(value) <= largest_whole; }

// Sorts the values and counts the different ones.
std::size_t distinct(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  return static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
}

std::optional<Unsuitable> judge_text(const Column& column, Index present, Index missing) {
  const auto levels = static_cast<Index>(column.levels.size());
  if (levels == 1 && missing == 0) return Unsuitable::constant;
  if (levels < least_texts || 2 * levels <= present) return std::nullopt;
  double bytes = 0;
  for (const std::string& level : column.levels) bytes += static_cast<double>(level.size());
  return bytes >= free_text_length * static_cast<double>(levels) ? Unsuitable::free_text
                                                                 : Unsuitable::identifier;
}

// A column of numbers in a row-major matrix.
template <class T>
struct Cells {
  const T* first;
  Index stride, rows;

  double operator[](Index i) const { return static_cast<double>(first[i * stride]); }
};

template <class T>
bool all_equal(const Cells<T>& cells) {
  for (Index i = 1; i < cells.rows; ++i)
    if (cells[i] != cells[0]) return false;
  return true;
}

// Row numbers: between 0 and `limit`, nearly all different.
template <class T>
bool numbers_rows(const Cells<T>& cells, Index present) {
  const Index limit = 2 * present;
  std::vector<bool> seen(static_cast<std::size_t>(limit) + 1);
  Index different = 0;
  for (Index i = 0; i < cells.rows; ++i) {
    const double value = cells[i];
    if (std::isnan(value)) continue;
    if (!is_whole(value) || value < 0 || value > static_cast<double>(limit)) return false;
    const auto k = static_cast<std::size_t>(value);
    different += seen[k] ? 0 : 1;
    seen[k] = true;
  }
  return static_cast<double>(different) >= distinct_numbered * static_cast<double>(present);
}

template <class T>
bool nearly_unique(const Cells<T>& cells, Index present) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(present));
  for (Index i = 0; i < cells.rows; ++i) {
    const double value = cells[i];
    if (std::isnan(value)) continue;
    if (!is_whole(value)) return false;
    values.push_back(value);
  }
  return static_cast<double>(distinct(values)) >= distinct_named * static_cast<double>(present);
}

// A few cells show that most columns are none.
template <class T>
bool may_identify(const Cells<T>& cells, Index present, bool named) {
  std::vector<double> values;
  for (Index i = 0; i < cells.rows && values.size() < first_look; ++i) {
    const double value = cells[i];
    if (std::isnan(value)) continue;
    if (!is_whole(value) || (!named && (value < 0 || value > 2 * static_cast<double>(present)))) return false;
    values.push_back(value);
  }
  const auto count = static_cast<double>(values.size());
  return static_cast<double>(distinct(values)) >= (named ? distinct_named : distinct_numbered) * count;
}

template <class T>
std::optional<Unsuitable> judge_numbers(const Cells<T>& cells, Index present, const std::string& name,
                                        bool of_array) {
  if (present == cells.rows && all_equal(cells))
    return of_array ? std::nullopt : std::optional(Unsuitable::constant);
  const bool named = names_identifier(name);
  if (present < (named ? least_named : least_numbered) || !may_identify(cells, present, named))
    return std::nullopt;
  const bool identifies = named ? nearly_unique(cells, present) : numbers_rows(cells, present);
  return identifies ? std::optional(Unsuitable::identifier) : std::nullopt;
}

// The name with each number in it replaced.
std::string pattern_of(const std::string& name) {
  std::string pattern;
  bool number = false;
  for (const char c : name) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit || !number) pattern += digit ? '#' : c;
    number = digit;
  }
  return pattern;
}

bool is_array(const Schema& schema) {
  if (schema.size() < least_array || schema.any_categorical()) return false;
  const std::string pattern = pattern_of(schema.name(0));
  if (pattern.find('#') == std::string::npos) return false;
  for (Index j = 1; j < schema.size(); ++j)
    if (pattern_of(schema.name(j)) != pattern) return false;
  return true;
}

template <class T>
std::vector<std::optional<Unsuitable>> judge_columns(const Table& table, const DenseMatrix<T>& x) {
  const Schema& schema = table.schema;
  const bool array = is_array(schema);
  std::vector<std::optional<Unsuitable>> result(static_cast<std::size_t>(schema.size()));
  parallel_for(schema.size(), [&](Index j) {
    const auto at = static_cast<std::size_t>(j);
    const Index missing = table.noticed.empty() ? 0 : table.noticed[at].missing;
    const Index present = x.rows - missing;
    if (present == 0)
      result[at] = array ? std::nullopt : std::optional(Unsuitable::empty);
    else if (schema.categorical(j))
      result[at] = judge_text(schema.column(j), present, missing);
    else
      result[at] =
          judge_numbers(Cells<T>{x.values.data() + j, x.cols, x.rows}, present, schema.name(j), array);
  });
  return result;
}

Index distinct_numbers(const Table& table, Index column) {
  std::vector<double> values;
  std::visit(
      [&]<class M>(const M& x) {
        if constexpr (std::is_same_v<M, DenseMatrix<float>> || std::is_same_v<M, DenseMatrix<double>>)
          for (Index i = 0; i < x.rows; ++i)
            if (const auto value = static_cast<double>(x.values[i * x.cols + column]); !std::isnan(value))
              values.push_back(value);
      },
      table.x);
  return static_cast<Index>(distinct(values));
}

}  // namespace

bool without_names(const Table& table) {
  if (is_sparse(table.x) || table.schema.is_numbered()) return true;
  for (Index j = 0; j < table.schema.size(); ++j) {
    const std::string name = table.schema.name(j);
    if (table.schema.categorical(j) || name.size() < 2 || name[0] != 'x' ||
        name.find_first_not_of("0123456789", 1) != std::string::npos)
      return false;
  }
  return true;
}

bool names_identifier(std::string_view name) {
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  constexpr std::array words{"id",        "ids",    "idx",    "index", "row",  "rowid", "rownum",
                             "rownumber", "number", "no",     "no.",   "nr",   "key",   "identifier",
                             "uuid",      "guid",   "serial", "code",  "recno"};
  if (std::find(words.begin(), words.end(), lower) != words.end()) return true;
  if (lower.starts_with("unnamed: ") || lower.empty()) return true;  // as pandas writes the index of a frame
  // The last part of the name: behind _, -, a blank or a dot, or Id and ID behind a small letter or a digit.
  const auto cut = lower.find_last_of("_- .");
  const std::string_view last = std::string_view(lower).substr(cut == std::string::npos ? 0 : cut + 1);
  constexpr std::array ends{"id", "idx", "key", "uuid", "guid", "number", "no", "nr", "row"};
  if (cut != std::string::npos && std::find(ends.begin(), ends.end(), last) != ends.end()) return true;
  if (cut != std::string::npos && lower.starts_with("id") && cut == 2) return true;
  if (name.size() < 3 || !(name.ends_with("Id") || name.ends_with("ID"))) return false;
  const char before = name[name.size() - 3];
  return (before >= 'a' && before <= 'z') || (before >= '0' && before <= '9');
}

std::vector<UnsuitableColumn> unsuitable_columns(const Table& table, const std::vector<std::string>& keep) {
  std::vector<UnsuitableColumn> found;
  if (without_names(table) || table.rows() == 0) return found;
  std::vector<std::optional<Unsuitable>> why;
  std::visit(
      [&]<class M>(const M& x) {
        if constexpr (std::is_same_v<M, DenseMatrix<float>> || std::is_same_v<M, DenseMatrix<double>>)
          why = judge_columns(table, x);
      },
      table.x);
  for (Index j = 0; j < table.schema.size(); ++j) {
    const std::string name = table.schema.name(j);
    if (why[static_cast<std::size_t>(j)] && std::find(keep.begin(), keep.end(), name) == keep.end())
      found.push_back({j, name, *why[static_cast<std::size_t>(j)]});
  }
  if (static_cast<Index>(found.size()) < table.schema.size()) return found;
  std::erase_if(found, [](const UnsuitableColumn& column) {
    return column.why == Unsuitable::identifier || column.why == Unsuitable::free_text;
  });
  return static_cast<Index>(found.size()) < table.schema.size() ? found : std::vector<UnsuitableColumn>{};
}

std::string_view reason_name(Unsuitable why, bool several) {
  switch (why) {
    case Unsuitable::identifier:
      return several ? "identifiers" : "identifier";
    case Unsuitable::constant:
      return several ? "constants" : "constant";
    case Unsuitable::empty:
      return "empty";
    case Unsuitable::free_text:
      break;
  }
  return "free text";
}

Note note_of(const UnsuitableColumn& column, const Table& table) {
  if (column.why == Unsuitable::empty) return {column.name, "left out: no cell has a value"};
  if (column.why == Unsuitable::constant) return {column.name, "left out: all cells are equal"};
  const auto at = static_cast<std::size_t>(column.column);
  const Index present = table.rows() - (table.noticed.empty() ? 0 : table.noticed[at].missing);
  if (!table.schema.categorical(column.column))
    return {column.name, fmt::format("left out as an identifier: {} different whole numbers in {} cells",
                                     distinct_numbers(table, column.column), present)};
  return {column.name, fmt::format("left out as {}: {} different texts in {} cells",
                                   column.why == Unsuitable::free_text ? "free text" : "an identifier",
                                   table.schema.column(column.column).levels.size(), present)};
}

}  // namespace discern
