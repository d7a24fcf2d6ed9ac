// What the fuzz targets share. A target calls a reader on any bytes; an Error is a fine answer, anything
// else (another exception, a crash, a sanitizer's finding, a limit on time or memory) is a bug.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/data/table.hpp"
#include "discern/io/file/file.hpp"

namespace discern {

// The bytes on the heap, so that reading past their end is noticed.
inline FileContent content_of(const std::uint8_t* data, std::size_t size) {
  const std::shared_ptr<char[]> bytes(new char[size]);
  if (size > 0) std::memcpy(bytes.get(), data, size);
  const std::shared_ptr<void> owner(bytes, bytes.get());
  return FileContent(owner, {bytes.get(), size});
}

// Looks at every cell of what a reader returned: each must keep the promises of data/table.hpp.
inline void examine(const Table& table) {
  const auto require = [](bool kept) {
    if (!kept) __builtin_trap();
  };
  std::visit(
      [&](const auto& x) {
        require(x.cols == table.schema.size());
        for (Index i = 0; i < x.rows; ++i)
          for_each(x.view(i, 1).row(0), [&](Index j, double v) {
            require(j < x.cols && !std::isinf(v));
            if (v == v && table.schema.categorical(j))
              require(v >= 0 && v < static_cast<double>(table.schema.column(j).levels.size()));
            require(v == v || !table.noticed.empty());
          });
      },
      table.x);
  for (const SideColumn& side : table.side) {
    require(side.values.size() == static_cast<std::size_t>(table.rows()));
    for (const double v : side.values)
      require(v != v ||
              (side.text ? v >= 0 && v < static_cast<double>(side.levels.size()) : std::isfinite(v)));
  }
}

// Runs `read` on one thread: one run after another has to take the same way.
template <class Read>
int check_reader(const Read& read) {
  try {
    with_threads(1, [&] { examine(read()); });
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace discern
