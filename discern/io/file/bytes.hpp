// 64 bytes of text looked at together: bit k of a mask speaks of byte k.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace discern {

class ByteBlock {
 public:
  static constexpr std::size_t size = 64;

#ifdef __AVX2__
  explicit ByteBlock(const char* p)
      : a_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))),
        b_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 32))) {}

  std::uint64_t equal(char c) const {
    const __m256i v = _mm256_set1_epi8(c);
    return join(_mm256_cmpeq_epi8(a_, v), _mm256_cmpeq_epi8(b_, v));
  }
  // As unsigned bytes.
  std::uint64_t at_most(char c) const {
    const __m256i v = _mm256_set1_epi8(c);
    return join(_mm256_cmpeq_epi8(_mm256_min_epu8(a_, v), a_), _mm256_cmpeq_epi8(_mm256_min_epu8(b_, v), b_));
  }

 private:
  static std::uint64_t join(__m256i a, __m256i b) {
    const auto low = static_cast<std::uint32_t>(_mm256_movemask_epi8(a));
    const auto high = static_cast<std::uint32_t>(_mm256_movemask_epi8(b));
    return low | (static_cast<std::uint64_t>(high) << 32);
  }
  __m256i a_, b_;
#else
  explicit ByteBlock(const char* p) { std::memcpy(bytes_, p, size); }

  std::uint64_t equal(char c) const {
    return mask([c](unsigned char byte) { return byte == static_cast<unsigned char>(c); });
  }
  std::uint64_t at_most(char c) const {
    return mask([c](unsigned char byte) { return byte <= static_cast<unsigned char>(c); });
  }

 private:
  template <class Test>
  std::uint64_t mask(Test test) const {
    std::uint64_t result = 0;
    for (std::size_t k = 0; k < size; ++k) result |= static_cast<std::uint64_t>(test(bytes_[k])) << k;
    return result;
  }
  unsigned char bytes_[size];
#endif
};

// Bit k is the parity of bits 0 to k: between an odd bit and the next one, all are set.
inline std::uint64_t prefix_xor(std::uint64_t mask) {
  for (int shift = 1; shift < 64; shift *= 2) mask ^= mask << shift;
  return mask;
}

}  // namespace discern
