// bench prefill and decode: tokens per second, and their share of what the machine could do at most.
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "app/bench/bench.h"
#include "app/measure/envelope.h"
#include "app/measure/statistics.h"
#include "app/output/progress.h"
#include "app/session.h"
#include "base/random.h"
#include "base/stopwatch.h"
#include "engine/kv/chunk_kv.h"
#include "engine/language_model.h"
#include "engine/transformer/sampler.h"

namespace mneme::app {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kSeed = 1;
constexpr int kDefaultPrefillTokens = 512;
constexpr int kDefaultDecodeTokens = 64;
constexpr int kDefaultDecodeContext = 128;
constexpr double kCacheBytes = 64e6;   // a processor's last-level cache, generously
constexpr int kSyntheticBlock = 1024;  // tokens of made-up KV placed at once

std::vector<engine::TokenId> random_ids(Random& random, int n, int vocab_size) {
  std::vector<engine::TokenId> ids(static_cast<size_t>(n));
  for (engine::TokenId& id : ids) id = static_cast<engine::TokenId>(random.below(static_cast<uint64_t>(vocab_size)));
  return ids;
}

// Fills positions [0, n) with made-up keys and values: for lengths that a prefill would take hours to reach.
Status place_synthetic(engine::LanguageModel& model, engine::Sequence& sequence, int n, Random& random) {
  const engine::ModelConfig& config = model.config();
  MNEME_RETURN_IF_ERROR(engine::check_kv_of_parts(config));
  MNEME_RETURN_IF_ERROR(sequence.kv().reserve(n));
  std::vector<f16> keys(static_cast<size_t>(kSyntheticBlock) * static_cast<size_t>(config.kv_dim()));
  std::vector<f16> values(keys.size());
  for (f16& key : keys) key = to_f16(random.gaussian());
  for (f16& value : values) value = to_f16(random.gaussian());
  for (int layer = 0; layer < config.n_kv_layers(); ++layer) {
    const engine::LayerConfig& settings = config.layers[static_cast<size_t>(layer)];
    const engine::RopeConfig* rope =
        settings.uses_rope && !config.ropes.empty() ? &config.ropes[static_cast<size_t>(settings.rope_index)] : nullptr;
    for (int first = 0; first < n; first += kSyntheticBlock) {
      const int count = std::min(kSyntheticBlock, n - first);
      const auto elements = static_cast<size_t>(count) * static_cast<size_t>(config.heads(layer).kv_dim());
      sequence.kv().place(layer, first, count, std::span<const f16>(keys).first(elements),
                          std::span<const f16>(values).first(elements), rope);
    }
  }
  MNEME_RETURN_IF_ERROR(model.backend().synchronize());
  const std::vector<float> logits(static_cast<size_t>(config.vocab_size), 0.0f);
  sequence.adopt(random_ids(random, n, config.vocab_size), logits);
  return {};
}

struct Lane {
  int context = 0;
  std::unique_ptr<engine::Sequence> sequence;
  std::vector<double> seconds;
};

Result<std::vector<Lane>> open_lanes(Context& context, engine::LanguageModel& model, const BenchOptions& options,
                                     const std::vector<int>& contexts, int tokens) {
  std::vector<Lane> lanes;
  Random random(kSeed);
  for (const int n : contexts) {
    const int needed = n + tokens + 1;
    if (options.room > 0 && options.room < needed) {
      return usage_error("--ctx " + std::to_string(options.room) + " holds no " + std::to_string(n) + " tokens and " +
                         std::to_string(tokens) + " more; give at least " + std::to_string(needed) +
                         ", or less --context or --tokens.");
    }
    MNEME_ASSIGN_OR_RETURN(std::unique_ptr<engine::Sequence> sequence,
                           model.new_sequence(std::max(needed, options.room)));
    if (n > 0 && options.kv == "synthetic") {
      MNEME_RETURN_IF_ERROR(place_synthetic(model, *sequence, n, random));
    } else if (n > 0) {
      MNEME_RETURN_IF_ERROR(sequence->append(random_ids(random, n, model.config().vocab_size), context.cancel));
      sequence->keep_place();
    }
    lanes.push_back({.context = n, .sequence = std::move(sequence), .seconds = {}});
  }
  return lanes;
}

// Runs every lane once per repetition, in turn; the first round is not counted.
template <typename Work>
Status measure(Context& context, std::vector<Lane>& lanes, int reps, const Work& work) {
  Progress bar(context.output, "runs");
  const auto total = static_cast<uint64_t>(reps + 1) * lanes.size();
  uint64_t done = 0;
  for (int rep = -1; rep < reps; ++rep) {
    for (Lane& lane : lanes) {
      const Clock::time_point start = Clock::now();
      MNEME_RETURN_IF_ERROR(work(*lane.sequence));
      const double seconds = seconds_since(start);
      lane.sequence->truncate(lane.context);
      if (rep >= 0) lane.seconds.push_back(seconds);
      bar.update(++done, total, "context " + std::to_string(lane.context));
    }
  }
  return {};
}

// Operations of the matrix products of one token, without the output matrix.
double linear_operations(const engine::ModelConfig& c) {
  const double heads = static_cast<double>(c.n_heads) * c.head_dim;
  const double queries = c.gated_attention ? 2.0 * heads : heads;
  const double attention = c.dim * (heads + queries) + 2.0 * c.dim * c.kv_dim();
  const double mixing = 1.0 * c.dim * (c.state.channels() + 2.0 * c.state.value_dim() + 2.0 * c.state.n_value_heads);
  const double feed_forward = (c.gated_ffn ? 3.0 : 2.0) * c.dim * c.ffn_dim;
  const int n_states = c.n_state_layers();
  return 2.0 * (c.n_attending_layers() * attention + n_states * mixing + c.n_layers * feed_forward);
}

// Operations of attention for `tokens` tokens after `context` others: scores and weighted sum, causal.
double attention_operations(const engine::ModelConfig& c, int context, int tokens) {
  const double pairs = static_cast<double>(tokens) * context + 0.5 * static_cast<double>(tokens) * (tokens + 1);
  return 4.0 * c.n_attending_layers() * c.n_heads * c.head_dim * pairs;
}

bool is_quantised(const BenchOptions& options, const engine::LanguageModel& model) {
  if (!options.shape.empty()) {
    const auto type = gguf::tensor_type_from_name(options.type);
    return type && *type != gguf::TensorType::kF32 && *type != gguf::TensorType::kF16 &&
           *type != gguf::TensorType::kBF16;
  }
  // Fewer than 12 bits a parameter means that most of it is quantised.
  const double parameters =
      linear_operations(model.config()) / 2 + 1.0 * model.config().dim * model.config().vocab_size;
  return static_cast<double>(model.weight_bytes()) * 8 / parameters < 12;
}

// The least seconds this prefill can take here: matrix products at the peak of the unit that does them (tiles, int8 or
// f32), attention at the f32 peak.
double prefill_floor_seconds(const engine::ModelConfig& config, bool quantised, int context, int tokens,
                             const Ceilings& ceilings) {
  const double linear = linear_operations(config) * tokens + 2.0 * config.dim * config.vocab_size;
  const double int8_peak = std::max(ceilings.tile_gop_s, ceilings.int8_gop_s);
  const double peak = quantised && int8_peak > 0 ? int8_peak : ceilings.f32_gflop_s;
  return linear / (peak * 1e9) + attention_operations(config, context, tokens) / (ceilings.f32_gflop_s * 1e9);
}

// The ceilings are the processor's; on a GPU they say nothing.
bool ceilings_apply(engine::LanguageModel& model) {
  return model.backend().name() == "cpu";
}

// floor_seconds: the least the machine would need; nothing when no ceiling applies.
json lane_json(const Lane& lane, int tokens, std::optional<double> floor_seconds) {
  std::vector<double> rates;
  std::vector<double> milliseconds;
  for (const double seconds : lane.seconds) {
    rates.push_back(tokens / seconds);
    milliseconds.push_back(seconds * 1000);
  }
  const double median_seconds = spread_of(lane.seconds).median;
  return {{"tokens", tokens},
          {"context", lane.context},
          {"tokens_per_s", spread_of(rates).median},
          {"tokens_per_s_spread", spread_json(rates)},
          {"ms", spread_json(milliseconds)},
          {"share_of_ceiling", floor_seconds ? json(*floor_seconds / median_seconds) : json(nullptr)}};
}

}  // namespace

