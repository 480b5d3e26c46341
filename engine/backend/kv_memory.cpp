#include "engine/backend/kv_memory.h"

#include <string>

namespace mneme::engine {

KvCacheOptions kv_options_of(const ModelConfig& config) {
  KvCacheOptions options{
      .n_layers = config.n_kv_layers(), .n_kv_heads = config.n_kv_heads, .head_dim = config.head_dim};
  if (config.has_state()) {
    options.state = config.state;
    for (int layer = 0; layer < options.n_layers; ++layer) {
      options.state_layers.push_back(config.keeps_state(layer));
      options.attending_layers.push_back(config.attends(layer));
    }
  }
  if (config.has_equal_heads()) return options;
  for (int layer = 0; layer < options.n_layers; ++layer) options.layer_heads.push_back(config.heads(layer));
  return options;
}

int64_t kv_bytes_per_token(const KvCacheOptions& options) {
  int64_t elements = 0;
  for (int layer = 0; layer < options.n_layers; ++layer) elements += options.heads(layer).kv_dim();
  const int64_t attended = options.type == KvType::kF16 ? 4 * elements : 2 * elements + elements / 8;
  return attended + (options.keep_unrotated_keys ? 2 * elements : 0);
}

Status check_kv_type(const KvCacheOptions& options, int block) {
  if (options.type != KvType::kQ8_0) return {};
  for (int layer = 0; layer < options.n_layers; ++layer) {
    const int head_dim = options.heads(layer).head_dim;
    if (head_dim % block != 0)
      return unsupported("a Q8_0 KV cache needs heads of a multiple of " + std::to_string(block) +
                         " elements, this model has " + std::to_string(head_dim) + "; use f16");
  }
  return {};
}

Status check_retrieval_fits(const ModelConfig& config) {
  if (config.has_equal_kv()) return {};
  return unsupported(
      "retrieval of keys is not supported for models whose layers have different keys and values, or "
      "share them; use --attention full");
}

Status check_kv_memory(const KvCache& cache, int n_tokens, int64_t free_bytes) {
  const int64_t per_token = kv_bytes_per_token(cache.options());
  const int64_t room = cache.memory_bytes() + free_bytes;
  if (per_token * n_tokens <= room) return {};
  constexpr int64_t kMebibyte = int64_t{1} << 20;
  return resource_error("a context of " + std::to_string(n_tokens) + " tokens needs " +
                        std::to_string(per_token * n_tokens / kMebibyte) + " MiB for its keys and values, but only " +
                        std::to_string(room / kMebibyte) + " MiB of memory are free; about " +
                        std::to_string(room / per_token) + " tokens would fit, so shorten the text or close programs");
}

}  // namespace mneme::engine
