#include "rag/answering/source_quotes.h"

#include <string>

#include "rag/embedding/embedder.h"
#include "rag/quoting/place_quotes.h"
#include "rag/text/document_names.h"

namespace mneme::rag {

std::vector<QuotedSentence> quotes_from(const QuestionSources& found,
                                        std::span<const std::reference_wrapper<const Hit>> hits,
                                        const Embedder& embedder) {
  std::vector<std::string> contexts;
  std::vector<QuotePassage> passages;
  contexts.reserve(hits.size());  // what passages view stays where it is
  for (const Hit& hit : hits) {
    contexts.push_back(called_by_path(hit.document, hit.names) + "\n" + hit.title + "\n" + hit.heading_path);
    passages.push_back({hit.text, contexts.back(), hit.title, hit.form});
  }
  if (found.page > 0) return quotes_of_all(passages);
  QuotingOptions quoting;
  if (embedder.is_quick()) quoting.embedder = &embedder;
  quoting.compared = found.compared;
  quoting.leaned_on = found.leaned_on;
  return quote_sentences(found.query, passages, quoting);
}

}  // namespace mneme::rag
