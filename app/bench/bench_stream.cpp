// bench stream: requests for chunks that come over a link of varying bandwidth, under time goals: how often a policy
// misses them, and what quality it pays. In virtual time; sizes and decoding times are measured here.
#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/bench/bench_kv.h"
#include "app/bench/stream_simulation.h"
#include "app/bench/synthetic_kv.h"
#include "app/eval/kv_codec_set.h"
#include "app/session.h"
#include "base/random.h"
#include "base/stopwatch.h"
#include "rag/kv_reuse/kv_codecs.h"

namespace mneme::app {
namespace {

using engine::KvLevel;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr int kDefaultChunks = 6;
constexpr int kDefaultTokens = 1536;              // the paper's chunk
constexpr int kLayers = 24;                       // of bench-336m: the model whose requests are simulated
constexpr double kBytesPerToken = 24 * 1024;      // its fp16 KV
constexpr double kPrefillTokensPerSecond = 1500;  // what text costs to compute, where no model says otherwise
constexpr int kRequests = 400;
constexpr std::array<double, 4> kGoalsMs = {400, 600, 1000, 2000};

// fp16 numbers: what a level makes of a byte of fp16 KV.
struct LevelCost {
  double share = 1;             // of the bytes
  double seconds_per_byte = 0;  // decoding, one core
  double loss = 0;              // per token
};

struct Policy {
  std::string name;
  std::optional<rag::StreamForm> fixed;  // none: adaptive
  size_t cost = 0;                       // of the level sent, in `costs`, where it is none of the product's
};

Result<LevelCost> measure(const engine::KvCodec& codec, const engine::ChunkKv& kv) {
  double encoded = 0;
  double raw = 0;
  double seconds = 0;
  std::vector<std::byte> payload;
  std::vector<f16> keys(kv.keys.front().size()), values(keys.size());
  for (int layer = 0; layer < codec.shape().n_layers; ++layer) {
    const auto l = static_cast<size_t>(layer);
    payload.clear();
    MNEME_RETURN_IF_ERROR(codec.encode_layer(layer, kv.n_tokens, kv.keys[l], kv.values[l], payload));
    for (int pass = 0; pass < 3; ++pass) {  // the first one makes tables
      const Clock::time_point begin = Clock::now();
      MNEME_RETURN_IF_ERROR(codec.decode_layer(layer, kv.n_tokens, payload, keys, values));
      if (pass > 0) seconds += seconds_since(begin) / 2;
    }
    encoded += static_cast<double>(payload.size());
    raw += static_cast<double>((keys.size() + values.size()) * sizeof(f16));
  }
  return LevelCost{encoded / raw, seconds / raw, 0};
}

// Of the levels by KvLevel, then of uniform8.
constexpr size_t kUniform = 4;
using Costs = std::array<LevelCost, 5>;

Result<Costs> measure_costs(Context& context, const KvBenchOptions& options) {
  std::optional<KvCodecSet> codecs;
  std::vector<engine::ChunkKv> chunk;
  constexpr int kMeasuredTokens = 512;
  const std::vector<KvCodecChoice> choices = {{"exact", KvLevel::kExact},
                                              {"transform", KvLevel::kHigh},
                                              {"transform", KvLevel::kMedium},
                                              {"transform", KvLevel::kLow},
                                              {"uniform8", KvLevel::kHigh}};
  if (options.synthetic) {
    MNEME_ASSIGN_OR_RETURN(
        codecs, KvCodecSet::calibrate(kSyntheticShape, synthetic_kv(kSyntheticShape, 4, 512, 100), context.cancel));
    chunk = synthetic_kv(kSyntheticShape, 1, kMeasuredTokens, 7);
  } else {
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::LanguageModel> model, open_model(context));
    const std::vector<std::string> passages = rag::calibration_passages();
    MNEME_ASSIGN_OR_RETURN(codecs, KvCodecSet::calibrate(*model, passages, choices, context.cancel));
    MNEME_ASSIGN_OR_RETURN(chunk, compute_text_kv(*model, passages, kMeasuredTokens, kMeasuredTokens, context.cancel));
  }
  Costs costs;
  for (size_t i = 0; i < choices.size(); ++i) {
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::KvCodec> codec, codecs->make(choices[i]));
    MNEME_ASSIGN_OR_RETURN(costs[i], measure(*codec, chunk.front()));
  }
  const rag::StreamGoal goal;
  for (size_t level = 0; level < kUniform; ++level) costs[level].loss = goal.loss[level];
  costs[kUniform].loss = goal.loss[static_cast<size_t>(KvLevel::kHigh)];
  return costs;
}

