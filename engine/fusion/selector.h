// Which rows of the cached chunks are recomputed: selectors as data.
//
// A selector says by what rows are ranked, how many first tokens of each chunk go first, and what share of the chunk
// rows is computed on each layer. Ranks:
//   deviation  CacheBlend (arXiv 2405.16444), section 4.3: tokens whose KV deviates most from the fresh values, found
//              on the first layers and filtered gradually (a little more than r at first, less from layer to layer).
//              Departure: where all rows were computed, the fresh KV of all of them is kept, since it is exact there.
//   position   EPIC / LegoLink (arXiv 2410.15332): the first tokens of each chunk carry the damage of separate prefill.
//   question   ProphetKV (arXiv 2602.02579): tokens the question attends to, when it looks at the stored KV first.
//              Departures: it looks through the first layers only, with its last rows, and what counts is its attention
//              where it reads facts off the chunks (docs/methods.md has the measurements): cheaper, and far better.
//   random     the control.
// Threads: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace mneme::engine {

enum class RankBy { kPosition, kDeviation, kQuestion, kRandom };

struct Selector {
  std::string_view name;
  RankBy rank = RankBy::kPosition;
  double boundary_share = 0.0;  // this share of the budget goes to the first tokens of each chunk but the first...
  int boundary_tokens = 0;      // ...at most this many of them
  bool gradual = false;         // kDeviation: several check layers instead of one
  // kQuestion: the question runs through this share of the layers first, and its attention on the last of them counts.
  double look_depth = 1.0;
  double look_scored = 1.0;  // share of the layers, of all
  int look_rows = 0;         // so many of the question's last rows look; 0: all
  bool whole_words = false;  // the tokens of a word share its highest score, a little less with every step
  // So many tokens before and after one share its score, a little less with every step.
  int take_before = 0;
  int take_after = 0;
  bool in_place_last = false;  // chunks that stand where they were computed come after all others
  // Rows are computed on this share of the layers, from the first on, and so many more of them, while there are enough.
  double depth = 1.0;
};

// Whether rows are chosen by a look through the question's eyes: only where some are, and not all.
bool looks_first(const Selector& selector, double ratio);

// Layers [first_scored, end) on which the question's attention is looked at; it runs through those before them too.
struct LookLayers {
  int first_scored = 0;
  int end = 0;
};
LookLayers look_layers(const Selector& selector, int n_layers);

std::span<const Selector> selectors();
std::optional<Selector> selector_by_name(std::string_view name);
const Selector& default_selector();

// Share of the chunk rows whose K and V are computed on each layer, for a ratio in [0, 1]: 1 up to the check layer, and
// on the first n_full layers, whose stored KV is not there to be compared with: the check layer is behind them.
std::vector<double> layer_shares(const Selector& selector, int n_layers, double ratio, int n_full = 0);

// One row of a cached chunk that might be recomputed.
struct Candidate {
  int row = 0;     // the caller's handle
  int chunk = 0;   // order of the chunk in the prompt
  int offset = 0;  // token within the chunk
  int chunk_tokens = 0;
  float score = 0.0f;     // higher goes first; NaN counts as lowest
  bool in_place = false;  // of a chunk that stands where it was computed: hardly anything to repair
};

// Indices into `candidates` of the chosen rows, ascending: `budget` of them, guaranteed first tokens before everything,
// then by score; ties go to the earlier row. Deterministic.
std::vector<int> choose_rows(const Selector& selector, std::span<const Candidate> candidates, int budget, double ratio);

}  // namespace mneme::engine
