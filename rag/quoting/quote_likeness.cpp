#include "rag/quoting/quote_likeness.h"

#include "rag/embedding/embedder.h"
#include "rag/text/words/spelling.h"

namespace mneme::rag {

void compare_spelling(std::string_view question, int width, std::vector<QuoteCandidate>& candidates) {
  const SpellingQuery query(question, width);
  std::vector<SpellingCounts> counts;
  counts.reserve(candidates.size());
  for (const QuoteCandidate& candidate : candidates) counts.push_back(query.count(candidate.quote.text));
  const std::vector<double> scores = query.scores(counts, false);
  for (size_t i = 0; i < candidates.size(); ++i) candidates[i].evidence.spelling = scores[i];
}

void compare_meaning(std::string_view question, const Embedder& embedder, std::vector<QuoteCandidate>& candidates) {
  if (candidates.empty()) return;
  const size_t width = static_cast<size_t>(embedder.dim());
  std::vector<std::string_view> texts;
  texts.reserve(candidates.size());
  for (const QuoteCandidate& candidate : candidates) texts.push_back(candidate.quote.text);
  std::vector<float> rows(texts.size() * width);
  std::vector<float> asked(width);
  if (!embedder.embed(texts, EmbedKind::kPassage, rows).ok()) return;
  if (!embedder.embed({&question, 1}, EmbedKind::kQuery, asked).ok()) return;
  for (size_t i = 0; i < candidates.size(); ++i) {
    double dot = 0.0;
    for (size_t d = 0; d < width; ++d) dot += double{rows[i * width + d]} * asked[d];
    candidates[i].evidence.meaning = dot;
  }
}

}  // namespace mneme::rag
