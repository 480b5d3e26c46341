// What could be quoted for one question: every sentence, item and row of the passages, and the lists a question asks
// for as a whole, each with what speaks for it. Threads: one finder per thread.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "rag/quoting/passage_outline.h"
#include "rag/quoting/quoting.h"
#include "rag/quoting/sentence_evidence.h"
#include "rag/quoting/wanted_words.h"
#include "rag/text/asked_contact.h"
#include "rag/text/asked_document.h"
#include "rag/text/asked_labels.h"
#include "rag/text/document_names.h"
#include "rag/text/question_kind.h"

namespace mneme::rag {

struct QuoteCandidate {
  QuotedSentence quote;
  SentenceEvidence evidence;
  std::set<std::string> found;  // the question's stems it holds
};

class QuoteFinder {
 public:
  // question: one of question_parts() of `whole`; the words of the other parts say what it is about. The outlines and
  // the texts are borrowed. leaned_on: QuotingOptions.
  QuoteFinder(std::string_view question, std::string_view whole, std::span<const PassageOutline> outlines,
              const Embedder* embedder, std::string_view leaned_on = {});

  // Scored, best first; none that says too little.
  std::vector<QuoteCandidate> find();

 private:
  bool fits(const QuoteCandidate& candidate) const;
  bool states_new_number(std::string_view text) const;
  double share_of_topic(size_t p) const;
  void keep_fitting(std::vector<QuoteCandidate>& candidates) const;
  bool says_what_is_asked(const std::vector<std::string>& heading) const;
  void keep_with_symbols(std::vector<QuoteCandidate>& candidates) const;
  void keep_with_names(std::vector<QuoteCandidate>& candidates) const;
  void keep_statements(std::vector<QuoteCandidate>& candidates) const;
  bool says_title(const QuoteCandidate& candidate) const;
  bool bears_name(const QuoteCandidate& candidate) const;
  void keep_with_quantity(std::vector<QuoteCandidate>& candidates) const;
  void keep_with_contact(std::vector<QuoteCandidate>& candidates) const;
  double cue_of_definition(const OutlinePart& part) const;
  void look_at_form(const OutlinePart& part, std::string_view text, QuoteCandidate& candidate) const;
  QuoteCandidate look_at_part(size_t p, size_t i);
  QuoteCandidate look_at_list(size_t p, const OutlineList& list);
  bool tells_what_to_do(const PassageOutline& outline, const OutlineList& section) const;
  double list_fits(const PassageOutline& outline, const OutlineList& list, double heading_share,
                   double above_share) const;
  void look_around(size_t p, size_t i, QuoteCandidate& candidate, std::set<std::string>& known) const;
  void read_heading(size_t p, size_t i, QuoteCandidate& candidate, std::set<std::string>& known) const;
  double titled(size_t p) const;
  double labelled(size_t p, size_t i) const;
  void name_document(QuotedSentence& quote) const;
  void name_manual(QuoteCandidate& candidate) const;
  bool is_only_action(const std::vector<std::string>& name) const;

  const std::string_view question_;
  const std::span<const PassageOutline> outlines_;
  const Embedder* const embedder_;
  const QuestionKind kind_;
  const std::string unit_;                // what is counted, where a number is asked for
  const bool price_;                      // a sum of money is asked for
  const bool asks_steps_;                 // "what should I do"
  const Contact contact_;                 // ... or how to reach somebody
  const std::vector<std::string> thing_;  // words of what a definition is asked of
  const CalledNames names_;
  const AskedLabels labels_;
  const AskedDocument document_;
  const std::string action_;      // stem of what somebody wants to do: "make" of "How do I make ...?"; mostly empty
  std::set<std::string> acting_;  // stems of the verbs that say so in an instruction
  const std::string short_form_;  // whose definition is asked for; mostly empty
  std::vector<std::string> symbols_;
  std::vector<uint64_t> titles_;  // per passage: what its document's title takes of the question (asked_labels.h)
  std::vector<bool> own_;         // per passage: of the document that the question calls by name
  bool any_own_ = false;
  std::unordered_set<std::string> leaned_on_;  // stems
  std::vector<double> on_topic_;               // per passage: how much of what is leaned on it tells of
  WantedWords wanted_;
  std::unordered_set<std::string> matter_;  // stems of what a definition is asked of; of all that is asked otherwise
};

}  // namespace mneme::rag
