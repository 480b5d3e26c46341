// Memory aligned for SIMD, grown but never shrunk: first touch of new memory is slow, so buffers are kept.
// Contents are lost on growth. Threads: one owner.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace mneme::engine::cpu {

template <typename T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(size_t size) { reserve(size); }

  void reserve(size_t size) {
    if (size <= size_) return;
    data_.reset();
    data_.reset(static_cast<T*>(::operator new(size * sizeof(T), std::align_val_t{kAlignment})));
    size_ = size;
  }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kAlignment = 64;
  struct Free {
    void operator()(T* data) const { ::operator delete(data, std::align_val_t{kAlignment}); }
  };
  std::unique_ptr<T[], Free> data_;
  size_t size_ = 0;
};

}  // namespace mneme::engine::cpu
