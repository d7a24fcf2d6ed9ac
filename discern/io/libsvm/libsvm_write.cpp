#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "discern/base/error.hpp"
#include "discern/io/file/text_blocks.hpp"
#include "discern/io/libsvm/libsvm.hpp"
#include "discern/io/number/number.hpp"
#include "discern/io/number/number_text.hpp"

namespace discern {
namespace {

const SideColumn& label_of(const Table& table) {
  const SideColumn* label = table.find_side("label");
  if (label == nullptr && table.side.size() == 1) label = &table.side.front();
  if (label == nullptr)
    throw Error(Code::usage,
                fmt::format("LIBSVM holds one label beside the features; the table has {} columns set aside",
                            table.side.size()));
  return *label;
}

// What each level of a text label is written as: the level, when the format can hold it.
void check_labels(const SideColumn& label) {
  for (const std::string& level : label.levels)
    if (level.empty() || level.find_first_of(" \t\r\n#,;:\"") != std::string::npos)
      throw Error(Code::usage, fmt::format("LIBSVM cannot hold the label {}", quoted_for_message(level)),
                  {"", 0, label.name});
}

class RowFormatter {
 public:
  explicit RowFormatter(const Table& table) : table_(table), label_(label_of(table)) {
    check_labels(label_);
    for (Index j = 0; table.schema.any_categorical() && j < table.schema.size(); ++j)
      if (table.schema.categorical(j))
        throw Error(Code::usage, "LIBSVM holds numbers only; this column is text",
                    {"", 0, table.schema.name(j)});
  }

  void operator()(Index i, std::string& out) const {
    const double label = label_.values[static_cast<std::size_t>(i)];
    if (std::isnan(label))
      throw Error(Code::usage, fmt::format("LIBSVM cannot hold a missing label (row {})", i + 1),
                  {"", 0, label_.name});
    if (label_.text)
      out += label_.levels[static_cast<std::size_t>(label)];
    else
      append_number(out, label);
    std::visit([&](const auto& rows) { append_entries(i, rows.row(0), out); }, rows_of(table_.x, i, 1));
    out += '\n';
  }

 private:
  template <class Row>
  void append_entries(Index i, Row row, std::string& out) const {
    for_each(row, [&](Index j, double value) {
      if (value == 0) return;
      if (std::isnan(value))
        throw Error(Code::usage, fmt::format("LIBSVM cannot hold a missing cell (row {})", i + 1),
                    {"", 0, table_.schema.name(j)});
      out += ' ';
      fmt::format_to(std::back_inserter(out), "{}:", j + 1);
      append_number(out, value);
    });
  }

  const Table& table_;
  const SideColumn& label_;
};

// "12:0.5": an index, a colon, a number.
bool is_entry(std::string_view token) {
  const auto colon = token.find(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  const std::string_view index = token.substr(0, colon);
  return (index == "qid" || index.find_first_not_of("0123456789") == std::string_view::npos) &&
         is_number_like(token.substr(colon + 1));
}

// The next token of the line, taken off its front; empty at its end.
std::string_view next_token(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
  const std::string_view token = line.substr(0, line.find_first_of(" \t\r"));
  line.remove_prefix(token.size());
  return token;
}

}  // namespace

void write_libsvm(const Table& table, const std::string& path) {
  const RowFormatter format(table);
  FileWriter writer(path);
  write_rows(writer, table.rows(), format);
  writer.commit();
}

bool looks_like_libsvm(std::string_view first_lines) {
  if (first_lines.starts_with("\xEF\xBB\xBF")) first_lines.remove_prefix(3);
  constexpr int enough = 5;
  int with_entries = 0;
  // The last line may be cut short; it counts only when it is the only one.
  while (!first_lines.empty() && with_entries < enough) {
    const auto end = first_lines.find('\n');
    if (end == std::string_view::npos && with_entries > 0) break;
    std::string_view line = first_lines.substr(0, end);
    first_lines.remove_prefix(end == std::string_view::npos ? first_lines.size() : end + 1);
    line = line.substr(0, line.find('#'));
    const std::string_view label = next_token(line);
    if (label.empty()) continue;
    if (!number_of(label)) return false;
    std::string_view token = next_token(line);
    with_entries += !token.empty();
    for (; !token.empty(); token = next_token(line))
      if (!is_entry(token)) return false;
  }
  return with_entries > 0;
}

}  // namespace discern
