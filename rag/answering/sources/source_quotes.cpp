#include "rag/answering/sources/source_quotes.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "rag/embedding/embedder.h"
#include "rag/follow_ups/follow_up_words.h"
#include "rag/follow_ups/standalone_query.h"
#include "rag/quoting/gist_quotes.h"
#include "rag/quoting/place_quotes.h"
#include "rag/readers/reader.h"
#include "rag/text/asked/question_parts.h"
#include "rag/text/documents/document_names.h"

namespace mneme::rag {

namespace {

bool is_table(const Hit& hit) {
  return readers::detect_format(hit.document, as_bytes(hit.text)) == "csv";
}

bool leans_on_others(std::string_view part) {
  const std::string_view question = without_joiners(part);
  const std::vector<PlacedWord> words = spaced_words(question);
  return is_follow_up(question) ||
         std::any_of(words.begin(), words.end(), [](const PlacedWord& word) { return is_pronoun(word.text); });
}

}  // namespace

Quotations quotes_from(const QuestionSources& found, std::span<const std::reference_wrapper<const Hit>> hits,
                       const Embedder& embedder) {
  std::vector<std::string> contexts;
  std::vector<std::string> files;
  std::vector<QuotePassage> passages;
  files.reserve(hits.size());
  contexts.reserve(hits.size());  // what passages view stays where it is
  for (const Hit& hit : hits) {
    contexts.push_back(called_by_path(hit.document, hit.names) + "\n" + hit.title + "\n" + hit.heading_path);
    files.push_back(std::filesystem::path(hit.document).stem().string());
    passages.push_back(
        {hit.text, contexts.back(), hit.title, hit.form, is_table(hit), files.back(), hit.author, hit.date});
  }
  if (found.page > 0) return {quotes_of_all(passages), {}};
  if (found.of_whole) return {quotes_of_gist(passages), {}};
  QuotingOptions quoting;
  if (embedder.is_quick()) quoting.embedder = &embedder;
  quoting.compared = found.compared;
  quoting.leaned_on = found.leaned_on;
  quoting.leans_on_others = leans_on_others;
  return quote_parts(found.query, passages, quoting);
}

}  // namespace mneme::rag
