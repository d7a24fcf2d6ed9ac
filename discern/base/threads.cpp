#include "discern/base/threads.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace discern {

void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& body) {
  if (count == 1) return body(0);
  tbb::parallel_for(
      tbb::blocked_range<std::int64_t>(0, count, 1),
      [&](const tbb::blocked_range<std::int64_t>& range) {
        for (std::int64_t i = range.begin(); i < range.end(); ++i) body(i);
      },
      tbb::simple_partitioner());
}

void with_threads(int threads, const std::function<void()>& work) {
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  // Otherwise oneTBB prints a warning, and gives fewer, when asked for more threads than there are cores.
  const tbb::global_control allow(
      tbb::global_control::max_allowed_parallelism,
      static_cast<std::size_t>(std::max(threads, tbb::info::default_concurrency())));
  arena.execute(work);
}

int thread_count() { return tbb::this_task_arena::max_concurrency(); }

}  // namespace discern
