#include "app/bench/stream_simulation.h"

#include <algorithm>

#include "rag/kv_reuse/timed_plan.h"

namespace mneme::app {
namespace {

using rag::StreamForm;

rag::TimedPlan make_plan(std::span<const rag::StreamChunk> chunks, const rag::StreamGoal& goal, int n_layers) {
  std::vector<rag::TimedChunk> timed;
  for (const rag::StreamChunk& chunk : chunks) {
    rag::TimedChunk& own = timed.emplace_back();
    own.costs = chunk;
    for (size_t level = 0; level < chunk.level_bytes.size(); ++level) {
      if (chunk.level_bytes[level] == 0) continue;
      own.layer_bytes[level].assign(static_cast<size_t>(n_layers),
                                    chunk.level_bytes[level] / static_cast<uint64_t>(n_layers));
    }
  }
  return rag::TimedPlan(std::move(timed), n_layers, goal, 0.0);
}

class Simulation {
 public:
  Simulation(std::span<const rag::StreamChunk> chunks, const rag::StreamGoal& goal, std::optional<StreamForm> fixed,
             const storage::BandwidthTrace& trace, double start, int n_layers, storage::ThroughputMeter& meter)
      : chunks_(chunks),
        goal_(goal),
        fixed_(fixed),
        trace_(trace),
        start_(start),
        n_layers_(n_layers),
        meter_(meter),
        plan_(make_plan(chunks, goal, n_layers)) {}

  SimulatedStream run() {
    plan_.begin(0.0, meter_.bytes_per_second());
    for (int layer = 0; layer < n_layers_; ++layer) {
      double compute = 0;  // of this layer, when all of it is there
      for (size_t c = 0; c < chunks_.size(); ++c) compute += bring(static_cast<int>(c), layer);
      computed_ = std::max(computed_, link_) + compute;
    }
    result_.seconds = std::max(link_, computed_);
    return result_;
  }

 private:
  StreamForm form_of(int chunk, int layer) {
    if (fixed_) return *fixed_;
    if (plan_.plan().forms[static_cast<size_t>(chunk)].is_text()) return {};
    return {plan_.choose(chunk, layer, link_, meter_.bytes_per_second())};
  }

  // Gives the seconds of the processor that the layer takes.
  double bring(int number, int layer) {
    const rag::StreamChunk& chunk = chunks_[static_cast<size_t>(number)];
    const StreamForm form = form_of(number, layer);
    result_.forms[form.is_text() ? rag::kStreamLevels : static_cast<size_t>(*form.level)] += 1.0 / n_layers_;
    if (form.is_text()) return chunk.recompute_seconds.value_or(0.0) / n_layers_;
    const auto level = static_cast<size_t>(*form.level);
    const double bytes = static_cast<double>(chunk.level_bytes[level]) / n_layers_;
    const double end = trace_.finish(start_ + link_, bytes) - start_;
    meter_.add(static_cast<uint64_t>(bytes), end - link_);
    link_ = end;
    result_.loss += chunk.n_tokens * goal_.loss[level] / n_layers_;
    return chunk.decode_seconds[level] / n_layers_;
  }

  const std::span<const rag::StreamChunk> chunks_;
  const rag::StreamGoal& goal_;
  const std::optional<StreamForm> fixed_;
  const storage::BandwidthTrace& trace_;
  const double start_;
  const int n_layers_;
  storage::ThroughputMeter& meter_;
  rag::TimedPlan plan_;
  SimulatedStream result_;
  double link_ = 0;      // seconds since the request, when the link is free
  double computed_ = 0;  // and the layers before are computed
};

}  // namespace

SimulatedStream simulate_stream(std::span<const rag::StreamChunk> chunks, const rag::StreamGoal& goal,
                                std::optional<rag::StreamForm> fixed, const storage::BandwidthTrace& trace,
                                double start, int n_layers, storage::ThroughputMeter& meter) {
  return Simulation(chunks, goal, fixed, trace, start, n_layers, meter).run();
}

}  // namespace mneme::app
