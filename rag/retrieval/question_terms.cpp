#include "rag/retrieval/question_terms.h"

#include <cmath>

#include "rag/retrieval/passage_scorer.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

Result<QuestionTerms> QuestionTerms::weigh(storage::Catalogue& catalogue, std::string_view question) {
  QuestionTerms weighed;
  weighed.terms_ = PassageScorer::terms_of(question);
  if (weighed.terms_.empty()) return weighed;
  MNEME_ASSIGN_OR_RETURN(const std::vector<int64_t> counts, catalogue.term_document_counts(weighed.terms_));
  MNEME_ASSIGN_OR_RETURN(const int64_t n_chunks, catalogue.n_chunks());
  const auto idf = [&](int64_t count) {
    return std::log(1.0 + (static_cast<double>(n_chunks) + 0.5) / (static_cast<double>(count) + 0.5));
  };
  weighed.unseen_ = idf(0);
  for (size_t i = 0; i < weighed.terms_.size(); ++i) {
    const std::string& term = weighed.terms_[i];
    // Pairs of characters that occur nowhere mostly lie across the border of two words: they say nothing.
    const bool unspaced = static_cast<unsigned char>(term.front()) >= 0xE0;
    const bool nothing = counts[i] == 0 && unspaced;
    weighed.weights_[term] = {nothing ? 0.0 : idf(counts[i]), counts[i] > 0};
  }
  return weighed;
}

double QuestionTerms::idf(std::string_view term) const {
  const auto at = weights_.find(std::string(term));
  return at == weights_.end() ? 0.0 : at->second.idf;
}

bool QuestionTerms::is_seen(std::string_view term) const {
  const auto at = weights_.find(std::string(term));
  return at != weights_.end() && at->second.seen;
}

}  // namespace mneme::rag
