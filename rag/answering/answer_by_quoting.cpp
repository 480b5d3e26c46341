#include "rag/answering/answer_by_quoting.h"

#include <string>
#include <vector>

#include "rag/embedding/embedder.h"
#include "rag/prompt/prompt_layout.h"
#include "rag/quoting/quoting.h"
#include "rag/text/document_names.h"

namespace mneme::rag {
namespace {

std::vector<QuotedSentence> best_sentences(const QuestionSources& found, const Embedder& embedder,
                                           const std::vector<Citation>& sources) {
  std::vector<std::string> contexts;
  std::vector<QuotePassage> passages;
  contexts.reserve(sources.size());  // what passages view stays where it is
  for (const Citation& citation : sources) {
    const Hit& source = citation.source;
    contexts.push_back(called_by_path(source.document, source.names) + "\n" + source.title + "\n" +
                       source.heading_path);
    passages.push_back({source.text, contexts.back(), source.title, source.form});
  }
  QuotingOptions quoting;
  if (embedder.is_quick()) quoting.embedder = &embedder;
  quoting.compared = found.compared;
  return quote_sentences(found.query, passages, quoting);
}

}  // namespace

void answer_by_quoting(const QuestionSources& found, const Embedder& embedder, Answer& answer) {
  const std::vector<QuotedSentence> sentences =
      found.answerable ? best_sentences(found, embedder, answer.sources) : std::vector<QuotedSentence>();
  answer.in_documents = !sentences.empty();
  answer.text = sentences.empty() ? PromptLayout::embedded().no_answer : quoted_answer(sentences);
  answer.cache.chunks = static_cast<int>(answer.sources.size());
  answer.attention.kind = "none";
  for (const QuotedSentence& sentence : sentences) {
    Citation& citation = answer.sources[static_cast<size_t>(sentence.passage)];
    citation.cited = citation.quoted = true;
  }
}

}  // namespace mneme::rag
