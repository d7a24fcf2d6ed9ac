// The solvers by name.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace discern {

enum class Solver { automatic, closed_form, newton, newton_cg, lbfgs, cg, gd, sgd, cd, dual_cd };
inline std::span<const std::string_view> value_names(Solver) {
  static constexpr std::array<std::string_view, 10> names{
      "auto", "closed-form", "newton", "newton-cg", "lbfgs", "cg", "gd", "sgd", "cd", "dual-cd"};
  return names;
}

}  // namespace discern
