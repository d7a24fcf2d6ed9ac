#include "discern/optim/stochastic/read_ahead.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

#include "discern/base/error.hpp"

namespace discern::read_ahead_test {
namespace {

struct Sample {
  SparseRow<double> row;
};

// Enough entries to be read ahead, of rows of all sizes, empty ones included; all values differ.
struct Rows {
  std::vector<double> values = std::vector<double>(2 << 20);
  std::vector<std::uint32_t> columns = std::vector<std::uint32_t>(2 << 20);
  std::vector<Sample> samples;
  std::vector<std::uint32_t> order;

  Rows() {
    std::iota(values.begin(), values.end(), 0.5);
    std::iota(columns.begin(), columns.end(), 7U);
    std::size_t at = 0;
    for (Index size = 0; at + 200 < values.size(); size = (size + 37) % 200) {
      samples.push_back({{values.data() + at, columns.data() + at, size}});
      at += static_cast<std::size_t>(size);
    }
    order.resize(samples.size());
    std::iota(order.rbegin(), order.rend(), 0U);
  }
};

bool same(SparseRow<double> a, SparseRow<double> b) {
  return a.size == b.size && std::equal(a.values, a.values + a.size, b.values) &&
         std::equal(a.columns, a.columns + a.size, b.columns);
}

// Batches of one and of many rows, small and large against what is copied at a time; every row is looked at
// twice, as the steps do. The rows of the second epoch come in another order.
TEST(ReadAhead, SamplesAreThoseOfTheOrderWhateverTheNumberOfThreads) {
  Rows rows;
  const auto count = static_cast<Index>(rows.samples.size());
  for (const int threads : {1, 2, 4})
    for (const Index batch : {1, 100, 5000})
      with_threads(threads, [&] {
        ReadAhead<Sample> ahead(rows.samples, rows.order);
        for (int epoch = 0; epoch < 2; ++epoch) {
          Index wrong = 0, seen = 0;
          ahead.during([&] {
            for (Index first = 0; first < count; first += batch) {
              ahead.reach(first);
              for (int look = 0; look < 2; ++look)
                for (Index at = first; at < std::min(count, first + batch); ++at, ++seen) {
                  ahead.approach(at);
                  const Sample& expected = rows.samples[rows.order[static_cast<std::size_t>(at)]];
                  wrong += same(ahead.sample(at).row, expected.row) ? 0 : 1;
                }
            }
          });
          EXPECT_EQ(wrong, 0) << threads << " " << batch;
          EXPECT_EQ(seen, 2 * count) << threads << " " << batch;
          std::reverse(rows.order.begin(), rows.order.end());
        }
      });
}

// Otherwise it would be of no use. The first rows are not waited for, so those that follow soon are looked
// at.
TEST(ReadAhead, RowsToComeAreCopiedCloseTogether) {
  const Rows rows;
  with_threads(2, [&] {
    ReadAhead<Sample> ahead(rows.samples, rows.order);
    ahead.during([&] {
      constexpr Index soon = 300;
      const Sample* const original = &rows.samples[rows.order[soon]];
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
      while (&ahead.sample(soon) == original && std::chrono::steady_clock::now() < deadline)
        std::this_thread::yield();
      const SparseRow<double> first = ahead.sample(soon).row, next = ahead.sample(soon + 1).row;
      EXPECT_NE(first.values, original->row.values);
      EXPECT_TRUE(same(first, original->row));
      const auto* end = reinterpret_cast<const char*>(first.columns + first.size);
      const auto gap = reinterpret_cast<const char*>(next.values) - end;
      EXPECT_GE(gap, 0);
      EXPECT_LT(gap, 8);
    });
  });
}

TEST(ReadAhead, WhatTheWorkThrowsArrives) {
  const Rows rows;
  for (const int threads : {1, 2})
    with_threads(threads, [&] {
      ReadAhead<Sample> ahead(rows.samples, rows.order);
      EXPECT_THROW(ahead.during([] { throw Error(Code::interrupted, "interrupted"); }), Error) << threads;
    });
}

TEST(ReadAhead, WithoutSamplesTheWorkIsDoneAllTheSame) {
  const std::vector<Sample> samples;
  const std::vector<std::uint32_t> order;
  ReadAhead<Sample> ahead(samples, order);
  bool done = false;
  ahead.during([&] { done = true; });
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace discern::read_ahead_test
