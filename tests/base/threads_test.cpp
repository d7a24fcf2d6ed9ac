#include "discern/base/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
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

TEST(Threads, ParallelForMayBeNested) {
  std::atomic<std::int64_t> calls = 0;
  parallel_for(20, [&](std::int64_t) { parallel_for(30, [&](std::int64_t) { ++calls; }); });
  EXPECT_EQ(calls, 600);
}

}  // namespace
}  // namespace discern::threads_test
