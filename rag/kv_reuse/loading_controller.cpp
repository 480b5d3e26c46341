#include "rag/kv_reuse/loading_controller.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "engine/fusion/fuser.h"

namespace mneme::rag {
namespace {

// A larger share is worth this much of the first token's time: well below what anyone notices, and what the
// predictions are off by anyway.
constexpr double kWorthOfRepair = 1.02;
constexpr double kRatioStep = 0.01;

// First layers are computed for all rows where that is sooner by so much.
constexpr double kWorthOfFirstLayers = 1.05;

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

// What comes from the store, all of its layers.
struct Loaded {
  double tokens = 0.0;
  double read_ms = 0.0;    // folders are read side by side
  double decode_ms = 0.0;  // of one core
};

Loaded loaded_of(const LoadingQuestion& question, const SpeedProfile& speed, const std::vector<bool>& load) {
  Loaded loaded;
  std::map<std::string, double> read_ms;
  for (size_t c = 0; c < question.chunks.size(); ++c) {
    const ChunkOffer& chunk = question.chunks[c];
    if (!load[c] || !chunk.stored) continue;
    loaded.tokens += chunk.n_tokens;
    read_ms[chunk.stored->root] += speed.load_ms(chunk.stored->root, static_cast<double>(chunk.stored->bytes));
    loaded.decode_ms += speed.decode_ms(
        chunk.stored->level, static_cast<double>(chunk.n_tokens) * static_cast<double>(question.fp16_bytes_per_token));
  }
  for (const auto& [root, ms] : read_ms) loaded.read_ms = std::max(loaded.read_ms, ms);
  return loaded;
}

// What a prompt computes, one after the other, and which layers of what is stored each of it waits for.
struct Stages {
  double before_ms = 0.0;     // first layers of all rows: for none
  double look_ms = 0.0;       // for those that it looks through
  double behind_ms = 0.0;     // for all
  double look_share = 0.0;    // of the layers: loaded, and looked through
  double loaded_share = 1.0;  // of the layers: loaded at all
};

// plan: what is loaded, ratio, first layers.
Stages stages_of(const LoadingQuestion& question, const SpeedProfile& speed, const Loaded& loaded,
                 const LoadingPlan& plan) {
  const int n_layers = std::max(question.n_layers, 1);
  const double total = total_tokens(question);
  const double other_rows = question.other_tokens;
  const double computed = total - question.prefix_tokens - other_rows - loaded.tokens;
  // Rows of chunks stand anywhere; the question, which is most of what else is computed, at the end.
  const double chunk_row_ms = speed.row_ms + speed.key_ms * (question.prefix_tokens + total) / 2;
  const double never_loaded_ms = computed * chunk_row_ms + other_rows * (speed.row_ms + speed.key_ms * total);
  // A look runs over all that is never loaded: the question, and what is computed of the chunks.
  const double looked = loaded.tokens > 0.0 ? look_share(question.selector, question.n_layers, plan.ratio) : 0.0;
  // Of the last of the first layers all rows have but K and V.
  const double before = plan.full_layers > 0 ? plan.full_layers - 1 + engine::kProjectionShare : 0.0;
  const double all_ms =
      never_loaded_ms +
      loaded.tokens * chunk_row_ms * mean_layer_share(question.selector, n_layers, plan.ratio, plan.full_layers);
  Stages stages;
  stages.before_ms = (never_loaded_ms + loaded.tokens * chunk_row_ms) * before / n_layers;
  stages.look_ms = never_loaded_ms * looked;
  stages.behind_ms = speed.step_ms + std::max(all_ms - stages.before_ms, 0.0);
  stages.loaded_share = 1.0 - static_cast<double>(plan.full_layers) / n_layers;
  stages.look_share = std::max(looked - static_cast<double>(plan.full_layers) / n_layers, 0.0);
  return stages;
}

// Nothing that is loaded can be used before its first layer is there, and no row is
// repaired before all that is looked through is.
double first_token_of(const LoadingQuestion& question, const Stages& stages, const Loaded& loaded) {
  const double decode_ms = loaded.decode_ms / std::max(question.n_cores, 1);
  const double first_layer_ms = loaded.read_ms / std::max(question.n_layers, 1);
  const double look_decode_ms = decode_ms * stages.look_share;
  const double begun_ms = stages.loaded_share > 0.0 ? std::max(stages.before_ms, first_layer_ms) : stages.before_ms;
  const double chosen_ms = std::max(begun_ms + stages.look_ms + look_decode_ms, loaded.read_ms * stages.look_share);
  const double rest_ms = stages.behind_ms + decode_ms * stages.loaded_share - look_decode_ms;
  return std::max(loaded.read_ms * stages.loaded_share, chosen_ms + rest_ms);
}

LoadingPlan soonest_first_layers(const LoadingQuestion& question, const SpeedProfile& speed, const LoadingPlan& plan) {
  LoadingPlan best = plan;
  for (int n = 1; n <= std::min(question.most_full_layers, question.n_layers); ++n) {
    LoadingPlan candidate = predict_loading(question, speed, plan.load, plan.ratio, n);
    if (candidate.first_token_ms < best.first_token_ms) best = std::move(candidate);
  }
  return best;
}

// Only where reading takes longest, and where it is worth the memory of all rows at once. all: everything that is
// stored, loaded; best: that, or some of it from its text.
LoadingPlan compute_first_layers(const LoadingQuestion& question, const SpeedProfile& speed, const LoadingPlan& all,
                                 LoadingPlan best) {
  if (question.most_full_layers == 0 || all.load_ms <= all.compute_ms + all.decode_ms / std::max(question.n_cores, 1)) {
    return best;
  }
  const double limit_ms = best.first_token_ms / kWorthOfFirstLayers;
  LoadingPlan of_all = soonest_first_layers(question, speed, all);
  LoadingPlan of_some = soonest_first_layers(question, speed, best);
  LoadingPlan& sooner = of_all.first_token_ms < of_some.first_token_ms ? of_all : of_some;
  return sooner.first_token_ms <= limit_ms ? std::move(sooner) : best;
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
    LoadingPlan candidate = predict_loading(question, speed, best.load, least + middle * kRatioStep, best.full_layers);
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

double mean_layer_share(const engine::Selector& selector, int n_layers, double ratio, int n_full) {
  n_layers = std::max(n_layers, 1);
  n_full = std::clamp(n_full, 0, n_layers);
  const std::vector<double> shares = engine::layer_shares(selector, n_layers, ratio, n_full);
  double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (n_full > 0 && n_full < n_layers) {
    sum -= (1.0 - shares[static_cast<size_t>(n_full)]) * (1.0 - engine::kProjectionShare);
  }
  return sum / n_layers;
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
                            double ratio, int n_full) {
  LoadingPlan plan;
  plan.ratio = ratio;
  plan.load = std::move(load);
  const Loaded loaded = loaded_of(question, speed, plan.load);
  plan.full_layers = loaded.tokens > 0.0 ? std::clamp(n_full, 0, question.n_layers) : 0;
  const Stages stages = stages_of(question, speed, loaded, plan);
  plan.load_ms = loaded.read_ms * stages.loaded_share;
  plan.decode_ms = loaded.decode_ms * stages.loaded_share;
  plan.compute_ms = stages.before_ms + stages.look_ms + stages.behind_ms;
  plan.first_token_ms = first_token_of(question, stages, loaded);
  const double total = total_tokens(question);
  const double all_rows = total - question.prefix_tokens;
  plan.full_ms = speed.compute_ms(all_rows, all_rows * (question.prefix_tokens + total) / 2);
  return plan;
}

LoadingPlan plan_loading(const LoadingQuestion& question, const SpeedProfile& speed) {
  std::vector<bool> load;
  load.reserve(question.chunks.size());
  for (const ChunkOffer& chunk : question.chunks) load.push_back(chunk.stored.has_value());
  const double least = first_ratio(question);
  LoadingPlan all = predict_loading(question, speed, load, least, question.full_layers.value_or(0));
  if (question.ratio || !speed.measured()) return all;
  LoadingPlan best = all;
  for (const size_t chunk : by_load_cost(question, speed)) {
    load[chunk] = false;
    LoadingPlan candidate = predict_loading(question, speed, load, least, question.full_layers.value_or(0));
    // A repaired chunk is an approximation, a computed one is not: the same time is enough.
    if (candidate.first_token_ms <= best.first_token_ms) best = std::move(candidate);
  }
  if (!question.full_layers) best = compute_first_layers(question, speed, all, std::move(best));
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
