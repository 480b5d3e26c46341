#include "engine/backend/cuda/expert_tables.h"

#include <span>
#include <vector>

#include "engine/backend/cuda/cuda_casts.h"

namespace mneme::engine::cuda {

ExpertTable ExpertTables::get(const ExpertWeights& weights) {
  Made& made = tables_[weights.up[0]];
  if (!made.is_there) make(weights, made);
  return made.table;
}

// All matrices, then all biases.
void ExpertTables::make(const ExpertWeights& weights, Made& out) {
  std::vector<MatrixRef> refs;
  for (const auto* matrices : {&weights.gate, &weights.up, &weights.down})
    for (const Matrix* matrix : *matrices) refs.push_back(cast(*matrix).ref());
  std::vector<const float*> vectors;
  for (const auto* biases : {&weights.gate_bias, &weights.up_bias, &weights.down_bias})
    for (const Activations* bias : *biases) vectors.push_back(data_of(*bias));
  const auto ref_bytes = std::as_bytes(std::span(refs));
  const auto vector_bytes = std::as_bytes(std::span(vectors));
  if (!device_.grow(out.buffer, ref_bytes.size() + vector_bytes.size(), "a table of experts")) return;
  std::byte* const behind_refs = out.buffer.as() + ref_bytes.size();
  device_.upload(ref_bytes, out.buffer.as(), device_.stream());
  device_.upload(vector_bytes, behind_refs, device_.stream());
  out.is_there = device_.ok();

  const auto* ref = out.buffer.as<MatrixRef>();
  const auto* vector = reinterpret_cast<const float* const*>(behind_refs);
  const auto take = [&](const auto& matrices, const auto& biases) {
    const ExpertMatrices taken{matrices.empty() ? nullptr : ref, biases.empty() ? nullptr : vector};
    ref += matrices.size();
    vector += biases.size();
    return taken;
  };
  out.table.gate = take(weights.gate, weights.gate_bias);
  out.table.up = take(weights.up, weights.up_bias);
  out.table.down = take(weights.down, weights.down_bias);
}

}  // namespace mneme::engine::cuda
