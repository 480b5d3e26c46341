#include "engine/backend/cuda/expert_tables.h"

#include <vector>

namespace mneme::engine::cuda {

ExpertTable ExpertTables::get(const ExpertWeights& weights) {
  const auto n = static_cast<size_t>(weights.n_experts);
  DeviceBuffer& buffer = tables_[weights.gate[0]];
  if (buffer.size() == 0) {
    std::vector<MatrixRef> refs;
    for (const auto* matrices : {&weights.gate, &weights.up, &weights.down})
      for (const Matrix* matrix : *matrices) refs.push_back(static_cast<const CudaMatrix*>(matrix)->ref());
    const auto bytes = std::as_bytes(std::span(refs));
    if (device_.grow(buffer, bytes.size(), "a table of experts")) device_.upload(bytes, buffer.as(), device_.stream());
  }
  const auto* first = buffer.as<MatrixRef>();
  return {first, first + n, first + 2 * n};
}

}  // namespace mneme::engine::cuda
