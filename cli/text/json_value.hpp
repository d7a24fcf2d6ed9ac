// What the objects that --json prints have in common. Numbers that do not exist are null.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "discern/catalogue/grid.hpp"

namespace discern::cli {

inline nlohmann::ordered_json nullable(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

// The options of a point of a grid, by name.
inline nlohmann::ordered_json point_json(const GridPoint& point) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const auto& [name, value] : point) object[name] = value;
  return object;
}

}  // namespace discern::cli
