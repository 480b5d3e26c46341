#include "engine/backend/cuda/pinned_buffer.h"

#include <cuda_runtime.h>

#include <cstdlib>

namespace mneme::engine::cuda {

void PinnedBuffer::free() {
  if (pinned_) {
    cudaFreeHost(data_);
  } else {
    std::free(data_);  // NOLINT(cppcoreguidelines-no-malloc)
  }
  data_ = nullptr;
  size_ = 0;
}

bool PinnedBuffer::resize(size_t n_bytes) {
  free();
  const size_t size = (n_bytes + kAlignment - 1) / kAlignment * kAlignment;
  void* data = nullptr;
  pinned_ = cudaMallocHost(&data, size) == cudaSuccess;
  if (!pinned_) {
    cudaGetLastError();
    data = std::aligned_alloc(kAlignment, size);  // NOLINT(cppcoreguidelines-no-malloc)
  }
  data_ = static_cast<std::byte*>(data);
  if (data_ != nullptr) size_ = size;
  return data_ != nullptr;
}

}  // namespace mneme::engine::cuda
