#include "discern/data/select_rows.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace discern {
namespace {

template <class T>
std::vector<T> pick(const std::vector<T>& items, const std::vector<Index>& rows) {
  std::vector<T> picked;
  picked.reserve(rows.size());
  for (const Index i : rows) picked.push_back(items[static_cast<std::size_t>(i)]);
  return picked;
}

template <class T>
Features pick_rows(const DenseMatrix<T>& x, const std::vector<Index>& rows) {
  DenseMatrix<T> out{Buffer<T>(static_cast<Index>(rows.size()) * x.cols), static_cast<Index>(rows.size()),
                     x.cols};
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(x.values.data() + rows[i] * x.cols, x.cols,
                out.values.data() + static_cast<Index>(i) * x.cols);
  return out;
}

template <class T>
Features pick_rows(const SparseMatrix<T>& x, const std::vector<Index>& rows) {
  std::vector<T> values;
  std::vector<std::uint32_t> columns;
  std::vector<std::int64_t> starts{0};
  for (const Index i : rows) {
    const auto row = x.view(i, 1).row(0);
    values.insert(values.end(), row.values, row.values + row.size);
    columns.insert(columns.end(), row.columns, row.columns + row.size);
    starts.push_back(static_cast<std::int64_t>(values.size()));
  }
  return SparseMatrix<T>{Buffer<T>(std::move(values)), Buffer<std::uint32_t>(std::move(columns)),
                         Buffer<std::int64_t>(std::move(starts)), static_cast<Index>(rows.size()), x.cols};
}

// Renumbers the codes in cells[0], cells[stride], ... so that only levels in use remain.
template <class T>
void keep_used_levels(std::vector<std::string>& levels, Noticed& noticed, T* cells, Index count,
                      Index stride) {
  std::vector<double> code(levels.size(), -1);
  for (Index i = 0; i < count; ++i)
    if (!std::isnan(cells[i * stride])) code[static_cast<std::size_t>(cells[i * stride])] = 0;
  std::vector<std::string> used;
  std::vector<Index> lines;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (code[k] < 0) continue;
    code[k] = static_cast<double>(used.size());
    used.push_back(levels[k]);
    if (k < noticed.level_line.size()) lines.push_back(noticed.level_line[k]);
  }
  for (Index i = 0; i < count; ++i)
    if (!std::isnan(cells[i * stride]))
      cells[i * stride] = static_cast<T>(code[static_cast<std::size_t>(cells[i * stride])]);
  levels = std::move(used);
  noticed.level_line = std::move(lines);
}

// Counts the missing cells again; on which line the first of them is is not known any more.
template <class T>
void recount_missing(Noticed& noticed, const T* cells, Index count, Index stride) {
  noticed.missing = noticed.first_missing_line = 0;
  for (Index i = 0; i < count; ++i) noticed.missing += std::isnan(cells[i * stride]) ? 1 : 0;
}

}  // namespace

Table select_rows(const Table& table, const std::vector<Index>& rows) {
  Table kept = table;
  kept.x = std::visit([&](const auto& x) { return pick_rows(x, rows); }, table.x);
  if (!table.row_numbers.empty()) kept.row_numbers = pick(table.row_numbers, rows);
  kept.kept.reset();
  for (auto& column : kept.side) {
    column.values = pick(column.values, rows);
    recount_missing(column.noticed, column.values.data(), static_cast<Index>(rows.size()), 1);
    if (column.text)
      keep_used_levels(column.levels, column.noticed, column.values.data(), static_cast<Index>(rows.size()),
                       1);
  }
  if (kept.noticed.empty()) return kept;
  std::vector<Column> columns;
  for (Index j = 0; j < table.schema.size(); ++j) {
    Column column = table.schema.column(j);
    column.name = table.schema.name(j);
    auto& noticed = kept.noticed[static_cast<std::size_t>(j)];
    std::visit(
        [&]<class M>(M& x) {
          if constexpr (std::is_same_v<M, DenseMatrix<float>> || std::is_same_v<M, DenseMatrix<double>>) {
            recount_missing(noticed, x.values.data() + j, x.rows, x.cols);
            if (column.categorical)
              keep_used_levels(column.levels, noticed, x.values.data() + j, x.rows, x.cols);
          }
        },
        kept.x);
    columns.push_back(std::move(column));
  }
  if (!table.schema.is_numbered()) kept.schema = Schema(std::move(columns));
  return kept;
}

}  // namespace discern
