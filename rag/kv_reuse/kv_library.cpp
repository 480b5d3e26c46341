#include "rag/kv_reuse/kv_library.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <utility>

#include "base/guarded.h"
#include "base/mutex.h"
#include "base/trace.h"
#include "engine/fusion/selection_fingerprint.h"
#include "engine/language_model.h"
#include "rag/kv_reuse/chunk_encoder.h"
#include "rag/kv_reuse/kv_codecs.h"
#include "rag/kv_reuse/kv_key.h"
#include "rag/kv_reuse/loading_controller.h"
#include "rag/kv_reuse/speed_profile.h"
#include "rag/prompt/prompt_builder.h"
#include "rag/prompt/prompt_layout.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

// The share that blending recomputes at least (CacheBlend's r*), where no gate said otherwise.
constexpr double kLeastRatio = 0.15;

// Counts a thread for as long as it measures.
class Measuring {
 public:
  explicit Measuring(std::atomic<int>& count) : count_(count) { ++count_; }
  ~Measuring() { --count_; }
  Measuring(const Measuring&) = delete;
  Measuring& operator=(const Measuring&) = delete;

 private:
  std::atomic<int>& count_;
};

}  // namespace

struct KvLibrary::State {
  engine::LanguageModel& model;
  storage::Catalogue& catalogue;
  PromptFrame frame;
  KvCodecs codecs;
  SpeedBook speed;
  ChunkEncoder encoder;
  std::unique_ptr<storage::ChunkStore> store;

  int64_t times_forgotten = 0;  // when this was opened, so before any text that is stored was read

  // By key, what was computed once and a level could not hold. Not kept: it would be a trace of the text.
  Mutex refused_mutex;
  std::map<Hash128, Status> refused MNEME_GUARDED_BY(refused_mutex);

  const std::vector<engine::KvLevel> wanted_levels;  // beside the one that is asked for
  std::atomic<int> n_measuring{0};                   // threads that measure a gate

  State(engine::LanguageModel& m, storage::Catalogue& c, storage::FileEnv& env, const std::string& models_folder,
        std::vector<engine::KvLevel> levels)
      : model(m),
        catalogue(c),
        codecs(m, env, models_folder),
        speed(c, m),
        encoder(m, speed),
        wanted_levels(std::move(levels)) {}

  Status store_at(engine::KvLevel level, const engine::KvCodec& codec, const ChunkTokens& chunk,
                  std::span<const std::vector<std::byte>> layers);
  Status put(const storage::ChunkFileInfo& info, std::span<const ByteSpan> layers, size_t first_root);
  Result<bool> was_forgotten(const Hash128& text_hash);
  void save_counters();
  size_t root_for(int n_tokens, uint64_t bytes);

  Hash128 key_at(const engine::KvCodec& codec, const ChunkTokens& chunk) {
    return kv_key(model.identity(), frame.prefix, chunk.ids, codec, codecs.calibration(codec.level()));
  }
  Status refusal_of(const Hash128& key) {
    MutexLock lock(refused_mutex);
    const auto found = refused.find(key);
    return found == refused.end() ? Status() : found->second;
  }
  void refuse(const Hash128& key, const Status& why) {
    MutexLock lock(refused_mutex);
    refused[key] = why;
  }
};

