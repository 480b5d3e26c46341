#include "engine/fusion/selection_fingerprint.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "engine/fusion/fusion_rows.h"
#include "engine/fusion/row_scores.h"
#include "engine/fusion/word_starts.h"

namespace mneme::engine {
namespace {

// Raised by hand when FusionAttempt puts the steps together in another way, which the fixed prompt below does not see:
// FocusTest.TakesTheRowsOfItsVersion then fails.
constexpr uint64_t kAttemptVersion = 2;

constexpr std::array kDepths{2, 8, 24};        // of models
constexpr std::array kRatios{0.15, 0.3, 0.5};  // that the quality gate tries
constexpr int kPrefixTokens = 4;
constexpr int kLabelTokens = 2;
constexpr int kQuestionTokens = 7;
constexpr int kPassages = 3;

void add_number(Hasher128& hasher, double value) {
  hasher.add(std::bit_cast<uint64_t>(value));
}

// The binding names every field: with one more it does not compile until that is added here.
void add_fields(Hasher128& hasher, const Selector& selector) {
  const auto& [name, rank, boundary_share, boundary_tokens, gradual, look_depth, look_scored, look_rows, whole_words,
               take_before, take_after, in_place_last, depth] = selector;
  hasher.add(name);
  for (const double share : {boundary_share, look_depth, look_scored, depth}) add_number(hasher, share);
  for (const int number : {static_cast<int>(rank), boundary_tokens, look_rows, take_before, take_after}) {
    hasher.add(static_cast<uint64_t>(number));
  }
  for (const bool flag : {gradual, whole_words, in_place_last}) hasher.add(uint64_t{flag});
}

// Words, numbers and marks, as a vocabulary of pieces cuts them.
const std::vector<std::string>& passage_tokens() {
  static const std::vector<std::string> kTokens = {
      " The", " mill", " of", " Or", "ven", " was", " built", " in",  " ",    "1",      "7",      "3", "1",
      ",",    " by",   " a",  " Lu", "nd",  "er",   ",",      " and", " its", " wheel", " turns", "."};
  return kTokens;
}

PromptPlan fixed_plan() {
  PromptPlan plan;
  plan.prefix_tokens = kPrefixTokens;
  for (int passage = 0; passage < kPassages; ++passage) {
    plan.segments.push_back({std::vector<TokenId>(kLabelTokens), -1, false});
    plan.segments.push_back({std::vector<TokenId>(passage_tokens().size()), passage, false});
  }
  plan.segments.push_back({std::vector<TokenId>(kQuestionTokens), -1, true});
  return plan;
}

// Attention of the question in a small model whose keys and queries are numbers of a fixed sequence, far enough from
// each other that every processor ranks them alike.
std::vector<float> fixed_scores(const Selector& selector, const FusionRows& layout) {
  ModelConfig config;
  config.n_heads = 2;
  config.n_kv_heads = 1;
  config.head_dim = 16;
  config.attention_scale = 0.25f;
  Random random(1);
  const size_t n_rows = layout.rows.size();
  LayerSnapshot layer;
  layer.keys.resize((kPrefixTokens + n_rows) * static_cast<size_t>(config.kv_dim()));
  for (f16& key : layer.keys) key = to_f16(2.0f * random.gaussian());
  std::vector<int> all(n_rows);
  std::iota(all.begin(), all.end(), 0);
  std::vector<float> queries;
  std::vector<int> positions;
  for (const int row : looking_rows(layout, all, selector)) {
    positions.push_back(layout.rows[static_cast<size_t>(row)].position);
    for (int i = 0; i < config.n_heads * config.head_dim; ++i) queries.push_back(random.gaussian());
  }
  std::vector<float> mass(kPrefixTokens + n_rows);
  add_attention_mass(config, queries, positions, layer, 0, mass);
  mass.erase(mass.begin(), mass.begin() + kPrefixTokens);
  return mass;
}

void add_rows(Hasher128& hasher, const Selector& selector) {
  const FusionRows layout = lay_out(fixed_plan(), kPrefixTokens);
  std::vector<float> scores = fixed_scores(selector, layout);
  const std::vector<uint8_t> starts = word_starts(passage_tokens());
  for (const PlacedChunk& chunk : layout.chunks) {
    widen_scores(selector, starts,
                 std::span(scores).subspan(static_cast<size_t>(chunk.first - kPrefixTokens), starts.size()));
  }
  std::vector<int> all(layout.rows.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<Candidate> candidates = candidates_of(layout, all);
  for (Candidate& c : candidates) c.score = scores[static_cast<size_t>(c.row)];
  for (const int n_layers : kDepths) {
    const LookLayers look = look_layers(selector, n_layers);
    hasher.add(static_cast<uint64_t>(look.first_scored));
    hasher.add(static_cast<uint64_t>(look.end));
    for (const double ratio : kRatios) {
      hasher.add(uint64_t{looks_first(selector, ratio)});
      for (const double share : layer_shares(selector, n_layers, ratio)) {
        const int budget = static_cast<int>(std::lround(share * layout.n_chunk_rows));
        const std::vector<int> kept = rows_to_keep(layout, all, selector, candidates, budget, ratio);
        hasher.add(std::as_bytes(std::span(kept)));
      }
    }
  }
}

}  // namespace

std::string selection_fingerprint(const Selector& selector) {
  Hasher128 hasher;
  hasher.add(kAttemptVersion);
  add_fields(hasher, selector);
  add_rows(hasher, selector);
  return hasher.finish().hex();
}

}  // namespace mneme::engine
