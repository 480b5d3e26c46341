// A prompt as fusion sees it: pieces in order, each either computed or taken from a chunk's cache. Everything that is
// not a chunk (labels, separators, question, chat turns) is always computed. Token ids are final: nothing is
// re-tokenised.
#pragma once

#include <vector>

#include "engine/types.h"

namespace mneme::engine {

struct PromptSegment {
  std::vector<TokenId> ids;
  int chunk = -1;         // index into the KvSource; -1: computed
  bool question = false;  // the question's own rows, for selectors that look through its eyes
};

struct PromptPlan {
  std::vector<PromptSegment> segments;
  int prefix_tokens = -1;  // of the prefix that the chunks were computed behind; -1: not known

  int n_tokens() const {
    size_t n = 0;
    for (const PromptSegment& segment : segments) n += segment.ids.size();
    return static_cast<int>(n);
  }
};

}  // namespace mneme::engine
