#include "discern/io/table/select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/io/number/number.hpp"

namespace discern {
namespace {

constexpr Index rows_at_a_time = 4096;

// A column of cells, on its way between features and side columns.
struct Cells {
  Column column;
  std::vector<double> values;
  Noticed noticed;
};

// A feature column of the result.
struct Pick {
  Index source;  // its number in the table
  Column column;
  Noticed noticed;
  std::vector<double> values;  // when its cells have changed; else empty
};

std::string some_names(const Schema& schema) {
  constexpr Index most = 30;
  std::string list;
  for (Index j = 0; j < std::min(schema.size(), most); ++j)
    list += fmt::format("{}{}", j > 0 ? ", " : "", schema.name(j));
  return schema.size() > most ? fmt::format("{}, ... ({} in all)", list, schema.size()) : list;
}

std::optional<Index> find_column(const Schema& schema, const std::string& name) {
  if (const auto found = schema.find(name)) return found;
  if (name.empty() || name.size() > 18 || name.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  const Index number = std::stoll(name);
  if (number < 1 || number > schema.size()) return std::nullopt;
  return number - 1;
}

void for_row_blocks(Index rows, const std::function<void(Index, Index)>& body) {
  parallel_for((rows + rows_at_a_time - 1) / rows_at_a_time,
               [&](Index k) { body(k * rows_at_a_time, std::min(rows, (k + 1) * rows_at_a_time)); });
}

template <class T>
void copy_column(const DenseMatrix<T>& x, Index j, std::vector<double>& values) {
  for (Index i = 0; i < x.rows; ++i)
    values[static_cast<std::size_t>(i)] = static_cast<double>(x.values[i * x.cols + j]);
}

template <class T>
void copy_column(const SparseMatrix<T>& x, Index j, std::vector<double>& values) {
  for (Index i = 0; i < x.rows; ++i) {
    const std::uint32_t* begin = x.columns.data() + x.starts[i];
    const std::uint32_t* end = x.columns.data() + x.starts[i + 1];
    const std::uint32_t* found = std::lower_bound(begin, end, static_cast<std::uint32_t>(j));
    if (found != end && *found == static_cast<std::uint32_t>(j))
      values[static_cast<std::size_t>(i)] = static_cast<double>(x.values[found - x.columns.data()]);
  }
}

std::vector<double> column_values(const Features& x, Index j) {
  std::vector<double> values(static_cast<std::size_t>(row_count(x)), 0.0);
  std::visit([&](const auto& m) { copy_column(m, j, values); }, x);
  return values;
}

// Gives every distinct number its shortest text as a level.
void make_text(Cells& cells) {
  std::unordered_map<double, double> index;
  std::vector<std::pair<double, Index>> firsts;
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    const double value = cells.values[i] == 0 ? 0.0 : cells.values[i];  // -0 is 0
    if (!std::isnan(value) && index.try_emplace(value, 0.0).second)
      firsts.emplace_back(value, static_cast<Index>(i) + 1);
  }
  std::sort(firsts.begin(), firsts.end());
  cells.column.levels.clear();
  cells.noticed.level_line.clear();
  for (const auto& [value, line] : firsts) {
    index[value] = static_cast<double>(cells.column.levels.size());
    cells.column.levels.push_back(fmt::format("{}", value));
    cells.noticed.level_line.push_back(line);
  }
  for (double& value : cells.values)
    if (!std::isnan(value)) value = index[value == 0 ? 0.0 : value];
  cells.column.categorical = true;
}

// Replaces the index of each level by the number that it spells.
void make_numbers(Cells& cells, const std::string& file) {
  std::vector<double> numbers;
  for (std::size_t k = 0; k < cells.column.levels.size(); ++k) {
    const auto number = number_of(cells.column.levels[k]);
    const auto& lines = cells.noticed.level_line;
    if (!number)
      throw Error(Code::data, why_not_a_number(cells.column.levels[k]),
                  {file, k < lines.size() ? lines[k] : 0, cells.column.name});
    numbers.push_back(*number);
  }
  for (double& value : cells.values)
    if (!std::isnan(value)) value = numbers[static_cast<std::size_t>(value)];
  cells.column.categorical = false;
  cells.column.levels.clear();
  cells.noticed.level_line.clear();
}

void make_type(Cells& cells, bool text, const std::string& file) {
  if (text && !cells.column.categorical) make_text(cells);
  if (!text && cells.column.categorical) make_numbers(cells, file);
}

class Selection {
 public:
  Selection(Table table, const ReadOptions& options) : table_(std::move(table)), options_(options) {}

