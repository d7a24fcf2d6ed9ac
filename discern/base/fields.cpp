#include "discern/base/fields.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"

namespace discern {

std::string option_name(std::string_view field) {
  std::string name(field);
  std::replace(name.begin(), name.end(), '-', '_');
  return '`' + name + '`';
}

}  // namespace discern

namespace discern::fields {
namespace {

std::string range_of(const Field& field) {
  const bool low = std::isfinite(field.low), high = std::isfinite(field.high);
  if (low && high) return fmt::format("{} to {}", field.low, field.high);
  if (low) return fmt::format("{} or more", field.low);
  if (high) return fmt::format("{} or less", field.high);
  return "";
}

[[noreturn]] void refuse(const Field& field, std::string_view text, const std::string& expected) {
  throw Error(Code::usage, fmt::format("{}: expected {}, got '{}'", option_name(field.name), expected, text));
}

void check_range(const Field& field, std::string_view text, double value, std::string_view what) {
  if (value >= field.low && value <= field.high) return;
  refuse(field, text, fmt::format("{}, {}", what, range_of(field)));
}

}  // namespace

void parse(const Field& field, std::string_view text, bool& value) {
  if (text != "true" && text != "false") refuse(field, text, "true or false");
  value = text == "true";
}

void parse(const Field& field, std::string_view text, std::int64_t& value) {
  std::int64_t parsed = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (status != std::errc() || end != text.data() + text.size()) refuse(field, text, "a whole number");
  check_range(field, text, static_cast<double>(parsed), "a whole number");
  value = parsed;
}

void parse(const Field& field, std::string_view text, double& value) {
  double parsed = 0;
  const auto [end, status] = fast_float::from_chars(text.data(), text.data() + text.size(), parsed);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(parsed))
    refuse(field, text, "a number");
  check_range(field, text, parsed, "a number");
  value = parsed;
}

void parse(const Field&, std::string_view text, std::string& value) { value = text; }

std::size_t parse_choice(const Field& field, std::string_view text, std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return i;
  refuse(field, text, fmt::format("one of {}", join(names, ", ")));
}

FieldInfo describe(const Field& field, bool value) {
  return {std::string(field.name), std::string(field.help), "flag", value ? "true" : "false", "", {}};
}

FieldInfo describe(const Field& field, std::int64_t value) {
  return {std::string(field.name),  std::string(field.help), "integer",
          fmt::format("{}", value), range_of(field),         {}};
}

FieldInfo describe(const Field& field, double value) {
  return {std::string(field.name),  std::string(field.help), "number",
          fmt::format("{}", value), range_of(field),         {}};
}

FieldInfo describe(const Field& field, const std::string& value) {
  return {std::string(field.name), std::string(field.help), "text", value, "", {}};
}

FieldInfo describe_choice(const Field& field, std::size_t value, std::span<const std::string_view> names) {
  return {std::string(field.name),
          std::string(field.help),
          "choice",
          std::string(names[value]),
          fmt::format("one of {}", join(names, ", ")),
          {names.begin(), names.end()}};
}

}  // namespace discern::fields
