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

}  // namespace

Result<std::unique_ptr<CudaMatrix>> load_cuda_matrix(Device& device, const TensorView& tensor) {
  MNEME_RETURN_IF_ERROR(check_shape(tensor));
  const int64_t row_bytes = gguf::row_bytes(tensor.type, tensor.n_in);
  MatrixRef ref;
  ref.type = tensor.type;
  ref.n_out = static_cast<int>(tensor.n_out);
  ref.n_in = static_cast<int>(tensor.n_in);
  ref.stride_bytes = device_row_bytes(tensor.type, tensor.n_in);
  MNEME_ASSIGN_OR_RETURN(DeviceBuffer buffer,
                         device.memory().allocate(static_cast<size_t>(tensor.n_out * ref.stride_bytes),
                                                  "the tensor " + std::string(tensor.name)));
  ref.data = buffer.as();
  const std::span<const std::byte> bytes = tensor.bytes.first(static_cast<size_t>(tensor.n_out * row_bytes));
  upload_matrix(device, tensor.type, bytes, static_cast<size_t>(row_bytes), ref, buffer.as());
  if (tensor.file_mapped) forget_pages(bytes);
  if (!device.ok()) return device.synchronize();
  return std::make_unique<CudaMatrix>(std::move(buffer), ref);
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
