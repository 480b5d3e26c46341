// Memory aligned for SIMD, grown but never shrunk: first touch of new memory is slow, so buffers are kept. Large ones
// lie on huge pages: rows that a core reads again and again then fill its second-level cache evenly (with small pages
// scattered over memory some of its sets overflow), and fewer translations are missed.
// Contents are lost on growth. Threads: one owner.
#pragma once

#include <cstddef>
#include <memory>

namespace mneme::engine::cpu {

// n_bytes, 64-byte aligned, not zeroed; throws std::bad_alloc.
void* allocate_aligned(size_t n_bytes);
void free_aligned(void* memory, size_t n_bytes);

template <typename T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(size_t size) { reserve(size); }

  void reserve(size_t size) {
    if (size <= size_) return;
    data_.reset();
    size_ = 0;
    data_ = {static_cast<T*>(allocate_aligned(size * sizeof(T))), Free{size * sizeof(T)}};
    size_ = size;
  }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  size_t size() const { return size_; }

 private:
  struct Free {
    size_t n_bytes = 0;
    void operator()(T* data) const { free_aligned(data, n_bytes); }
  };
  std::unique_ptr<T[], Free> data_;
  size_t size_ = 0;
};

}  // namespace mneme::engine::cpu
