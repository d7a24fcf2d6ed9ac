#include "discern/kernel/kernel.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "discern/base/error.hpp"

namespace discern {

Kernel parse_kernel(std::string_view text) {
  if (text == "linear") return {};
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (colon != std::string_view::npos && (name == "poly" || name == "gauss")) {
    const std::string_view digits = text.substr(colon + 1);
    double value = 0;
    const auto [end, status] = fast_float::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool number = status == std::errc() && end == digits.data() + digits.size() && std::isfinite(value);
    if (name == "gauss" && number && value > 1e-150 && value < 1e150) return {KernelKind::gaussian, value};
    if (name == "poly" && number && value == std::floor(value) && value >= 1 &&
        value <= static_cast<double>(highest_kernel_degree))
      return {KernelKind::polynomial, value};
  }
  throw Error(
      Code::usage,
      fmt::format("`kernel`: expected linear, poly:K with a whole number K from 1 to {}, or gauss:S with a "
                  "number S above 0, got '{}'",
                  highest_kernel_degree, text));
}

}  // namespace discern
