// Answering passage by passage, the ways CacheBlend compares itself with (paper 002, section 7.1): no passage sees
// another, so nothing has to be fused, and nothing that spans two passages is found.
//   map-rerank  every passage answers alone; the answer its model is surest of is taken.
//   map-reduce  every passage answers alone; the answers are the passages of a last question.
// For comparison in `mneme eval`, never a default. Threads: one at a time per Answerer.
#pragma once

#include <string>

#include "base/cancel.h"
#include "base/status.h"
#include "rag/answering/answerer.h"

namespace mneme::rag {

enum class MapKind { kRerank, kReduce };

// Over options.passages. The first token's time is that of the answer given: all passages before it included.
Result<Answer> ask_by_map(Answerer& answerer, MapKind kind, const std::string& question, const AskOptions& options,
                          const CancelToken& cancel = never_cancelled());

}  // namespace mneme::rag