  static SideColumn side_of(Cells cells) {
    return {cells.column.name, cells.column.categorical, std::move(cells.column.levels),
            std::move(cells.values), std::move(cells.noticed)};
  }

  Table run() {
    keep_cells();
    for (const SideRequest& request : options_.side) set_aside(request);
    if (table_.schema.is_numbered() && is_sparse(table_.x)) return from_numbered_sparse();
    choose();
    if (!as_it_is()) rebuild();
    return std::move(table_);
  }

 private:
  [[noreturn]] void no_such_column(const std::string& name) const {
    throw Error(Code::usage,
                fmt::format("no column '{}'; the columns are: {}", name, some_names(table_.schema)),
                {table_.file, 0, ""});
  }

  Index require_column(const std::string& name) const {
    const auto found = find_column(table_.schema, name);
    if (!found) no_such_column(name);
    return *found;
  }

  // Numbers as their shortest texts, for formats that have numbers and no texts.
  void keep_cells() {
    if (options_.keep.empty() && !options_.keep_all) return;
    if (is_sparse(table_.x))
      throw Error(Code::usage, "`keep` is for tables with columns; sparse ones have none",
                  {table_.file, 0, ""});
    std::vector<Cells> columns;
    for (const std::string& name : options_.keep) columns.push_back(side_or_feature(name));
    for (Index j = 0; options_.keep_all && j < table_.schema.size(); ++j) columns.push_back(cells_of(j));
    auto kept = std::make_shared<KeptCells>();
    for (const Cells& one : columns) kept->names.push_back(one.column.name);
    for (Index i = 0; i < table_.rows(); ++i)
      for (const Cells& one : columns) {
        const double value = one.values[static_cast<std::size_t>(i)];
        if (std::isnan(value))
          kept->add("");
        else if (one.column.categorical)
          kept->add(one.column.levels[static_cast<std::size_t>(value)]);
        else
          kept->add(fmt::format("{}", value));
      }
    table_.kept = std::move(kept);
  }

  Cells side_or_feature(const std::string& name) const {
    if (const SideColumn* side = table_.find_side(name))
      return {{side->name, side->text, side->levels}, side->values, side->noticed};
    return cells_of(require_column(name));
  }

  Cells cells_of(Index j) const {
    Cells cells{table_.schema.column(j), column_values(table_.x, j), {}};
    cells.column.name = table_.schema.name(j);
    if (!table_.noticed.empty()) cells.noticed = table_.noticed[static_cast<std::size_t>(j)];
    return cells;
  }

  void set_aside(const SideRequest& request) {
    for (SideColumn& side : table_.side) {
      if (side.name != request.column) continue;
      if (side.text == request.text) return;
      Cells cells{{side.name, side.text, side.levels}, side.values, side.noticed};
      make_type(cells, request.text, table_.file);
      side = side_of(std::move(cells));
      return;
    }
    const auto j = find_column(table_.schema, request.column);
    if (!j && request.required) no_such_column(request.column);
    if (!j) return;
    if (is_left_out(*j))
      throw Error(Code::usage, fmt::format("column '{}' is asked for in two roles", table_.schema.name(*j)),
                  {table_.file, 0, ""});
    Cells cells = cells_of(*j);
    make_type(cells, request.text, table_.file);
    table_.side.push_back(side_of(std::move(cells)));
    left_out_.push_back(*j);
  }

  bool is_left_out(Index j) const {
    return std::find(left_out_.begin(), left_out_.end(), j) != left_out_.end();
  }

  // In the order of the file.
  void choose() {
    std::vector<bool> chosen(static_cast<std::size_t>(table_.schema.size()), options_.features.empty());
    for (const auto& name : options_.features) chosen[static_cast<std::size_t>(require_column(name))] = true;
    for (const auto& name : options_.ignore) chosen[static_cast<std::size_t>(require_column(name))] = false;
    for (const Index j : left_out_) chosen[static_cast<std::size_t>(j)] = false;
    choose_types();
    for (Index j = 0; j < table_.schema.size(); ++j) {
      if (!chosen[static_cast<std::size_t>(j)]) continue;
      if (options_.expected != nullptr) {
        const auto k = options_.expected->find(table_.schema.name(j));
        if (!k) continue;
        text_.try_emplace(j, options_.expected->categorical(*k));
      }
      picks_.push_back(pick(j));
    }
  }

