// Reading JSON that may hold anything: every access checks the type and the range, and a refusal names the
// member.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "discern/base/error.hpp"

namespace discern {

// Where a document stands and what it is, for refusals: "FILE: NAME: MEMBER: PROBLEM".
struct JsonOrigin {
  std::string file;
  std::string_view name = "model document";
  Code code = Code::model;
};

// A document that is nested deeply, has very many members or one of them twice is refused before anything is
// built from it. The decimal point is that of the locale; see PlainLocale.
nlohmann::json parse_json(std::string_view text, const JsonOrigin& origin);

// A value inside a document, with the path that leads to it.
class JsonReader {
 public:
  // Both must outlive it.
  JsonReader(const nlohmann::json& value, const JsonOrigin& origin) : value_(&value), origin_(&origin) {}

  bool is_null() const { return value_->is_null(); }
  bool has(const char* name) const { return value_->is_object() && value_->contains(name); }
  // Refuses unless the value is an object with exactly these members.
  void expect_members(const std::vector<const char*>& names) const;
  JsonReader operator[](const char* name) const;
  std::size_t list_size() const;  // refuses what is no list
  // Calls f(item) for each item of a list; refuses what is none.
  template <class F>
  void for_each(F&& f) const {
    const std::size_t count = list_size();
    for (std::size_t i = 0; i < count; ++i) f(item(i));
  }

  bool boolean() const;
  std::int64_t integer(std::int64_t low, std::int64_t high = std::numeric_limits<std::int64_t>::max()) const;
  double number() const;     // NaN and infinities are texts; see model_document.cpp
  double finite() const;     // neither of those
  std::string text() const;  // of any bytes
  std::size_t choice(std::initializer_list<std::string_view> names) const;

  [[noreturn]] void refuse(const std::string& expected) const;
  // "MEMBER: PROBLEM", for faults that are not in the type.
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  JsonReader(const nlohmann::json& value, const JsonOrigin& origin, std::string path)
      : value_(&value), origin_(&origin), path_(std::move(path)) {}

  JsonReader item(std::size_t i) const;

  const nlohmann::json* value_;
  const JsonOrigin* origin_;
  std::string path_;  // "summary.warnings[2]"; empty for the document
};

}  // namespace discern
