#include "rag/kv_reuse/loading_controller.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace mneme::rag {
namespace {

// A larger share is worth this much of the first token's time: well below what anyone notices, and what the
// predictions are off by anyway.
constexpr double kWorthOfRepair = 1.02;
constexpr double kRatioStep = 0.01;

// Rows of loaded chunks that are repaired at least: steps multiply rows by 16 and by 32, so that fewer save no time.
constexpr double kLeastRows = 32;

int total_tokens(const LoadingQuestion& question) {
  int n = question.prefix_tokens + question.other_tokens;
  for (const ChunkOffer& chunk : question.chunks) n += chunk.n_tokens;
  return n;
}

// Chunks that could be loaded, dearest to load per token first.
std::vector<size_t> by_load_cost(const LoadingQuestion& question, const SpeedProfile& speed) {
  std::vector<std::pair<double, size_t>> costs;
  for (size_t c = 0; c < question.chunks.size(); ++c) {
    const ChunkOffer& chunk = question.chunks[c];
    if (!chunk.stored || chunk.n_tokens == 0) continue;
    const double ms = speed.load_ms(chunk.stored->root, static_cast<double>(chunk.stored->bytes));
    costs.emplace_back(-ms / chunk.n_tokens, c);
  }
  std::sort(costs.begin(), costs.end());
  std::vector<size_t> order;
  order.reserve(costs.size());
  for (const auto& [cost, chunk] : costs) order.push_back(chunk);
  return order;
}

LoadingPlan raise_ratio(const LoadingQuestion& question, const SpeedProfile& speed, LoadingPlan plan) {
  const double limit_ms = plan.first_token_ms * kWorthOfRepair;
  // The time grows with the ratio: bisection over its steps.
  int low = 0;
  int high = static_cast<int>((1.0 - plan.ratio) / kRatioStep);
  LoadingPlan best = std::move(plan);
  const double least = best.ratio;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    LoadingPlan candidate = predict_loading(question, speed, best.load, least + middle * kRatioStep);
    if (candidate.first_token_ms <= limit_ms) {
      low = middle;
      best = std::move(candidate);
    } else {
      high = middle - 1;
    }
  }
  return best;
}

}  // namespace

double mean_layer_share(const engine::Selector& selector, int n_layers, double ratio) {
  const std::vector<double> shares = engine::layer_shares(selector, std::max(n_layers, 1), ratio);
  return std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(shares.size());
}

double look_share(const engine::Selector& selector, int n_layers, double ratio) {
  if (!engine::looks_first(selector, ratio)) return 0.0;
  n_layers = std::max(n_layers, 1);
  return static_cast<double>(engine::look_layers(selector, n_layers).end) / n_layers;
}

double first_ratio(const LoadingQuestion& question) {
  if (question.ratio) return std::clamp(*question.ratio, 0.0, 1.0);
  double tokens = 0.0;
  for (const ChunkOffer& chunk : question.chunks) tokens += chunk.stored ? chunk.n_tokens : 0;
  const double floor = tokens > 0.0 ? kLeastRows / tokens : 0.0;
  return std::clamp(std::max(question.least_ratio, floor), 0.0, 1.0);
}

int LoadingPlan::n_computed() const {
  return static_cast<int>(std::count(load.begin(), load.end(), false));
}

LoadingPlan predict_loading(const LoadingQuestion& question, const SpeedProfile& speed, std::vector<bool> load,
                            double ratio) {
  std::map<std::string, double> read_ms;  // folders are read side by side
  double decode_ms = 0.0;
  double loaded_tokens = 0.0;
  double computed_tokens = 0.0;  // of chunks
  for (size_t c = 0; c < question.chunks.size(); ++c) {
    const ChunkOffer& chunk = question.chunks[c];
    if (!load[c] || !chunk.stored) {
      computed_tokens += chunk.n_tokens;
      continue;
    }
    loaded_tokens += chunk.n_tokens;
    read_ms[chunk.stored->root] += speed.load_ms(chunk.stored->root, static_cast<double>(chunk.stored->bytes));
    decode_ms += speed.decode_ms(
        chunk.stored->level, static_cast<double>(chunk.n_tokens) * static_cast<double>(question.fp16_bytes_per_token));
  }
  const double total = total_tokens(question);
  // A look runs over all that is never loaded: the question, and what is computed of the chunks.
  const double passes = 1.0 + (loaded_tokens > 0 ? look_share(question.selector, question.n_layers, ratio) : 0.0);
  const double chunk_rows =
      computed_tokens * passes + loaded_tokens * mean_layer_share(question.selector, question.n_layers, ratio);
  const double other_rows = question.other_tokens * passes;
  const double rows = chunk_rows + other_rows;
  // Rows of chunks stand anywhere; the question, which is most of what else is computed, at the end.
  const double keys = chunk_rows * (question.prefix_tokens + total) / 2 + other_rows * total;

  LoadingPlan plan;
  plan.ratio = ratio;
  plan.load = std::move(load);
  for (const auto& [root, ms] : read_ms) plan.load_ms = std::max(plan.load_ms, ms);
  plan.decode_ms = decode_ms;
  plan.compute_ms = speed.compute_ms(rows, keys);
  const double both_ms = plan.compute_ms + decode_ms / std::max(question.n_cores, 1);
  // Nothing can begin before the first layer is there.
  const double first_layer_ms = plan.load_ms / std::max(question.n_layers, 1);
  plan.first_token_ms = std::max(plan.load_ms, first_layer_ms + both_ms);
  const double all_rows = total - question.prefix_tokens;
  plan.full_ms = speed.compute_ms(all_rows, all_rows * (question.prefix_tokens + total) / 2);
  return plan;
}

LoadingPlan plan_loading(const LoadingQuestion& question, const SpeedProfile& speed) {
  std::vector<bool> load;
  load.reserve(question.chunks.size());
  for (const ChunkOffer& chunk : question.chunks) load.push_back(chunk.stored.has_value());
  const double least = first_ratio(question);
  LoadingPlan best = predict_loading(question, speed, load, least);
  if (question.ratio || !speed.measured()) return best;
  for (const size_t chunk : by_load_cost(question, speed)) {
    load[chunk] = false;
    LoadingPlan candidate = predict_loading(question, speed, load, least);
    // A repaired chunk is an approximation, a computed one is not: the same time is enough.
    if (candidate.first_token_ms <= best.first_token_ms) best = std::move(candidate);
  }
  return raise_ratio(question, speed, std::move(best));
}

double hidden_load_ms(const SpeedProfile& speed, int chunk_tokens, double ratio) {
  constexpr double kUsualPromptTokens = 3072;  // six chunks of 512
  const double rows = ratio * chunk_tokens;
  return rows * (speed.row_ms + speed.key_ms * kUsualPromptTokens / 2);
}

size_t cheapest_root_that_hides(std::span<const double> bytes_per_second, double bytes, double hidden_ms) {
  size_t fastest = 0;
  for (size_t i = bytes_per_second.size(); i-- > 0;) {
    const double rate = bytes_per_second[i];
    if (rate > 0.0 && bytes / rate * 1e3 <= hidden_ms) return i;
    if (rate >= bytes_per_second[fastest]) fastest = i;
  }
  return fastest;
}

}  // namespace mneme::rag
