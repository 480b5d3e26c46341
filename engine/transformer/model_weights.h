// A model's weights on a device, under the names the forward pass uses. Every tensor's shape is checked against the
// config before it is used; a tensor in the file that nothing here uses is refused, since ignoring it would give
// silently wrong output. Ownership: owns the matrices and vectors; those may borrow the file's bytes.
// Threads: immutable after load.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"
#include "engine/backend/backend.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/architecture.h"
#include "engine/model/model_config.h"

namespace mneme::engine {

struct ModelWeights {
  const Matrix* token_embedding = nullptr;     // (vocab_size, dim)
  const Matrix* position_embedding = nullptr;  // (context_length, dim); encoders with learned positions
  const Matrix* token_types = nullptr;         // (n_types, dim); row 0 is added to every token
  NormWeights embedding_norm;
  LayerInputSource layer_inputs;
  std::vector<LayerWeights> layers;
  NormWeights output_norm;
  const Matrix* output = nullptr;  // (vocab_size, dim); token_embedding when tied; null: no output (encoders)
  int64_t bytes = 0;               // of all tensors, as stored

  // What the pointers above point at.
  std::vector<std::unique_ptr<Matrix>> matrices;
  std::vector<std::unique_ptr<Activations>> vectors;
  // Matrices that the file has in another form; some of those above may lie here.
  std::vector<std::vector<std::byte>> remade;
};

// Errors: kCorruption (a tensor is missing or has another shape: named), kUnsupported (a tensor nothing here uses, a
// type the backend cannot multiply with), kResource.
Result<std::unique_ptr<ModelWeights>> load_model_weights(const gguf::GgufFile& file, const Architecture& architecture,
                                                         const ModelConfig& config, Backend& backend);

// Whether the file holds exactly the tensors that load_model_weights() wants, in the right shapes; nothing is loaded.
// Errors: as there, but for what a backend refuses.
Status check_model_weights(const gguf::GgufFile& file, const Architecture& architecture, const ModelConfig& config);

}  // namespace mneme::engine
