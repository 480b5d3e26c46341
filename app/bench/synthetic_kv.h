// Keys and values made up for lengths that a prefill would take hours to reach, with the traits that matter to
// retrieval: a few strong directions and a tail of weak ones, a mean with outlying dimensions, topics that last for
// stretches of text. Their times are real; what they say about quality is not. Threads: one at a time.
#pragma once

#include <cstdint>

#include "base/status.h"

namespace mneme::engine {
class LanguageModel;
class Sequence;
}  // namespace mneme::engine

namespace mneme::app {

// Fills an empty sequence with n_tokens tokens.
Status place_structured_kv(engine::LanguageModel& model, engine::Sequence& sequence, int n_tokens, uint64_t seed);

}  // namespace mneme::app
