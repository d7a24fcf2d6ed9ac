#include "discern/base/one_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "discern/base/threads.hpp"

namespace discern::one_thread_test {
namespace {

TEST(OneThread, LoopsWithinStayOnTheThread) {
  with_threads(3, [] {
    std::atomic<int> elsewhere{0}, calls{0};
    each_on_one_thread(8, [&](std::int64_t) {
      const auto own = std::this_thread::get_id();
      EXPECT_EQ(thread_count(), 1);
      parallel_for(50, [&](std::int64_t) {
        ++calls;
        if (std::this_thread::get_id() != own) ++elsewhere;
      });
    });
    EXPECT_EQ(calls, 400);
    EXPECT_EQ(elsewhere, 0);
    EXPECT_EQ(thread_count(), 3);
    EXPECT_TRUE(enough_for_all_threads(6));
    EXPECT_FALSE(enough_for_all_threads(5));
  });
}

TEST(OneThread, OfSeveralExceptionsTheFirstInOrderIsThrown) {
  for (int threads = 1; threads <= 3; ++threads)
    with_threads(threads, [] {
      try {
        each_on_one_thread(20, [](std::int64_t i) {
          if (i % 5 == 3) throw std::runtime_error(std::to_string(i));
        });
        FAIL();
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "3");
      }
    });
}

}  // namespace
}  // namespace discern::one_thread_test
