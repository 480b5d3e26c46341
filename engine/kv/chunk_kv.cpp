#include "engine/kv/chunk_kv.h"

#include <string>
#include <utility>

#include "engine/engine_queue.h"

namespace mneme::engine {

Status check_kv_of_parts(const ModelConfig& config) {
  if (!config.has_state()) return {};
  return unsupported("the KV of passages cannot be reused with this model: " + std::to_string(config.n_state_layers()) +
                     " of its " + std::to_string(config.n_layers) +
                     " layers keep a state of all that was read before them, so they are read anew");
}

Result<std::unique_ptr<ChunkKvCalculator>> ChunkKvCalculator::make(LanguageModel& model,
                                                                   std::span<const TokenId> prefix,
                                                                   int max_chunk_tokens) {
  MNEME_RETURN_IF_ERROR(check_kv_of_parts(model.config()));
  const int n_prefix = static_cast<int>(prefix.size());
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Sequence> sequence, model.new_sequence(n_prefix + max_chunk_tokens, true));
  sequence->set_priority(Priority::kBackground);
  if (n_prefix > 0) MNEME_RETURN_IF_ERROR(sequence->append(prefix));
  return std::unique_ptr<ChunkKvCalculator>(
      new ChunkKvCalculator(model, std::move(sequence), n_prefix, max_chunk_tokens));
}

ChunkKvCalculator::ChunkKvCalculator(LanguageModel& model, std::unique_ptr<Sequence> sequence, int n_prefix,
                                     int max_chunk_tokens)
    : model_(model), sequence_(std::move(sequence)), n_prefix_(n_prefix), max_chunk_tokens_(max_chunk_tokens) {}

Result<ChunkKv> ChunkKvCalculator::calculate(std::span<const TokenId> chunk, const CancelToken& cancel) {
  MNEME_RETURN_IF_ERROR(compute(chunk, cancel));
  return read();
}

Status ChunkKvCalculator::compute(std::span<const TokenId> chunk, const CancelToken& cancel) {
  const int n_tokens = static_cast<int>(chunk.size());
  if (n_tokens == 0 || n_tokens > max_chunk_tokens_) {
    return usage_error("a chunk of " + std::to_string(n_tokens) + " tokens cannot be cached; 1 to " +
                       std::to_string(max_chunk_tokens_) + " can");
  }
  n_computed_ = 0;
  sequence_->truncate(n_prefix_);
  MNEME_RETURN_IF_ERROR(sequence_->append(chunk, cancel));
  n_computed_ = n_tokens;
  return {};
}

Result<ChunkKv> ChunkKvCalculator::read() {
  const EngineQueue::Turn turn = model_.queue().enter(Priority::kBackground);
  const ModelConfig& config = model_.config();
  ChunkKv kv;
  kv.n_tokens = n_computed_;
  const int n_layers = config.n_kv_layers();
  kv.keys.resize(static_cast<size_t>(n_layers));
  kv.values.resize(static_cast<size_t>(n_layers));
  for (int layer = 0; layer < n_layers; ++layer) {
    const size_t n_elements = static_cast<size_t>(n_computed_) * static_cast<size_t>(config.heads(layer).kv_dim());
    std::vector<f16>& keys = kv.keys[static_cast<size_t>(layer)];
    std::vector<f16>& values = kv.values[static_cast<size_t>(layer)];
    keys.resize(n_elements);
    values.resize(n_elements);
    MNEME_RETURN_IF_ERROR(sequence_->kv().read(layer, n_prefix_, n_computed_, /*unrotated=*/true, keys, values));
  }
  return kv;
}

Result<EncodedLayers> ChunkKvCalculator::encode(const KvCodec& codec) {
  if (n_computed_ == 0) return EncodedLayers();
  const EngineQueue::Turn turn = model_.queue().enter(Priority::kBackground);
  return sequence_->kv().encode(n_prefix_, n_computed_, codec);
}

}  // namespace mneme::engine
