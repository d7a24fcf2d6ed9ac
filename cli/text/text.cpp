#include "cli/text/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace discern::cli {
namespace {

// Takes the first character off and returns it as it is shown: escaped when it controls the terminal. Those
// are U+0000 to U+001F, U+007F, and U+0080 to U+009F, which are two bytes.
std::string first_character(std::string_view& text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  std::size_t size = 1;
  while (size < text.size() && (byte(size) & 0xC0) == 0x80) ++size;
  std::string shown_as(text.substr(0, size));
  if (byte(0) == '\n' || byte(0) == '\r' || byte(0) == '\t') {
    shown_as.replace(0, 1, byte(0) == '\n' ? "\\n" : byte(0) == '\r' ? "\\r" : "\\t");
  } else if (byte(0) < 0x20 || byte(0) == 0x7F) {
    shown_as.replace(0, 1, fmt::format("\\x{:02x}", byte(0)));
  } else if (size == 2 && byte(0) == 0xC2 && byte(1) < 0xA0) {
    shown_as = fmt::format("\\u00{:02x}", byte(1));
  }
  text.remove_prefix(size);
  return shown_as;
}

// The length of the sequence that sets a colour, such as ESC [ 3 1 m, at the beginning; 0: there is none.
std::size_t color_sequence(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  bool escape = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (escape) {
      escape = c != 'm';
    } else if (c == '\x1b') {
      escape = true;
    } else if ((byte & 0xC0) != 0x80) {
      ++width;
    }
  }
  return width;
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t taken = display_width(text);
  return std::string(text) + std::string(width > taken ? width - taken : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t taken = display_width(text);
  return std::string(width > taken ? width - taken : 0, ' ') + std::string(text);
}

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t length = display_width(word);
    if (column > indent && column + 1 + length > width) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += length;
  }
  return result;
}

TextTable::TextTable(std::vector<Align> columns, std::size_t indent)
    : columns_(std::move(columns)), indent_(indent) {}

void TextTable::row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

std::string TextTable::text() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_)
    for (std::size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], display_width(row[j]));
  std::string text;
  for (const auto& row : rows_) {
    std::string line(indent_, ' ');
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (j > 0) line += "  ";
      line += columns_[j] == Align::left ? pad_right(row[j], widths[j]) : pad_left(row[j], widths[j]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string grouped(std::int64_t count) {
  std::string digits = fmt::format("{}", count);
  const std::ptrdiff_t first = count < 0 ? 1 : 0;
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > first; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

std::string counted(std::int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", grouped(count), thing, count == 1 ? "" : "s");
}

std::string percent(double share) {
  const double value = 100 * share;
  // Never round a flaw away: 99.996 % is not 100 %, and a few rows are not 0 %.
  if (value < 100 && value > 99.99) return "> 99.99 %";
  if (value > 0 && value < 0.01) return "< 0.01 %";
  return fmt::format("{:.2f} %", value);
}

// Nobody wants to read -0.
std::string rounded(double value, int digits) {
  return fmt::format("{:.{}g}", value == 0 ? 0.0 : value, digits);
}

std::string rounded(std::optional<double> value, int digits) {
  return value ? rounded(*value, digits) : std::string("-");
}

std::string duration(double seconds) {
  if (seconds >= 60) {
    const auto whole = static_cast<std::int64_t>(std::lround(seconds));
    return fmt::format("{} min {} s", whole / 60, whole % 60);
  }
  return seconds < 0.01 ? fmt::format("{:.1f} ms", 1000 * seconds) : fmt::format("{:.2f} s", seconds);
}

std::string visible(std::string_view text) {
  std::string result;
  while (!text.empty()) result += first_character(text);
  return result;
}

std::string shown(std::string_view text, std::size_t width) {
  std::string result;
  std::size_t columns = 0;
  while (!text.empty()) {
    const std::string character = first_character(text);
    columns += display_width(character);
    if (columns > width) return result + "...";
    result += character;
  }
  return result;
}

std::string visible_report(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t kept = text.front() == '\n' ? 1 : color_sequence(text);
    result += kept > 0 ? std::string(text.substr(0, kept)) : first_character(text);
    text.remove_prefix(kept);
  }
  return result;
}

}  // namespace discern::cli
