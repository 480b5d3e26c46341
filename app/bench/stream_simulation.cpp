#include "app/bench/stream_simulation.h"

#include <algorithm>

namespace mneme::app {
namespace {

// Sends one chunk's bytes from `begin` (seconds of the trace) on; when the last one has passed.
double send(const storage::BandwidthTrace& trace, double begin, uint64_t bytes, int n_segments,
            storage::ThroughputMeter& meter) {
  const double segment = static_cast<double>(bytes) / n_segments;
  for (int i = 0; i < n_segments; ++i) {
    const double end = trace.finish(begin, segment);
    meter.add(static_cast<uint64_t>(segment), end - begin);
    begin = end;
  }
  return begin;
}

}  // namespace

SimulatedStream simulate_stream(std::span<const rag::StreamChunk> chunks, const rag::StreamGoal& goal,
                                std::optional<rag::StreamForm> fixed, const storage::BandwidthTrace& trace,
                                double start, int n_segments, storage::ThroughputMeter& meter) {
  SimulatedStream result;
  double link = 0;     // seconds since the request, when the link is free
  double compute = 0;  // and the processor
  for (size_t i = 0; i < chunks.size(); ++i) {
    rag::StreamForm form;
    if (fixed) {
      form = *fixed;
    } else {
      const rag::StreamState state{link, link, compute, meter.bytes_per_second()};
      form = rag::plan_stream(chunks.subspan(i), state, goal).forms.front();
    }
    if (form.is_text()) {
      compute = std::max(compute, link) + chunks[i].recompute_seconds.value_or(0.0);
    } else {
      const auto level = static_cast<size_t>(*form.level);
      link = send(trace, start + link, chunks[i].level_bytes[level], n_segments, meter) - start;
      compute = std::max(compute, link) + chunks[i].decode_seconds[level];
      result.loss += chunks[i].n_tokens * goal.loss[level];
    }
    result.forms.push_back(form);
  }
  result.seconds = std::max(link, compute);
  return result;
}

}  // namespace mneme::app
