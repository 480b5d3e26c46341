#include "rag/kv_reuse/kv_codecs.h"

#include "engine/language_model.h"

namespace mneme::rag {

Result<std::unique_ptr<KvCodecs>> KvCodecs::open(engine::LanguageModel& model, storage::Catalogue& /*catalogue*/) {
  const engine::ModelConfig& config = model.config();
  return std::unique_ptr<KvCodecs>(new KvCodecs({config.n_layers, config.n_kv_heads, config.head_dim}));
}

Result<const engine::KvCodec*> KvCodecs::of(engine::KvLevel level) {
  if (level != engine::KvLevel::kExact) {
    return unsupported("KV level " + std::string(engine::kv_level_name(level)) +
                       " needs a calibration of this model; use --kv-level exact");
  }
  MutexLock lock(mutex_);
  std::unique_ptr<engine::KvCodec>& codec = codecs_[static_cast<size_t>(level)];
  if (codec == nullptr) codec = engine::make_raw_codec(shape_);
  return codec.get();
}

}  // namespace mneme::rag