  void choose_types() {
    for (const auto& name : options_.categorical)
      if (table_.find_side(name) == nullptr) text_[require_column(name)] = true;
    for (const auto& name : options_.numeric) {
      if (table_.find_side(name) != nullptr) continue;
      if (!text_.try_emplace(require_column(name), false).first->second) continue;
      throw Error(Code::usage, fmt::format("column '{}' is to be both numeric and categorical", name),
                  {table_.file, 0, ""});
    }
  }

  Pick pick(Index j) const {
    const auto wanted = text_.find(j);
    if (wanted != text_.end() && wanted->second != table_.schema.categorical(j)) {
      Cells cells = cells_of(j);
      make_type(cells, wanted->second, table_.file);
      return {j, std::move(cells.column), std::move(cells.noticed), std::move(cells.values)};
    }
    Pick kept{j, table_.schema.column(j), {}, {}};
    kept.column.name = table_.schema.name(j);
    if (!table_.noticed.empty()) kept.noticed = table_.noticed[static_cast<std::size_t>(j)];
    return kept;
  }

  bool as_it_is() const {
    if (static_cast<Index>(picks_.size()) != table_.schema.size()) return false;
    for (std::size_t k = 0; k < picks_.size(); ++k)
      if (picks_[k].source != static_cast<Index>(k) || !picks_[k].values.empty()) return false;
    return true;
  }

  void rebuild() {
    bool floats = true;
    for (const Pick& p : picks_) floats = floats && std::all_of(p.values.begin(), p.values.end(), fits_float);
    std::visit(
        [&](const auto& m) {
          using T = std::decay_t<decltype(m.values[0])>;
          table_.x = floats ? rebuilt<T>(m) : rebuilt<double>(m);
        },
        Features(table_.x));
    std::vector<Column> columns;
    std::vector<Noticed> noticed;
    bool numbered = true;
    for (std::size_t k = 0; k < picks_.size(); ++k) {
      numbered =
          numbered && !picks_[k].column.categorical && picks_[k].column.name == fmt::format("x{}", k + 1);
      columns.push_back(std::move(picks_[k].column));
      noticed.push_back(std::move(picks_[k].noticed));
    }
    table_.schema =
        numbered ? Schema::numbered(static_cast<Index>(columns.size())) : Schema(std::move(columns));
    const bool any = std::any_of(noticed.begin(), noticed.end(),
                                 [](const Noticed& n) { return n.missing > 0 || !n.level_line.empty(); });
    table_.noticed = any ? std::move(noticed) : std::vector<Noticed>{};
  }

  template <class Out, class T>
  Features rebuilt(const DenseMatrix<T>& x) const {
    DenseMatrix<Out> result{Buffer<Out>(x.rows * static_cast<Index>(picks_.size())), x.rows,
                            static_cast<Index>(picks_.size())};
    for_row_blocks(x.rows, [&](Index first, Index last) {
      for (Index i = first; i < last; ++i)
        for (std::size_t k = 0; k < picks_.size(); ++k) {
          const auto& values = picks_[k].values;
          result.values[i * result.cols + static_cast<Index>(k)] =
              static_cast<Out>(values.empty() ? static_cast<double>(x.values[i * x.cols + picks_[k].source])
                                              : values[static_cast<std::size_t>(i)]);
        }
    });
    return result;
  }

  // Entry by entry, in the order of the new columns.
  template <class Out, class T>
  Features rebuilt(const SparseMatrix<T>& x) const {
    std::unordered_map<std::uint32_t, std::uint32_t> place;
    for (std::size_t k = 0; k < picks_.size(); ++k) {
      if (!picks_[k].values.empty())
        throw Error(
            Code::usage,
            fmt::format("the type of '{}' cannot be changed: the table is sparse", picks_[k].column.name),
            {table_.file, 0, ""});
      place.emplace(static_cast<std::uint32_t>(picks_[k].source), static_cast<std::uint32_t>(k));
    }
    std::vector<Out> values;
    std::vector<std::uint32_t> columns;
    std::vector<std::int64_t> starts{0};
    std::vector<std::pair<std::uint32_t, T>> row;
    for (Index i = 0; i < x.rows; ++i) {
      row.clear();
      for (Index e = x.starts[i]; e < x.starts[i + 1]; ++e)
        if (const auto found = place.find(x.columns[e]); found != place.end())
          row.emplace_back(found->second, x.values[e]);
      std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (const auto& [column, value] : row) {
        columns.push_back(column);
        values.push_back(static_cast<Out>(value));
      }
      starts.push_back(static_cast<std::int64_t>(values.size()));
    }
    return SparseMatrix<Out>{Buffer<Out>(std::move(values)), Buffer<std::uint32_t>(std::move(columns)),
                             Buffer<std::int64_t>(std::move(starts)), x.rows,
                             static_cast<Index>(picks_.size())};
  }

