#include <numeric>

#include "engine/codec/kv_calibration.h"
#include "engine/engine_queue.h"
#include "engine/language_model.h"
#include "engine/transformer/forward_pass.h"

namespace mneme::engine {

namespace {

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

Result<KvProfile> calibrate_kv(LanguageModel& model, std::span<const std::string> texts,
                               const KvCalibrationOptions& options, int window, int max_tokens,
                               const CancelToken& cancel) {
  const ModelConfig& config = model.config();
  KvCalibrator calibrator({config.n_layers, config.n_kv_heads, config.head_dim});
  int taken = 0;
  for (const std::string& text : texts) {
    const std::vector<TokenId> ids = model.tokenizer().encode(text);
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

}  // namespace mneme::engine
