// A block of memory that is owned (allocated, aligned to 64 bytes or more, not initialised) or borrowed from
// a shared owner such as a mapped file. Copies share the memory; nobody writes after sharing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace discern {

// Uninitialised bytes, released with the last copy. Large blocks ask the system for huge pages, which
// halves the time that filling them takes. Throws Code::memory when the system has no more.
std::shared_ptr<void> allocate_bytes(std::size_t bytes);

// Asks the system for huge pages where fresh memory that somebody else has allocated holds whole ones.
void ask_for_huge_pages(void* memory, std::size_t bytes);

template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::int64_t size)
      : owner_(allocate_bytes(static_cast<std::size_t>(size) * sizeof(T))),
        data_(static_cast<T*>(owner_.get())),
        size_(size) {}
  // Takes over a vector without copying.
  explicit Buffer(std::vector<T> items) : size_(static_cast<std::int64_t>(items.size())) {
    auto shared = std::make_shared<std::vector<T>>(std::move(items));
    data_ = shared->data();
    owner_ = std::move(shared);
  }
  // A view of somebody else's memory, kept alive by `owner`. Must not be written to.
  Buffer(std::shared_ptr<void> owner, const T* data, std::int64_t size)
      : owner_(std::move(owner)), data_(const_cast<T*>(data)), size_(size) {}

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::int64_t size() const { return size_; }
  T& operator[](std::int64_t i) { return data_[i]; }
  const T& operator[](std::int64_t i) const { return data_[i]; }
  std::span<const T> span() const { return {data_, static_cast<std::size_t>(size_)}; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  std::shared_ptr<void> owner_;
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace discern
