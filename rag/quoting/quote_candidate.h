// Something that could be quoted for a question: a sentence, item or row of a passage, or a whole list, with what
// speaks for it. Ownership: a value.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "rag/quoting/quoting.h"
#include "rag/quoting/sentence_evidence.h"

namespace mneme::rag {

struct QuoteCandidate {
  QuotedSentence quote;
  SentenceEvidence evidence;
  std::set<std::string> found;  // the question's stems it holds
};

using QuoteCandidates = std::vector<QuoteCandidate>;

}  // namespace mneme::rag
