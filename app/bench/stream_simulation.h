// The streamer in virtual time: the same plan (rag/kv_reuse/timed_plan.h), the same estimate of the throughput, over a
// bandwidth trace, but nothing is read and nobody waits; thousands of requests take milliseconds and always come out
// the same. Threads: pure functions, but for the meter they are given.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "rag/kv_reuse/stream_plan.h"
#include "storage/chunks/bandwidth_trace.h"
#include "storage/chunks/throughput_meter.h"

namespace mneme::app {

struct SimulatedStream {
  double seconds = 0;  // until everything is there
  double loss = 0;     // sum over tokens
  // Chunks by the form of each of their layers, added up: by KvLevel, then text. In chunks: they add up to the chunks.
  std::array<double, rag::kStreamLevels + 1> forms{};
};

// fixed: no adaptation, this form for all chunks. start: when the request comes, in the trace. Every chunk has n_layers
// layers of equal size; layer l of all chunks passes the link, piece by piece as the meter sees them, then layer l + 1.
SimulatedStream simulate_stream(std::span<const rag::StreamChunk> chunks, const rag::StreamGoal& goal,
                                std::optional<rag::StreamForm> fixed, const storage::BandwidthTrace& trace,
                                double start, int n_layers, storage::ThroughputMeter& meter);

}  // namespace mneme::app
