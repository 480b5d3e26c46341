// Arrays side by side in one piece of memory that is filled on the host and copied to the device as a whole: each is
// known by both addresses. Ownership: borrows both memories. Threads: one at a time.
#pragma once

#include <cstddef>

namespace mneme::engine::cuda {

class TwinMemory {
 public:
  template <typename T>
  struct Array {
    T* host = nullptr;
    T* device = nullptr;
  };

  // Both aligned to kAlignment.
  TwinMemory(std::byte* host, std::byte* device) : host_(host), device_(device) {}

  // What the next array of n elements takes.
  template <typename T>
  static constexpr size_t bytes_of(size_t n) {
    return (n * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
  }
  template <typename T>
  Array<T> take(size_t n) {
    const Array<T> taken{reinterpret_cast<T*>(host_ + used_), reinterpret_cast<T*>(device_ + used_)};
    used_ += bytes_of<T>(n);
    return taken;
  }
  size_t used() const { return used_; }

  static constexpr size_t kAlignment = 16;  // kernels read vectors of four words

 private:
  std::byte* const host_;
  std::byte* const device_;
  size_t used_ = 0;
};

}  // namespace mneme::engine::cuda
