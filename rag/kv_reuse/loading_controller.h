// The loading controller (CacheBlend, paper 002, section 5.1): how a prompt's chunks are come by, so that the first
// token comes soon and every millisecond that loading takes anyway is spent on repairing.
//
//   The share r of recomputed rows is the largest that hides behind loading and decoding, never below r*, and in tiny
//   contexts not below what is computed in the same time.
//   A chunk is computed from its text where that is sooner than loading it. Where most of a prompt must be computed
//   anyway, all of it is: with some of it loaded, a selector that looks first would read the rest nearly twice.
//   Where the storage takes longest, the first layers of the model are computed for the whole prompt while those behind
//   them are read, so many of them that the first token comes soonest: they need neither be read nor repaired.
//   Of several stored forms of a chunk the one asked for is taken, else the finest there is.
//   New chunks go to the cheapest storage whose loading still hides behind recomputation at r*.
//
// Departure from the paper, whose storage and GPU work side by side: here decoding takes cores from the computation.
// A prompt therefore takes the longest of: reading; decoding on one core; computing plus decoding spread over all
// cores. What a selector looks through must be there before the first row is repaired. Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/codec/codec.h"
#include "engine/fusion/selector.h"
#include "rag/kv_reuse/speed_profile.h"

namespace mneme::rag {

// A way a chunk is stored.
struct StoredForm {
  engine::KvLevel level = engine::KvLevel::kMedium;
  std::string root;  // folder of the store
  int64_t bytes = 0;
};

struct ChunkOffer {
  int n_tokens = 0;
  std::optional<StoredForm> stored;  // none: it must be computed
};

struct LoadingQuestion {
  std::vector<ChunkOffer> chunks;  // in the order of the prompt
  int prefix_tokens = 0;           // in place already
  int other_tokens = 0;            // labels, question: always computed
  int64_t fp16_bytes_per_token = 0;
  int n_layers = 1;
  int n_cores = 1;
  double least_ratio = 0.15;    // r*, by the model's quality gate
  std::optional<double> ratio;  // fixed by the user
  // First layers that are computed for all rows: fixed by the user; else at most so many, where the ratio is not fixed.
  std::optional<int> full_layers;
  int most_full_layers = 0;
  engine::Selector selector = engine::default_selector();
};

struct LoadingPlan {
  double ratio = 0.0;
  int full_layers = 0;          // the first ones, computed for all rows and not loaded
  std::vector<bool> load = {};  // per chunk; else compute it
  // Predictions.
  double load_ms = 0.0;    // of the layers that are loaded
  double decode_ms = 0.0;  // of one core
  double compute_ms = 0.0;
  double first_token_ms = 0.0;
  double full_ms = 0.0;  // of computing everything

  int n_computed() const;  // chunks that are computed from their text
};

// Share of a chunk's rows that is recomputed, as the mean over the layers: selectors that look first compute more on
// the first ones. n_full of them are computed for all rows, the last of these but for K and V only as those behind it.
double mean_layer_share(const engine::Selector& selector, int n_layers, double ratio, int n_full = 0);

// How many first layers are computed for all rows at most, and are judged by the quality gate: half. Beyond, little is
// left to be loaded.
constexpr int most_full_layers(int n_layers) {
  return n_layers / 2;
}

// What a selector that looks through the question's eyes computes before it chooses, as a share of one pass over all
// that is not loaded: the question and the chunks that are computed from their text.
double look_share(const engine::Selector& selector, int n_layers, double ratio);

// The share that a plan begins with: the user's, else r*, raised so far that some rows are repaired in a context of any
// size.
double first_ratio(const LoadingQuestion& question);

LoadingPlan plan_loading(const LoadingQuestion& question, const SpeedProfile& speed);

// What loading some of the chunks and recomputing the share `ratio` of their rows would take, the first n_full layers
// being computed for all rows.
LoadingPlan predict_loading(const LoadingQuestion& question, const SpeedProfile& speed, std::vector<bool> load,
                            double ratio, int n_full = 0);

// How long a chunk may take to load and still hide behind the recomputation of its share, in a prompt of usual length.
double hidden_load_ms(const SpeedProfile& speed, int chunk_tokens, double ratio);

// Roots from the dearest to the cheapest; bytes per second, 0: not known yet. Index of the cheapest that delivers
// `bytes` within `hidden_ms`; the fastest when none does. At least one root.
size_t cheapest_root_that_hides(std::span<const double> bytes_per_second, double bytes, double hidden_ms);

}  // namespace mneme::rag
