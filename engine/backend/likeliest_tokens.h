// The head of a row of logits, picked out on a device so that the row need not be copied. Threads: a plain value.
#pragma once

#include <vector>

#include "engine/types.h"

namespace mneme::engine {

struct LikeliestTokens {
  struct Token {
    TokenId id = kNoToken;
    float logit = 0;
  };
  std::vector<Token> tokens;  // likeliest first, the lower id of equals; none that is NaN or -infinity
  bool are_all = false;       // no other token has a number
  // The sum of e^((logit - the first's) / temperature) over all tokens, to about 1e-12 of it; 0: was not asked for.
  double total = 0;
};

}  // namespace mneme::engine
