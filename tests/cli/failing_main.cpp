// The tool with an allocator that runs out of memory:
//
//   discern_failing N once|for-good COMMAND...
//
// lets the N-th allocation fail, or it and all that follow. N = 0 lets none fail and says on standard error
// how many there were. Every malloc of the process counts, those of the shared libraries too, apart from
// oneTBB's: its threads have nobody to tell.
#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "cli/shell/app.hpp"

// The allocator proper: that of the C library, or of the address sanitizer.
extern "C" {
void* real_malloc(std::size_t) __asm__(DISCERN_REAL_ALLOCATOR "malloc");
void* real_calloc(std::size_t, std::size_t) __asm__(DISCERN_REAL_ALLOCATOR "calloc");
void* real_realloc(void*, std::size_t) __asm__(DISCERN_REAL_ALLOCATOR "realloc");
void* real_memalign(std::size_t, std::size_t) __asm__(DISCERN_REAL_ALLOCATOR "memalign");
}

namespace {

std::atomic<bool> counting{false};
std::atomic<long> allocations{0};
long failing = 0;
bool for_good = false;
std::uintptr_t spared_begin = 0, spared_end = 0;  // the code of oneTBB

int spare(dl_phdr_info* library, std::size_t, void*) {
  if (std::strstr(library->dlpi_name, "libtbb.so") == nullptr) return 0;
  for (int k = 0; k < library->dlpi_phnum; ++k) {
    const auto& part = library->dlpi_phdr[k];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    spared_begin = library->dlpi_addr + part.p_vaddr;
    spared_end = spared_begin + part.p_memsz;
  }
  return 1;
}

bool fails(const void* caller) {
  const auto place = reinterpret_cast<std::uintptr_t>(caller);
  if (!counting || (place >= spared_begin && place < spared_end)) return false;
  const long number = ++allocations;
  if (failing == 0 || number < failing || (number > failing && !for_good)) return false;
  errno = ENOMEM;
  return true;
}

// As the standard has it, but for trying again.
void* allocated(void* memory) {
  if (memory != nullptr) return memory;
  if (const std::new_handler handler = std::get_new_handler()) handler();
  throw std::bad_alloc();
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return fails(__builtin_return_address(0)) ? nullptr : real_malloc(size); }
void* calloc(std::size_t count, std::size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr : real_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr : real_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr : real_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  if (fails(__builtin_return_address(0))) return ENOMEM;
  *memory = real_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}

}  // extern "C"

// Those of the sanitizer do not go through malloc.
void* operator new(std::size_t size) {
  return allocated(fails(__builtin_return_address(0)) ? nullptr : real_malloc(size));
}
void* operator new[](std::size_t size) {
  return allocated(fails(__builtin_return_address(0)) ? nullptr : real_malloc(size));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocated(fails(__builtin_return_address(0))
                       ? nullptr
                       : real_memalign(static_cast<std::size_t>(alignment), size));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return fails(__builtin_return_address(0)) ? nullptr : real_malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

int main(int count, char** words) {
  if (count < 4) return 2;
  dl_iterate_phdr(spare, nullptr);
  failing = std::atol(words[1]);
  for_good = std::strcmp(words[2], "for-good") == 0;
  counting = true;
  const int code = discern::cli::run_program(count - 2, words + 2);
  counting = false;
  if (failing == 0) std::fprintf(stderr, "allocations %ld\n", allocations.load());
  return code;
}