  // Columns may be thousands of millions, so nothing here goes over them one by one.
  Table from_numbered_sparse() {
    if (options_.expected != nullptr ? !options_.expected->is_numbered() : !options_.features.empty()) {
      widen();
      choose();
      if (!as_it_is()) rebuild();
      return std::move(table_);
    }
    if (options_.expected != nullptr) return with_columns(options_.expected->size());
    for (const auto& name : options_.ignore) left_out_.push_back(require_column(name));
    if (!options_.categorical.empty())
      throw Error(
          Code::usage,
          fmt::format("'{}' cannot be read as text: the table is sparse", options_.categorical.front()),
          {table_.file, 0, ""});
    for (const auto& name : options_.numeric) require_column(name);
    if (!left_out_.empty()) drop([this](Index j) { return is_left_out(j); });
    return std::move(table_);
  }

  // A column of a sparse file that no row mentions is zero, not missing.
  void widen() {
    Index wanted = table_.schema.size();
    const auto consider = [&](const std::string& name) {
      if (const auto j = Schema::numbered(Index{1} << 31).find(name)) wanted = std::max(wanted, *j + 1);
    };
    for (Index k = 0; options_.expected != nullptr && k < options_.expected->size(); ++k)
      consider(options_.expected->name(k));
    set_columns(wanted);
  }

  void set_columns(Index count) {
    std::visit([&](auto& m) { m.cols = count; }, table_.x);
    table_.schema = Schema::numbered(count);
  }

  Table with_columns(Index count) {
    if (count < table_.schema.size()) table_.skipped_entries += drop([=](Index j) { return j >= count; });
    set_columns(count);
    return std::move(table_);
  }

  // Leaves out the entries of some columns; returns how many.
  template <class Unwanted>
  Index drop(const Unwanted& unwanted) {
    return std::visit(
        [&](auto& m) -> Index {
          if constexpr (requires { m.columns; }) {
            return drop_entries(m, unwanted);
          } else {
            return 0;
          }
        },
        table_.x);
  }

  template <class T, class Unwanted>
  static Index drop_entries(SparseMatrix<T>& x, const Unwanted& unwanted) {
    std::vector<T> values;
    std::vector<std::uint32_t> columns;
    std::vector<std::int64_t> starts{0};
    for (Index i = 0; i < x.rows; ++i) {
      for (Index e = x.starts[i]; e < x.starts[i + 1]; ++e) {
        if (unwanted(static_cast<Index>(x.columns[e]))) continue;
        values.push_back(x.values[e]);
        columns.push_back(x.columns[e]);
      }
      starts.push_back(static_cast<std::int64_t>(values.size()));
    }
    const Index dropped = x.values.size() - static_cast<Index>(values.size());
    x.values = Buffer<T>(std::move(values));
    x.columns = Buffer<std::uint32_t>(std::move(columns));
    x.starts = Buffer<std::int64_t>(std::move(starts));
    return dropped;
  }

  Table table_;
  const ReadOptions& options_;
  std::vector<Index> left_out_;
  std::map<Index, bool> text_;  // columns whose type was asked for: text or numbers
  std::vector<Pick> picks_;
};

bool nothing_to_do(const Table& table, const ReadOptions& options) {
  if (!options.keep.empty() || options.keep_all) return false;
  if (options.expected != nullptr && options.expected->is_numbered() && table.schema.is_numbered() &&
      options.expected->size() == table.schema.size() && options.side.empty())
    return true;
  return options.expected == nullptr && options.side.empty() && options.features.empty() &&
         options.ignore.empty() && options.categorical.empty() && options.numeric.empty();
}

}  // namespace

Schema schema_of(std::vector<Column> columns, const std::string& file) {
  try {
    return Schema(std::move(columns));
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), {file, 0, ""});
  }
}

void make_text(SideColumn& side) {
  Cells cells{{side.name, false, {}}, std::move(side.values), std::move(side.noticed)};
  make_text(cells);
  side = Selection::side_of(std::move(cells));
}

Table select_columns(Table table, const ReadOptions& options) {
  if (nothing_to_do(table, options)) return table;
  return Selection(std::move(table), options).run();
}

}  // namespace discern
