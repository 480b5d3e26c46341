// What decides which rows a selector takes, as a name that changes with it: whoever keeps a judgement of a selector
// (the quality gate) keeps it under this name, so that no change of the code leaves an old judgement standing. Threads:
// pure.
#pragma once

#include <string>

#include "engine/fusion/selector.h"

namespace mneme::engine {

// Hex digits: a hash of every field of the selector, of its layers at several depths, and of the rows that the steps of
// a fusion (fusion_rows.h, row_scores.h, word_starts.h, selector.h) take in a fixed prompt.
std::string selection_fingerprint(const Selector& selector);

}  // namespace mneme::engine
