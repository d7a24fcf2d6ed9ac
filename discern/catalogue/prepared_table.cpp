#include "discern/catalogue/prepared_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/catalogue/possible_leaks.hpp"
#include "discern/data/select_rows.hpp"
#include "discern/io/table/select.hpp"
#include "discern/transform/basis_spec.hpp"

namespace discern {
namespace {

bool any_missing(const std::vector<Noticed>& noticed) {
  for (const Noticed& one : noticed)
    if (one.missing > 0) return true;
  return false;
}

// The rows as a table in which they keep their numbers.
Table numbered_rows(const Table& table, const std::vector<Index>& rows) {
  Table kept = select_rows(table, rows);
  if (kept.row_numbers.empty()) kept.row_numbers = rows;
  return kept;
}

// Keeps these rows, and remembers in `all` (empty: all) which they were.
void keep_rows(Table& table, const std::vector<Index>& rows, std::vector<Index>& all) {
  table = numbered_rows(table, rows);
  if (all.empty()) {
    all = rows;
    return;
  }
  std::vector<Index> kept;
  kept.reserve(rows.size());
  for (const Index i : rows) kept.push_back(all[static_cast<std::size_t>(i)]);
  all = std::move(kept);
}

std::vector<std::string> columns_of_basis(const std::string& basis) {
  std::vector<std::string> names;
  for (const BasisItem& item : parse_basis(basis))
    names.insert(names.end(), item.columns.begin(), item.columns.end());
  return names;
}

void leave_out_columns(PreparedTable& prepared, const FitSettings& settings) {
  prepared.left_out = unsuitable_columns(prepared.table, columns_of_basis(settings.basis));
  if (prepared.left_out.empty()) return;
  ReadOptions without;
  for (const UnsuitableColumn& column : prepared.left_out) {
    prepared.table.notes.push_back(note_of(column, prepared.table));
    without.ignore.push_back(column.name);
  }
  prepared.table = select_columns(std::move(prepared.table), without);
}

void leave_out_incomplete(PreparedTable& prepared) {
  Table& table = prepared.table;
  if (!any_missing(table.noticed)) return;
  const std::vector<Index> rows = complete_rows(table);
  prepared.incomplete = table.rows() - static_cast<Index>(rows.size());
  if (prepared.incomplete == 0) return;
  if (rows.empty())
    throw Error(Code::data,
                "every row has a missing cell, so none is left without; `missing` impute fills them in",
                {table.file, 0, ""});
  keep_rows(table, rows, prepared.rows);
  table.notes.push_back({"", incomplete_text(prepared.incomplete)});
}

}  // namespace

std::vector<Index> labelled_rows(const Table& table, const std::string& target) {
  std::vector<Index> rows;
  const SideColumn* column = table.find_side(target);
  for (Index i = 0; i < table.rows(); ++i)
    if (column == nullptr || !std::isnan(column->values[static_cast<std::size_t>(i)])) rows.push_back(i);
  return rows;
}

std::vector<Index> complete_rows(const Table& table) {
  std::vector<Index> rows;
  std::visit(
      [&]<class M>(const M& x) {
        for (Index i = 0; i < x.rows; ++i) {
          bool complete = true;
          if constexpr (std::is_same_v<M, DenseMatrix<float>> || std::is_same_v<M, DenseMatrix<double>>)
            for (Index j = 0; j < x.cols; ++j) complete &= !std::isnan(x.values[i * x.cols + j]);
          if (complete) rows.push_back(i);
        }
      },
      table.x);
  return rows;
}

std::string unlabelled_text(Index rows, const std::string& target) {
  return fmt::format("{} row{} without a value of {} {} left out", rows, rows == 1 ? "" : "s", target,
                     rows == 1 ? "is" : "are");
}

std::string incomplete_text(Index rows) {
  return fmt::format("{} row{} with a missing cell {} left out", rows, rows == 1 ? "" : "s",
                     rows == 1 ? "is" : "are");
}

Index leave_out_unlabelled(Table& table, const std::string& target) {
  const SideColumn* column = table.find_side(target);
  if (column == nullptr || column->noticed.missing == 0) return 0;
  const std::vector<Index> rows = labelled_rows(table, target);
  if (rows.empty())
    throw Error(Code::data, "no row has a value in this column, the target",
                {table.file, column->noticed.first_missing_line, target});
  const Index left_out = table.rows() - static_cast<Index>(rows.size());
  table = numbered_rows(table, rows);
  table.notes.push_back({"", unlabelled_text(left_out, target)});
  return left_out;
}

PreparedTable prepare_table(Table table, const FitSettings& settings) {
  PreparedTable prepared;
  prepared.table = std::move(table);
  if (const SideColumn* target = prepared.table.find_side(settings.target);
      settings.drop_unlabelled && target != nullptr && target->noticed.missing > 0) {
    prepared.rows = labelled_rows(prepared.table, settings.target);
    prepared.unlabelled = leave_out_unlabelled(prepared.table, settings.target);
  }
  if (settings.choose_columns) leave_out_columns(prepared, settings);
  if (settings.drop_missing) leave_out_incomplete(prepared);
  if (settings.choose_columns)
    if (const SideColumn* target = prepared.table.find_side(settings.target);
        target != nullptr && target->noticed.missing == 0)
      prepared.leaks = possible_leaks(prepared.table, *target);
  return prepared;
}

}  // namespace discern
