// What only the second look reads in the candidates (passage_evidence.h), sentence by sentence: whether one defines the
// thing that is asked about, whether one holds the kind of thing asked for, and the likeness of meaning of the nearest,
// where the vector of the whole passage blurs it. By far dearer than the first look (first_look.h).
// Ownership: borrows the embedder. Threads: immutable after construction.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "rag/retrieval/looked_at.h"
#include "rag/retrieval/passage_evidence.h"
#include "rag/retrieval/passage_scorer.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/documents/asked_document.h"

namespace mneme::rag {

class Embedder;

class SecondLook {
 public:
  // embedder: its vectors of sentences are used when it is a quick one; may be null.
  SecondLook(std::string_view question, const Embedder* embedder, const std::function<double(std::string_view)>& idf);

  // Fills defines, answer and sentence of one passage.
  void look(const LookedAt& passage, PassageEvidence& evidence) const;
  // The most that look() may find in any passage, beside what is there.
  PassageEvidence with_best_sentences(PassageEvidence evidence) const;

 private:
  double headed_by_thing(const LookedAt& passage) const;
  double names_document(std::string_view sentence) const;

  const std::string question_;
  const Embedder* const embedder_;
  const QuestionKind kind_;
  const AskedDocument document_;
  const std::string unit_;                 // what is counted, where a number is asked for
  std::unordered_set<std::string> asked_;  // stems of what a definition is asked of, else of all words
  const std::string short_form_;           // ... in capitals
  std::vector<std::string> thing_;         // stems of what a definition is asked of; empty where none is
  const PassageScorer scorer_;
  std::vector<float> question_vector_;  // empty without a quick embedder
};

}  // namespace mneme::rag
