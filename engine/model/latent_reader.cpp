#include "engine/model/latent_reader.h"

#include <string>

namespace mneme::engine {

namespace {

constexpr int kMaxQueryRank = 1 << 16;

}  // namespace

// Newer files give the lengths of the one KV head as key_length and value_length, those of the heads as _mla; older
// ones the latter under the former names.
Status read_latent_attention(const ModelMetadata& metadata, int most_head_dim, ModelConfig& config) {
  LatentAttention& latent = config.latent;
  MNEME_RETURN_IF_ERROR(metadata.read_int("attention.kv_lora_rank", 1, most_head_dim, 0, latent.rank));
  MNEME_RETURN_IF_ERROR(metadata.read_int("attention.q_lora_rank", 0, kMaxQueryRank, 0, latent.query_rank));
  int n_rot = 0;
  MNEME_RETURN_IF_ERROR(metadata.read_int("rope.dimension_count", 2, most_head_dim, 0, n_rot));
  const bool is_newer = metadata.file().find(metadata.key("attention.key_length_mla")) != nullptr;
  int key_dim = 0;
  MNEME_RETURN_IF_ERROR(
      metadata.read_int(is_newer ? "attention.key_length_mla" : "attention.key_length", 2, most_head_dim, 0, key_dim));
  MNEME_RETURN_IF_ERROR(metadata.read_int(is_newer ? "attention.value_length_mla" : "attention.value_length", 1,
                                          most_head_dim, 0, latent.value_dim));
  latent.plain_dim = key_dim - n_rot;
  config.n_kv_heads = 1;
  config.head_dim = n_rot + latent.rank;
  if (latent.plain_dim < 1 || config.head_dim > most_head_dim || config.head_dim % 2 != 0 || n_rot % 2 != 0)
    return metadata.damaged("heads of " + std::to_string(key_dim) + " with " + std::to_string(n_rot) +
                            " rotated dimensions and a latent of " + std::to_string(latent.rank) + " are impossible");
  return {};
}

}  // namespace mneme::engine
