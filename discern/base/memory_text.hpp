// What messages say when memory is short: how much, and what helps.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace discern {

inline std::string bytes_text(std::size_t bytes) {  // "640 bytes", "1.2 GB"
  const auto amount = static_cast<double>(bytes);
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  if (amount < 1e6) return fmt::format("{:.1f} kB", amount / 1e3);
  return amount < 1e9 ? fmt::format("{:.1f} MB", amount / 1e6) : fmt::format("{:.1f} GB", amount / 1e9);
}

constexpr const char* memory_advice =
    "leave out columns with --ignore, take fewer rows or --threads 1, or learn row by row with fit --stream";

}  // namespace discern
