// The rotations of a model, from its metadata and the tensors that hold divisors of their frequencies. Threads: pure.
#pragma once

#include "base/status.h"
#include "engine/model/architecture.h"
#include "engine/model/model_config.h"
#include "engine/model/model_metadata.h"

namespace mneme::engine {

// Adds to config.ropes; its head_dim and context_length are read. has_windows: whether layers have sliding windows.
// context_tokens: as for read_model_config(). Errors: kCorruption, kUnsupported (a scaling that is not known).
Status read_ropes(const ModelMetadata& metadata, const Architecture& architecture, bool has_windows, int context_tokens,
                  ModelConfig& config);

}  // namespace mneme::engine
