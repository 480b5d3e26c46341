// The dimensions of multi-head latent attention, from the metadata of a GGUF file. Threads: pure.
#pragma once

#include "base/status.h"
#include "engine/model/model_config.h"
#include "engine/model/model_metadata.h"

namespace mneme::engine {

// config.latent, and head_dim and n_kv_heads of the KV that it leaves; n_heads is there. most_head_dim: what a head may
// have. kCorruption for numbers that fit no such attention.
Status read_latent_attention(const ModelMetadata& metadata, int most_head_dim, ModelConfig& config);

}  // namespace mneme::engine
