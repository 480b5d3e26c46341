// Weights and activations on a GPU. Threads: matrices are immutable after load; activations have one writer.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/matrix_ref.h"

namespace mneme::engine::cuda {

class CudaMatrix final : public Matrix {
 public:
  CudaMatrix(std::shared_ptr<const DeviceBuffer> buffer, const MatrixRef& ref) : buffer_(std::move(buffer)), ref_(ref) {
    n_out = ref.n_out;
    n_in = ref.n_in;
  }
  const MatrixRef& ref() const { return ref_; }
  bool is_quantised() const { return cuda::is_quantised(ref_.type); }

 private:
  std::shared_ptr<const DeviceBuffer> buffer_;  // also of those beside it
  MatrixRef ref_;
};

class CudaActivations final : public Activations {
 public:
  CudaActivations(Device& device, DeviceBuffer buffer, int max_rows_in, int width_in)
      : device_(device), buffer_(std::move(buffer)) {
    max_rows = max_rows_in;
    width = width_in;
  }
  // The memory may be given to others at once, so nothing may still use it.
  ~CudaActivations() override {
    device_.settle();
    cudaStreamSynchronize(device_.stream());
  }
  float* data() const { return buffer_.as<float>(); }

 private:
  Device& device_;
  DeviceBuffer buffer_;
};

// Copies tensors up: each behind the one before, so that they are one matrix as well (follows() of matrix_ref.h), where
// they are of one type and row length and each begins as aligned as memory does. kUnsupported, kCorruption (bytes
// shorter than the shape), kResource.
Result<std::vector<std::unique_ptr<Matrix>>> load_cuda_matrices(Device& device, std::span<const TensorView> tensors);
// A vector, converted to f32.
Result<std::unique_ptr<CudaActivations>> load_cuda_vector(Device& device, const TensorView& tensor);

}  // namespace mneme::engine::cuda
