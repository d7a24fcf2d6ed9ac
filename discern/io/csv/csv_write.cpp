#include "discern/io/csv/csv_write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/io/csv/csv.hpp"
#include "discern/io/csv/csv_fields.hpp"
#include "discern/io/number/number.hpp"
#include "discern/io/number/number_text.hpp"

namespace discern::csv {
namespace {

class RowWriter {
 public:
  RowWriter(const Table& table, const RowStyle& style, FileWriter& file)
      : table_(table), style_(style), file_(file) {}

  // Some blocks at a time are formatted side by side, then written in order.
  template <class Matrix>
  void run(const Matrix& x) {
    constexpr Index cells_per_block = 1 << 16;
    const Index rows_per_block = std::max<Index>(1, cells_per_block / (columns() + 1));
    const Index blocks = (x.rows + rows_per_block - 1) / rows_per_block;
    std::vector<std::string> texts(static_cast<std::size_t>(4 * thread_count()));
    for (Index first = 0; first < blocks; first += static_cast<Index>(texts.size())) {
      const Index count = std::min<Index>(static_cast<Index>(texts.size()), blocks - first);
      parallel_for(count, [&](Index k) {
        const Index row = (first + k) * rows_per_block;
        format(x.view(row, std::min(rows_per_block, x.rows - row)), row, texts[static_cast<std::size_t>(k)]);
      });
      for (Index k = 0; k < count; ++k) file_.write(texts[static_cast<std::size_t>(k)]);
    }
  }

 private:
  Index columns() const { return static_cast<Index>(style_.cells.size()); }

  template <class View>
  void format(const View& view, Index first, std::string& text) const {
    text.clear();
    std::vector<double> row(style_.cells.size());
    for (Index i = 0; i < view.rows; ++i) {
      std::fill(row.begin(), row.end(), 0.0);
      for_each(view.row(i), [&](Index j, double value) { row[static_cast<std::size_t>(j)] = value; });
      for (std::size_t k = 0; k < table_.side.size(); ++k)
        row[static_cast<std::size_t>(view.cols) + k] =
            table_.side[k].values[static_cast<std::size_t>(first + i)];
      for (std::size_t j = 0; j < row.size(); ++j) {
        if (j > 0) text += style_.separator;
        append(row[j], style_.cells[j], text);
      }
      text += '\n';
    }
  }

  void append(double value, const std::vector<std::string>& cells, std::string& text) const {
    if (std::isnan(value))
      text += style_.missing;
    else if (cells.empty())
      append_number(text, value);
    else
      text += cells[static_cast<std::size_t>(value)];
  }

  const Table& table_;
  const RowStyle& style_;
  FileWriter& file_;
};

bool needs_quotes(std::string_view text, const Dialect& dialect) {
  if (text.empty()) return true;
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  if (is_blank(text.front()) || is_blank(text.back())) return true;
  return std::any_of(text.begin(), text.end(),
                     [&](char c) { return dialect.separates(c) || c == '"' || c == '\n' || c == '\r'; });
}

std::string cell_of(std::string_view text, const Dialect& dialect) {
  if (!needs_quotes(text, dialect)) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) cell.append(c == '"' ? 2 : 1, c);
  return cell + '"';
}

// The levels as they stand in the file.
std::vector<std::string> cells_of(const std::vector<std::string>& levels, const std::string& column,
                                  const Dialect& dialect, const std::string& path) {
  std::vector<std::string> cells;
  for (const auto& level : levels) {
    if (is_missing({level}, dialect))
      throw Error(Code::data,
                  fmt::format("the text {} would be read back as a missing value", quoted_for_message(level)),
                  {path, 0, column});
    if (level.find('\0') != std::string::npos)
      throw Error(Code::data, "a text with a NUL byte cannot be written", {path, 0, column});
    cells.push_back(cell_of(level, dialect));
  }
  return cells;
}

void write_delimited(const Table& table, const std::string& path, char separator) {
  const Dialect dialect{separator, false};
  std::string header;
  RowStyle style{separator, "", {}};
  const auto add = [&](const std::string& name, const std::vector<std::string>& levels) {
    if (!style.cells.empty()) header += separator;
    header += cell_of(name, dialect);
    style.cells.push_back(cells_of(levels, name, dialect, path));
  };
  for (Index j = 0; j < column_count(table.x); ++j) add(table.schema.name(j), table.schema.column(j).levels);
  for (const SideColumn& side : table.side) add(side.name, side.levels);
  // An empty line would not be read as a row, hence the quotes around nothing.
  if (style.cells.size() == 1) style.missing = "\"\"";
  FileWriter file(path);
  file.write(header + '\n');
  write_rows(table, style, file);
  file.commit();
}

}  // namespace

void write_rows(const Table& table, const RowStyle& style, FileWriter& file) {
  std::visit([&](const auto& x) { RowWriter(table, style, file).run(x); }, table.x);
}

}  // namespace discern::csv

namespace discern {

void write_csv(const Table& table, const std::string& path) { csv::write_delimited(table, path, ','); }

void write_tsv(const Table& table, const std::string& path) { csv::write_delimited(table, path, '\t'); }

}  // namespace discern
