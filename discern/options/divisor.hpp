// What the scatter of Gaussian classes is divided by, as an option of lda and qda.
//
//   unbiased   n - K of a shared covariance, n_k - 1 of that of one class: R's MASS (the default)
//   mle        n and n_k, which the likelihood asks for: scikit-learn since 1.9
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "discern/base/fields.hpp"

namespace discern {

enum class Divisor { unbiased, mle };
inline std::span<const std::string_view> value_names(Divisor) {
  static constexpr std::array<std::string_view, 2> names{"unbiased", "mle"};
  return names;
}

inline constexpr Field divisor_field{
    "divisor",
    "what covariances are divided by: unbiased (n - K, n_k - 1: as R's MASS), mle (n, n_k: as scikit-learn)"};

}  // namespace discern