Result<std::unique_ptr<engine::LanguageModel>> bench_model(Context& context, const BenchOptions& options) {
  if (options.shape.empty()) return open_model(context);
  const auto type = gguf::tensor_type_from_name(options.type);
  if (!type) {
    return usage_error("there is no tensor type " + options.type + "; choose one of " +
                       std::string(gguf::supported_tensor_types()) + ".");
  }
  engine::ModelOptions model_options;
  model_options.device = device_options(context.options);
  return engine::LanguageModel::make_random(options.shape, *type, model_options, kSeed, context.cancel);
}

Result<json> kept_model(Context& context, const BenchOptions& options) {
  if (!options.shape.empty() || options.results_file.empty()) return json();
  MNEME_ASSIGN_OR_RETURN(std::string model, model_fingerprint(context));
  return json(std::move(model));
}

Result<json> bench_prefill(Context& context, const BenchOptions& options, const Ceilings& ceilings) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::LanguageModel> model, bench_model(context, options));
  const int tokens = options.tokens > 0 ? options.tokens : kDefaultPrefillTokens;
  const std::vector<int> contexts = options.contexts.empty() ? std::vector<int>{0} : options.contexts;
  MNEME_ASSIGN_OR_RETURN(std::vector<Lane> lanes, open_lanes(context, *model, options, contexts, tokens));
  Random random(kSeed + 1);
  const std::vector<engine::TokenId> ids = random_ids(random, tokens, model->config().vocab_size);
  MNEME_RETURN_IF_ERROR(measure(context, lanes, options.reps,
                                [&](engine::Sequence& sequence) { return sequence.append(ids, context.cancel); }));
  json results = json::array();
  const bool quantised = is_quantised(options, *model);
  for (const Lane& lane : lanes) {
    std::optional<double> floor;
    if (ceilings_apply(*model))
      floor = prefill_floor_seconds(model->config(), quantised, lane.context, tokens, ceilings);
    results.push_back(lane_json(lane, tokens, floor));
  }
  return results;
}

