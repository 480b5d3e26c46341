// A question's words, and which of them a text holds in whatever form: as they are, inflected, as an irregular relative
// ("wrote", "author"), as what is asked for by the word for its kind ("grey" for "what colour"), or in parts where a
// compound is asked for. Ownership: copies what it keeps. Threads: immutable
// after construction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rag/retrieval/question_terms.h"
#include "rag/text/languages/language.h"

namespace mneme::rag {

class AskedWords {
 public:
  // Words of a question, a bit each; those behind the 64th are not looked for.
  using Held = uint64_t;

  AskedWords(std::string_view question, const QuestionTerms& weights);

  Held in(std::string_view text) const;
  // The word as a term of the index; 0: it is none of the question's.
  Held of_term(std::string_view term) const;

  double weight_of(Held held) const;
  double squared_weight_of(Held held) const;
  double total() const { return weight_of(all()); }
  Held all() const { return words_.size() < 64 ? (Held{1} << words_.size()) - 1 : ~Held{0}; }
  // The rarest words: one, or several that are as rare.
  Held rarest() const { return rarest_; }
  // Share of the words that no document has.
  double unknown() const { return unknown_; }
  // Whether each of them stands in the text at least so often.
  bool all_often(std::string_view text, size_t n_times) const;

 private:
  struct Word {
    std::string term;
    double weight = 0.0;
    std::vector<std::string> relatives;
  };

  void find_relatives(std::string_view question);

  const Language language_;
  const bool compounds_;    // where a compound is a kind of its last word
  bool has_month_ = false;  // asked for by its name, which dates in numbers tell, too
  std::vector<Word> words_;
  Held rarest_ = 0;
  double unknown_ = 0.0;
};

}  // namespace mneme::rag
