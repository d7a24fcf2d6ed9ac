// Text for people: aligned tables, wrapped paragraphs, numbers that are easy to read. No locale is involved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace discern::cli {

// Columns of a terminal that the text takes: one a code point, none for a colour sequence.
std::size_t display_width(std::string_view text);

// `text` filled up with blanks to `width` columns.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

// Breaks at blanks so that no line is longer than `width`; every line but the first starts with `indent`
// blanks, which count.
std::string wrap(std::string_view text, std::size_t width, std::size_t indent);

enum class Align { left, right };

// Rows of cells, printed with two blanks between columns that are as wide as their widest cell.
class TextTable {
 public:
  explicit TextTable(std::vector<Align> columns, std::size_t indent = 0);
  void row(std::vector<std::string> cells);
  std::string text() const;

 private:
  std::vector<Align> columns_;
  std::size_t indent_;
  std::vector<std::vector<std::string>> rows_;
};

std::string grouped(std::int64_t count);                           // 32561 -> "32,561"
std::string counted(std::int64_t count, std::string_view thing);   // 1 -> "1 row", 2 -> "2 rows"
std::string percent(double share);                                 // 0.8531 -> "85.31 %"
std::string rounded(double value, int digits = 4);                 // significant digits
std::string rounded(std::optional<double> value, int digits = 4);  // "-" when there is none
std::string duration(double seconds);                              // "0.12 s", "3 min 12 s"

// Text that somebody else wrote, safe to show: a control character moves no cursor, changes no colour and
// breaks no line, but is seen as \n, \x1b or \u009b. `shown` is shortened with "..." to so many columns.
std::string visible(std::string_view text);
std::string shown(std::string_view text, std::size_t width = 40);
// A report of many lines, with colours: only line ends and sequences that set a colour stay as they are.
std::string visible_report(std::string_view text);

}  // namespace discern::cli
