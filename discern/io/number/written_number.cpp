#include "discern/io/number/written_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "discern/io/number/number.hpp"

namespace discern {
namespace {

constexpr std::size_t longest_cell = 64;

struct Marks {
  char decimal, group;
};

// The ways to read marks; bit k of a set stands for the k-th. The first is the plain one.
constexpr std::array<Marks, 8> all_marks = {
    {{'.', '\0'}, {',', '\0'}, {'.', ','}, {',', '.'}, {'.', ' '}, {',', ' '}, {'.', '\''}, {',', '\''}}};

constexpr std::uint32_t bit(std::size_t k) { return std::uint32_t{1} << k; }

template <class Wanted>
constexpr std::uint32_t marks_with(Wanted&& wanted) {
  std::uint32_t set = 0;
  for (std::size_t k = 0; k < all_marks.size(); ++k)
    if (wanted(all_marks[k])) set |= bit(k);
  return set;
}

constexpr std::uint32_t every_mark = marks_with([](Marks) { return true; });
constexpr std::uint32_t decimal_comma = marks_with([](Marks m) { return m.decimal == ','; });
constexpr std::uint32_t decimal_point = marks_with([](Marks m) { return m.decimal == '.'; });
constexpr std::uint32_t grouping_comma = marks_with([](Marks m) { return m.group == ','; });
constexpr std::uint32_t grouping_point = marks_with([](Marks m) { return m.group == '.'; });

std::uint32_t allowed(const FormOptions& options) {
  return marks_with([&](Marks m) {
    return (!options.decimal || m.decimal == *options.decimal) &&
           (!options.thousands || m.group == '\0' || m.group == *options.thousands) &&
           (!options.thousands || m.decimal != *options.thousands);
  });
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool take_front(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text = trimmed(text.substr(word.size()));
  return true;
}

bool take_back(std::string_view& text, std::string_view word) {
  if (!text.ends_with(word)) return false;
  text = trimmed(text.substr(0, text.size() - word.size()));
  return true;
}

// Longer ones first where one begins with another.
constexpr std::string_view currencies[] = {"US$", "CA$", "AU$", "A$",  "C$",  "R$",  "$",   "€",   "£",
                                           "¥",   "₹",   "₩",   "₽", "₺",   "₪",   "₫",   "฿",   "USD",
                                           "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "Fr.", "Rs.", "kr"};

// A cell taken apart: the sign, the unit and what is between them.
struct Parts {
  bool negative = false;
  std::string_view unit;
  std::string_view digits;
};

bool take_sign(std::string_view& text, Parts& parts) {
  constexpr std::string_view minus = "\u2212";
  if (take_front(text, "-") || take_front(text, minus)) {
    parts.negative = true;
    return true;
  }
  return take_front(text, "+");
}

void take_unit(std::string_view& text, Parts& parts) {
  if (take_back(text, "%")) {
    parts.unit = "%";
    return;
  }
  for (const std::string_view currency : currencies) {
    if (!take_front(text, currency) && !take_back(text, currency)) continue;
    parts.unit = currency;
    return;
  }
}

// "-$5", "$-5", "($5)" and "5 €"; nothing when what is left does not begin with a digit or a decimal mark.
std::optional<Parts> take_apart(std::string_view text) {
  Parts parts;
  text = trimmed(text);
  if (text.size() > longest_cell || std::none_of(text.begin(), text.end(), decimal::is_digit))
    return std::nullopt;
  const bool bracketed = text.size() > 2 && text.front() == '(' && text.back() == ')';
  if (bracketed) text = trimmed(text.substr(1, text.size() - 2));
  const bool has_sign = take_sign(text, parts);
  take_unit(text, parts);
  if (!has_sign && !parts.unit.empty()) take_sign(text, parts);
  if (bracketed) {
    if (parts.negative) return std::nullopt;  // "(-5)" is nobody's way to write a number
    parts.negative = true;
  }
  if (text.empty() || !(decimal::is_digit(text.front()) || text.front() == '.' || text.front() == ','))
    return std::nullopt;
  // Bytes beyond ASCII may be blanks that do not break the line.
  const auto may_be_part = [](char c) {
    return decimal::is_digit(c) || static_cast<unsigned char>(c) >= 0x80 ||
           std::string_view(".,' eE+-").find(c) != std::string_view::npos;
  };
  if (!std::all_of(text.begin(), text.end(), may_be_part)) return std::nullopt;
  parts.digits = text;
  return parts;
}

// The length of the grouping mark at the start of the text, 0 when it does not start with it. A blank may be one
// that does not break the line (U+00A0, U+202F), as spreadsheets write it.
std::size_t group_length(std::string_view text, char group) {
  if (group == '\0' || text.empty()) return 0;
  if (text.front() == group) return 1;
  if (group == ' ' && text.starts_with("\u00A0")) return 2;
  if (group == ' ' && text.starts_with("\u202F")) return 3;
  if (group == '\'' && text.starts_with("\u2019")) return 3;
  return 0;
}

// Plain digits from digits with marks; false when the marks do not stand where they belong: groups have three
// digits (two or three before the last one, as in India), the first one to three and no leading zero.
bool without_marks(std::string_view text, Marks marks, std::string& plain) {
  plain.clear();
  std::size_t in_group = 0, groups = 0;
  const bool leading_zero = text.front() == '0';
  std::size_t i = 0;
  while (i < text.size()) {
    if (decimal::is_digit(text[i])) {
      plain += text[i++];
      ++in_group;
      continue;
    }
    const std::size_t length = group_length(text.substr(i), marks.group);
    if (length == 0) break;
    const bool sound =
        groups == 0 ? in_group >= 1 && in_group <= 3 && !leading_zero : in_group == 2 || in_group == 3;
    if (!sound) return false;
    ++groups;
    in_group = 0;
    i += length;
  }
  if (groups > 0 && in_group != 3) return false;
  if (i == text.size()) return !plain.empty();
  if (text[i] == marks.decimal) {
    plain += '.';
    for (++i; i < text.size() && decimal::is_digit(text[i]); ++i) plain += text[i];
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E') && groups == 0) {
    plain += text.substr(i);
    i = text.size();
  }
  return i == text.size() && plain != ".";
}

std::optional<double> number_with_marks(const Parts& parts, Marks marks) {
  std::string plain;
  if (!without_marks(parts.digits, marks, plain)) return std::nullopt;
  double value = 0;
  const char* const end = plain.data() + plain.size();
  if (parse_any_number(plain.data(), end, value) != end || !std::isfinite(value)) return std::nullopt;
  return parts.negative ? -value : value;
}

// Which of the ways in `tried` read the digits. Nearly all cells have no mark, or a single one with other than three
// digits behind it, and need not be tried out.
std::uint32_t ways_to_read(const Parts& parts, std::uint32_t tried) {
  const std::string_view digits = parts.digits;
  const auto mark = digits.find_first_not_of("0123456789");
  if (mark == std::string_view::npos) return tried;
  const std::size_t behind = digits.size() - mark - 1;
  if (behind != 3 && digits.find_first_not_of("0123456789", mark + 1) == std::string_view::npos &&
      digits.size() > 1) {
    if (digits[mark] == ',') return tried & decimal_comma;
    if (digits[mark] == '.') return tried & decimal_point;
  }
  std::uint32_t ways = 0;
  for (std::size_t k = 0; k < all_marks.size(); ++k)
    if ((tried & bit(k)) != 0 && number_with_marks(parts, all_marks[k])) ways |= bit(k);
  return ways;
}

std::optional<double> parse_boolean(std::string_view text) {
  if (spells(text, "true") || spells(text, "yes")) return 1.0;
  if (spells(text, "false") || spells(text, "no")) return 0.0;
  return std::nullopt;
}

// Reads exactly `count` digits.
bool take_digits(std::string_view& text, std::size_t count, int& number) {
  if (text.size() < count) return false;
  number = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!decimal::is_digit(text[i])) return false;
    number = 10 * number + (text[i] - '0');
  }
  text.remove_prefix(count);
  return true;
}

bool take_char(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// hh:mm, hh:mm:ss or hh:mm:ss.sss, in seconds.
std::optional<double> take_time(std::string_view& text) {
  int hour = 0, minute = 0, second = 0;
  if (!take_digits(text, 2, hour) || !take_char(text, ':') || !take_digits(text, 2, minute))
    return std::nullopt;
  if (take_char(text, ':') && !take_digits(text, 2, second)) return std::nullopt;
  double fraction = 0, place = 0.1;
  if (take_char(text, '.'))
    for (; !text.empty() && decimal::is_digit(text.front()); text.remove_prefix(1), place /= 10)
      fraction += place * (text.front() - '0');
  if (hour > 24 || minute > 59 || second > 60) return std::nullopt;
  return 3600.0 * hour + 60.0 * minute + second + fraction;
}

// Z, +hh, +hhmm or +hh:mm, in seconds east of Greenwich; no zone counts as Greenwich.
std::optional<double> take_zone(std::string_view& text) {
  if (text.empty() || take_char(text, 'Z')) return 0.0;
  const double sign = text.front() == '-' ? -1 : 1;
  if (!take_char(text, '+') && !take_char(text, '-')) return std::nullopt;
  int hours = 0, minutes = 0;
  if (!take_digits(text, 2, hours)) return std::nullopt;
  take_char(text, ':');
  if (!text.empty() && !take_digits(text, 2, minutes)) return std::nullopt;
  return sign * (3600.0 * hours + 60.0 * minutes);
}

// ISO 8601: yyyy-mm-dd, and with a time behind T or a blank.
std::optional<double> parse_date(std::string_view text) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  int year = 0, month = 0, day = 0;
  if (!take_digits(text, 4, year) || !take_char(text, '-') || !take_digits(text, 2, month) ||
      !take_char(text, '-') || !take_digits(text, 2, day))
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const auto days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  if (text.empty()) return days;
  if (!take_char(text, 'T') && !take_char(text, ' ')) return std::nullopt;
  const auto time = take_time(text);
  const auto zone = time ? take_zone(text) : std::nullopt;
  if (!zone || !text.empty()) return std::nullopt;
  return days + (*time - *zone) / 86400;
}

}  // namespace

std::optional<double> parse_written(std::string_view cell, const NumberForm& form) {
  const std::string_view text = trimmed(cell);
  if (form.kind == NumberForm::Kind::date) return parse_date(text);
  if (form.kind == NumberForm::Kind::boolean) {
    if (text == "0" || text == "1") return text == "1" ? 1.0 : 0.0;
    return parse_boolean(text);
  }
  const auto parts = take_apart(text);
  if (!parts) return std::nullopt;
  if (parts->unit != form.unit && (form.unit == "%" || !parts->unit.empty())) return std::nullopt;
  return number_with_marks(*parts, {form.decimal, form.group});
}

std::string example_of(const NumberForm& form) {
  std::string number = "1";
  if (form.group != '\0') number += form.group;
  number += "234";
  number += form.decimal;
  number += '5';
  return form.unit == "%" ? number + "%" : form.unit + number;
}

bool is_written_number(std::string_view cell, bool dates) {
  const std::string_view text = trimmed(cell);
  if (dates && parse_date(text)) return true;
  const auto parts = take_apart(text);
  return parts && std::any_of(all_marks.begin(), all_marks.end(),
                              [&](Marks marks) { return number_with_marks(*parts, marks).has_value(); });
}

bool is_unusable_number(std::string_view cell) {
  const std::string_view text = trimmed(cell);
  double value = 0;
  const char* const end = text.data() + text.size();
  if (parse_any_number(text.data(), end, value) == end) return std::isinf(value);
  return std::none_of(text.begin(), text.end(), decimal::is_digit) && is_number_like(text);
}

void FormEvidence::note_odd(std::string_view cell, Index line) {
  if (odd_line_ != 0) return;
  odd_cell_ = cell;
  odd_line_ = line;
}

void FormEvidence::add(std::string_view cell, const FormOptions& options, Index line) {
  const std::string_view text = trimmed(cell);
  if (is_unusable_number(text)) return;
  if (cells_++ == 0) {
    first_cell_ = text;
    first_line_ = line;
  }
  if (odd_line_ != 0) return;  // it is text, whatever comes
  const bool letters = !text.empty() && !decimal::is_digit(text.front());
  const bool boolean = letters && parse_boolean(text).has_value();
  true_false_ &= boolean && (spells(text, "true") || spells(text, "false"));
  yes_no_ &= boolean && (spells(text, "yes") || spells(text, "no"));
  date_ &= options.dates && parse_date(text).has_value();
  const auto parts = boolean || date_ ? std::nullopt : take_apart(text);
  std::uint32_t marks = 0;
  if (parts) {
    marks = ways_to_read(*parts, marks_ & allowed(options));
    const bool comma = parts->digits.find(',') != std::string_view::npos;
    const bool point = parts->digits.find('.') != std::string_view::npos;
    comma_ |= comma;
    point_ |= point;
    if (unclear_line_ == 0 && ((comma && (marks & decimal_comma) != 0 && (marks & grouping_comma) != 0) ||
                               (point && (marks & decimal_point) != 0 && (marks & grouping_point) != 0))) {
      unclear_cell_ = text;
      unclear_line_ = line;
    }
    if (!parts->unit.empty()) {
      if (with_unit_++ == 0) unit_ = parts->unit;
      if (unit_ != parts->unit) marks = 0;
    }
  }
  marks_ &= marks;
  if (any_form())
    numbers_ = true;
  else
    note_odd(text, line);
}

void FormEvidence::merge(const FormEvidence& later) {
  if (later.empty()) return;
  if (empty()) {
    *this = later;
    return;
  }
  cells_ += later.cells_;
  numbers_ |= later.numbers_;
  marks_ &= later.marks_;
  comma_ |= later.comma_;
  point_ |= later.point_;
  true_false_ &= later.true_false_;
  yes_no_ &= later.yes_no_;
  date_ &= later.date_;
  if (with_unit_ == 0)
    unit_ = later.unit_;
  else if (later.with_unit_ > 0 && unit_ != later.unit_)
    marks_ = 0;
  with_unit_ += later.with_unit_;
  if (unclear_line_ == 0) {
    unclear_cell_ = later.unclear_cell_;
    unclear_line_ = later.unclear_line_;
  }
  if (odd_line_ != 0) return;
  if (later.odd_line_ != 0)
    note_odd(later.odd_cell_, later.odd_line_);
  else if (!any_form())
    note_odd(later.first_cell_, later.first_line_);
}

bool FormEvidence::any_form() const {
  const bool all_percent = unit_ != "%" || with_unit_ == cells_;
  return ((marks_ & every_mark) != 0 && all_percent) || true_false_ || yes_no_ || date_;
}

char FormEvidence::decimal_mark() const {
  if (verdict('\0') == Verdict::text || marks_ == 0) return '\0';
  const std::uint32_t left = marks_ & every_mark;
  if ((comma_ && (left & ~decimal_comma) == 0) || (point_ && (left & ~grouping_point) == 0)) return ',';
  if ((point_ && (left & ~decimal_point) == 0) || (comma_ && (left & ~grouping_comma) == 0)) return '.';
  return '\0';
}

// The ways that are left when the file's decimal mark has had its say.
std::uint32_t FormEvidence::candidates(char file_decimal) const {
  const std::uint32_t of_file = file_decimal == ','   ? decimal_comma
                                : file_decimal == '.' ? decimal_point
                                                      : every_mark;
  const std::uint32_t left = marks_ & every_mark;
  return (left & of_file) != 0 ? left & of_file : left;
}

FormEvidence::Verdict FormEvidence::verdict(char file_decimal) const {
  if (cells_ == 0 || date_ || true_false_ || yes_no_) return Verdict::number;
  if (odd_line_ != 0 || !any_form()) return Verdict::text;
  const std::uint32_t left = candidates(file_decimal);
  const bool two_commas = comma_ && (left & decimal_comma) != 0 && (left & grouping_comma) != 0;
  const bool two_points = point_ && (left & decimal_point) != 0 && (left & grouping_point) != 0;
  return two_commas || two_points ? Verdict::ambiguous : Verdict::number;
}

NumberForm FormEvidence::form(char file_decimal) const {
  if (cells_ == 0) return {};
  if (date_) return {NumberForm::Kind::date, '.', '\0', ""};
  if (true_false_ || yes_no_) return {NumberForm::Kind::boolean, '.', '\0', ""};
  const std::uint32_t left = candidates(file_decimal);
  for (std::size_t k = 0; k < all_marks.size(); ++k)
    if ((left & bit(k)) != 0)
      return {NumberForm::Kind::number, all_marks[k].decimal, all_marks[k].group, unit_};
  return {};
}

}  // namespace discern
