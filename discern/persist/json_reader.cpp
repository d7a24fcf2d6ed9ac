#include "discern/persist/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <utility>

#include "discern/base/join.hpp"

namespace discern {
namespace {

using Json = nlohmann::json;

constexpr int deepest = 12;               // levels of nesting; a model's document needs 6
constexpr std::size_t most_members = 64;  // of an object

// Looks through a text before anything is built from it. (The parser's own callback would do, if it did not
// take time quadratic in the length of a list of objects.)
class Inspection : public nlohmann::json_sax<Json> {
 public:
  std::string problem;

  bool start_object(std::size_t) override {
    members_.emplace_back();
    return start_array(0);
  }
  bool end_object() override {
    members_.pop_back();
    return end_array();
  }
  bool start_array(std::size_t) override {
    return ++level_ <= deepest || refuse(fmt::format("it is nested deeper than {} levels", deepest));
  }
  bool end_array() override {
    --level_;
    return true;
  }
  bool key(std::string& name) override {
    if (members_.back().size() == most_members)
      return refuse(fmt::format("it has an object with more than {} members", most_members));
    return members_.back().insert(name).second ||
           refuse(fmt::format("it has the member '{}' twice", name.substr(0, 40)));
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    return refuse(fmt::format("not valid JSON ({})", std::string_view(error.what()).substr(0, 160)));
  }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }

 private:
  bool refuse(std::string why) {
    problem = std::move(why);
    return false;
  }

  int level_ = 0;
  std::vector<std::unordered_set<std::string>> members_;
};

std::optional<std::string> from_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  constexpr std::string_view names = "0123456789abcdef";
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const auto high = names.find(digits[i]), low = names.find(digits[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    bytes += static_cast<char>(16 * high + low);
  }
  return bytes;
}

// What a value is, for a message; long ones are cut.
std::string shown(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return fmt::format("a list of {}", value.size());
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 60) + "...";
  return text;
}

}  // namespace

Json parse_json(std::string_view text, const JsonOrigin& origin) {
  Inspection inspection;
  if (!Json::sax_parse(text.begin(), text.end(), &inspection))
    throw Error(origin.code, fmt::format("{}: {}", origin.name, inspection.problem), {origin.file, 0, ""});
  return Json::parse(text.begin(), text.end());
}

void JsonReader::refuse(const std::string& expected) const {
  fail(fmt::format("expected {}, found {}", expected, shown(*value_)));
}

void JsonReader::fail(const std::string& problem) const {
  throw Error(origin_->code,
              fmt::format("{}: {}{}{}", origin_->name, path_, path_.empty() ? "" : ": ", problem),
              {origin_->file, 0, ""});
}

void JsonReader::expect_members(const std::vector<const char*>& names) const {
  if (!value_->is_object()) refuse("an object");
  for (const char* name : names)
    if (!value_->contains(name)) fail(fmt::format("the member '{}' is missing", name));
  for (const auto& [name, unused] : value_->items()) {
    const auto known = [&n = name](const char* k) { return n == k; };
    if (std::none_of(names.begin(), names.end(), known))
      fail(fmt::format("the member '{}' is unknown", name.substr(0, 40)));
  }
}

JsonReader JsonReader::operator[](const char* name) const {
  if (!has(name)) fail(fmt::format("the member '{}' is missing", name));
  return {value_->at(name), *origin_, path_.empty() ? std::string(name) : path_ + '.' + name};
}

std::size_t JsonReader::list_size() const {
  if (!value_->is_array()) refuse("a list");
  return value_->size();
}

JsonReader JsonReader::item(std::size_t i) const {
  return {(*value_)[i], *origin_, fmt::format("{}[{}]", path_, i)};
}

bool JsonReader::boolean() const {
  if (!value_->is_boolean()) refuse("true or false");
  return value_->get<bool>();
}

std::int64_t JsonReader::integer(std::int64_t low, std::int64_t high) const {
  const bool fits = value_->is_number_unsigned()
                        ? value_->get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max()
                        : value_->is_number_integer();
  if (fits && value_->get<std::int64_t>() >= low && value_->get<std::int64_t>() <= high)
    return value_->get<std::int64_t>();
  refuse(high == std::numeric_limits<std::int64_t>::max()
             ? fmt::format("a whole number of at least {}", low)
             : fmt::format("a whole number from {} to {}", low, high));
}

double JsonReader::number() const {
  if (value_->is_number()) return value_->get<double>();
  if (*value_ == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (*value_ == "Infinity") return std::numeric_limits<double>::infinity();
  if (*value_ == "-Infinity") return -std::numeric_limits<double>::infinity();
  refuse("a number");
}

double JsonReader::finite() const {
  if (!value_->is_number() || !std::isfinite(value_->get<double>())) refuse("a finite number");
  return value_->get<double>();
}

std::string JsonReader::text() const {
  if (value_->is_string()) return value_->get<std::string>();
  if (has("hex")) {
    expect_members({"hex"});
    const Json& digits = value_->at("hex");
    if (digits.is_string())
      if (auto bytes = from_hex(digits.get_ref<const std::string&>())) return *std::move(bytes);
  }
  refuse("a text, or {\"hex\": ...} with two lower-case digits a byte");
}

std::size_t JsonReader::choice(std::initializer_list<std::string_view> names) const {
  if (value_->is_string()) {
    const auto found = std::find(names.begin(), names.end(), value_->get_ref<const std::string&>());
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  }
  refuse("one of " + join(names, ", "));
}

}  // namespace discern
