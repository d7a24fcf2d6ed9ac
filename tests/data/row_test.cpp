#include "discern/data/row.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "discern/base/random.hpp"

namespace discern::row_test {
namespace {

struct Sample {
  std::vector<double> x, w;
  std::vector<float> xf;
  std::vector<std::uint32_t> columns;
};

Sample random_sample(std::uint64_t seed, Index size) {
  Random random(seed);
  Sample s;
  for (Index j = 0; j < size; ++j) {
    s.xf.push_back(static_cast<float>(random.normal()));
    s.x.push_back(static_cast<double>(s.xf.back()));
    s.w.push_back(random.normal());
    s.columns.push_back(static_cast<std::uint32_t>(j));
  }
  return s;
}

RC_GTEST_PROP(Row, DenseSparseFloatAndDoubleAgree, (std::uint64_t seed)) {
  const Index size = *rc::gen::inRange<Index>(0, 100);
  const Sample s = random_sample(seed, size);
  double expected = 0, norm = 0, scale = 1e-300;
  for (std::size_t j = 0; j < s.x.size(); ++j) {
    expected += s.x[j] * s.w[j];
    norm += s.x[j] * s.x[j];
    scale += std::fabs(s.x[j] * s.w[j]) + s.x[j] * s.x[j];
  }
  const auto close = [&](double a, double b) { return std::fabs(a - b) <= 1e-14 * scale; };
  const DenseRow<double> dense{s.x.data(), size};
  const DenseRow<float> single{s.xf.data(), size};
  const SparseRow<double> sparse{s.x.data(), s.columns.data(), size};
  RC_ASSERT(close(dot(dense, s.w.data()), expected));
  RC_ASSERT(close(dot(single, s.w.data()), expected));
  RC_ASSERT(close(dot(sparse, s.w.data()), expected));
  RC_ASSERT(close(squared_norm(dense), norm));
  RC_ASSERT(close(squared_norm(single), norm));
  RC_ASSERT(close(squared_norm(sparse), norm));
  std::vector<double> a = s.w, b = s.w, c = s.w;
  axpy(0.5, dense, a.data());
  axpy(0.5, single, b.data());
  axpy(0.5, sparse, c.data());
  RC_ASSERT(a == b);
  for (std::size_t j = 0; j < a.size(); ++j)
    RC_ASSERT(std::fabs(a[j] - c[j]) <= 1e-15 * (1 + std::fabs(a[j])));
}

}  // namespace
}  // namespace discern::row_test
