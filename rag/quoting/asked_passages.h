// The passages that may answer, as one question sees them: what its words weigh there, which documents it calls by name
// or title, what of a conversation's topic each passage tells of. Ownership: borrows the question and the outlines.
// Threads: immutable after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rag/quoting/outline/passage_outline.h"
#include "rag/quoting/quote_question.h"
#include "rag/quoting/quoting.h"
#include "rag/quoting/wanted_words.h"

namespace mneme::rag {

class AskedPassages {
 public:
  AskedPassages(const QuoteQuestion& question, std::span<const PassageOutline> outlines);

  const QuoteQuestion& question() const { return question_; }
  size_t size() const { return outlines_.size(); }
  const PassageOutline& outline(size_t p) const { return outlines_[p]; }
  const PassageOutline& outline_of(const QuotedSentence& quote) const {
    return outlines_[static_cast<size_t>(quote.passage)];
  }
  const WantedWords& wanted() const { return wanted_; }

  // Whether a passage is of a document that the question calls by name or number; any_own(): whether one of them is.
  bool is_own(size_t p) const { return own_[p]; }
  bool any_own() const { return any_own_; }
  // Whether the question has all of the title of a passage's document (asked/labels.h).
  bool calls_title(size_t p) const { return titles_[p] != 0; }
  // ... and what that title says of the question. 0 where it has not, and for short forms: a program called by one is
  // not what its letters stand for.
  double titled(size_t p) const;
  // How much of what is asked of the thing that the document is about stands in the name under which part i says
  // something: its heading, its own label, or both. From 0 to 1.
  double labelled(size_t p, size_t i) const;
  // The share of the topic's words that a passage has, or what stands above it. From 0 to 1.
  double on_topic(size_t p) const { return on_topic_[p]; }
  // Whether it has nearly as many of them as the passage that has most, and speaks of what the question calls another
  // document by.
  bool is_on_topic(size_t p) const;

  // Whether the thing whose definition is asked for is set apart by emphasis again and again, which then introduces
  // nothing.
  bool emphasises_usually() const { return emphasises_usually_; }

  // Whether all of these words (folded), of which no passage that may be quoted has any, are told of by one that does
  // not speak of what the question calls a document by, as by a name: "network" of "How long is Corvid's network?", of
  // another's.
  bool only_others_tell(const std::vector<std::string>& words) const;

 private:
  double share_of_topic(size_t p) const;
  void find_called();
  void count_emphasis();
  void weigh_words();

  const QuoteQuestion& question_;
  const std::span<const PassageOutline> outlines_;
  std::vector<uint64_t> titles_;  // per passage: what its document's title takes of the question
  std::vector<bool> own_;
  bool any_own_ = false;
  bool calls_by_name_ = false;          // a document, by a word that is written as a name
  std::vector<bool> speaks_of_called_;  // per passage: of each word by which the question calls a document
  std::vector<double> on_topic_;
  double most_on_topic_ = 0.0;
  bool emphasises_usually_ = false;
  WantedWords wanted_;
};

}  // namespace mneme::rag
