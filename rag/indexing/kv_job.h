// `index --kv now`: the KV of every passage of a collection that is not stored yet. What is done stays: stopping and
// starting again goes on where it was. Threads: one run at a time; callbacks come from the calling thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/codec/codec.h"

namespace mneme::rag {

class Workspace;

struct KvEstimate {
  int64_t chunks = 0;    // to be computed
  int64_t stored = 0;    // there already
  int64_t tokens = 0;    // of those to be computed
  double bytes = 0.0;    // on disk, by the model's calibration
  double seconds = 0.0;  // by the model's measured speed
  uint64_t quota_bytes = 0;
};

struct KvProgress {
  int64_t done = 0;
  int64_t total = 0;
  double seconds = 0.0;
};

struct KvReport {
  int64_t computed = 0;
  int64_t already_stored = 0;
  int64_t tokens = 0;
  uint64_t bytes = 0;  // held by the store afterwards
  double seconds = 0.0;
  bool interrupted = false;
  bool quota_reached = false;  // the store is full: computing more would only evict what was computed
};

struct KvCallbacks {
  std::function<void(const KvEstimate&)> estimated;  // once, before the first chunk is computed
  std::function<void(const KvProgress&)> progress;
};

// kUnsupported without a language model; kNotFound for an unknown collection.
Result<KvReport> compute_collection_kv(Workspace& workspace, const std::string& collection, engine::KvLevel level,
                                       const KvCallbacks& callbacks = {},
                                       const CancelToken& cancel = never_cancelled());

}  // namespace mneme::rag
