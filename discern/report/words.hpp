// Numbers and texts as a report's sentences have them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace discern::report {

std::string grouped(std::int64_t count);                          // 32561 -> "32,561"
std::string counted(std::int64_t count, std::string_view thing);  // "1 row", "2 rows"
std::string amount_text(double weight);                           // a count, or a sum of weights
std::string percent(double share);                  // 0.8531 -> "85.3 %", with a blank that does not break
std::string rounded(double value, int digits = 4);  // significant digits
std::string rounded(const std::optional<double>& value, int digits = 4);  // "-" without
// At most so many characters (code points), the last of them a mark when some were left out.
std::string shortened(std::string_view text, std::size_t most = 40);

}  // namespace discern::report
