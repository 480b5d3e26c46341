// bench ttft: the time to the first token by mode, number of passages, share of recomputed rows and bandwidth of the
// storage.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/bench/bench.h"
#include "app/bench/fusion_bed.h"
#include "app/measure/envelope.h"
#include "app/measure/statistics.h"
#include "app/output/progress.h"
#include "app/output/result_file.h"
#include "rag/kv_reuse/speed_profile.h"

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr int kDefaultChunks = 6;

// What one lane measured over one number of passages.
struct Measured {
  FusionLane lane;
  std::vector<double> ttft_ms, load_ms, recompute_ms;
  rag::CacheReport cache;  // of the last run
};

json or_null(const std::optional<double>& value) {
  return value ? json(*value) : json(nullptr);
}

json result_json(const Measured& measured, int chunks, const BenchOptions& options, double full_ms) {
  const rag::CacheReport& cache = measured.cache;
  const bool reuses = measured.lane.mode == rag::AnswerMode::kReuse || measured.lane.mode == rag::AnswerMode::kBlend;
  const double median = spread_of(measured.ttft_ms).median;
  json result = {{"mode", measured.lane.is_auto() ? "auto" : rag::answer_mode_name(measured.lane.mode)},
                 {"chunks", chunks},
                 {"chunk_tokens", options.chunk_tokens},
                 {"recompute", or_null(measured.lane.ratio)},
                 {"full_layers", reuses ? json(cache.full_layers) : json(nullptr)},
                 {"bandwidth", or_null(measured.lane.bandwidth)},
                 {"level", reuses ? json(options.kv_level) : json(nullptr)},
                 {"ttft_ms", spread_json(measured.ttft_ms)},
                 {"ttft_to_full", full_ms > 0 ? json(median / full_ms) : json(nullptr)},
                 {"load_ms", measured.load_ms.empty() ? json(nullptr) : spread_json(measured.load_ms)},
                 {"recompute_ms", measured.recompute_ms.empty() ? json(nullptr) : spread_json(measured.recompute_ms)},
                 {"bytes_read", cache.bytes_read},
                 {"bytes_to_fp16", nullptr},
                 {"bytes_decoded", cache.bytes_decoded},
                 {"bytes_decoded_on_device", cache.bytes_decoded_on_device},
                 {"recompute_ratio", cache.recompute_ratio},
                 {"chosen_ratio", cache.plan ? json(cache.plan->ratio) : json(nullptr)},
                 {"computed_chunks", cache.plan ? json(cache.plan->n_computed()) : json(nullptr)},
                 {"predicted_ms", cache.plan ? json(cache.plan->first_token_ms) : json(nullptr)}};
  if (reuses && cache.bytes_fp16 > 0) {
    result["bytes_to_fp16"] = static_cast<double>(cache.bytes_read) / static_cast<double>(cache.bytes_fp16);
  }
  return result;
}

// All lanes over one number of passages and one bandwidth, in turn.
Result<json> measure_group(Context& context, FusionBed& bed, const BenchOptions& options, int chunks,
                           std::optional<double> bandwidth, std::vector<FusionLane> lanes) {
  std::vector<int> order(static_cast<size_t>(chunks));
  std::iota(order.begin(), order.end(), 0);
  const rag::Prompt prompt = bed.prompt(order);
  std::vector<Measured> measured;
  for (FusionLane& lane : lanes) {
    lane.bandwidth = bandwidth;
    measured.push_back({.lane = lane, .ttft_ms = {}, .load_ms = {}, .recompute_ms = {}, .cache = {}});
  }
  Progress bar(context.output, "runs");
  const auto total = static_cast<uint64_t>(options.reps + 1) * measured.size();
  uint64_t done = 0;
  for (int rep = -1; rep < options.reps; ++rep) {
    for (Measured& one : measured) {
      MNEME_ASSIGN_OR_RETURN(const FusionRun run, bed.run(prompt, one.lane));
      bar.update(++done, total, one.lane.name());
      if (rep < 0) continue;
      one.ttft_ms.push_back(run.first_token_ms);
      if (run.report.load_ms) one.load_ms.push_back(*run.report.load_ms);
      if (run.report.recompute_ms) one.recompute_ms.push_back(*run.report.recompute_ms);
      one.cache = run.report.cache;
    }
  }
  double full_ms = 0;
  for (const Measured& one : measured) {
    if (one.lane.mode == rag::AnswerMode::kFull) full_ms = spread_of(one.ttft_ms).median;
  }
  json results = json::array();
  for (const Measured& one : measured) results.push_back(result_json(one, chunks, options, full_ms));
  return results;
}

json identity_json(const BenchOptions& options, json model) {
  json identity = {{"bench", "ttft"},
                   {"shape", options.shape},
                   {"model", std::move(model)},
                   {"type", options.type},
                   {"reps", options.reps},
                   {"chunk_tokens", options.chunk_tokens},
                   {"level", options.kv_level},
                   {"modes", options.modes},
                   {"recompute", options.recompute},
                   {"selector", options.selector},
                   {"cold", options.cold}};
  // Only where it is used, so that results of runs without it stay good.
  if (!options.full_layers.empty()) identity["full_layers"] = options.full_layers;
  return identity;
}

}  // namespace

Result<json> bench_ttft(Context& context, const BenchOptions& options) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<FusionLane> lanes, fusion_lanes(options));
  const std::vector<int> counts = options.chunks.empty() ? std::vector<int>{kDefaultChunks} : options.chunks;
  std::vector<std::optional<double>> bandwidths(options.bandwidths.begin(), options.bandwidths.end());
  if (bandwidths.empty()) bandwidths.push_back(std::nullopt);
  MNEME_ASSIGN_OR_RETURN(json model, kept_model(context, options));
  MNEME_ASSIGN_OR_RETURN(ResultFile kept,
                         ResultFile::open(options.results_file, identity_json(options, std::move(model))));
  note_kept(context.output, kept);
  std::unique_ptr<FusionBed> bed;  // made when something is left to measure
  json results = json::array();
  for (const int chunks : counts) {
    if (chunks < 1) return usage_error("--chunks takes numbers from 1.");
    for (const std::optional<double>& bandwidth : bandwidths) {
      const std::string key = std::to_string(chunks) + " chunks at " + or_null(bandwidth).dump();
      json group;
      if (const json* known = kept.find(key)) {
        group = *known;
      } else {
        if (bed == nullptr) {
          const int most = *std::max_element(counts.begin(), counts.end());
          MNEME_ASSIGN_OR_RETURN(bed, FusionBed::make(context, options, most));
        }
        MNEME_ASSIGN_OR_RETURN(group, measure_group(context, *bed, options, chunks, bandwidth, lanes));
        MNEME_RETURN_IF_ERROR(kept.add(key, group));
      }
      for (json& result : group) results.push_back(std::move(result));
    }
  }
  return results;
}

}  // namespace mneme::app
