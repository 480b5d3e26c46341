#include "rag/answering/citations/answer_citations.h"

#include <algorithm>

#include "rag/answering/citations/citation_check.h"
#include "rag/answering/citations/cited_place.h"
#include "rag/text/languages/notes.h"

namespace mneme::rag {

void check_citations_of(Answer& answer, std::string_view question, bool short_answer) {
  std::vector<std::string_view> texts;
  texts.reserve(answer.sources.size());
  for (const Citation& source : answer.sources) texts.push_back(source.source.text);
  const CitationCheck checked = check_citations(answer.text, question, texts, !answer.in_documents);
  for (const CitationCheck::Named& named : checked.named) {
    if (named.n > static_cast<int>(answer.sources.size())) {
      answer.notes.push_back(note_for(question, &NoteTexts::no_such_source, {{"n", std::to_string(named.n)}}));
      continue;
    }
    Citation& citation = answer.sources[static_cast<size_t>(named.n - 1)];
    citation.cited = true;
    citation.quoted = named.supported && !named.refuted;
  }
  if (!short_answer) answer.unsupported = checked.unsupported;
}

void collect_citations(Answer& answer) {
  for (Citation& citation : answer.sources) {
    if (citation.quoted) {
      citation.source.page = cited_place(citation, answer.text).page;
      citation.source.page_marks.clear();
    }
    if (citation.cited) answer.citations.push_back(citation);
  }
}

std::vector<std::string> cited_documents(std::span<const Citation> citations) {
  std::vector<std::string> documents;
  for (const Citation& citation : citations) {
    const std::string& path = citation.source.document;
    const bool is_known = std::find(documents.begin(), documents.end(), path) != documents.end();
    if (citation.cited && !path.empty() && !is_known) documents.push_back(path);
  }
  return documents;
}

}  // namespace mneme::rag
