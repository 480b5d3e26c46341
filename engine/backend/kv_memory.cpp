#include "engine/backend/kv_memory.h"

#include <string>

namespace mneme::engine {

int64_t kv_bytes_per_token(const KvCacheOptions& options) {
  const int64_t elements = int64_t{options.n_kv_layers()} * options.n_kv_heads * options.head_dim;
  const int64_t attended = options.type == KvType::kF16 ? 4 * elements : 2 * elements + elements / 8;
  return attended + (options.keep_unrotated_keys ? 2 * elements : 0);
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
