#include "discern/base/threads.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace discern::threads_test {
namespace {

TEST(Threads, EveryIndexIsCalledExactlyOnce) {
  for (const std::int64_t count : {0, 1, 2, 7, 1000}) {
    std::vector<int> calls(static_cast<std::size_t>(count), 0);
    parallel_for(count, [&](std::int64_t i) { ++calls[static_cast<std::size_t>(i)]; });
    for (const int n : calls) EXPECT_EQ(n, 1) << "of " << count;
  }
}

TEST(Threads, WritesOfTheBodiesAreSeenAfterwards) {
  std::vector<std::int64_t> squares(5000);
  parallel_for(5000, [&](std::int64_t i) { squares[static_cast<std::size_t>(i)] = i * i; });
  std::int64_t sum = 0;
  for (const std::int64_t s : squares) sum += s;
  EXPECT_EQ(sum, std::int64_t{4999} * 5000 * 9999 / 6);
}

TEST(Threads, AnExceptionOfABodyArrivesAtTheCaller) {
  EXPECT_THROW(parallel_for(100,
                            [](std::int64_t i) {
                              if (i == 37) throw std::runtime_error("body 37");
                            }),
               std::runtime_error);
}

TEST(Threads, WithThreadsSetsTheNumberForTheWorkInsideOnly) {
  const int outside = thread_count();
  int inside = 0;
  with_threads(3, [&] { inside = thread_count(); });
  EXPECT_EQ(inside, 3);
  EXPECT_EQ(thread_count(), outside);
}

TEST(Threads, OneThreadNeverRunsTwoBodiesAtOnce) {
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  with_threads(1, [&] {
    parallel_for(200, [&](std::int64_t) {
      const int now = ++running;
      if (now > most) most = now;
      --running;
    });
  });
  EXPECT_EQ(most, 1);
}

// oneTBB's workers are not in the child, which would wait for them for ever.
TEST(Threads, AForkedChildWorksAlone) {
  parallel_for(1000, [](std::int64_t) {});  // the parent has its workers
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::atomic<int> calls = 0;
    with_threads(2, [&] { parallel_for(1000, [&](std::int64_t) { ++calls; }); });
    _exit(calls == 1000 ? 0 : 1);
  }
  int status = -1;
  for (int tries = 0; tries < 1000 && waitpid(child, &status, WNOHANG) == 0; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (!WIFEXITED(status)) kill(child, SIGKILL);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Threads, ParallelForMayBeNested) {
  std::atomic<std::int64_t> calls = 0;
  parallel_for(20, [&](std::int64_t) { parallel_for(30, [&](std::int64_t) { ++calls; }); });
  EXPECT_EQ(calls, 600);
}

// The inner loops are in the middle of their calls when a body of the outer one throws.
TEST(Threads, ALoopInsideAFailingLoopNeverReturnsWithoutItsWork) {
  std::atomic<bool> inside = false, failing = false;
  std::atomic<int> cut_short = 0;
  const auto inner = [&] {
    std::atomic<int> calls = 0;
    parallel_for(200, [&](std::int64_t) {
      inside = true;
      while (!failing) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      ++calls;
    });
    if (calls != 200) ++cut_short;
  };
  with_threads(2, [&] {
    EXPECT_THROW(parallel_for(2,
                              [&](std::int64_t i) {
                                if (i == 1) return inner();
                                while (!inside) std::this_thread::yield();
                                failing = true;
                                throw std::runtime_error("the outer body");
                              }),
                 std::runtime_error);
  });
  EXPECT_EQ(cut_short, 0);
}

}  // namespace
}  // namespace discern::threads_test
