// The function of the distance r from a centre that a radial unit of width s computes.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace discern {

enum class RadialUnit {
  gaussian,          // exp(-r^2 / (2 s^2))
  inverse_quadratic  // s^2 / (s^2 + r^2)
};
inline std::span<const std::string_view> value_names(RadialUnit) {
  static constexpr std::array<std::string_view, 2> names{"gaussian", "inverse-quadratic"};
  return names;
}

}  // namespace discern
