#include "discern/catalogue/split_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/data/select_rows.hpp"
#include "discern/evaluate/hold_out.hpp"
#include "discern/io/csv/csv_rows.hpp"
#include "discern/io/file/file.hpp"
#include "discern/io/number/number.hpp"
#include "discern/io/table/formats.hpp"

namespace discern {
namespace {

void check_options(const SplitOptions& options) {
  if (!options.time.empty() && !(options.group.empty() && options.stratify.empty()))
    throw Error(Code::usage, "`time` takes the last rows, and excludes `stratify` and `group`");
  if (options.test >= 1 && options.test != std::floor(options.test))
    throw Error(Code::usage,
                fmt::format("`test`: expected a share below 1 or a number of rows, got {}", options.test));
}

// A column that decides to which part a row goes: its values in order, and the place of each row's among them.
struct KeyColumn {
  std::string name;
  std::vector<std::string> values;
  std::vector<std::int32_t> codes;  // -1: missing
};

KeyColumn key_of(const SideColumn& side) {
  KeyColumn key{side.name, side.levels, {}};
  for (const double value : side.values)
    key.codes.push_back(value == value ? static_cast<std::int32_t>(value) : -1);
  return key;
}

// Of a column of numbers every different one is a value.
KeyColumn key_of_numbers(const std::string& name, const std::vector<double>& cells) {
  std::vector<double> sorted;
  for (const double cell : cells)
    if (cell == cell) sorted.push_back(cell);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  KeyColumn key{name, {}, {}};
  for (const double value : sorted) key.values.push_back(fmt::format("{}", value));
  for (const double cell : cells)
    key.codes.push_back(
        cell == cell
            ? static_cast<std::int32_t>(std::lower_bound(sorted.begin(), sorted.end(), cell) - sorted.begin())
            : -1);
  return key;
}

std::vector<double> cells_of(const Table& table, Index j) {
  std::vector<double> cells;
  std::visit(
      [&](const auto& x) {
        for (Index i = 0; i < x.rows; ++i) {
          double cell = 0;
          for_each(x.row(i), [&](Index k, double v) { cell = k == j ? v : cell; });
          cells.push_back(cell);
        }
      },
      rows_of(table.x, 0, table.rows()));
  return cells;
}

KeyColumn key_of(const Table& table, const std::string& name) {
  if (const SideColumn* side = table.find_side(name)) {
    if (side->text) return key_of(*side);
    return key_of_numbers(name, side->values);
  }
  auto j = table.schema.find(name);
  // A column may be asked for by its number.
  const auto number = j ? std::nullopt : number_of(name);
  if (number && *number >= 1 && *number <= static_cast<double>(table.schema.size()) &&
      *number == std::floor(*number))
    j = static_cast<Index>(*number) - 1;
  if (!j) throw Error(Code::usage, "the data have no such column", {table.file, 0, name});
  const std::vector<double> cells = cells_of(table, *j);
  if (!table.schema.categorical(*j)) return key_of_numbers(table.schema.name(*j), cells);
  return key_of(SideColumn{table.schema.name(*j), true, table.schema.column(*j).levels, cells, {}});
}

// Texts are in the order of their bytes, which is that of time for 2024-01-31 and not for 31.01.2024 or 1/31/24.
void check_times(const KeyColumn& key, const std::string& file) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool numbers = std::all_of(key.values.begin(), key.values.end(),
                                   [](const std::string& value) { return number_of(value).has_value(); });
  for (const std::string& value : key.values) {
    std::size_t digits = 0;
    while (digits < value.size() && digit(value[digits])) ++digits;
    const bool begins_with_day = digits > 0 && digits < 3 && digits + 1 < value.size() &&
                                 std::string_view("/.-").find(value[digits]) != std::string_view::npos;
    if (!numbers && (begins_with_day || digits == 0))
      throw Error(
          Code::data,
          fmt::format("found {}: texts are put in the order of their letters, which is that of time for "
                      "2024-01-31 alone; expected numbers, or texts that begin with the year",
                      quoted_for_message(value)),
          {file, 0, key.name});
  }
}

void refuse_missing_key(const KeyColumn& key, const std::string& what, const std::string& file) {
  const auto missing = std::find(key.codes.begin(), key.codes.end(), -1);
  if (missing != key.codes.end())
    throw Error(
        Code::data,
        fmt::format("row {}: found no {}, expected one in every row", missing - key.codes.begin() + 1, what),
        {file, 0, key.name});
}

Index rows_wanted(Index rows, double test) {
  if (test >= 1) {
    if (test >= static_cast<double>(rows))
      throw Error(Code::usage,
                  fmt::format("`test`: expected fewer than the {} rows that there are, got {}", rows, test));
    return static_cast<Index>(test);
  }
  if (rows < 2) throw Error(Code::data, fmt::format("found {} row, expected two or more to divide", rows));
  return std::clamp<Index>(std::llround(test * static_cast<double>(rows)), 1, rows - 1);
}

// Rows without a value of `stratify` are a class of their own.
void make_classes(KeyColumn& key) {
  if (std::find(key.codes.begin(), key.codes.end(), -1) == key.codes.end()) return;
  for (std::int32_t& code : key.codes)
    if (code < 0) code = static_cast<std::int32_t>(key.values.size());
  key.values.emplace_back("");
}

SplitPart part_of_rows(const std::vector<Index>& rows, const KeyColumn* strata, const KeyColumn* groups) {
  SplitPart part;
  part.rows = static_cast<Index>(rows.size());
  if (strata != nullptr) {
    part.of_value.assign(strata->values.size(), 0);
    for (const Index i : rows)
      ++part.of_value[static_cast<std::size_t>(strata->codes[static_cast<std::size_t>(i)])];
  }
  if (groups != nullptr) {
    std::vector<bool> seen(groups->values.size());
    for (const Index i : rows)
      seen[static_cast<std::size_t>(groups->codes[static_cast<std::size_t>(i)])] = true;
    part.groups = std::count(seen.begin(), seen.end(), true);
  }
  return part;
}

std::vector<Index> other_rows(Index count, const std::vector<Index>& rows) {
  std::vector<Index> others;
  auto next = rows.begin();
  for (Index i = 0; i < count; ++i) {
    if (next != rows.end() && *next == i)
      ++next;
    else
      others.push_back(i);
  }
  return others;
}

struct Division {
  std::vector<Index> train, test;
  SplitOutcome outcome;
};

void add_warnings(SplitOutcome& outcome, const SplitOptions& options, Index wanted) {
  std::vector<std::string> absent;
  for (std::size_t k = 0; k < outcome.values.size(); ++k)
    if (outcome.test.of_value[k] == 0 || outcome.train.of_value[k] == 0) absent.push_back(outcome.values[k]);
  if (!absent.empty())
    outcome.warnings.push_back(
        fmt::format("'{}'{} of '{}' {} on one side only", absent[0],
                    absent.size() > 1 ? fmt::format(" and {} more values", absent.size() - 1) : "",
                    options.stratify, absent.size() > 1 ? "are" : "is"));
  const auto got = static_cast<double>(outcome.test.rows), due = static_cast<double>(wanted);
  if (std::fabs(got - due) > std::max(1.0, 0.1 * due))
    outcome.warnings.push_back(
        fmt::format("{} rows are set aside and {} were wanted: {} stay together", outcome.test.rows, wanted,
                    options.time.empty() ? "the rows of a group" : "rows of one time"));
}

// `find` gives the column of that name.
template <class Find>
Division divide_rows(Index rows, const std::string& file, const SplitOptions& options, const Find& find) {
  Division division;
  const Index wanted = rows_wanted(rows, options.test);
  KeyColumn strata, groups;
  FoldRows known{rows, {}, {}};
  if (!options.time.empty()) {
    const KeyColumn time = find(options.time);
    refuse_missing_key(time, "time", file);
    check_times(time, file);
    division.test = hold_out_last({time.codes.begin(), time.codes.end()}, wanted);
  } else {
    if (!options.stratify.empty()) {
      strata = find(options.stratify);
      make_classes(strata);
      known.labels = strata.codes;
    }
    if (!options.group.empty()) {
      groups = find(options.group);
      refuse_missing_key(groups, "group", file);
      known.groups = groups.codes;
    }
    division.test = hold_out(known, wanted, options.seed);
  }
  division.train = other_rows(rows, division.test);
  SplitOutcome& outcome = division.outcome;
  outcome.rows = rows;
  outcome.values = strata.values;
  const KeyColumn* const by = options.stratify.empty() ? nullptr : &strata;
  const KeyColumn* const of = options.group.empty() ? nullptr : &groups;
  outcome.train = part_of_rows(division.train, by, of);
  outcome.test = part_of_rows(division.test, by, of);
  add_warnings(outcome, options, wanted);
  return division;
}

// The columns that decide stand aside as texts.
ReadOptions with_keys(ReadOptions reading, const SplitOptions& options) {
  for (const std::string& name : {options.stratify, options.group, options.time})
    if (!name.empty() && std::none_of(reading.side.begin(), reading.side.end(),
                                      [&](const SideRequest& side) { return side.column == name; }))
      reading.side.push_back({name, true, true});
  return reading;
}

// Those columns alone: the cells of the others are of no interest here, and may be anything.
Table read_keys(const FileContent& content, const std::string& file, const RowTexts& texts,
                ReadOptions wanted) {
  wanted.separator = texts.separator;
  wanted.header = texts.header;
  wanted.ignore = texts.names;
  Table table = read_csv_text(content, file, wanted);
  // A column that was asked for by its number is known by that here.
  for (std::size_t k = 0; k < table.side.size() && k < wanted.side.size(); ++k)
    table.side[k].name = wanted.side[k].column;
  return table;
}

void write_texts(const std::string& path, const RowTexts& texts, const std::vector<Index>& rows) {
  FileWriter file(path);
  file.write(texts.head);
  const bool returns =
      texts.head.ends_with("\r\n") || (!texts.rows.empty() && texts.rows[0].ends_with("\r\n"));
  for (const Index i : rows) {
    const std::string_view row = texts.rows[static_cast<std::size_t>(i)];
    file.write(row);
    if (!row.ends_with('\n')) file.write(returns ? "\r\n" : "\n");
  }
  file.commit();
}

SplitOutcome split_texts(const std::string& input, const ReadOptions& reading, const std::string& train,
                         const std::string& test, const SplitOptions& options) {
  const FileContent content(input);
  const std::string file = input_name(input);
  const ReadOptions wanted = with_keys(reading, options);
  const RowTexts texts = row_texts(content.text(), file, wanted);
  const auto rows = static_cast<Index>(texts.rows.size());
  Table keys;
  if (!wanted.side.empty()) {
    keys = read_keys(content, file, texts, wanted);
    if (keys.rows() != rows)
      throw Error(Code::data, fmt::format("found {} rows and then {}", rows, keys.rows()), {file, 0, ""});
  }
  Division division = divide_rows(rows, file, options,
                                  [&](const std::string& name) { return key_of(*keys.find_side(name)); });
  content.check_unchanged();
  FilesTogether both;
  write_texts(train, texts, division.train);
  write_texts(test, texts, division.test);
  both.commit();
  division.outcome.byte_for_byte = true;
  return division.outcome;
}

SplitOutcome split_table(const std::string& input, const ReadOptions& reading, const std::string& train,
                         const std::string& test, const SplitOptions& options) {
  const Table table = read_table(input, reading);
  const Division division = divide_rows(table.rows(), table.file, options,
                                        [&](const std::string& name) { return key_of(table, name); });
  FilesTogether both;
  write_table(select_rows(table, division.train), train, {options.format});
  write_table(select_rows(table, division.test), test, {options.format});
  both.commit();
  return division.outcome;
}

}  // namespace

SplitOutcome split_file(const std::string& input, const ReadOptions& reading, const std::string& train,
                        const std::string& test, const SplitOptions& options) {
  check_options(options);
  const Format& from = format_of(input, reading.format);
  bool same = from.delimited;
  for (const std::string& output : {train, test}) same = same && &format_of(output, options.format) == &from;
  if (!same) return split_table(input, reading, train, test, options);
  ReadOptions delimited = reading;
  if (from.name == "tsv" && !delimited.separator) delimited.separator = '\t';
  return split_texts(input, delimited, train, test, options);
}

}  // namespace discern
