// bench codec, fetch and stream: what compressing, reading and streaming KV caches costs and gives. Each gives the
// `results` array of the contract. Threads: the main thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/context.h"
#include "base/status.h"

namespace mneme::app {

struct KvBenchOptions {
  int reps = 5;
  int tokens = 0;          // per chunk; 0: the default of each
  int chunks = 0;          // 0: the default of each
  bool synthetic = false;  // made-up KV instead of the model's
  std::string shape;       // codec: whose heads made-up KV has; empty: 4 heads x 64
  std::string path;        // codec: text whose KV is measured; fetch: folder to read in
};

// Size, error and speed per core of every codec and level, with memcpy and zstd -1 in turn with them; and, where a
// device decodes, how fast it decodes `chunks` such passages.
Result<nlohmann::json> bench_codec(Context& context, const KvBenchOptions& options);
// Reading stored chunks: past the page cache and through it, by io_uring and by threads, with several read-aheads;
// against one plain sequential read of the same bytes.
Result<nlohmann::json> bench_fetch(Context& context, const KvBenchOptions& options);
// Time goals missed and quality, by policy, over bandwidth traces.
Result<nlohmann::json> bench_stream(Context& context, const KvBenchOptions& options);

}  // namespace mneme::app
