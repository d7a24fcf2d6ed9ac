// The functions of threads.hpp on std::thread alone, in place of threads.cpp. The thread sanitizer needs
// this: it cannot see how oneTBB hands work over and would report every hand-over as a race.
#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>
#include <vector>

#include "discern/base/one_thread.hpp"
#include "discern/base/threads.hpp"

namespace discern {

namespace {

int machine_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

// What with_threads set for the work that this thread is doing; 0: nothing, so all of the machine's.
int& limit() {
  thread_local int threads = 0;
  return threads;
}

class LimitGuard {
 public:
  explicit LimitGuard(int threads) : before_(limit()) { limit() = threads; }
  ~LimitGuard() { limit() = before_; }
  LimitGuard(const LimitGuard&) = delete;
  LimitGuard& operator=(const LimitGuard&) = delete;

 private:
  int before_;
};

// Takes the next call that nobody has taken until there are none, or until one has thrown.
class Calls {
 public:
  Calls(std::int64_t count, const std::function<void(std::int64_t)>& body) : count_(count), body_(body) {}

  void work() {
    const LimitGuard nested(1);
    for (std::int64_t i = next_++; i < count_ && !failed_; i = next_++) {
      try {
        body_(i);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failed_.exchange(true)) failure_ = std::current_exception();
      }
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  const std::int64_t count_;
  const std::function<void(std::int64_t)>& body_;
  std::atomic<std::int64_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& body) {
  Calls calls(count, body);
  std::vector<std::thread> others;
  const std::int64_t wanted = std::min<std::int64_t>(count, thread_count()) - 1;
  try {
    while (std::ssize(others) < wanted) others.emplace_back([&calls] { calls.work(); });
  } catch (const std::exception&) {
    // Those that could be started, if any, share the work with this one.
  }
  calls.work();
  for (std::thread& other : others) other.join();
  calls.rethrow();
}

void with_threads(int threads, const std::function<void()>& work) {
  const LimitGuard guard(threads > 0 ? threads : machine_threads());
  work();
}

void on_one_thread(const std::function<void()>& work) {
  const LimitGuard guard(1);
  work();
}

int thread_count() { return limit() > 0 ? limit() : machine_threads(); }

}  // namespace discern
