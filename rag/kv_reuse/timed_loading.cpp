#include "rag/kv_reuse/timed_loading.h"

#include <algorithm>
#include <utility>

namespace mneme::rag {
namespace {

// Repair that delays the first token by no more than this is taken for hidden.
constexpr double kHidden = 1.02;
constexpr double kRatioStep = 0.01;

// Seconds that each kind of row takes, by the profile; 0 where it was not measured.
struct RowSeconds {
  double of_chunk = 0.0;  // stands anywhere in the prompt
  double of_rest = 0.0;   // at its end
  double of_step = 0.0;
};

RowSeconds row_seconds(const LoadingQuestion& question, const SpeedProfile& speed) {
  double total = question.prefix_tokens + question.other_tokens;
  for (const ChunkOffer& chunk : question.chunks) total += chunk.n_tokens;
  return {.of_chunk = (speed.row_ms + speed.key_ms * (question.prefix_tokens + total) / 2) / 1e3,
          .of_rest = (speed.row_ms + speed.key_ms * total) / 1e3,
          .of_step = speed.step_ms / 1e3};
}

// How much of the rest of the prompt is read before rows are chosen; nothing where there is nothing to choose among.
double look_of(const TimedQuestion& question, double ratio) {
  const bool any_stored = std::any_of(question.layer_bytes.begin(), question.layer_bytes.end(), [](const auto& levels) {
    return std::any_of(levels.begin(), levels.end(), [](const auto& layers) { return !layers.empty(); });
  });
  return any_stored ? look_share(question.loading.selector, question.loading.n_layers, ratio) : 0.0;
}

// Decoding takes its share of the cores from the computation; what is repaired of a chunk comes after it. A look reads
// the chunks that come as text, too.
std::vector<TimedChunk> timed_chunks(const TimedQuestion& question, const SpeedProfile& speed, const RowSeconds& rows,
                                     double ratio) {
  const LoadingQuestion& loading = question.loading;
  const double share = mean_layer_share(loading.selector, loading.n_layers, ratio);
  const double passes = 1.0 + look_of(question, ratio);
  std::vector<TimedChunk> chunks;
  for (size_t c = 0; c < loading.chunks.size(); ++c) {
    const double n_tokens = loading.chunks[c].n_tokens;
    TimedChunk chunk;
    chunk.layer_bytes = question.layer_bytes[c];
    chunk.costs.n_tokens = loading.chunks[c].n_tokens;
    const double repair = n_tokens * share * rows.of_chunk;
    bool stored = false;
    for (size_t level = 0; level < chunk.layer_bytes.size(); ++level) {
      stored |= !chunk.layer_bytes[level].empty();
      const double decode_ms = speed.decode_ms(static_cast<engine::KvLevel>(level),
                                               n_tokens * static_cast<double>(loading.fp16_bytes_per_token));
      chunk.costs.decode_seconds[level] = decode_ms / 1e3 / std::max(loading.n_cores, 1) + repair;
    }
    // How long the text takes is not known before it was measured: then it is for what is nowhere else.
    if (speed.measured() || !stored) chunk.costs.recompute_seconds = n_tokens * passes * rows.of_chunk;
    chunks.push_back(std::move(chunk));
  }
  return chunks;
}

double finish_at(const TimedQuestion& question, const SpeedProfile& speed, const RowSeconds& rows, double ratio,
                 const std::vector<StreamForm>& forms, const StreamState& state) {
  std::vector<StreamChunk> chunks;
  for (const TimedChunk& chunk : timed_chunks(question, speed, rows, ratio)) chunks.push_back(chunk.whole());
  return predict_finish(chunks, forms, state);
}

// Everything from its text: nothing is loaded, so nothing is looked at.
TimedLoading all_text(const TimedQuestion& question, const RowSeconds& rows, const StreamGoal& goal) {
  const LoadingQuestion& loading = question.loading;
  std::vector<TimedChunk> chunks;
  for (const ChunkOffer& offer : loading.chunks) {
    TimedChunk& chunk = chunks.emplace_back();
    chunk.costs.n_tokens = offer.n_tokens;
    chunk.costs.recompute_seconds = offer.n_tokens * rows.of_chunk;
  }
  const double other_seconds = rows.of_step + loading.other_tokens * rows.of_rest;
  TimedLoading result{.plan = std::make_shared<TimedPlan>(std::move(chunks), loading.n_layers, goal, other_seconds),
                      .ratio = first_ratio(loading)};
  result.first_token_seconds = result.plan->begin(0.0, question.bytes_per_second).finish_seconds;
  return result;
}

// Computed chunks lose nothing, so they are better than any others that come in time.
bool is_better(const TimedLoading& text, const TimedLoading& loaded, const StreamGoal& goal) {
  const double limit = goal.seconds * (1 - goal.margin);
  if (loaded.first_token_seconds > limit) return text.first_token_seconds <= loaded.first_token_seconds;
  return text.first_token_seconds <= limit && loaded.plan->plan().loss > 0.0;
}

}  // namespace

TimedLoading plan_timed_loading(const TimedQuestion& question, const SpeedProfile& speed) {
  const LoadingQuestion& loading = question.loading;
  const RowSeconds rows = row_seconds(loading, speed);
  const double least = first_ratio(loading);
  const double other_seconds = rows.of_step + loading.other_tokens * (1.0 + look_of(question, least)) * rows.of_rest;
  const StreamGoal goal{.seconds = question.seconds};
  TimedLoading result{.plan = std::make_shared<TimedPlan>(timed_chunks(question, speed, rows, least), loading.n_layers,
                                                          goal, other_seconds),
                      .ratio = least};
  const StreamPlan& plan = result.plan->begin(0.0, question.bytes_per_second);
  result.first_token_seconds = plan.finish_seconds;
  if (!speed.measured()) return result;
  if (question.bytes_per_second > 0) {
    TimedLoading text = all_text(question, rows, goal);
    if (is_better(text, result, goal)) return text;
  }
  if (loading.ratio) return result;
  const double limit = result.first_token_seconds * kHidden;
  const StreamState state{0.0, 0.0, other_seconds, question.bytes_per_second};
  // The time grows with the share: bisection over its steps.
  int low = 0;
  int high = static_cast<int>((1.0 - least) / kRatioStep);
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    const double ratio = least + middle * kRatioStep;
    if (finish_at(question, speed, rows, ratio, plan.forms, state) <= limit) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  if (low > 0) result.ratio = least + low * kRatioStep;
  return result;
}

}  // namespace mneme::rag
