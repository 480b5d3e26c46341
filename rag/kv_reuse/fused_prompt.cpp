#include "rag/kv_reuse/fused_prompt.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "base/thread_pool.h"
#include "rag/kv_reuse/speed_profile.h"
#include "rag/kv_reuse/stored_forms.h"

namespace mneme::rag {
namespace {

using engine::KvLevel;

bool has_failed(const FusedPrompt& prompt, int chunk) {
  const std::vector<int>& failed = prompt.fused.failed_chunks;
  return std::find(failed.begin(), failed.end(), chunk) != failed.end();
}

std::vector<PassageForm> passage_forms(const FusedPrompt& prompt, int n_passages) {
  std::vector<PassageForm> forms(static_cast<size_t>(std::max(n_passages, 0)));
  for (const int passage : prompt.carried) forms[static_cast<size_t>(passage)].source = PassageForm::Source::kChat;
  for (size_t source = 0; source < prompt.loaded.size(); ++source) {
    const auto chunk = static_cast<int>(source);
    if (has_failed(prompt, chunk)) continue;
    PassageForm& form = forms[static_cast<size_t>(prompt.loaded[source])];
    form.source = PassageForm::Source::kStore;
    const std::vector<int> layers = prompt.source.layers_by_form(chunk);
    for (size_t i = 0; i < layers.size(); ++i) {
      form.layers[static_cast<size_t>(prompt.source.forms(chunk)[i].codec->level())] += layers[i];
    }
  }
  return forms;
}

// The level of all that was decoded; nothing where levels were mixed.
std::optional<KvLevel> decoded_level(const PromptSource& source) {
  std::optional<KvLevel> level;
  for (int chunk = 0; chunk < source.n_stored(); ++chunk) {
    const std::vector<int> layers = source.layers_by_form(chunk);
    for (size_t form = 0; form < layers.size(); ++form) {
      const KvLevel own = source.forms(chunk)[form].codec->level();
      if (layers[form] == 0) continue;
      if (level && *level != own) return std::nullopt;
      level = own;
    }
  }
  return level;
}

}  // namespace

CacheReport cache_report(const FusedPrompt& prompt, const engine::ModelConfig& config, int n_passages,
                         int chunk_tokens) {
  CacheReport cache;
  const engine::FuseReport& fused = prompt.fused;
  cache.chunks = n_passages;
  cache.carried = static_cast<int>(prompt.carried.size());
  const int n_came = cache.carried + static_cast<int>(prompt.loaded.size());
  cache.hits = std::max(n_came - static_cast<int>(fused.failed_chunks.size()), 0);
  cache.bytes_read = fused.bytes_read;
  cache.bytes_decoded = fused.bytes_decoded;
  cache.bytes_decoded_on_device = fused.bytes_decoded_on_device;
  cache.bytes_fp16 = int64_t{chunk_tokens} * config.kv_bytes_per_token();
  cache.full_layers = fused.full_layers;
  cache.history_tokens = prompt.n_history_rows;
  // Of all (token, layer) pairs of passages and kept turns, those that were computed in this answer.
  const int64_t n_layers = config.n_kv_layers();
  const int64_t all = (int64_t{chunk_tokens} + prompt.n_history_rows) * n_layers;
  const int64_t computed = fused.recomputed_pairs + prompt.n_computed_tokens * n_layers;
  cache.recompute_ratio = all == 0 ? 0.0 : static_cast<double>(computed) / static_cast<double>(all);
  cache.recomputed_tokens = computed / std::max<int64_t>(n_layers, 1);
  cache.passages = passage_forms(prompt, n_passages);
  return cache;
}

void learn_speed(KvLibrary& library, const FusedPrompt& prompt) {
  const engine::FuseReport& fused = prompt.fused;
  const PromptSource& source = prompt.source;
  if (!fused.failures.empty()) return;  // it ran more than once
  SpeedBook& speed = library.speed();
  speed.learn(fused, decoded_level(source), library.model().config().n_kv_layers(), ThreadPool::physical_cores());
  if (fused.bytes_read == 0) return;
  std::map<std::string, const storage::StoredChunk*> by_root;
  for (int chunk = 0; chunk < source.n_stored(); ++chunk) {
    for (const CodedChunk& form : source.forms(chunk)) by_root[kv_root_of(*form.chunk)] = form.chunk.get();
  }
  for (const auto& [root, chunk] : by_root) {
    if (chunk->throughput() != nullptr) speed.learn_root(root, chunk->throughput()->bytes_per_second());
  }
}

}  // namespace mneme::rag
