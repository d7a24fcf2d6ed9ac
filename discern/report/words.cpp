#include "discern/report/words.hpp"

#include <fmt/format.h>

#include <cmath>

namespace discern::report {

std::string grouped(std::int64_t count) {
  const std::string digits = fmt::format("{}", count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const bool first = i == 0 || (i == 1 && digits[0] == '-');
    if (!first && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string counted(std::int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", grouped(count), thing, count == 1 ? "" : "s");
}

std::string amount_text(double weight) {
  const bool whole = weight == std::floor(weight) && std::abs(weight) < 9e15;
  return whole ? grouped(static_cast<std::int64_t>(weight)) : rounded(weight, 6);
}

std::string percent(double share) { return fmt::format("{:.1f}\u00a0%", 100 * share); }

std::string rounded(double value, int digits) {
  if (std::isnan(value)) return "-";
  std::string text = fmt::format("{:.{}g}", value, digits);
  return text == "-0" ? "0" : text;
}

std::string rounded(const std::optional<double>& value, int digits) {
  return value ? rounded(*value, digits) : "-";
}

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t letters = 0, end = text.size(), cut = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;  // inside a code point
    if (letters == most - 1) cut = i;
    if (++letters > most) {
      end = cut;
      break;
    }
  }
  if (end == text.size()) return std::string(text);
  return fmt::format("{}\u2026", text.substr(0, end));
}

}  // namespace discern::report
