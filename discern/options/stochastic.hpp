// What the models that learn by stochastic gradient descent share.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace discern {

// How the step length h falls with the steps l = 1, 2, ..., T.
enum class Schedule {
  linear,       // h (1 - (l - 1)/T)
  constant,     // h
  inverse,      // h / l
  inverse_sqrt  // h / sqrt(l)
};
inline std::span<const std::string_view> value_names(Schedule) {
  static constexpr std::array<std::string_view, 4> names{"linear", "constant", "inverse", "inverse-sqrt"};
  return names;
}

// The order in which the samples are taken: shuffled anew every epoch, n draws with replacement, as given.
enum class SampleOrder { shuffled, drawn, given };
inline std::span<const std::string_view> value_names(SampleOrder) {
  static constexpr std::array<std::string_view, 3> names{"shuffled", "drawn", "given"};
  return names;
}

}  // namespace discern
