// Memory of the host that the device copies from and to by itself. Where the system pins none, ordinary memory takes
// its place: slower, and copies no longer overlap. Ownership: whoever frees or resizes it has waited for the copies.
// Threads: one at a time.
#pragma once

#include <cstddef>

namespace mneme::engine::cuda {

class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  ~PinnedBuffer() { free(); }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  // Room for n_bytes, aligned to kAlignment; what was there is lost. False, and empty, where there is no memory.
  bool resize(size_t n_bytes);
  std::byte* data() const { return data_; }
  size_t size() const { return size_; }

  static constexpr size_t kAlignment = 64;

 private:
  void free();
  std::byte* data_ = nullptr;
  size_t size_ = 0;
  bool pinned_ = false;
};

}  // namespace mneme::engine::cuda
