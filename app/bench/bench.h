// The measurements of `mneme bench`. Each gives the `results` array of the contract; cmd_bench puts the envelope around
// it. Contenders run in turn within each repetition, after one unmeasured round. Threads: the main thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/ceilings.h"
#include "app/context.h"
#include "base/status.h"

namespace mneme::app {

struct BenchOptions {
  std::string shape;          // a random model of a named shape; else --model
  std::string type = "Q8_0";  // tensor type of the shape
  int reps = 5;
  int tokens = 0;              // 0: what the measurement takes by default
  std::vector<int> contexts;   // tokens before those measured; empty: none
  std::string kv = "prefill";  // how those come to be there: prefill or synthetic
  int chunks = 0;
  std::string path;  // index: measure on this folder instead of a made-up corpus
};

Result<nlohmann::json> bench_prefill(Context& context, const BenchOptions& options, const Ceilings& ceilings);
Result<nlohmann::json> bench_decode(Context& context, const BenchOptions& options, const Ceilings& ceilings);
Result<nlohmann::json> bench_index(Context& context, const BenchOptions& options);
Result<nlohmann::json> bench_search(Context& context, const BenchOptions& options);
// The window with `chunks` documents (one passage each) and 1,000 chats in a home at `path` (empty: a temporary one; a
// home given is filled once and kept).
Result<nlohmann::json> bench_window(Context& context, const BenchOptions& options);

}  // namespace mneme::app
