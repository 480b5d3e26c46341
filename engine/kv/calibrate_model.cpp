#include "engine/kv/calibrate_model.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "base/human_text.h"
#include "base/memory_limit.h"
#include "base/random.h"
#include "engine/codec/kv_calibration.h"
#include "engine/codec/layer_kinds.h"
#include "engine/engine_queue.h"
#include "engine/kv/kv_shape.h"
#include "engine/language_model.h"
#include "engine/transformer/forward_pass.h"

namespace mneme::engine {

namespace {

// A vocabulary that makes fewer tokens of a text of this size does not hold the text.
constexpr size_t kTextBytes = 16384;
constexpr size_t kLeastTokens = 256;
// What is drawn then: enough for a basis, soon done.
constexpr size_t kDrawnTokens = 4096;
constexpr uint64_t kSeed = 5;

// A calibrator for every kind of layers (layer_kinds.h).
class KindsCalibrator {
 public:
  KindsCalibrator(const KvShape& shape, size_t n_tokens) : shape_(shape), kinds_(layer_kinds(shape)) {
    calibrators_.reserve(kinds_.size());
    for (const KvShape& kind : kinds_.shapes) calibrators_.emplace_back(kind, n_tokens);
  }

  static uint64_t bytes_for(const KvShape& shape, size_t n_tokens) {
    uint64_t bytes = 0;
    for (const KvShape& kind : layer_kinds(shape).shapes) bytes += KvCalibrator::bytes_for(kind, n_tokens);
    return bytes;
  }

  void add(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values) {
    of(layer).add(kinds_.of(layer).index, n_tokens, keys, values);
  }
  void add_queries(int layer, int n, int n_heads, std::span<const float> queries) {
    of(layer).add_queries(kinds_.of(layer).index, n, n_heads, queries);
  }

  Result<KvProfile> finish(const CancelToken& cancel) {
    if (shape_.layers.empty()) return calibrators_.front().finish({}, cancel);
    KvProfile profile;
    profile.shape = shape_;
    for (KvCalibrator& calibrator : calibrators_) {
      MNEME_ASSIGN_OR_RETURN(profile.kinds.emplace_back(), calibrator.finish({}, cancel));
    }
    return profile;
  }

 private:
  KvCalibrator& of(int layer) { return calibrators_[static_cast<size_t>(kinds_.of(layer).kind)]; }

  const KvShape shape_;
  const LayerKinds kinds_;
  std::vector<KvCalibrator> calibrators_;
};

// The model at work on windows of text. What stands between two layers is its own, so that questions may go first.
class WindowReader {
 public:
  WindowReader(LanguageModel& model, KindsCalibrator& calibrator, const CancelToken& cancel)
      : model_(model), calibrator_(calibrator), cancel_(cancel) {}
  // The backend takes one thread at a time.
  ~WindowReader() {
    const EngineQueue::Turn turn = model_.queue().enter(Priority::kBackground);
    pass_.reset();
  }
  WindowReader(const WindowReader&) = delete;
  WindowReader& operator=(const WindowReader&) = delete;

  // Room for windows of so many ids.
  Status prepare(int window) {
    if (const TokenId bos = model_.tokenizer().bos(); bos != kNoToken) start_.push_back(bos);
    const int n_rows = window + static_cast<int>(start_.size());
    MNEME_ASSIGN_OR_RETURN(sequence_, model_.new_sequence(n_rows, true));
    sequence_->set_priority(Priority::kBackground);
    const EngineQueue::Turn turn = model_.queue().enter(Priority::kBackground);
    MNEME_RETURN_IF_ERROR(sequence_->kv().reserve(n_rows));
    MNEME_ASSIGN_OR_RETURN(pass_, model_.new_forward_pass(n_rows));
    return {};
  }

  // Runs one window and adds the KV of its tokens (BOS apart) and the queries.
  Status read(std::span<const TokenId> ids) {
    std::vector<TokenId> tokens = start_;
    tokens.insert(tokens.end(), ids.begin(), ids.end());
    const auto n = static_cast<int>(tokens.size());
    std::vector<TokenPos> positions(n);
    std::iota(positions.begin(), positions.end(), 0);
    std::optional<EngineQueue::Turn> turn = model_.queue().enter_unless(Priority::kBackground, is_cancelled());
    if (!turn) return cancelled();
    sequence_->kv().forget(0);
    const RowGroup group{&sequence_->kv(), 0, n};
    MNEME_RETURN_IF_ERROR(pass_->begin(RowSet{positions, {&group, 1}}, tokens));
    const int n_layers = model_.config().n_kv_layers();
    for (int layer = 0; layer < n_layers; ++layer) {
      if (cancel_.cancelled() || !turn->give_way(is_cancelled())) return cancelled();
      pass_->project(layer);
      MNEME_RETURN_IF_ERROR(take(layer, n));
      if (layer + 1 < n_layers) pass_->finish(layer);
    }
    return model_.backend().synchronize();
  }