KvLibrary::KvLibrary(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<KvLibrary>> KvLibrary::open(engine::LanguageModel& model, storage::Catalogue& catalogue,
                                                   storage::FileEnv& env, const std::string& kv_folder,
                                                   const std::string& models_folder, const KvStoreSettings& settings) {
  auto state = std::make_unique<State>(model, catalogue, env, models_folder, settings.levels);
  MNEME_ASSIGN_OR_RETURN(state->frame,
                         prompt_frame(model.tokenizer(), model.chat_template(), PromptLayout::embedded()));
  MNEME_ASSIGN_OR_RETURN(const storage::ChunkStoreOptions options,
                         chunk_store_options(settings, catalogue, env, kv_folder));
  MNEME_ASSIGN_OR_RETURN(state->store, storage::ChunkStore::open(options));
  // What killed writers left is a matter of space, and of what was forgotten since, not of opening.
  (void)state->store->erase_abandoned();
  MNEME_ASSIGN_OR_RETURN(state->times_forgotten, catalogue.times_forgotten());
  return std::unique_ptr<KvLibrary>(new KvLibrary(std::move(state)));
}

KvLibrary::~KvLibrary() {
  attempt([&] { state_->save_counters(); });
}

std::span<const engine::TokenId> KvLibrary::prefix() const {
  return state_->frame.prefix;
}

ChunkTokens KvLibrary::tokens_of(std::string_view text) const {
  return {chunk_token_ids(state_->model.tokenizer(), text), xxh3_128(as_bytes(text))};
}

Result<const engine::KvCodec*> KvLibrary::codec(engine::KvLevel level, const CancelToken& cancel) {
  return state_->codecs.of(level, cancel);
}

Hash128 KvLibrary::calibration(engine::KvLevel level) {
  return state_->codecs.calibration(level);
}

SpeedBook& KvLibrary::speed() {
  return state_->speed;
}

namespace {

// Bound to everything that decides what the gate measures; also to the rows that the default selector takes, so that
// other rows under the same name are measured anew.
std::string gate_setting(const Hash128& model, engine::KvLevel level, const Hash128& calibration) {
  return "model." + model.hex() + ".gate." + std::string(engine::kv_level_name(level)) + "." + calibration.hex() + "." +
         std::string(engine::default_selector().name) + "." + engine::selection_fingerprint(engine::default_selector());
}

}  // namespace

std::optional<GateReport> KvLibrary::saved_gate(engine::KvLevel level) {
  if (!state_->codecs.ready(level)) return std::nullopt;
  const Result<std::optional<std::string>> saved =
      state_->catalogue.setting(gate_setting(state_->model.identity(), level, calibration(level)));
  if (!saved.ok() || !saved->has_value()) return std::nullopt;
  Result<GateReport> report = GateReport::parse(**saved);
  return report.ok() ? std::optional(std::move(report).value()) : std::nullopt;
}

bool KvLibrary::is_measuring() const {
  return state_->n_measuring.load() > 0;
}

Result<GateReport> KvLibrary::gate(engine::KvLevel level, const CancelToken& cancel, const MeasureProgress& progress) {
  constexpr double kCalibration = 0.75;  // of the work, about
  std::optional<GateReport> saved = saved_gate(level);
  if (saved && saved->is_whole(state_->model.config().n_kv_layers())) return *std::move(saved);
  const auto part = [&progress](double from, double to) -> MeasureProgress {
    if (!progress) return {};
    return [&progress, from, to](double share) { progress(from + share * (to - from)); };
  };
  const Measuring measuring(state_->n_measuring);
  MNEME_ASSIGN_OR_RETURN(const engine::KvCodec* const codec, state_->codecs.of(level, cancel, part(0, kCalibration)));
  MNEME_ASSIGN_OR_RETURN(GateReport report, measure_gate(state_->model, *codec, engine::default_selector(), GateBar{},
                                                         cancel, part(kCalibration, 1)));
  // A gate that could not be saved is measured again next time.
  static_cast<void>(state_->catalogue.put_setting(gate_setting(state_->model.identity(), level, calibration(level)),
                                                  report.to_json()));
  return report;
}

Result<Hash128> KvLibrary::key_of(const ChunkTokens& chunk, engine::KvLevel level) {
  MNEME_ASSIGN_OR_RETURN(const engine::KvCodec* const codec, state_->codecs.of(level));
  return kv_key(state_->model.identity(), state_->frame.prefix, chunk.ids, *codec, state_->codecs.calibration(level));
}

Result<std::shared_ptr<const storage::StoredChunk>> KvLibrary::find(const ChunkTokens& chunk, engine::KvLevel level) {
  MNEME_ASSIGN_OR_RETURN(const Hash128 key, key_of(chunk, level));
  return find(key, chunk.ids);
}

// Its key says which model a file is of; a file that somebody has put in its place may say anything.
Result<std::shared_ptr<const storage::StoredChunk>> KvLibrary::find(const Hash128& key,
                                                                    std::span<const engine::TokenId> ids) {
  MNEME_ASSIGN_OR_RETURN(std::shared_ptr<const storage::StoredChunk> chunk, state_->store->find(key, ids));
  if (chunk->n_layers() == state_->model.config().n_kv_layers()) return chunk;
  state_->store->discard(*chunk);
  return not_found(chunk->path() + " has other layers than the model; it was removed");
}

bool KvLibrary::contains(const ChunkTokens& chunk, engine::KvLevel level) {
  // Without a calibration nothing was ever stored, and to make one takes seconds.
  if (!state_->codecs.ready(level)) return false;
  const Result<Hash128> key = key_of(chunk, level);
  return key.ok() && state_->store->contains(*key);
}

std::vector<engine::KvLevel> KvLibrary::levels_beside(engine::KvLevel level) const {
  std::vector<engine::KvLevel> levels{level};
  for (const engine::KvLevel wanted : state_->wanted_levels) {
    if (std::find(levels.begin(), levels.end(), wanted) == levels.end()) levels.push_back(wanted);
  }
  return levels;
}

bool KvLibrary::complete(const ChunkTokens& chunk, engine::KvLevel level) {
  const std::vector<engine::KvLevel> levels = levels_beside(level);
  return std::all_of(levels.begin(), levels.end(), [&](engine::KvLevel one) { return contains(chunk, one); });
}

Result<KvLibrary::Estimate> KvLibrary::estimate(int64_t tokens, int64_t chunk_tokens, engine::KvLevel level) {
  const double fp16_bytes = static_cast<double>(tokens) * state_->model.config().kv_bytes_per_token();
  const SpeedProfile speed = state_->speed.profile();
  const auto length = static_cast<double>(std::max<int64_t>(chunk_tokens, 1));
  const double chunks = static_cast<double>(tokens) / length;
  const double keys = length * (static_cast<double>(state_->frame.prefix.size()) + length / 2);
  Estimate estimate{.bytes = 0.0, .seconds = chunks * speed.compute_ms(length, keys) / 1e3};
  for (const engine::KvLevel one : levels_beside(level)) {
    MNEME_ASSIGN_OR_RETURN(const double bits, state_->codecs.bits_per_element(one));
    estimate.bytes += fp16_bytes * bits / 16.0;
    estimate.seconds += speed.encode_ms(one, fp16_bytes) / 1e3;
  }
  return estimate;
}

Status KvLibrary::compute(const ChunkTokens& chunk, engine::KvLevel level, const CancelToken& cancel) {
  const trace::Span span("compute kv", "kv");
  std::vector<engine::KvLevel> levels;
  std::vector<const engine::KvCodec*> codecs;
  Status missing;  // a codec of a level beside, or a level that cannot hold it: said once what can be stored is
  for (const engine::KvLevel one : levels_beside(level)) {
    if (one != level && contains(chunk, one)) continue;
    const Result<const engine::KvCodec*> codec = state_->codecs.of(one, cancel);
    if (!codec.ok()) {
      missing = codec.status();
      break;
    }
    if (Status refusal = state_->refusal_of(state_->key_at(**codec, chunk)); !refusal.ok()) {
      missing = std::move(refusal);
      continue;
    }
    levels.push_back(one);
    codecs.push_back(*codec);
  }
  if (codecs.empty()) return missing;
  MNEME_ASSIGN_OR_RETURN(ChunkEncoder::Computed computed,
                         state_->encoder.compute(state_->frame.prefix, chunk.ids, codecs, cancel));
  for (size_t i = 0; i < levels.size(); ++i) {
    const auto layers = state_->encoder.layers_of(computed, i, *codecs[i]);
    if (layers.status().code() == StatusCode::kUnsupported) {
      missing = layers.status();
      state_->refuse(state_->key_at(*codecs[i], chunk), missing);
      continue;
    }
    MNEME_RETURN_IF_ERROR(layers.status());
    MNEME_RETURN_IF_ERROR(state_->store_at(levels[i], *codecs[i], chunk, *layers));
  }
  return missing;
}

Status KvLibrary::State::store_at(engine::KvLevel level, const engine::KvCodec& codec, const ChunkTokens& chunk,
                                  std::span<const std::vector<std::byte>> layers) {
  storage::ChunkFileInfo info;
  info.key = kv_key(model.identity(), frame.prefix, chunk.ids, codec, codecs.calibration(level));
  info.text_hash = chunk.text_hash;
  info.model_id = model.identity();
  info.codec = codec.id();
  info.calibration_id = codecs.calibration(level).low;
  info.token_ids.assign(chunk.ids.begin(), chunk.ids.end());
  uint64_t bytes = 0;
  for (const std::vector<std::byte>& layer : layers) bytes += layer.size();
  const std::vector<ByteSpan> payloads(layers.begin(), layers.end());
  return put(info, payloads, root_for(static_cast<int>(chunk.ids.size()), bytes));
}

// A text without a chunk may be of a file that was named beside the index, or of a chat: only after something was
// forgotten is it taken for what was. That costs the time to compute it again.
Result<bool> KvLibrary::State::was_forgotten(const Hash128& text_hash) {
  MNEME_ASSIGN_OR_RETURN(const int64_t times, catalogue.times_forgotten());
  if (times == times_forgotten) return false;
  MNEME_ASSIGN_OR_RETURN(const bool wanted, catalogue.has_text(text_hash));
  return !wanted;
}

// Forgetting removes the rows first, then the files. So a file that lies there before it looks for files goes with
// them; of one that comes later the question below sees that the rows are gone.
Status KvLibrary::State::put(const storage::ChunkFileInfo& info, std::span<const ByteSpan> layers, size_t first_root) {
  MNEME_RETURN_IF_ERROR(catalogue.writable());
  MNEME_RETURN_IF_ERROR(store->put(info, layers, first_root));
  MNEME_ASSIGN_OR_RETURN(const bool forgotten, was_forgotten(info.text_hash));
  if (!forgotten) return {};
  MNEME_RETURN_IF_ERROR(store->erase(info.key));
  return not_found("the text was forgotten while its KV cache was computed, so none is kept");
}

int64_t KvLibrary::times_forgotten() const {
  return state_->times_forgotten;
}

Status KvLibrary::put(const storage::ChunkFileInfo& info, std::span<const ByteSpan> layers, size_t first_root) {
  return state_->put(info, layers, first_root);
}

// The cheapest folder (they are configured from the dearest to the cheapest) from which the chunk loads in the time
// that repairing it takes anyway.
size_t KvLibrary::State::root_for(int n_tokens, uint64_t bytes) {
  const std::vector<std::string>& roots = store->roots();
  if (roots.size() < 2) return 0;
  const SpeedProfile profile = speed.profile();
  std::vector<double> rates;
  for (size_t i = 0; i < roots.size(); ++i) {
    const auto known = profile.root_bytes_per_s.find(roots[i]);
    const double measured = store->throughput(i).bytes_per_second();
    rates.push_back(measured > 0.0 || known == profile.root_bytes_per_s.end() ? measured : known->second);
  }
  return cheapest_root_that_hides(rates, static_cast<double>(bytes), hidden_load_ms(profile, n_tokens, kLeastRatio));
}

void KvLibrary::State::save_counters() {
  const storage::ChunkStoreCounters counters = store->take_counters();
  // Counters are for people to look at: a failure to save them is not worth an error.
  for (const auto& [name, value] : {std::pair{"kv.hits", counters.hits}, std::pair{"kv.misses", counters.misses},
                                    std::pair{"kv.evictions", counters.evictions}}) {
    if (value != 0) static_cast<void>(catalogue.add_to_counter(name, value));
  }
}

void KvLibrary::save_counters() {
  state_->save_counters();
}

storage::ChunkStore& KvLibrary::store() {
  return *state_->store;
}
engine::LanguageModel& KvLibrary::model() {
  return state_->model;
}

}  // namespace mneme::rag
