// Seeded random numbers that are the same on every platform and compiler.
//
// xoshiro256++ (Blackman and Vigna 2019), seeded through splitmix64. The distributions are written
// here because those of the standard library differ between implementations, and the normal uses a
// logarithm of its own because libm's may differ in the last bit.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace discern {

class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t bits();                      // 64 random bits
  double uniform();                          // [0, 1), a multiple of 2^-53
  double uniform(double low, double high);   // [low, high)
  std::uint64_t below(std::uint64_t count);  // {0, ..., count-1}, unbiased; count > 0
  double normal();                           // mean 0, variance 1 (Marsaglia's polar method)
  std::vector<std::int64_t> permutation(std::int64_t count);

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::array<std::uint64_t, 4> state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

// The seed of one of several parts of a work, so that what the parts draw has nothing in common.
std::uint64_t seed_of_part(std::uint64_t seed, std::uint64_t part);

// log, sin and cos built from +, -, *, / and exact operations only, so that generated data are the
// same everywhere. Error below 2 units in the last place on the ranges used here.
double portable_log(double x);                               // x > 0, normal
std::pair<double, double> portable_sin_cos(double radians);  // |radians| < 1e5

}  // namespace discern
