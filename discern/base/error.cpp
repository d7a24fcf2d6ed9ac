#include "discern/base/error.hpp"

#include <fmt/format.h>

namespace discern {
namespace {

std::string describe(const std::string& message, const Place& place) {
  std::string text;
  if (!place.file.empty()) text += place.file;
  if (place.line > 0) text += fmt::format("{}{}", text.empty() ? "line " : ":", place.line);
  if (!text.empty()) text += ": ";
  if (!place.column.empty()) text += fmt::format("column '{}': ", place.column);
  return text + message;
}

}  // namespace

Error::Error(Code code, std::string message, Place place)
    : code_(code),
      message_(std::move(message)),
      place_(std::move(place)),
      text_(describe(message_, place_)) {}

}  // namespace discern
