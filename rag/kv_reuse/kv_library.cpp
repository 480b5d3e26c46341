#include "rag/kv_reuse/kv_library.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/mutex.h"
#include "base/trace.h"
#include "engine/kv/chunk_kv.h"
#include "engine/language_model.h"
#include "rag/answering/prompt_builder.h"
#include "rag/answering/prompt_layout.h"
#include "rag/kv_reuse/kv_codecs.h"
#include "rag/kv_reuse/kv_key.h"
#include "rag/kv_reuse/kv_quota.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

// Longest chunk that is cached; the chunker's hard limit is far below it.
constexpr int kMaxChunkTokens = 4096;

}  // namespace

struct KvLibrary::State {
  engine::LanguageModel& model;
  storage::Catalogue& catalogue;
  PromptFrame frame;
  KvCodecs codecs;
  std::unique_ptr<storage::ChunkStore> store;

  Mutex calculator_mutex;
  std::unique_ptr<engine::ChunkKvCalculator> calculator MNEME_GUARDED_BY(calculator_mutex);

  State(engine::LanguageModel& m, storage::Catalogue& c, storage::FileEnv& env, const std::string& models_folder)
      : model(m), catalogue(c), codecs(m, env, models_folder) {}

  void save_counters();
};

KvLibrary::KvLibrary(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<KvLibrary>> KvLibrary::open(engine::LanguageModel& model, storage::Catalogue& catalogue,
                                                   storage::FileEnv& env, const std::string& kv_folder,
                                                   const std::string& models_folder) {
  auto state = std::make_unique<State>(model, catalogue, env, models_folder);
  MNEME_ASSIGN_OR_RETURN(state->frame,
                         prompt_frame(model.tokenizer(), model.chat_template(), PromptLayout::embedded()));
  MNEME_RETURN_IF_ERROR(env.make_directories(kv_folder));
  storage::ChunkStoreOptions options;
  options.roots = {kv_folder};
  options.env = &env;
  MNEME_ASSIGN_OR_RETURN(options.quota_bytes, kv_quota_bytes(catalogue, env, kv_folder));
  MNEME_ASSIGN_OR_RETURN(state->store, storage::ChunkStore::open(options));
  return std::unique_ptr<KvLibrary>(new KvLibrary(std::move(state)));
}

KvLibrary::~KvLibrary() {
  state_->save_counters();
}

std::span<const engine::TokenId> KvLibrary::prefix() const {
  return state_->frame.prefix;
}

ChunkTokens KvLibrary::tokens_of(std::string_view text) const {
  return {chunk_token_ids(state_->model.tokenizer(), text), xxh3_128(as_bytes(text))};
}

Result<const engine::KvCodec*> KvLibrary::codec(engine::KvLevel level) {
  return state_->codecs.of(level);
}

Result<std::shared_ptr<const storage::StoredChunk>> KvLibrary::find(const ChunkTokens& chunk, engine::KvLevel level) {
  MNEME_ASSIGN_OR_RETURN(const engine::KvCodec* const codec, state_->codecs.of(level));
  const Hash128 key =
      kv_key(state_->model.identity(), state_->frame.prefix, chunk.ids, *codec, state_->codecs.calibration(level));
  return state_->store->find(key, chunk.ids);
}

bool KvLibrary::contains(const ChunkTokens& chunk, engine::KvLevel level) {
  const Result<const engine::KvCodec*> codec = state_->codecs.of(level);
  return codec.ok() && state_->store->contains(kv_key(state_->model.identity(), state_->frame.prefix, chunk.ids,
                                                      **codec, state_->codecs.calibration(level)));
}

Status KvLibrary::compute(const ChunkTokens& chunk, engine::KvLevel level, const CancelToken& cancel) {
  const trace::Span span("compute kv", "kv");
  MNEME_ASSIGN_OR_RETURN(const engine::KvCodec* const codec, state_->codecs.of(level));
  const int n_tokens = static_cast<int>(chunk.ids.size());
  engine::ChunkKv kv;
  {
    MutexLock lock(state_->calculator_mutex);
    if (state_->calculator == nullptr) {
      const int context = state_->model.config().context_length;
      const int limit = std::min(kMaxChunkTokens, context - static_cast<int>(state_->frame.prefix.size()));
      MNEME_ASSIGN_OR_RETURN(state_->calculator,
                             engine::ChunkKvCalculator::make(state_->model, state_->frame.prefix, limit));
    }
    MNEME_ASSIGN_OR_RETURN(kv, state_->calculator->calculate(chunk.ids, cancel));
  }
  std::vector<std::vector<std::byte>> layers(kv.keys.size());
  std::vector<ByteSpan> payloads;
  for (size_t layer = 0; layer < layers.size(); ++layer) {
    MNEME_RETURN_IF_ERROR(
        codec->encode_layer(static_cast<int>(layer), n_tokens, kv.keys[layer], kv.values[layer], layers[layer]));
    payloads.push_back(layers[layer]);
  }
  storage::ChunkFileInfo info;
  info.key =
      kv_key(state_->model.identity(), state_->frame.prefix, chunk.ids, *codec, state_->codecs.calibration(level));
  info.text_hash = chunk.text_hash;
  info.model_id = state_->model.identity();
  info.codec = codec->id();
  info.calibration_id = state_->codecs.calibration(level).low;
  info.token_ids.assign(chunk.ids.begin(), chunk.ids.end());
  return state_->store->put(info, payloads);
}

void KvLibrary::State::save_counters() {
  const storage::ChunkStoreCounters counters = store->take_counters();
  // Counters are for people to look at: a failure to save them is not worth an error.
  for (const auto& [name, value] : {std::pair{"kv.hits", counters.hits}, std::pair{"kv.misses", counters.misses},
                                    std::pair{"kv.evictions", counters.evictions}}) {
    if (value != 0) static_cast<void>(catalogue.add_to_counter(name, value));
  }
}

storage::ChunkStore& KvLibrary::store() {
  return *state_->store;
}
engine::LanguageModel& KvLibrary::model() {
  return state_->model;
}

}  // namespace mneme::rag
