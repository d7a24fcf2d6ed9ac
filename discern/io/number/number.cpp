#include "discern/io/number/number.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace discern {
namespace {

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return text;
}

bool spells_nan(std::string_view cell) { return spells(without_sign(cell), "nan"); }

bool spells_infinity(std::string_view cell) {
  return spells(without_sign(cell), "inf") || spells(without_sign(cell), "infinity");
}

bool spells_hex(std::string_view cell) {
  cell = without_sign(cell);
  if (cell.size() < 3 || cell[0] != '0' || (cell[1] | 0x20) != 'x') return false;
  const auto is_hex = [](char c) {
    return decimal::is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') || c == '.';
  };
  return std::all_of(cell.begin() + 2, cell.end(), is_hex);
}

bool spells_decimal_comma(std::string_view cell) {
  const std::size_t comma = cell.find(',');
  if (comma == std::string_view::npos || cell.find('.') != std::string_view::npos) return false;
  if (comma + 1 == cell.size() || !decimal::is_digit(cell[comma + 1])) return false;
  std::string with_point(cell);
  with_point[comma] = '.';
  double value = 0;
  return parse_any_number(with_point.data(), with_point.data() + with_point.size(), value) ==
         with_point.data() + with_point.size();
}

bool is_out_of_range(std::string_view cell) {
  double value = 0;
  const char* end = parse_any_number(cell.data(), cell.data() + cell.size(), value);
  return end == cell.data() + cell.size() && std::isinf(value);
}

}  // namespace

bool spells(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), same);
}

const char* parse_any_number(const char* first, const char* last, double& value) {
  const char* p = first;
  if (p == last) return nullptr;
  const bool negative = *p == '-';
  p += negative || *p == '+';
  // fast_float also takes nan and inf, which are not numbers here.
  if (p == last || (!decimal::is_digit(*p) && *p != '.')) return nullptr;
  // Versions differ in the status for a result out of range, but all set the value.
  const auto [end, status] = fast_float::from_chars(p, last, value);
  if (status != std::errc() && status != std::errc::result_out_of_range) return nullptr;
  if (negative) value = -value;
  return end;
}

bool is_number_like(std::string_view cell) {
  const std::string_view magnitude = without_sign(cell);
  if (magnitude.empty()) return false;
  const char first = magnitude.front();
  if (!decimal::is_digit(first) && first != '.' && first != ',')
    return spells_nan(cell) || spells_infinity(cell);
  double value = 0;
  const char* const last = cell.data() + cell.size();
  return parse_any_number(cell.data(), last, value) == last || spells_hex(cell) || spells_decimal_comma(cell);
}

std::string why_not_a_number(std::string_view cell, std::string_view if_missing) {
  const std::string found = fmt::format("expected a number, found {}", quoted_for_message(cell));
  if (spells_nan(cell)) return fmt::format("{}; {}", found, if_missing);
  if (spells_infinity(cell)) return found + "; infinite values cannot be used";
  if (spells_hex(cell)) return found + "; hexadecimal is not read, write the number in decimal";
  if (spells_decimal_comma(cell)) return found + "; write the decimal comma as a point";
  if (is_out_of_range(cell)) return found + ", which is outside the range of double precision (1.8e308)";
  return found;
}

std::string quoted_for_message(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string shown = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      shown += fmt::format("\\x{:02x}", byte);
    else
      shown += c;
  }
  // A cut inside a UTF-8 sequence would leave a broken character at the end.
  if (text.size() > longest) {
    while (!shown.empty() && (static_cast<unsigned char>(shown.back()) & 0xC0) == 0x80) shown.pop_back();
    if (!shown.empty() && static_cast<unsigned char>(shown.back()) >= 0xC0) shown.pop_back();
    shown += "...";
  }
  return shown + "'";
}

}  // namespace discern
