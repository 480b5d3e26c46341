#include "rag/kv_reuse/stream_plan.h"

#include <algorithm>
#include <limits>

namespace mneme::rag {
namespace {

using engine::KvLevel;

constexpr double kNever = std::numeric_limits<double>::infinity();

bool possible(const StreamChunk& chunk, StreamForm form) {
  return form.is_text() ? chunk.recompute_seconds.has_value() : chunk.level_bytes[static_cast<size_t>(*form.level)] > 0;
}

double loss_of(const StreamChunk& chunk, StreamForm form, const StreamGoal& goal) {
  return form.is_text() ? 0.0 : chunk.n_tokens * goal.loss[static_cast<size_t>(*form.level)];
}

// Best quality first; of equals, stored ones before text, which costs the processor.
constexpr std::array<StreamForm, 5> kByQuality{
    {{KvLevel::kExact}, {}, {KvLevel::kHigh}, {KvLevel::kMedium}, {KvLevel::kLow}}};

// Moves the state past one chunk.
void pass(const StreamChunk& chunk, StreamForm form, StreamState& state) {
  if (!possible(chunk, form)) {
    state.compute_free = kNever;
    return;
  }
  if (form.is_text()) {
    state.compute_free = std::max(state.compute_free, state.now) + *chunk.recompute_seconds;
    return;
  }
  const auto level = static_cast<size_t>(*form.level);
  const double rate = state.bytes_per_second > 0 ? state.bytes_per_second : kNever;
  state.link_free = std::max(state.link_free, state.now) + static_cast<double>(chunk.level_bytes[level]) / rate;
  state.compute_free = std::max(state.compute_free, state.link_free) + chunk.decode_seconds[level];
}

StreamPlan finished(std::span<const StreamChunk> chunks, std::vector<StreamForm> forms, const StreamState& state,
                    const StreamGoal& goal) {
  StreamPlan plan;
  plan.finish_seconds = predict_finish(chunks, forms, state);
  for (size_t i = 0; i < chunks.size(); ++i) plan.loss += loss_of(chunks[i], forms[i], goal);
  plan.forms = std::move(forms);
  return plan;
}

// Every chunk in the form that is soonest after those before it.
std::vector<StreamForm> soonest(std::span<const StreamChunk> chunks, StreamState state) {
  std::vector<StreamForm> forms;
  for (const StreamChunk& chunk : chunks) {
    StreamForm best;
    double best_finish = kNever;
    for (const StreamForm& form : kByQuality) {
      StreamState after = state;
      pass(chunk, form, after);
      // What holds the link holds up the chunks behind it too.
      const double finish = std::max(after.compute_free, after.link_free);
      if (finish < best_finish) {
        best_finish = finish;
        best = form;
      }
    }
    pass(chunk, best, state);
    forms.push_back(best);
  }
  return forms;
}

// All chunks alike, or as near to it as what is stored allows: the next coarser level, else the next finer, else text.
std::vector<StreamForm> alike(std::span<const StreamChunk> chunks, KvLevel level) {
  std::vector<StreamForm> forms;
  for (const StreamChunk& chunk : chunks) {
    StreamForm form;
    for (int l = static_cast<int>(level); l < kStreamLevels && form.is_text(); ++l) {
      if (chunk.level_bytes[static_cast<size_t>(l)] > 0) form.level = static_cast<KvLevel>(l);
    }
    for (int l = static_cast<int>(level) - 1; l >= 0 && form.is_text(); --l) {
      if (chunk.level_bytes[static_cast<size_t>(l)] > 0) form.level = static_cast<KvLevel>(l);
    }
    forms.push_back(form);
  }
  return forms;
}

}  // namespace

double predict_finish(std::span<const StreamChunk> chunks, std::span<const StreamForm> forms,
                      const StreamState& state) {
  StreamState after = state;
  for (size_t i = 0; i < chunks.size(); ++i) pass(chunks[i], forms[i], after);
  return std::max({after.now, after.link_free, after.compute_free});
}

StreamPlan plan_stream(std::span<const StreamChunk> chunks, const StreamState& state, const StreamGoal& goal) {
  if (!(state.bytes_per_second > 0)) return finished(chunks, alike(chunks, KvLevel::kMedium), state, goal);
  const double limit = goal.seconds * (1 - goal.margin);
  StreamPlan plan = finished(chunks, soonest(chunks, state), state, goal);
  if (plan.finish_seconds > limit) return plan;
  // The best level that all of them can have, as the paper takes it, if that is better than what is soonest.
  for (int level = 0; level < kStreamLevels; ++level) {
    StreamPlan uniform = finished(chunks, alike(chunks, static_cast<KvLevel>(level)), state, goal);
    if (uniform.finish_seconds > limit) continue;
    if (uniform.loss < plan.loss) plan = std::move(uniform);
    break;
  }
  // What time is left after that improves single chunks, the first ones first: later ones are planned again.
  for (size_t i = 0; i < chunks.size(); ++i) {
    for (const StreamForm& form : kByQuality) {
      if (!possible(chunks[i], form)) continue;
      if (loss_of(chunks[i], form, goal) >= loss_of(chunks[i], plan.forms[i], goal)) continue;
      std::vector<StreamForm> forms = plan.forms;
      forms[i] = form;
      StreamPlan better = finished(chunks, std::move(forms), state, goal);
      if (better.finish_seconds > limit) continue;
      plan = std::move(better);
      break;
    }
  }
  return plan;
}

}  // namespace mneme::rag
