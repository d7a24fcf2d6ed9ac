// The part of JSON Schema that the schemas in docs/ use.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace discern::support {

// Checks that values have the types of the schema, and objects exactly the members that it gives them, all the way down.
class SchemaCheck {
 public:
  using Json = nlohmann::json;
  explicit SchemaCheck(const Json& schema) : schema_(schema) {}

  bool matches(const Json& rule, const Json& value) const {
    if (rule.contains("$ref") && !matches(schema_["$defs"].at(last_word(rule["$ref"])), value)) return false;
    if (rule.contains("const") && rule["const"] != value) return false;
    if (rule.contains("enum") && !rule["enum"].is_null() && !any_equal(rule["enum"], value)) return false;
    if (rule.contains("oneOf") && count_matches(rule["oneOf"], value) != 1) return false;
    if (rule.contains("anyOf") && count_matches(rule["anyOf"], value) == 0) return false;
    if (rule.contains("type") && !has_type(rule["type"], value)) return false;
    if (rule.contains("minimum") && value < rule["minimum"]) return false;
    if (rule.contains("minItems") && value.size() < rule["minItems"]) return false;
    if (rule.contains("maxItems") && value.size() > rule["maxItems"]) return false;
    if (rule.contains("items"))
      for (const auto& item : value)
        if (!matches(rule["items"], item)) return false;
    return !rule.contains("properties") || object_matches(rule, value);
  }

 private:
  static std::string last_word(const std::string& reference) {
    return reference.substr(reference.rfind('/') + 1);
  }
  static bool any_equal(const Json& list, const Json& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  }
  std::size_t count_matches(const Json& rules, const Json& value) const {
    return static_cast<std::size_t>(
        std::count_if(rules.begin(), rules.end(), [&](const Json& rule) { return matches(rule, value); }));
  }
  // One type, or a list of which one is enough.
  static bool has_type(const Json& types, const Json& value) {
    if (types.is_array())
      return std::any_of(types.begin(), types.end(), [&](const Json& type) { return has_type(type, value); });
    const auto& type = types.get_ref<const std::string&>();
    return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
           (type == "string" && value.is_string()) || (type == "boolean" && value.is_boolean()) ||
           (type == "integer" && value.is_number_integer()) || (type == "number" && value.is_number()) ||
           (type == "null" && value.is_null());
  }
  bool object_matches(const Json& rule, const Json& value) const {
    if (rule["additionalProperties"] != false || !value.is_object()) return false;
    for (const auto& name : rule["required"])
      if (!value.contains(name.get<std::string>())) return false;
    for (const auto& [name, member] : value.items())
      if (!rule["properties"].contains(name) || !matches(rule["properties"][name], member)) return false;
    return true;
  }

  const Json& schema_;
};

}  // namespace discern::support
