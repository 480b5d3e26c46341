// Picks the next token from logits: repetition penalty, then the largest at temperature 0, else temperature, top-k,
// top-p, in that order, and a draw. Equal seed, options and logits give equal tokens. Threads: one object per
// generation.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/status.h"
#include "engine/backend/likeliest_tokens.h"
#include "engine/types.h"

namespace mneme::engine {

struct SamplerOptions {
  float temperature = 0.0f;         // 0: greedy, ties to the lowest id
  int top_k = 0;                    // 0: all
  float top_p = 1.0f;               // in (0, 1]
  float repetition_penalty = 1.0f;  // > 1 discourages tokens of the last `repetition_window`
  int repetition_window = 64;
  uint64_t seed = 0;
};

class Sampler {
 public:
  explicit Sampler(const SamplerOptions& options);
  // logits (vocab_size); never picks a NaN or -infinity: kNoToken when there is nothing else, which means that the
  // model's numbers broke down. Remembers the token for the repetition penalty.
  TokenId sample(std::span<const float> logits);
  // The same token, where the likeliest tokens of those logits decide which it is; nothing where all logits are needed,
  // which sample(logits) then takes. That is so for a repetition penalty, and where the draw or the end of top_p falls
  // behind those tokens or so close to the border between two that rounding would decide.
  std::optional<TokenId> sample(const LikeliestTokens& likeliest);
  // What the likeliest tokens' total is to be of; 0: the likeliest one alone is needed.
  float temperature_of_total() const { return options_.temperature > 0.0f ? options_.temperature : 0.0f; }
  bool needs_all_logits() const { return options_.repetition_penalty != 1.0f; }

 private:
  SamplerOptions options_;
  Random random_;
  struct Candidate {
    TokenId id;
    float logit;
  };
  void collect(std::span<const float> logits);
  TokenId draw();
  std::optional<size_t> draw_from(const LikeliestTokens& likeliest);
  void remember(TokenId id);
  double uniform();

  std::optional<double> drawn_;  // a random number that did not decide yet
  std::vector<TokenId> recent_;  // ring of the last repetition_window tokens
  size_t next_recent_ = 0;
  std::vector<Candidate> candidates_;  // scratch, reused
  std::vector<double> weights_;        // scratch, reused
};

// log softmax of the n most likely tokens, most likely first.
struct TokenLogprob {
  TokenId id;
  float logprob;
};
std::vector<TokenLogprob> top_logprobs(std::span<const float> logits, int n);

// What to say where sample() had nothing to pick: kCorruption, with the model's file.
Status no_finite_logits(const std::string& model_path);

}  // namespace mneme::engine
