#include "rag/quoting/property_candidate.h"

#include <algorithm>
#include <string>
#include <vector>

#include "rag/quoting/outline/plain_sentence.h"
#include "rag/quoting/outline/sentences.h"
#include "rag/text/asked/author.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// What a document is, rather than which one: "Who wrote the letter about the boiler?"
bool says_kind_of_document(std::string_view folded) {
  constexpr std::string_view kKinds[] = {"document", "paper",    "article", "report",  "book", "text",  "file",
                                         "letter",   "dokument", "artikel", "bericht", "buch", "datei", "brief"};
  return std::find(std::begin(kKinds), std::end(kKinds), folded) != std::end(kKinds);
}

// Whether all that the question says of what was written is in the document's title or the name of its file.
bool is_called(const std::string_view question, const PassageOutline& outline) {
  const std::vector<std::string>& name = outline.name_stems();
  size_t n_named = 0;
  for (const std::string& word : words_of(question)) {
    if (is_stop_word(word) || is_writing_word(word) || says_kind_of_document(word)) continue;
    if (std::find(name.begin(), name.end(), stem_of(word)) == name.end()) return false;
    ++n_named;
  }
  return n_named > 0;
}

}  // namespace

QuoteCandidate property_candidate(const AskedPassages& asked, size_t p) {
  QuoteCandidate candidate;
  const std::string_view question = asked.question().text;
  const PassageOutline& outline = asked.outline(p);
  const bool who = asks_who_wrote(question);
  const std::string_view told = who                           ? outline.author()
                                : asks_when_written(question) ? outline.date()
                                                              : std::string_view();
  if (told.empty() || !is_called(question, outline)) return candidate;
  const OutlinePart& first = outline.parts().front();
  const std::string name(outline.title().empty() ? plain_sentence(first.raw) : outline.title());
  candidate.quote = {static_cast<int>(p), first.span.byte_begin, first.span.byte_end, 0.0,
                     name + (who ? ": author: " : ": date: ") + std::string(told)};
  SentenceEvidence& evidence = candidate.evidence;
  evidence.held = asked.wanted().share_of(outline.name_stems(), candidate.found);
  evidence.states = evidence.leads = true;
  evidence.cue = cue_weight(asked.question().kind, asked.wanted().spaced());
  evidence.n_words = static_cast<int>(words_of(candidate.quote.text).size());
  evidence.passage = static_cast<int>(p);
  return candidate;
}

}  // namespace mneme::rag
