#include "cli/shell/memory.hpp"

#include <cstddef>

#include "discern/base/buffer.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#endif

namespace discern::cli {

void keep_freed_memory() {
#ifdef __GLIBC__
  // Large blocks are mapped on their own, and none of those fits into what the heap grows by: one that did
  // would use up its huge pages.
  constexpr int megabyte = 1 << 20, growth = 16 * megabyte;
  mallopt(M_MMAP_THRESHOLD, growth);
  mallopt(M_TOP_PAD, growth);
  mallopt(M_TRIM_THRESHOLD, 8 * growth);
  // The first block that does not fit into the heap makes it grow. Nothing of that takes memory before it is
  // written to.
  void* const block = std::malloc(megabyte);
  if (block == nullptr) return;
  const char *const first = static_cast<char*>(block), *const last = static_cast<char*>(sbrk(0));
  if (last > first && last - first <= 2 * growth)
    ask_for_huge_pages(block, static_cast<std::size_t>(last - first));
  std::free(block);
#endif
}

}  // namespace discern::cli
