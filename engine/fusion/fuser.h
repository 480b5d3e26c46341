// Fusion: a prompt of many cached chunks becomes one sequence whose KV answers as a full prefill would (CacheBlend).
//
// Layer by layer: the chunks' stored KV is placed at its new positions (keys rotated there), the rows chosen by the
// selector and all rows that are never cached (labels, question) are computed and replace what was stored; a row at
// position p sees keys at positions <= p only. ratio 0 is full reuse; ratio 1 recomputes everything and equals the full
// prefill. First layers that are computed for all rows are as in the full prefill, whatever the ratio; what a selector
// looks at there is that. Computing the first layers while the others are read follows Cake (arXiv 2410.03065), which
// computes the first tokens while the last are read: here every row behind them has seen them all. A chunk whose KV
// turns out damaged or missing is recomputed, and reported. Ownership: borrows model, source and codecs for the call.
// Threads: one fusion at a time per model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/fusion/prompt_plan.h"
#include "engine/fusion/selector.h"
#include "engine/kv/kv_source.h"
#include "engine/language_model.h"

namespace mneme::engine {

struct FuseOptions {
  Selector selector = default_selector();
  double ratio = 0.15;  // share of chunk rows recomputed on the layers after the check layer
  // So many of the first layers are computed for all rows from their text, while what is stored of the layers behind
  // them is read: theirs is not asked for. 0: none; all layers: nothing is read. A row behind them is as its share
  // says.
  int n_full_layers = 0;
  uint64_t seed = 0;                           // of the random selector
  Priority priority = Priority::kInteractive;  // of waiting for the model; a prompt is then fused in one go
  int n_loader_threads = 1;
  int read_ahead_layers = 2;
  // Stored KV is decoded while the model computes; else in between, by the threads that compute (where a device does,
  // beside it all the same). For a processor whose cores the computation has all of, in between is sooner.
  bool decode_beside = true;
};

// Of the last of the first layers only K and V are made of all rows, since nothing behind them asks for more: about so
// much of a layer's work. For whoever predicts it; a model's own share is between a tenth and a quarter.
inline constexpr double kProjectionShare = 0.2;

struct FuseReport {
  int64_t chunk_tokens = 0;
  int full_layers = 0;           // so many of the first were computed for all rows
  int64_t recomputed_pairs = 0;  // (chunk token, layer) pairs whose K and V were computed
  int64_t all_pairs = 0;
  int64_t bytes_read = 0;               // encoded
  int64_t bytes_decoded = 0;            // as fp16
  int64_t bytes_decoded_on_device = 0;  // of them
  double decode_ms = 0.0;               // summed over threads, a device being one; in between, with placing
  double wait_ms = 0.0;                 // computation stood still for loading, or helped with it
  double beside_ms = 0.0;               // of decode_ms, while the model computed (about)
  double total_ms = 0.0;                // until the logits were there
  // What the computation did, for whoever learns how long it takes: rows of all layers, and the keys they attended to.
  int64_t row_layers = 0;
  int64_t key_layers = 0;
  // By token of the plan: on how many layers, from the first on, its K and V were computed.
  std::vector<int> layers_computed;
  std::vector<int> failed_chunks;  // indices into the source: damaged or gone, computed from their tokens instead
  std::vector<Status> failures;    // why, in the same order

  double recompute_ratio() const {
    return all_pairs == 0 ? 0.0 : static_cast<double>(recomputed_pairs) / static_cast<double>(all_pairs);
  }
};

// Appends the prompt to `sequence`, at its end. Afterwards the sequence holds all tokens and the logits of the last
// one. codecs[c] decodes chunk c of the source. The last segment must be computed and not empty (the logits come from
// it). Errors: kUsage for a plan that does not fit the source; kResource when the prompt is longer than the sequence
// may be or memory holds; kCancelled, also while it waits for the model, leaves the sequence as it was.
Result<FuseReport> fuse(LanguageModel& model, Sequence& sequence, const PromptPlan& plan, KvSource& source,
                        std::span<const KvCodec* const> codecs, const FuseOptions& options,
                        const CancelToken& cancel = never_cancelled());

}  // namespace mneme::engine
