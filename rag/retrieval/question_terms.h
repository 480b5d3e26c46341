// How rare each of a question's terms is among the passages of a home. Threads: immutable after weigh().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

class QuestionTerms {
 public:
  static Result<QuestionTerms> weigh(storage::Catalogue& catalogue, std::string_view question);
  // As the answerability judge weighs them. A small home counts as one of more passages: in one of two, a word that one
  // has would hardly weigh more than one that both have, and far less than one that neither has. Names that no passage
  // has weigh more than other such words, which may only be words for what is asked ("what colour"). Words that only
  // ask ("how much") weigh nothing, a participle at the end ("stored") that no passage has little.
  QuestionTerms judged(std::string_view question) const;

  // ln of the passages for each one that has the term. 0: says nothing.
  double idf(std::string_view term) const;
  // Of a term that no passage has.
  double idf_of_unseen() const { return unseen_; }
  // Whether any passage has it.
  bool is_seen(std::string_view term) const;
  const std::vector<std::string>& terms() const { return terms_; }  // distinct, that carry meaning, in order
  bool empty() const { return terms_.empty(); }

 private:
  struct Weight {
    double idf = 0.0;
    int64_t count = 0;  // of passages that have it
  };
  void weigh_counts();
  void weigh_unspaced(std::string_view question);
  void leave_out_asking(std::string_view question);
  void lighten_excluded(std::string_view question);
  void lighten_unsaid(std::string_view question);
  void lighten_verbs(std::string_view question);

  std::vector<std::string> terms_;
  std::unordered_map<std::string, Weight> weights_;
  double unseen_ = 0.0;
  int64_t n_passages_ = 0;
};

}  // namespace mneme::rag
