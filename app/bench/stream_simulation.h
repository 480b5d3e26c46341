// The adaptive streamer in virtual time: the same plan, the same estimate of the throughput, over a bandwidth trace,
// but nothing is read and nobody waits; thousands of requests take milliseconds and always come out the same. Threads:
// pure functions, but for the meter they are given.
#pragma once

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
  std::vector<rag::StreamForm> forms;
};

// fixed: no adaptation, this form for all chunks. start: when the request comes, in the trace. Each chunk passes the
// link as n_segments segments (its layers), which the meter sees; the next chunk is decided on when the one before has
// passed.
SimulatedStream simulate_stream(std::span<const rag::StreamChunk> chunks, const rag::StreamGoal& goal,
                                std::optional<rag::StreamForm> fixed, const storage::BandwidthTrace& trace,
                                double start, int n_segments, storage::ThroughputMeter& meter);

}  // namespace mneme::app
