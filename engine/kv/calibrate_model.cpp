#include "engine/kv/calibrate_model.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "engine/engine_queue.h"
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

// Runs one window and adds the KV of its tokens (BOS apart) and the queries to the calibrator.
Status add_window(LanguageModel& model, std::span<const TokenId> ids, KvCalibrator& calibrator) {
  const ModelConfig& config = model.config();
  std::vector<TokenId> tokens;
  const TokenId bos = model.tokenizer().bos();
  if (bos != kNoToken) tokens.push_back(bos);
  const auto skipped = static_cast<int>(tokens.size());
  tokens.insert(tokens.end(), ids.begin(), ids.end());
  const auto n = static_cast<int>(tokens.size());

  auto turn = model.queue().enter(Priority::kBackground);
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Sequence> sequence, model.new_sequence(n, true));
  MNEME_RETURN_IF_ERROR(sequence->kv().reserve(n));
  MNEME_ASSIGN_OR_RETURN(ForwardPass * pass, model.forward_pass(n));
  std::vector<TokenPos> positions(n);
  std::iota(positions.begin(), positions.end(), 0);
  const RowGroup group{&sequence->kv(), 0, n};
  MNEME_RETURN_IF_ERROR(pass->begin(RowSet{positions, {&group, 1}}, tokens));
  std::vector<float> queries(static_cast<size_t>(n) * config.n_heads * config.head_dim);
  const int kept = n - skipped;
  std::vector<f16> keys(static_cast<size_t>(kept) * config.kv_dim());
  std::vector<f16> values(keys.size());
  for (int layer = 0; layer < config.n_layers; ++layer) {
    pass->project(layer);
    MNEME_RETURN_IF_ERROR(model.backend().read(pass->queries(), n, queries));
    calibrator.add_queries(layer, n, config.n_heads, queries);
    MNEME_RETURN_IF_ERROR(sequence->kv().read(layer, skipped, kept, true, keys, values));
    calibrator.add(layer, kept, keys, values);
    if (layer + 1 < config.n_layers) pass->finish(layer);
  }
  return model.backend().synchronize();
}

}  // namespace

Result<KvProfile> calibrate_kv(LanguageModel& model, std::span<const std::vector<TokenId>> passages,
                               const KvCalibrationOptions& options, int window, int max_tokens,
                               const CancelToken& cancel) {
  const ModelConfig& config = model.config();
  size_t n_tokens = 0;
  for (const std::vector<TokenId>& ids : passages) n_tokens += ids.size();
  KvCalibrator calibrator({config.n_layers, config.n_kv_heads, config.head_dim},
                          std::min(n_tokens, static_cast<size_t>(max_tokens)));
  int taken = 0;
  for (const std::vector<TokenId>& ids : passages) {
    for (size_t begin = 0; begin < ids.size() && taken < max_tokens; begin += window) {
      if (cancel.cancelled()) return cancelled();
      const size_t count = std::min<size_t>(window, ids.size() - begin);
      if (count < 8) continue;
      MNEME_RETURN_IF_ERROR(add_window(model, std::span(ids).subspan(begin, count), calibrator));
      taken += static_cast<int>(count);
    }
  }
  return calibrator.finish(options, cancel);
}

Result<KvProfile> calibrate_kv(LanguageModel& model, std::span<const std::string> texts,
                               const KvCalibrationOptions& options, int window, int max_tokens,
                               const CancelToken& cancel) {
  return calibrate_kv(model, calibration_tokens(model, texts), options, window, max_tokens, cancel);
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
