#include "cli/shell/arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "cli/shell/nearest.hpp"
#include "discern/base/error.hpp"
#include "discern/base/join.hpp"
#include "discern/data/schema.hpp"

namespace discern::cli {
namespace {

[[noreturn]] void refuse(const Flag& flag, std::string_view expected, std::string_view found,
                         std::string_view hint = "") {
  const std::string advice = hint.empty() ? "" : fmt::format("; did you mean '{}'?", hint);
  throw Error(Code::usage,
              fmt::format("{}: expected {}, got '{}'{}", flag.spelling(), expected, found, advice));
}

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  T value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "1.5GB" -> 1500000000; the B may be left out, and the case of the letters does not matter.
std::optional<double> bytes_of(std::string text) {
  constexpr std::string_view units = "kmgt";
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (text.ends_with('b')) text.pop_back();
  const bool binary = text.ends_with('i');
  if (binary) text.pop_back();
  const std::size_t unit = text.empty() ? units.npos : units.find(text.back());
  if (unit == units.npos && binary) return std::nullopt;
  if (unit != units.npos) text.pop_back();
  const auto number = number_of(text);
  if (!number) return std::nullopt;
  return *number * (unit == units.npos ? 1 : std::pow(binary ? 1024.0 : 1000.0, unit + 1));
}

}  // namespace

Arguments::Arguments(const Command& command, std::vector<std::string> positionals,
                     std::map<std::string, std::vector<std::string>> values)
    : command_(&command), positionals_(std::move(positionals)), values_(std::move(values)) {
  for (const auto& [key, given] : values_) {
    const Flag& declared = flag(key);
    if (!declared.is_switch() && !declared.list && given.size() > 1)
      throw Error(Code::usage, fmt::format("{} was given {} times", declared.spelling(), given.size()));
  }
}

const Flag& Arguments::flag(std::string_view key) const { return *command_->find(key); }

std::string Arguments::text(std::string_view key, std::string_view standard) const {
  const auto found = values_.find(std::string(key));
  if (found == values_.end()) return std::string(standard);
  const std::string& value = found->second.back();
  const Flag& declared = flag(key);
  const auto& choices = declared.choices;
  if (!choices.empty() && std::find(choices.begin(), choices.end(), value) == choices.end()) {
    refuse(declared, fmt::format("one of {}", fmt::join(choices, ", ")), value, nearest(value, choices));
  }
  return value;
}

std::vector<std::string> Arguments::list(std::string_view key) const {
  std::vector<std::string> all;
  const auto found = values_.find(std::string(key));
  if (found == values_.end()) return all;
  for (const std::string& text : found->second)
    for (std::string& item : split_list(text)) all.push_back(std::move(item));
  return all;
}

std::optional<std::int64_t> Arguments::whole(std::string_view key, std::int64_t low,
                                             std::int64_t high) const {
  if (!has(key)) return std::nullopt;
  const auto value = parse_whole<std::int64_t>(text(key));
  if (value && *value >= low && *value <= high) return value;
  const bool bounded = high != std::numeric_limits<std::int64_t>::max();
  refuse(flag(key),
         bounded ? fmt::format("a whole number, {} to {}", low, high)
                 : fmt::format("a whole number, {} or more", low),
         text(key));
}

std::optional<double> Arguments::number(std::string_view key, double low, double high) const {
  if (!has(key)) return std::nullopt;
  const auto value = number_of(text(key));
  if (!value) refuse(flag(key), "a number", text(key));
  if (*value >= low && *value <= high) return value;
  refuse(flag(key), fmt::format("a number, {} to {}", low, high), text(key));
}

std::optional<std::size_t> Arguments::size(std::string_view key, std::size_t low) const {
  if (!has(key)) return std::nullopt;
  const auto bytes = bytes_of(text(key));
  constexpr double high = 4611686018427387904.0;  // 2^62
  if (bytes && *bytes >= static_cast<double>(low) && *bytes <= high) return static_cast<std::size_t>(*bytes);
  refuse(flag(key), fmt::format("a number of bytes, {} or more, such as 64MB", low), text(key));
}

std::uint64_t Arguments::seed() const {
  if (!has("seed")) return 0;
  const auto value = parse_whole<std::uint64_t>(text("seed"));
  if (!value) refuse(flag("seed"), "a whole number, 0 or more", text("seed"));
  return *value;
}

int Arguments::threads() const { return static_cast<int>(whole("threads", 0, 1024).value_or(0)); }

void Arguments::require_positionals() const {
  for (std::size_t i = positionals_.size(); i < command_->positionals.size(); ++i) {
    const Positional& missing = command_->positionals[i];
    if (!missing.required) continue;
    throw Error(Code::usage, fmt::format("{} is missing: {}; `discern {} --help` shows how to call it",
                                         missing.name, missing.help, command_->name));
  }
}

}  // namespace discern::cli
