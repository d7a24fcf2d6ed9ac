#include "discern/base/buffer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/base/memory_text.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace discern {
namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;
constexpr std::size_t nearly_one = huge_page / 4 * 3;

}  // namespace

std::shared_ptr<void> allocate_bytes(std::size_t bytes) {
  const std::size_t alignment = bytes >= nearly_one ? huge_page : 64;
  if (bytes > std::numeric_limits<std::size_t>::max() / 2)
    throw Error(Code::memory, fmt::format("no memory for {}; {}", bytes_text(bytes), memory_advice));
  const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr)
    throw Error(Code::memory, fmt::format("no memory for {} more; {}", bytes_text(bytes), memory_advice));
  if (alignment == huge_page) ask_for_huge_pages(memory, rounded);
  return {memory, std::free};
}

void ask_for_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  const std::size_t skipped = (huge_page - reinterpret_cast<std::uintptr_t>(memory) % huge_page) % huge_page;
  if (bytes < skipped + huge_page) return;
  madvise(static_cast<char*>(memory) + skipped, (bytes - skipped) / huge_page * huge_page, MADV_HUGEPAGE);
#endif
}

}  // namespace discern
