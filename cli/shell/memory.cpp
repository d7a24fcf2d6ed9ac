#include "cli/shell/memory.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "discern/base/buffer.hpp"
#include "discern/io/file/temporaries.hpp"

#ifdef __GLIBC__
#include <malloc.h>

#endif

namespace discern::cli {
namespace {

std::atomic<bool> ran_out{false};  // handlers can reach nothing but globals

[[noreturn]] void note_lack_of_memory() {
  ran_out = true;
  throw std::bad_alloc();
}

void on_abort(int) { end_if_memory_ran_out(); }

}  // namespace

void end_if_memory_ran_out() {
  if (!ran_out) return;
  // Another thread may be creating one at this moment.
  for (int k = 0; k < 1000 && !abandon_temporaries(Abandon::always); ++k) ::usleep(100);
  ::_exit(tell_lack_of_memory());
}

void prepare_for_lack_of_memory() {
  std::set_new_handler(note_lack_of_memory);
  std::signal(SIGABRT, on_abort);  // asserts of nlohmann-json on what was left half done
}

int tell_lack_of_memory() noexcept {
  constexpr char message[] = "discern: error: out of memory\n";
  if (::write(STDERR_FILENO, message, sizeof message - 1) < 0) return 1;  // nobody to tell
  return 1;
}

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
