#include "discern/optim/read_ahead.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "discern/base/error.hpp"

namespace discern::read_ahead_test {
namespace {

struct Sample {
  SparseRow<double> row;
};

// Enough entries to be read ahead, of rows of all sizes, empty ones included.
struct Rows {
  std::vector<double> values = std::vector<double>(2 << 20, 1.0);
  std::vector<std::uint32_t> columns = std::vector<std::uint32_t>(2 << 20, 3U);
  std::vector<Sample> samples;
  std::vector<std::uint32_t> order;

  Rows() {
    std::size_t at = 0;
    for (Index size = 0; at + 200 < values.size(); size = (size + 37) % 200) {
      samples.push_back({{values.data() + at, columns.data() + at, size}});
      at += static_cast<std::size_t>(size);
    }
    order.resize(samples.size());
    std::iota(order.rbegin(), order.rend(), 0U);
  }
};

TEST(ReadAhead, TheWorkIsDoneOncePerCallWhateverTheNumberOfThreads) {
  const Rows rows;
  for (const int threads : {1, 2, 4})
    with_threads(threads, [&] {
      ReadAhead<Sample> ahead(rows.samples, rows.order);
      for (int epoch = 0; epoch < 3; ++epoch) {
        double sum = 0;
        ahead.during([&] {
          for (std::size_t i = 0; i < rows.order.size(); ++i) {
            ahead.at(static_cast<Index>(i));
            sum += static_cast<double>(rows.samples[rows.order[i]].row.size);
          }
        });
        double expected = 0;
        for (const Sample& sample : rows.samples) expected += static_cast<double>(sample.row.size);
        EXPECT_EQ(sum, expected) << threads;
      }
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
