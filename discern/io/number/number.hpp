// Decimal text to double, always correctly rounded (to nearest, ties to even).
//
//   number = [+-] digits [. digits] [(e|E) [+-] digits]     with a digit before or after the point
//
// so "5.", ".5" and "+1e3" are numbers; "nan", "inf", hex and a decimal comma are not. Digits beyond
// double's precision round; magnitudes below the smallest denormal round to zero (1e-400 is 0, which is
// the nearest double), magnitudes beyond the largest double give an infinity for the caller to refuse.
//
// Short decimals, nearly all that data files hold, are exact by Clinger's observation (1990): a mantissa
// up to 2^53 and a power of ten up to 10^22 are doubles, so one division rounds once. Everything else
// goes to fast_float.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace discern {

// Parses the longest number at the start of [first, last) and returns its end, or nullptr when none
// starts there. Nothing may stand before it, blanks neither. Reads no byte at or after `last`.
const char* parse_number(const char* first, const char* last, double& value);

// The same, by fast_float alone: what parse_number does with long or unusual numbers.
const char* parse_any_number(const char* first, const char* last, double& value);

// Whether the text is this word, which is in lower case, in any case.
bool spells(std::string_view text, std::string_view word);

// Why a whole cell is refused as a number, for an error message: "expected a number, found '3.2abc'",
// with a word of advice where the text looks like NaN (what to do with a value that is missing), an infinity,
// hex, a number out of range or one with a decimal comma.
std::string why_not_a_number(std::string_view cell,
                             std::string_view if_missing = "leave the cell empty if the value is missing");

// True for what was meant as a number even though it may be refused as one: a number of any magnitude,
// nan, inf and infinity in any case, hex, a decimal comma.
bool is_number_like(std::string_view cell);

// The text in quotes for a message; long or unprintable text is shortened and escaped.
std::string quoted_for_message(std::string_view text);

namespace decimal {

inline constexpr std::array<double, 23> power_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::array<std::uint64_t, 9> whole_power_of_ten = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

// The digits at the start of eight bytes: how many, and the number they spell.
struct Digits {
  int count;
  std::uint64_t number;
};

// Works on the eight bytes as one word, least significant byte first in the text.
inline Digits leading_digits(const char* text) {
  std::uint64_t word = 0;
  std::memcpy(&word, text, sizeof word);
  const std::uint64_t t = word ^ 0x3030303030303030ULL;  // digits become 0..9
  // The top bit of a byte is set when it is above 9; only the first such byte is certain, which is enough.
  const std::uint64_t other = ((t + 0x7676767676767676ULL) | t) & 0x8080808080808080ULL;
  if ((other & 0x80) != 0) return {0, 0};
  const int count = other == 0 ? 8 : __builtin_ctzll(other) >> 3;
  std::uint64_t d = t << (64 - 8 * count);  // as if padded with zeros in front
  d = d * 10 + (d >> 8);                    // pairs of digits, in every second byte
  d = ((d & 0x000000FF000000FFULL) * (100 + (1000000ULL << 32)) +
       ((d >> 16) & 0x000000FF000000FFULL) * (1 + (10000ULL << 32))) >>
      32;
  return {count, d & 0xFFFFFFFF};
}

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') <= 9; }

}  // namespace decimal

inline const char* parse_number(const char* first, const char* last, double& value) {
  constexpr int longest = 1 + 8 + 1 + 8 + 1;  // sign, digits, point, digits, and what follows
  if (last - first < longest + 8) return parse_any_number(first, last, value);
  const char* p = first;
  const bool negative = *p == '-';
  p += negative || *p == '+';
  const decimal::Digits whole = decimal::leading_digits(p);
  p += whole.count;
  std::uint64_t mantissa = whole.number;
  decimal::Digits fraction{0, 0};
  if (*p == '.') {
    fraction = decimal::leading_digits(++p);
    p += fraction.count;
    mantissa =
        mantissa * decimal::whole_power_of_ten[static_cast<std::size_t>(fraction.count)] + fraction.number;
  }
  const bool ends_here = !decimal::is_digit(*p) && (*p | 0x20) != 'e';
  if (!ends_here || whole.count + fraction.count == 0 || mantissa > (std::uint64_t{1} << 53))
    return parse_any_number(first, last, value);
  const double magnitude = static_cast<double>(static_cast<std::int64_t>(mantissa)) /
                           decimal::power_of_ten[static_cast<std::size_t>(fraction.count)];
  value = negative ? -magnitude : magnitude;
  return p;
}

}  // namespace discern
