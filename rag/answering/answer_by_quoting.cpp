#include "rag/answering/answer_by_quoting.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "rag/answering/source_quotes.h"
#include "rag/prompt/prompt_layout.h"
#include "rag/text/quantities.h"

namespace mneme::rag {

void answer_by_quoting(const QuestionSources& found, const Embedder& embedder, Answer& answer) {
  std::vector<std::reference_wrapper<const Hit>> hits;
  hits.reserve(answer.sources.size());
  for (const Citation& citation : answer.sources) hits.emplace_back(citation.source);
  const std::vector<QuotedSentence> sentences =
      found.answerable ? quotes_from(found, hits, embedder) : std::vector<QuotedSentence>();
  answer.in_documents = !sentences.empty();
  answer.text = sentences.empty() ? PromptLayout::embedded().no_answer : quoted_answer(sentences);
  const auto n_rows = std::count_if(sentences.begin(), sentences.end(), [](const auto& s) { return s.of_table; });
  if (n_rows > 1 && asks_to_reckon(found.query))
    answer.notes.emplace_back("rows are quoted, nothing is reckoned from them");
  answer.cache.chunks = static_cast<int>(answer.sources.size());
  answer.attention.kind = "none";
  for (const QuotedSentence& sentence : sentences) {
    Citation& citation = answer.sources[static_cast<size_t>(sentence.passage)];
    citation.cited = citation.quoted = true;
  }
}

}  // namespace mneme::rag
