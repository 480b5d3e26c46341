#include "engine/backend/cuda/cuda_objects.h"

#include <algorithm>
#include <climits>
#include <string>
#include <vector>

#include "base/file_pages.h"
#include "engine/backend/cuda/matrix_layout.h"
#include "engine/gguf/dequantize.h"

namespace mneme::engine::cuda {
namespace {

constexpr size_t kLaidOutBytes = size_t{4} << 20;  // of rows that are laid out and copied up together

Status check_shape(const TensorView& tensor) {
  if (!gguf::tensor_type_info(tensor.type))
    return unsupported("tensor " + std::string(tensor.name) + " has an unknown type; supported are " +
                       std::string(gguf::supported_tensor_types()));
  const int64_t row_bytes = gguf::row_bytes(tensor.type, tensor.n_in);
  if (row_bytes <= 0 || tensor.n_out <= 0 ||
      static_cast<uint64_t>(tensor.n_out) > tensor.bytes.size() / static_cast<uint64_t>(row_bytes))
    return corruption("tensor " + std::string(tensor.name) + " is shorter than its shape or has broken rows");
  if (tensor.n_in > INT_MAX / 4 || tensor.n_out > INT_MAX / 4)
    return unsupported("tensor " + std::string(tensor.name) + " has too many rows or too long ones");
  if (!gguf::scales_fit_f16(tensor.type, tensor.bytes))
    return unsupported("tensor " + std::string(tensor.name) + " has scales above 32768, which are not supported");
  return {};
}

void upload_matrix(Device& device, gguf::TensorType type, std::span<const std::byte> bytes, size_t row_bytes,
                   const MatrixRef& ref, std::byte* to) {
  if (lies_as_in_file(type) && row_bytes == static_cast<size_t>(ref.stride_bytes))
    return device.upload(bytes, to, device.stream());
  const auto stride = static_cast<size_t>(ref.stride_bytes);
  const size_t n_together = std::max<size_t>(1, kLaidOutBytes / stride);
  std::vector<std::byte> rows;
  while (!bytes.empty() && device.ok()) {
    const size_t n = std::min(n_together, bytes.size() / row_bytes);
    rows.resize(n * stride);
    for (size_t i = 0; i < n; ++i)
      lay_out_row(type, bytes.subspan(i * row_bytes, row_bytes), std::span(rows).subspan(i * stride, stride));
    device.upload(rows, to, device.stream());
    bytes = bytes.subspan(n * row_bytes);
    to += rows.size();
  }
}

// Without its place.
MatrixRef ref_of(const TensorView& tensor) {
  return {.stride_bytes = device_row_bytes(tensor.type, tensor.n_in),
          .n_out = static_cast<int>(tensor.n_out),
          .n_in = static_cast<int>(tensor.n_in),
          .type = tensor.type};
}

int64_t bytes_of(const MatrixRef& ref) {
  return ref.n_out * ref.stride_bytes;
}

// How many of them, from the first on, can lie side by side.
size_t n_side_by_side(std::span<const TensorView> tensors) {
  size_t n = 1;
  while (n < tensors.size() && tensors[n].type == tensors[0].type && tensors[n].n_in == tensors[0].n_in &&
         bytes_of(ref_of(tensors[n - 1])) % kPieceAlignment == 0)
    ++n;
  return n;
}

Status load_side_by_side(Device& device, std::span<const TensorView> tensors,
                         std::vector<std::unique_ptr<Matrix>>& matrices) {
  int64_t n_bytes = 0;
  for (const TensorView& tensor : tensors) n_bytes += bytes_of(ref_of(tensor));
  MNEME_ASSIGN_OR_RETURN(
      DeviceBuffer memory,
      device.memory().allocate(static_cast<size_t>(n_bytes), "the tensor " + std::string(tensors.front().name)));
  const auto buffer = std::make_shared<const DeviceBuffer>(std::move(memory));
  std::byte* next = buffer->as();
  for (const TensorView& tensor : tensors) {
    MatrixRef ref = ref_of(tensor);
    ref.data = next;
    const auto row_bytes = static_cast<size_t>(gguf::row_bytes(tensor.type, tensor.n_in));
    const std::span<const std::byte> bytes = tensor.bytes.first(static_cast<size_t>(tensor.n_out) * row_bytes);
    upload_matrix(device, tensor.type, bytes, row_bytes, ref, next);
    if (tensor.file_mapped) forget_pages(bytes);
    if (!device.ok()) return device.synchronize();
    matrices.push_back(std::make_unique<CudaMatrix>(buffer, ref));
    next += bytes_of(ref);
  }
  return {};
}

}  // namespace

Result<std::vector<std::unique_ptr<Matrix>>> load_cuda_matrices(Device& device, std::span<const TensorView> tensors) {
  for (const TensorView& tensor : tensors) MNEME_RETURN_IF_ERROR(check_shape(tensor));
  std::vector<std::unique_ptr<Matrix>> matrices;
  while (!tensors.empty()) {
    size_t n = n_side_by_side(tensors);
    Status loaded = load_side_by_side(device, tensors.first(n), matrices);
    if (!loaded.ok() && n > 1) {  // what is free may be in pieces, none of which holds all of them
      n = 1;
      loaded = load_side_by_side(device, tensors.first(n), matrices);
    }
    MNEME_RETURN_IF_ERROR(loaded);
    tensors = tensors.subspan(n);
  }
  return matrices;
}

Result<std::unique_ptr<CudaActivations>> load_cuda_vector(Device& device, const TensorView& tensor) {
  MNEME_RETURN_IF_ERROR(check_shape(tensor));
  std::vector<float> values(static_cast<size_t>(tensor.n_in));
  gguf::dequantize_row(tensor.type, tensor.bytes.data(), tensor.n_in, values.data());
  MNEME_ASSIGN_OR_RETURN(DeviceBuffer buffer, device.memory().allocate(values.size() * sizeof(float),
                                                                       "the tensor " + std::string(tensor.name)));
  auto vector = std::make_unique<CudaActivations>(device, std::move(buffer), 1, static_cast<int>(tensor.n_in));
  device.upload(std::as_bytes(std::span(values)), reinterpret_cast<std::byte*>(vector->data()), device.stream());
  if (!device.ok()) return device.synchronize();
  return vector;
}

}  // namespace mneme::engine::cuda
