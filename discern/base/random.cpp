// Compiled with -ffp-contract=off: a fused multiply-add would change the last bits from one
// instruction set to the next.
#include "discern/base/random.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace discern {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint64_t rotate_left(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

}  // namespace

Random::Random(std::uint64_t seed) : state_{} {
  for (auto& word : state_) word = splitmix64(seed);
}

std::uint64_t seed_of_part(std::uint64_t seed, std::uint64_t part) {
  std::uint64_t state = splitmix64(seed) + part;
  return splitmix64(state);
}

std::uint64_t Random::bits() {
  const std::uint64_t result = rotate_left(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = rotate_left(state_[3], 45);
  return result;
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

// Rejects the first 2^64 mod count values, so that every remainder is equally likely. They are fewer than
// count, so almost no draw needs to know how many: a third less time for a shuffle.
std::uint64_t Random::below(std::uint64_t count) {
  std::uint64_t draw = bits();
  if (draw < count) {
    const std::uint64_t rejected = (0 - count) % count;
    while (draw < rejected) draw = bits();
  }
  return draw % count;
}

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double u = 0, v = 0, s = 0;
  do {
    u = 2 * uniform() - 1;
    v = 2 * uniform() - 1;
    s = u * u + v * v;
  } while (s >= 1 || s == 0);
  const double factor = std::sqrt(-2 * portable_log(s) / s);
  spare_ = v * factor;
  has_spare_ = true;
  return u * factor;
}

std::vector<std::int64_t> Random::permutation(std::int64_t count) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  shuffle(order);
  return order;
}

// x = m 2^e with m in [1/sqrt2, sqrt2); log m = 2 artanh(s), s = (m-1)/(m+1), |s| < 0.172.
double portable_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.5 * std::numbers::sqrt2) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double s2 = s * s;
  double sum = 0;
  for (int k = 21; k >= 3; k -= 2) sum = (sum + 1.0 / k) * s2;
  return exponent * std::numbers::ln2 + (2 * s + 2 * s * sum);
}

// Reduces to |r| <= pi/4 with pi/2 split in two parts, then sums the Taylor series.
std::pair<double, double> portable_sin_cos(double radians) {
  constexpr double half_pi_high = 1.5707963267341256;  // the leading 33 bits of pi/2
  constexpr double half_pi_low = 6.077100506506192e-11;
  const double quarter = std::floor(radians / (half_pi_high + half_pi_low) + 0.5);
  const double r = (radians - quarter * half_pi_high) - quarter * half_pi_low;
  const double r2 = r * r;
  double sine = 0, cosine = 0;
  for (int k = 19; k >= 3; k -= 2) sine = (1 + sine) * -r2 / (k * (k - 1));
  for (int k = 18; k >= 2; k -= 2) cosine = (1 + cosine) * -r2 / (k * (k - 1));
  sine = r + r * sine;
  cosine = 1 + cosine;
  switch (static_cast<std::int64_t>(quarter) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace discern
