// How far two next-token distributions are apart, and how likely a token is. Threads: pure functions.
#pragma once

#include <span>

#include "engine/types.h"

namespace mneme::engine {

struct DistributionDistance {
  double kl = 0.0;        // KL(p || q) in nats; NaN when either has no finite logit
  bool same_top = false;  // the likeliest token is the same (ties to the lowest id)
};

// p, q: logits (vocab_size) of the same vocabulary.
DistributionDistance compare_distributions(std::span<const float> p_logits, std::span<const float> q_logits);

// log softmax of one token.
double token_log_probability(std::span<const float> logits, TokenId token);

}  // namespace mneme::engine
