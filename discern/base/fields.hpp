// Options that are declared once. An options struct lists its fields in a function
//
//   template <class Self, class Visitor>
//   void visit_fields(Self& options, Visitor&& visit) {
//     visit(options.l2, Field{"l2", "strength of the squared penalty", 0});
//   }
//
// and command-line flags, the model file and `discern models` all come from that list. A field is a
// bool, Index, double, std::string or an enum; an enum has its values' names in value_names(E).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace discern {

struct Field {
  std::string_view name;  // as the command line spells it after the two dashes
  std::string_view help;  // one line
  double low = -std::numeric_limits<double>::infinity();  // allowed range of numbers, ends included
  double high = std::numeric_limits<double>::infinity();
};

// How a message names an option: as a member of its struct, between backquotes. "max-iter" is `max_iter`.
// (The command-line tool shows those that are its flags as --max-iter.)
std::string option_name(std::string_view field);

// A field as data, for help texts and listings.
struct FieldInfo {
  std::string name;
  std::string help;
  std::string kind;                  // "flag", "integer", "number", "text" or "choice"
  std::string value;                 // in the form that set_field reads
  std::string range;                 // "0 or more", "one of newton, auto", ...; empty: anything
  std::vector<std::string> choices;  // of a choice
};

namespace fields {

// Each parses the text into the value or throws Code::usage with what was received and expected.
void parse(const Field& field, std::string_view text, bool& value);
void parse(const Field& field, std::string_view text, std::int64_t& value);
void parse(const Field& field, std::string_view text, double& value);
void parse(const Field& field, std::string_view text, std::string& value);
std::size_t parse_choice(const Field& field, std::string_view text, std::span<const std::string_view> names);

FieldInfo describe(const Field& field, bool value);
FieldInfo describe(const Field& field, std::int64_t value);
FieldInfo describe(const Field& field, double value);
FieldInfo describe(const Field& field, const std::string& value);
FieldInfo describe_choice(const Field& field, std::size_t value, std::span<const std::string_view> names);

}  // namespace fields

// Sets the field called `name` from a text. False when there is no such field.
template <class Options>
bool set_field(Options& options, std::string_view name, std::string_view text) {
  bool found = false;
  visit_fields(options, [&]<class T>(T& value, const Field& field) {
    if (field.name != name) return;
    found = true;
    if constexpr (std::is_enum_v<T>)
      value = static_cast<T>(fields::parse_choice(field, text, value_names(value)));
    else
      fields::parse(field, text, value);
  });
  return found;
}

template <class Options>
std::vector<FieldInfo> list_fields(const Options& options) {
  std::vector<FieldInfo> list;
  visit_fields(options, [&]<class T>(const T& value, const Field& field) {
    if constexpr (std::is_enum_v<T>)
      list.push_back(fields::describe_choice(field, static_cast<std::size_t>(value), value_names(value)));
    else
      list.push_back(fields::describe(field, value));
  });
  return list;
}

}  // namespace discern
