// Whether what was found can answer a question, or the documents are about other things. Judged by the best passages:
// one of them must hold enough of the question. Besides, by rule: a document called by name ("PEP 20") must be among
// them or be spoken of; what a definition is asked of must be defined there, head a passage, or be its matter.
// Ownership: borrows terms and embedder. Threads: immutable after construction.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rag/retrieval/answer_evidence.h"
#include "rag/retrieval/asked_names.h"
#include "rag/retrieval/asked_words.h"
#include "rag/retrieval/passage_scorer.h"
#include "rag/retrieval/question_terms.h"
#include "rag/retrieval/second_look.h"
#include "rag/text/documents/document_names.h"

namespace mneme::rag {

class Embedder;
struct Hit;

class AnswerabilityJudge {
 public:
  // So many of the best passages are looked at.
  static constexpr size_t kJudged = 6;

  // names: names_known() of the question. embedder: whose similarities the hits have.
  AnswerabilityJudge(std::string_view question, QuestionTerms terms, std::span<const AskedName> names,
                     const Embedder& embedder);

  // The evidence of the first kJudged hits: what answer_odds() weighs, and what comes with counting words.
  std::vector<AnswerEvidence> look(std::span<const Hit> hits) const;
  // Every kind, for those who fit weights. Costs several times as much and decides the same.
  std::vector<AnswerEvidence> look_at_all(std::span<const Hit> hits) const;
  // Whether one of the hits, all of which are looked at for names, may answer. evidence: of look().
  bool may_answer(std::span<const Hit> hits, std::span<const AnswerEvidence> evidence) const;

 private:
  // A name of a person or place in the question.
  struct ProperName {
    AskedWords::Held words = 0;
    bool known = true;  // AskedName::known
  };

  void find_names(std::span<const AskedName> names);
  void count_words(AskedWords::Held held, AnswerEvidence& evidence) const;
  void bind_words(const Hit& hit, AnswerEvidence& evidence) const;
  bool shows_signs(std::span<const Hit> hits) const;
  bool bears_names(std::span<const Hit> hits) const;
  bool speaks_of_name(const Hit& hit) const;
  bool speaks_of_years(const Hit& hit) const;
  bool is_matter_of(const Hit& hit) const;      // only where a definition is asked for
  bool has_entry(std::string_view text) const;  // of what a definition is asked of
  bool is_named_in_code(const Hit& hit) const;

  const std::string question_;
  const QuestionTerms weights_;
  const Embedder& embedder_;
  const PassageScorer scorer_;
  const CalledNames names_;
  const std::vector<std::string> thing_;             // words of what a definition is asked of, folded
  const std::vector<std::string_view> identifiers_;  // of question_ (rag/text/words/identifiers.h)
  const std::vector<std::string> signs_;             // of the question, written as nothing else is: "|>", "--watch"
  const Writing writing_;
  std::optional<SecondLook> definitions_;  // only where a definition is asked for
  const AskedWords words_;
  const double total_ = 0.0;
  const double unseen_ = 1.0;         // the weight of a word that no document has
  const AskedWords::Held years_ = 0;  // "2021"
  std::optional<ProperName> proper_;  // the rarest name of the question
};

}  // namespace mneme::rag
