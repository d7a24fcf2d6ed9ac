// Which penalty a regularisation path lowers; the other one stays as it is.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace discern {

enum class PathPenalty { l1, l2, elastic_net };
inline std::span<const std::string_view> value_names(PathPenalty) {
  static constexpr std::array<std::string_view, 3> names{"l1", "l2", "elastic-net"};
  return names;
}

}  // namespace discern
