#include "discern/base/one_thread.hpp"

#include <atomic>
#include <exception>
#include <vector>

#include "discern/base/threads.hpp"

namespace discern {

bool enough_for_all_threads(std::int64_t count) { return count >= 2 * std::int64_t{thread_count()}; }

void each_on_one_thread(std::int64_t count, const std::function<void(std::int64_t)>& body) {
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(count));
  std::atomic<std::int64_t> failed{count};
  parallel_for(count, [&](std::int64_t i) {
    if (i > failed) return;
    try {
      on_one_thread([&] { body(i); });
    } catch (...) {
      thrown[static_cast<std::size_t>(i)] = std::current_exception();
      for (std::int64_t known = failed; i < known && !failed.compare_exchange_weak(known, i);) continue;
    }
  });
  if (failed < count) std::rethrow_exception(thrown[static_cast<std::size_t>(failed)]);
}

}  // namespace discern