rag::StreamChunk make_chunk(const Costs& costs, int n_tokens) {
  rag::StreamChunk chunk;
  chunk.n_tokens = n_tokens;
  const double bytes = n_tokens * kBytesPerToken;
  for (size_t level = 0; level < kUniform; ++level) {
    chunk.level_bytes[level] = static_cast<uint64_t>(bytes * costs[level].share);
    chunk.decode_seconds[level] = bytes * costs[level].seconds_per_byte;
  }
  chunk.recompute_seconds = n_tokens / kPrefillTokensPerSecond;
  return chunk;
}

std::vector<Policy> policies() {
  return {{"adaptive", std::nullopt, 0},
          {"exact", rag::StreamForm{KvLevel::kExact}, 0},
          {"high", rag::StreamForm{KvLevel::kHigh}, 1},
          {"medium", rag::StreamForm{KvLevel::kMedium}, 2},
          {"low", rag::StreamForm{KvLevel::kLow}, 3},
          // Sent in the place of "high": its own size, its own time.
          {"uniform8", rag::StreamForm{KvLevel::kHigh}, kUniform},
          {"text", rag::StreamForm{}, 0}};
}

// Requests at random moments of the trace, in order, with what earlier ones measured of the link.
json run_policy(const Policy& policy, const Costs& costs, int n_chunks, int n_tokens, double goal_ms,
                const std::string& trace_name, const storage::BandwidthTrace& trace) {
  std::vector<rag::StreamChunk> chunks(static_cast<size_t>(n_chunks), make_chunk(costs, n_tokens));
  rag::StreamGoal goal;
  goal.seconds = goal_ms / 1000;
  if (policy.cost == kUniform) {
    for (rag::StreamChunk& chunk : chunks) {
      chunk.level_bytes[1] = static_cast<uint64_t>(n_tokens * kBytesPerToken * costs[kUniform].share);
      chunk.decode_seconds[1] = n_tokens * kBytesPerToken * costs[kUniform].seconds_per_byte;
    }
  }
  storage::ThroughputMeter meter;
  Random random(17);
  int missed = 0;
  double loss = 0;
  double seconds = 0;
  std::array<double, rag::kStreamLevels + 1> forms{};
  double start = 0;
  for (int request = 0; request < kRequests; ++request) {
    start += 2 * random.uniform();
    const SimulatedStream done = simulate_stream(chunks, goal, policy.fixed, trace, start, kLayers, meter);
    missed += done.seconds > goal.seconds ? 1 : 0;
    loss += done.loss / (n_chunks * n_tokens);
    seconds += done.seconds;
    for (size_t i = 0; i < forms.size(); ++i) forms[i] += done.forms[i];
    start += done.seconds;
  }
  const double all = std::accumulate(forms.begin(), forms.end(), 0.0);
  return {{"trace", trace_name},
          {"policy", policy.name},
          {"slo_ms", goal_ms},
          {"miss_rate", static_cast<double>(missed) / kRequests},
          {"quality", 1 - loss / kRequests},
          {"mean_ms", 1000 * seconds / kRequests},
          {"requests", kRequests},
          {"share_exact", forms[0] / all},
          {"share_high", forms[1] / all},
          {"share_medium", forms[2] / all},
          {"share_low", forms[3] / all},
          {"share_text", forms[4] / all}};
}

struct NamedTrace {
  std::string name;
  storage::BandwidthTrace trace;
};

Result<std::vector<NamedTrace>> make_traces() {
  std::vector<NamedTrace> traces;
  for (const double gb_s : {0.05, 0.2, 1.0, 6.0}) {
    char name[32];
    std::snprintf(name, sizeof name, "steady %g GB/s", gb_s);
    traces.push_back({name, storage::BandwidthTrace::steady(gb_s * 1e9)});
  }
  for (const char* name : {"falling", "spiky"}) {
    MNEME_ASSIGN_OR_RETURN(storage::BandwidthTrace trace, storage::BandwidthTrace::make(name, {}));
    traces.push_back({name, std::move(trace)});
  }
  return traces;
}

}  // namespace

Result<json> bench_stream(Context& context, const KvBenchOptions& options) {
  MNEME_ASSIGN_OR_RETURN(const Costs costs, measure_costs(context, options));
  const int n_chunks = options.chunks > 0 ? options.chunks : kDefaultChunks;
  const int n_tokens = options.tokens > 0 ? options.tokens : kDefaultTokens;
  MNEME_ASSIGN_OR_RETURN(const std::vector<NamedTrace> traces, make_traces());
  json results = json::array();
  for (const NamedTrace& trace : traces) {
    for (const double goal_ms : kGoalsMs) {
      for (const Policy& policy : policies()) {
        if (context.cancel.cancelled()) return cancelled();
        results.push_back(run_policy(policy, costs, n_chunks, n_tokens, goal_ms, trace.name, trace.trace));
      }
    }
  }
  return results;
}

}  // namespace mneme::app