 private:
  std::function<bool()> is_cancelled() const {
    return [this] { return cancel_.cancelled(); };
  }

  Status take(int layer, int n_rows) {
    const ModelConfig& config = model_.config();
    const auto skipped = static_cast<int>(start_.size());
    const int kept = n_rows - skipped;
    const LayerHeads heads = config.heads(layer);
    queries_.resize(static_cast<size_t>(n_rows) * heads.q_dim());
    keys_.resize(static_cast<size_t>(kept) * heads.kv_dim());
    values_.resize(keys_.size());
    MNEME_RETURN_IF_ERROR(model_.backend().read(pass_->queries(), n_rows, queries_));
    calibrator_.add_queries(layer, n_rows, config.n_heads, queries_);
    MNEME_RETURN_IF_ERROR(sequence_->kv().read(layer, skipped, kept, true, keys_, values_));
    calibrator_.add(layer, kept, keys_, values_);
    return {};
  }

  LanguageModel& model_;
  KindsCalibrator& calibrator_;
  const CancelToken& cancel_;
  std::vector<TokenId> start_;  // what stands before every window
  std::unique_ptr<Sequence> sequence_;
  std::unique_ptr<ForwardPass> pass_;
  std::vector<float> queries_;
  std::vector<f16> keys_, values_;
};

// Systems give out memory that they do not have, and end who uses it.
Status check_memory(const KvShape& shape, size_t n_tokens) {
  const uint64_t needed = KindsCalibrator::bytes_for(shape, n_tokens);
  const uint64_t available = available_memory_bytes();
  if (available == 0 || needed <= available) return {};
  return resource_error("finding out how this model's caches are best stored takes " +
                        human_bytes(static_cast<double>(needed)) + " of memory and " +
                        human_bytes(static_cast<double>(available)) + " are free; close other programs and try again");
}

// Passages cut to windows; what is too short to say anything is left out.
std::vector<std::span<const TokenId>> windows_of(std::span<const std::vector<TokenId>> passages,
                                                 const CalibrationRun& run) {
  constexpr size_t kLeastWindow = 8;
  const auto most = static_cast<size_t>(run.window);
  std::vector<std::span<const TokenId>> windows;
  size_t taken = 0;
  for (const std::vector<TokenId>& ids : passages) {
    for (size_t begin = 0; begin < ids.size() && taken < static_cast<size_t>(run.max_tokens); begin += most) {
      const size_t count = std::min(most, ids.size() - begin);
      if (count < kLeastWindow) continue;
      windows.push_back(std::span(ids).subspan(begin, count));
      taken += count;
    }
  }
  return windows;
}

}  // namespace

Result<KvProfile> calibrate_kv(LanguageModel& model, std::span<const std::vector<TokenId>> passages,
                               const CalibrationRun& run, const CancelToken& cancel) {
  constexpr double kReadingShare = 0.9;  // of the work, about; the rest is what is made of it
  const std::vector<std::span<const TokenId>> windows = windows_of(passages, run);
  size_t n_tokens = 0;
  for (const auto& window : windows) n_tokens += window.size();
  const KvShape shape = kv_shape_of(model.config());
  MNEME_RETURN_IF_ERROR(check_memory(shape, n_tokens));
  KindsCalibrator calibrator(shape, n_tokens);
  {
    WindowReader reader(model, calibrator, cancel);
    MNEME_RETURN_IF_ERROR(reader.prepare(run.window));
    size_t done = 0;
    for (const auto& window : windows) {
      MNEME_RETURN_IF_ERROR(reader.read(window));
      done += window.size();
      if (run.progress) run.progress(kReadingShare * static_cast<double>(done) / static_cast<double>(n_tokens));
    }
  }
  return calibrator.finish(cancel);
}

Result<KvProfile> calibrate_kv(LanguageModel& model, std::span<const std::string> texts, const CalibrationRun& run,
                               const CancelToken& cancel) {
  return calibrate_kv(model, calibration_tokens(model, texts), run, cancel);
}

std::vector<std::vector<TokenId>> calibration_tokens(const LanguageModel& model, std::span<const std::string> texts) {
  std::vector<std::vector<TokenId>> passages;
  size_t n = 0;
  for (const std::string& text : texts) {
    passages.push_back(model.tokenizer().encode(text));
    n += passages.back().size();
  }
  size_t n_bytes = 0;
  for (const std::string& text : texts) n_bytes += text.size();
  if (n >= kLeastTokens || n_bytes < kTextBytes || model.config().vocab_size <= 0) return passages;
  Random random(kSeed);
  std::vector<TokenId> drawn(kDrawnTokens);
  for (TokenId& id : drawn) {
    id = static_cast<TokenId>(random.below(static_cast<uint64_t>(model.config().vocab_size)));
  }
  return {std::move(drawn)};
}

}  // namespace mneme::engine
