// Pieces of a text that are read side by side, each of which begins where the one before it ends: with which
// row, with which line. They are handed out in order, so the one before is always in somebody's hands, and
// the wait is for its look at the text, which is short.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <thread>
#include <type_traits>
#include <vector>

namespace discern {

template <class Start>
class Chain {
 public:
  Chain(std::size_t pieces, const Start& first) : starts_(pieces + 1), ready_(pieces + 1) {
    starts_[0] = first;
    ready_[0] = true;
  }

  // The next piece, or as many as there are when all have been taken.
  std::size_t take() { return next_++; }

  // What advance(start) gives, called with the start of piece k, which it makes that of the next one. Empty
  // when another thread gave up.
  template <class Advance>
  auto place(std::size_t k, const Advance& advance) -> std::optional<std::invoke_result_t<Advance, Start&>> {
    while (!ready_[k].load(std::memory_order_acquire)) {
      if (broken_) return std::nullopt;
      std::this_thread::yield();
    }
    starts_[k + 1] = starts_[k];
    auto result = advance(starts_[k + 1]);
    ready_[k + 1].store(true, std::memory_order_release);
    return result;
  }
  void give_up() { broken_ = true; }
  // Of the piece after the last, when all have been placed.
  const Start& end() const { return starts_.back(); }

 private:
  std::vector<Start> starts_;
  std::vector<std::atomic<bool>> ready_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> broken_ = false;
};

}  // namespace discern
