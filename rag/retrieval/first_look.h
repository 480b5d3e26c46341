// What every search reads in its candidates as a whole (passage_evidence.h): where the question's words stand,
// spelling, signs, names, labels. Cheap enough to be read in all of them; sentences are for the second look
// (second_look.h). Threads: immutable after construction.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rag/retrieval/looked_at.h"
#include "rag/retrieval/passage_evidence.h"
#include "rag/retrieval/passage_scorer.h"
#include "rag/text/asked/labels.h"
#include "rag/text/documents/document_names.h"
#include "rag/text/words/spelling.h"
#include "storage/catalogue/stop_words.h"

namespace mneme::rag {

class FirstLook {
 public:
  // idf of the question's terms by term, as lexical_terms() gives them.
  FirstLook(std::string_view question, const std::function<double(std::string_view)>& idf);

  // Fills what PassageScorer does, spelling, runs, symbols, named, labelled, titled and path of each passage's
  // evidence. Spelling and runs are weighed among these passages. evidence (passages.size()). Half of many passages is
  // read on a thread of its own.
  void look(std::span<const LookedAt> passages, std::span<PassageEvidence> evidence) const;

 private:
  void look_at_one(const LookedAt& passage, PassageEvidence& evidence) const;
  void look_at_runs(std::span<const LookedAt> passages, std::span<PassageEvidence> evidence) const;

  const std::string question_;
  const bool asks_short_form_;
  const bool unspaced_;
  const PassageScorer scorer_;
  const SpellingQuery spelling_;
  const storage::StopTerms language_;
  const bool in_latin_;
  const CalledNames names_;
  const CalledNames identifiers_;
  const AskedLabels labels_;
  const std::vector<std::string> symbols_;
};

}  // namespace mneme::rag
