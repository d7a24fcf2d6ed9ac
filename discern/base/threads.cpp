#include "discern/base/threads.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

#include "discern/base/one_thread.hpp"

namespace discern {

namespace {

// What a loop throws that was cancelled because the loop around it has failed. Nobody sees it: that loop
// rethrows its own failure.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled, because the work around it has failed"; }
};

// Whether this thread is to do all work by itself (one_thread.hpp).
bool& alone() {
  thread_local bool flag = false;
  return flag;
}

// The first exception of a loop. oneTBB would keep it in memory that it allocates then, and lose it if there
// is none.
class Failure {
 public:
  void keep(std::exception_ptr thrown) {
    const std::lock_guard lock(mutex_);
    if (!first_) first_ = std::move(thrown);
  }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

// The worker threads of oneTBB do not survive a fork, and a child that inherited them would wait for them for
// ever. So a child of a process that has used oneTBB works on one thread. Results do not depend on it.
class Fork {
 public:
  // True in such a child. Otherwise notes that oneTBB is in use from now on.
  static bool orphaned() {
    static const bool watched = pthread_atfork(nullptr, nullptr, [] { child() = used().load(); }) == 0;
    if (!watched) return true;
    if (!child()) used() = true;
    return child();
  }

 private:
  static std::atomic<bool>& used() {
    static std::atomic<bool> flag = false;
    return flag;
  }
  static std::atomic<bool>& child() {
    static std::atomic<bool> flag = false;
    return flag;
  }
};

}  // namespace

// Cancelling a group cancels the loops inside it, and oneTBB then returns from them as if they were done.
void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& body) {
  if (count == 1) return body(0);
  if (alone() || Fork::orphaned()) {
    for (std::int64_t i = 0; i < count; ++i) body(i);
    return;
  }
  tbb::task_group_context group;
  Failure failure;
  tbb::parallel_for(
      tbb::blocked_range<std::int64_t>(0, count, 1),
      [&](const tbb::blocked_range<std::int64_t>& range) {
        try {
          for (std::int64_t i = range.begin(); i < range.end(); ++i) body(i);
        } catch (...) {
          failure.keep(std::current_exception());
          group.cancel_group_execution();
        }
      },
      tbb::simple_partitioner(), group);
  failure.rethrow();
  if (group.is_group_execution_cancelled()) throw Cancelled();
}

void with_threads(int threads, const std::function<void()>& work) {
  if (alone() || Fork::orphaned()) return work();
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  // Otherwise oneTBB prints a warning, and gives fewer, when asked for more threads than there are cores.
  const tbb::global_control allow(
      tbb::global_control::max_allowed_parallelism,
      static_cast<std::size_t>(std::max(threads, tbb::info::default_concurrency())));
  arena.execute(work);
}

void on_one_thread(const std::function<void()>& work) {
  struct Guard {
    bool before = std::exchange(alone(), true);
    ~Guard() { alone() = before; }
  } const guard;
  work();
}

int thread_count() { return alone() || Fork::orphaned() ? 1 : tbb::this_task_arena::max_concurrency(); }

}  // namespace discern
