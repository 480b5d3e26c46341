#include "rag/kv_reuse/timed_plan.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace mneme::rag {

StreamChunk TimedChunk::whole() const {
  StreamChunk chunk = costs;
  for (size_t level = 0; level < layer_bytes.size(); ++level) {
    chunk.level_bytes[level] = std::accumulate(layer_bytes[level].begin(), layer_bytes[level].end(), uint64_t{0});
  }
  return chunk;
}

TimedPlan::TimedPlan(std::vector<TimedChunk> chunks, int n_layers, const StreamGoal& goal, double other_seconds)
    : chunks_(std::move(chunks)), n_layers_(std::max(n_layers, 1)), goal_(goal), other_seconds_(other_seconds) {
  for (const TimedChunk& chunk : chunks_) {
    auto& from = bytes_from_.emplace_back();
    for (size_t level = 0; level < from.size(); ++level) {
      const std::vector<uint64_t>& layers = chunk.layer_bytes[level];
      from[level].assign(layers.empty() ? 0 : layers.size() + 1, 0);
      for (size_t layer = layers.size(); layer-- > 0;) from[level][layer] = from[level][layer + 1] + layers[layer];
    }
  }
}

const StreamPlan& TimedPlan::begin(double now, double bytes_per_second) {
  std::vector<StreamChunk> whole;
  for (const TimedChunk& chunk : chunks_) whole.push_back(chunk.whole());
  plan_ = plan_stream(whole, {now, now, now + other_seconds_, bytes_per_second}, goal_);
  text_seconds_ = 0;
  for (size_t c = 0; c < chunks_.size(); ++c) {
    if (is_text(c)) text_seconds_ += chunks_[c].costs.recompute_seconds.value_or(0.0);
  }
  return plan_;
}

// What is still to come of a chunk.
StreamChunk TimedPlan::rest_of(size_t chunk, int first_layer) const {
  const StreamChunk& costs = chunks_[chunk].costs;
  StreamChunk rest{.n_tokens = costs.n_tokens, .level_bytes = {}, .decode_seconds = {}, .recompute_seconds = {}};
  const double share = static_cast<double>(n_layers_ - first_layer) / n_layers_;
  for (size_t level = 0; level < rest.level_bytes.size(); ++level) {
    const std::vector<uint64_t>& from = bytes_from_[chunk][level];
    if (static_cast<size_t>(first_layer) < from.size())
      rest.level_bytes[level] = from[static_cast<size_t>(first_layer)];
    rest.decode_seconds[level] = costs.decode_seconds[level] * share;
  }
  return rest;
}

// When another piece than the last one is asked for, the last one was read as chosen: it keeps the processor busy.
void TimedPlan::settle(int chunk, int layer, double now) {
  if (last_.chunk >= 0 && (last_.chunk != chunk || last_.layer != layer)) {
    const StreamChunk& costs = chunks_[static_cast<size_t>(last_.chunk)].costs;
    double seconds = costs.decode_seconds[static_cast<size_t>(last_.level)];
    if (last_.layer != layer) seconds += other_seconds_ + text_seconds_;
    compute_free_ = std::max(compute_free_, now) + seconds / n_layers_;
  }
  last_.chunk = chunk;
  last_.layer = layer;
}

engine::KvLevel TimedPlan::choose(int chunk, int layer, double now, double bytes_per_second) {
  settle(chunk, layer, now);
  const size_t n = chunks_.size();
  const auto own = static_cast<size_t>(chunk);
  assert(plan_.forms.size() == n && !is_text(own));
  // In the order in which they will be read: this layer of the chunks from here on; those before are a layer ahead.
  std::vector<StreamChunk> rest;
  for (size_t i = 0; i < n; ++i) {
    const size_t c = (own + i) % n;
    const int first = c >= own ? layer : layer + 1;
    if (!is_text(c) && first < n_layers_) rest.push_back(rest_of(c, first));
  }
  const double share = static_cast<double>(n_layers_ - layer) / n_layers_;
  const StreamState state{now, now, std::max(now, compute_free_) + (other_seconds_ + text_seconds_) * share,
                          bytes_per_second};
  const StreamForm form = plan_stream(rest, state, goal_).forms.front();
  last_.level = form.level.value_or(plan_.forms[own].level.value_or(engine::KvLevel::kMedium));
  return last_.level;
}

}  // namespace mneme::rag
