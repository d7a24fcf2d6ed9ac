// Where the fields of text end: the positions of separators and line ends outside quotes, found 64 bytes
// at a time and ahead of the parsing, so that the parsing of one field need not wait for the end of the
// one before it (twice as fast as finding each end when it is needed). Every quote must be one that opens
// or closes a field or half of a doubled one.
#pragma once

#include <cstdint>
#include <vector>

#include "discern/io/file/bytes.hpp"

namespace discern::csv {

class FieldEnds {
 public:
  // Of [begin, end), which must be shorter than 4 GB; positions count from `begin`. At most `group` ends
  // are asked for at a time.
  FieldEnds(const char* begin, const char* end, char separator, bool quotes, std::size_t group)
      : begin_(begin), end_(end), next_(begin), separator_(separator), quotes_(quotes), group_(group) {
    positions_.resize(group + ahead + 2 * ByteBlock::size);
  }

  // Finds the next ends: `group` of them, or all when fewer are left. Returns how many there are.
  std::size_t find() {
    if (filled_ - used_ < group_ && next_ < end_) fill();
    return filled_ - used_;
  }
  const std::uint32_t* data() const { return positions_.data() + used_; }
  void advance(std::size_t count) { used_ += count; }
  // Moves on to the first end at or after `position`.
  void skip_to(const char* position) {
    const auto offset = static_cast<std::size_t>(position - begin_);
    for (;;) {
      while (used_ < filled_ && positions_[used_] < offset) ++used_;
      if (used_ < filled_ || next_ >= end_) return;
      fill();
    }
  }

 private:
  static constexpr std::size_t ahead = 2048;

  void fill() {
    std::memmove(positions_.data(), positions_.data() + used_, (filled_ - used_) * sizeof(std::uint32_t));
    filled_ -= used_;
    used_ = 0;
    while (filled_ < group_ + ahead && end_ - next_ >= static_cast<std::ptrdiff_t>(ByteBlock::size)) {
      add(ByteBlock(next_), ~std::uint64_t{0});
      next_ += ByteBlock::size;
    }
    if (filled_ >= group_ + ahead || next_ >= end_) return;
    char tail[ByteBlock::size] = {};
    const auto size = static_cast<std::size_t>(end_ - next_);
    std::memcpy(tail, next_, size);
    add(ByteBlock(tail), (std::uint64_t{1} << size) - 1);
    next_ = end_;
  }

  // Writes positions by eights, the last ones in excess: how many there are varies from block to block,
  // and a loop that stopped at the last would be mispredicted each time (0.9 instead of 1.15 ns a field).
  void add(const ByteBlock& block, std::uint64_t valid) {
    std::uint64_t ends = (block.equal(separator_) | block.equal('\n')) & valid;
    if (quotes_) {
      const std::uint64_t inside = prefix_xor(block.equal('"')) ^ inside_;
      inside_ = 0 - (inside >> 63);
      ends &= ~inside;
    }
    const auto base = static_cast<std::uint32_t>(next_ - begin_);
    const auto count = static_cast<std::size_t>(__builtin_popcountll(ends));
    std::uint32_t* to = positions_.data() + filled_;
    filled_ += count;
    for (std::size_t k = 0; k < count; k += 8, to += 8)
      for (std::size_t i = 0; i < 8; ++i, ends &= ends - 1) to[i] = base + trailing_zeros(ends);
  }

  static std::uint32_t trailing_zeros(std::uint64_t mask) {
#ifdef __AVX2__
    return static_cast<std::uint32_t>(_tzcnt_u64(mask));
#else
    return mask == 0 ? 64 : static_cast<std::uint32_t>(__builtin_ctzll(mask));
#endif
  }

  const char* begin_;
  const char* end_;
  const char* next_;
  char separator_;
  bool quotes_;
  std::uint64_t inside_ = 0;  // all bits set when the last block ended inside quotes
  std::size_t group_;
  std::vector<std::uint32_t> positions_;
  std::size_t used_ = 0;
  std::size_t filled_ = 0;
};

}  // namespace discern::csv
