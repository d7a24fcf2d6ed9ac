#include "discern/catalogue/describe_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <unordered_set>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/catalogue/positive_class.hpp"
#include "discern/catalogue/possible_leaks.hpp"
#include "discern/catalogue/training_set.hpp"
#include "discern/catalogue/unsuitable_columns.hpp"

namespace discern {
namespace {

constexpr Index widest_strip = 8;  // columns that are gathered in one pass: a cache line of doubles
constexpr Index strip_cells = Index{1} << 25;  // at most, of long tables

// All are numbers, and too many of them to be classes: with a fraction, or as many as there are rows or nearly.
Task likely_task(const SideColumn& target) {
  const auto levels = static_cast<Index>(target.levels.size());
  bool fractions = false;
  for (const std::string& level : target.levels) {
    const auto number = number_of(level);
    if (!number) return Task::classification;
    fractions = fractions || *number != std::floor(*number);
  }
  const bool many = levels >= 50 && 4 * levels >= static_cast<Index>(target.values.size());
  return many || (fractions && levels >= 10) ? Task::regression : Task::classification;
}

Answers answers_by_class(const SideColumn& column, const DescribeOptions& options, DescribedTarget& target) {
  Answers answers;
  std::vector<std::string> names;
  const std::vector<std::int32_t> code = class_of_level(column, names);
  for (std::string& name : names) target.classes.push_back({std::move(name), 0});
  answers.class_count = static_cast<Index>(target.classes.size());
  answers.classes.reserve(column.values.size());
  for (const double value : column.values) {
    const std::int32_t k = value == value ? code[static_cast<std::size_t>(value)] : -1;
    answers.classes.push_back(k);
    if (k < 0)
      ++target.missing;
    else
      ++target.classes[static_cast<std::size_t>(k)].rows;
  }
  names.clear();
  for (const LevelCount& one : target.classes) names.push_back(one.name);
  target.positive = answers.positive = positive_class(names, options.positive, true);
  return answers;
}

Answers answers_by_number(const SideColumn& column, DescribedTarget& target) {
  Answers answers;
  std::vector<double> number;
  for (const std::string& level : column.levels) number.push_back(number_of(level).value_or(NAN));
  for (const double value : column.values)
    answers.values.push_back(column.text && value == value ? number[static_cast<std::size_t>(value)] : value);
  std::vector<double> values = answers.values;
  target.numbers = summarise_numbers(values, {});
  target.numbers.name = target.name;
  target.missing = target.numbers.missing;
  return answers;
}

Answers answers_of(const Table& table, const DescribeOptions& options, TableDescription& description) {
  if (options.target.empty()) return {};
  const SideColumn* column = table.find_side(options.target);
  if (column == nullptr)
    throw Error(Code::data, "the data have no such column", {table.file, 0, options.target});
  DescribedTarget& target = description.target.emplace();
  target.name = options.target;
  target.task = options.task ? *options.task : column->text ? likely_task(*column) : Task::regression;
  return target.task == Task::classification ? answers_by_class(*column, options, target)
                                             : answers_by_number(*column, target);
}

// The cells of `count` columns from `first` on, one column after the other; what a sparse row does not store is 0.
template <class T>
std::vector<double> column_cells(const DenseRows<T>& x, Index first, Index count) {
  std::vector<double> cells(static_cast<std::size_t>(x.rows * count));
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < count; ++j)
      cells[static_cast<std::size_t>(j * x.rows + i)] = static_cast<double>(x.row(i).values[first + j]);
  return cells;
}
template <class T>
std::vector<double> column_cells(const SparseRows<T>& x, Index first, Index count) {
  std::vector<double> cells(static_cast<std::size_t>(x.rows * count), 0.0);
  for (Index i = 0; i < x.rows; ++i) {
    const SparseRow<T> row = x.row(i);
    const std::uint32_t* const end = row.columns + row.size;
    const std::uint32_t* at = std::lower_bound(row.columns, end, static_cast<std::uint32_t>(first));
    for (; at != end && static_cast<Index>(*at) < first + count; ++at)
      cells[static_cast<std::size_t>((static_cast<Index>(*at) - first) * x.rows + i)] =
          static_cast<double>(row.values[at - row.columns]);
  }
  return cells;
}

DescribedColumn summarise(const Table& table, Index j, std::span<double> cells, const Answers& answers) {
  DescribedColumn column;
  if (table.schema.categorical(j)) {
    std::vector<std::int32_t> codes;
    codes.reserve(cells.size());
    for (const double cell : cells) codes.push_back(cell == cell ? static_cast<std::int32_t>(cell) : -1);
    column = summarise_texts(codes, table.schema.column(j).levels, answers);
  } else {
    column = summarise_numbers(cells, answers);
  }
  column.name = table.schema.name(j);
  return column;
}

// Strips of neighbouring columns side by side, each gathered in one pass over the rows.
std::vector<DescribedColumn> summarise_columns(const Table& table, Index count, const Answers& answers,
                                               const Monitor& monitor) {
  std::vector<DescribedColumn> columns(static_cast<std::size_t>(count));
  const Index rows = table.rows();
  const Index width = std::clamp(strip_cells / std::max<Index>(rows, 1), Index{1}, widest_strip);
  std::atomic<Index> done = 0;
  std::atomic<bool> stopped = false;
  parallel_for((count + width - 1) / width, [&](Index strip) {
    const Index first = strip * width, here = std::min(width, count - first);
    if (stopped) return;
    std::vector<double> cells =
        std::visit([&](const auto& x) { return column_cells(x, first, here); }, rows_of(table.x, 0, rows));
    for (Index j = 0; j < here && !stopped; ++j) {
      const auto part =
          std::span(cells).subspan(static_cast<std::size_t>(j * rows), static_cast<std::size_t>(rows));
      columns[static_cast<std::size_t>(first + j)] = summarise(table, first + j, part, answers);
      if (!go_on(monitor, {"describing columns", ++done, count})) stopped = true;
    }
  });
  if (stopped) throw Error(Code::interrupted, "interrupted");
  return columns;
}

template <class T>
SparseSummary sparse_summary(const SparseRows<T>& x) {
  SparseSummary summary;
  summary.entries = x.starts[x.rows] - x.starts[0];
  std::vector<Index> sizes;
  sizes.reserve(static_cast<std::size_t>(x.rows));
  for (Index i = 0; i < x.rows; ++i) sizes.push_back(x.row(i).size);
  if (!sizes.empty()) {
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    summary.median = *middle;
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    summary.least = *least, summary.most = *most;
  }
  std::vector<bool> used(static_cast<std::size_t>(x.cols));
  for (Index at = x.starts[0]; at < x.starts[x.rows]; ++at) used[x.columns[at]] = true;
  summary.empty_columns = std::count(used.begin(), used.end(), false);
  return summary;
}

Index missing_cells(const Table& table, const TableDescription& description) {
  Index missing = 0;
  if (description.left_out() == 0)
    for (const DescribedColumn& column : description.described) missing += column.missing;
  else
    for (const Noticed& noticed : table.noticed) missing += noticed.missing;
  return missing;
}

// What a fit of the table leaves out, or else warns of.
void note_fit(const Table& table, const std::string& target_name, std::vector<Note>& notes) {
  std::unordered_set<std::string> left_out;
  for (const UnsuitableColumn& column : unsuitable_columns(table)) {
    const Note note = note_of(column, table);
    notes.push_back({note.column, "would be " + note.text});
    left_out.insert(note.column);
  }
  const SideColumn* target = target_name.empty() ? nullptr : table.find_side(target_name);
  if (target == nullptr || target->noticed.missing > 0) return;
  for (const std::string& name : possible_leaks(table, *target))
    if (!left_out.contains(name)) notes.push_back({name, leak_text(name, target_name)});
}

}  // namespace

TableDescription describe_table(const Table& table, const DescribeOptions& options) {
  TableDescription description;
  description.rows = table.rows();
  description.columns = column_count(table.x);
  description.notes = table.notes;
  note_fit(table, options.target, description.notes);
  const Answers answers = answers_of(table, options, description);
  if (!table.schema.is_numbered())
    for (Index j = 0; j < table.schema.size(); ++j) description.texts += table.schema.categorical(j) ? 1 : 0;
  description.described =
      summarise_columns(table, std::min(options.most_columns, description.columns), answers, options.monitor);
  description.missing = missing_cells(table, description);
  description.measure_of_numbers = association_for(false, answers);
  description.measure_of_texts = association_for(true, answers);
  std::visit(
      [&]<class R>(const R& rows) {
        if constexpr (requires { rows.starts; }) description.sparse = sparse_summary(rows);
      },
      rows_of(table.x, 0, table.rows()));
  return description;
}

}  // namespace discern