Result<json> bench_decode(Context& context, const BenchOptions& options, const Ceilings& ceilings) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::LanguageModel> model, bench_model(context, options));
  const int tokens = options.tokens > 0 ? options.tokens : kDefaultDecodeTokens;
  const std::vector<int> contexts =
      options.contexts.empty() ? std::vector<int>{kDefaultDecodeContext} : options.contexts;
  MNEME_ASSIGN_OR_RETURN(std::vector<Lane> lanes, open_lanes(context, *model, options, contexts, tokens));
  Random random(kSeed + 1);
  const std::vector<engine::TokenId> ids = random_ids(random, tokens, model->config().vocab_size);
  // A device that picks out the likeliest token does so, as in a chat: nobody copies its logits. The processor's lie
  // where they are needed.
  engine::Sampler sampler({});
  const bool picks = model->backend().finds_likeliest();
  MNEME_RETURN_IF_ERROR(measure(context, lanes, options.reps, [&](engine::Sequence& sequence) -> Status {
    engine::TokenId next = engine::kNoToken;
    for (const engine::TokenId& id : ids) {
      MNEME_RETURN_IF_ERROR(picks ? sequence.append_and_sample(id, sampler, next, context.cancel)
                                  : sequence.append(std::span(&id, 1), context.cancel));
    }
    return {};
  }));
  json results = json::array();
  for (const Lane& lane : lanes) {
    // Every step reads all weights (embedding table included, as the ceilings of the platform notes count it) and the
    // keys and values so far.
    const double kv_bytes = static_cast<double>(model->config().kv_bytes_per_token()) * (lane.context + tokens / 2.0);
    const double bytes = tokens * (static_cast<double>(model->weight_bytes()) + kv_bytes);
    // What stays in the processor's caches is not bound by memory.
    const bool from_memory = ceilings_apply(*model) && bytes / tokens > kCacheBytes;
    results.push_back(
        lane_json(lane, tokens, from_memory ? std::optional(bytes / (ceilings.read_gb_s * 1e9)) : std::nullopt));
    results.back()["bytes_per_token"] = bytes / tokens;
  }
  return results;
}

}  // namespace mneme::app
