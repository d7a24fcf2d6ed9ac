#include "discern/base/buffer.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>

#include "discern/base/error.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace discern {

std::shared_ptr<void> allocate_bytes(std::size_t bytes) {
  constexpr std::size_t huge_page = std::size_t{1} << 21;
  const std::size_t alignment = bytes >= 2 * huge_page ? huge_page : 64;
  if (bytes > std::numeric_limits<std::size_t>::max() / 2)
    throw Error(Code::memory, fmt::format("{} bytes cannot be allocated", bytes));
  const std::size_t rounded = (bytes / alignment + 1) * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw Error(Code::memory, fmt::format("no memory for {} bytes", bytes));
#ifdef __linux__
  if (alignment == huge_page) madvise(memory, rounded, MADV_HUGEPAGE);
#endif
  return {memory, std::free};
}

}  // namespace discern
