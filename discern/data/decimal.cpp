#include "discern/data/decimal.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace discern {
namespace {

// Powers of ten are exact in 64 bits of mantissa up to 10^27.
constexpr int exact_powers = 27;

long double power_of_ten(int exponent) {
  static const auto powers = [] {
    std::array<long double, exact_powers + 1> table{1.0L};
    for (std::size_t k = 1; k < table.size(); ++k) table[k] = table[k - 1] * 10;
    return table;
  }();
  return powers[static_cast<std::size_t>(exponent)];
}

}  // namespace

// value = digits * 10^exponent with digits below 10^17: one product or quotient of two exact numbers. Beyond
// the exact powers the double itself is near enough.
long double decimal_value(double value) {
  const auto whole = static_cast<long double>(value);
  if (std::trunc(value) == value || !std::isfinite(value)) return whole;
  std::array<char, 32> text{};
  const auto end = fmt::format_to(text.data(), "{}", value);  // the fewest digits that read back
  *end = '\0';
  std::uint64_t digits = 0;
  int exponent = 0;
  bool fraction = false;
  const char* c = text.data() + (text[0] == '-' ? 1 : 0);
  for (; *c != 'e' && *c != '\0'; ++c) {
    if (*c == '.') {
      fraction = true;
      continue;
    }
    digits = digits * 10 + static_cast<std::uint64_t>(*c - '0');
    exponent -= fraction ? 1 : 0;
  }
  if (*c == 'e') exponent += std::atoi(c + 1);
  if (std::abs(exponent) > exact_powers) return whole;
  const auto mantissa = static_cast<long double>(digits);
  const long double magnitude =
      exponent < 0 ? mantissa / power_of_ten(-exponent) : mantissa * power_of_ten(exponent);
  return value < 0 ? -magnitude : magnitude;
}

}  // namespace discern
