#include "rag/quoting/quote_names.h"

#include <algorithm>
#include <set>
#include <string>

namespace mneme::rag {

namespace {

constexpr double kTitledSo = 0.5;  // of the question's weight: the document that is asked for

}  // namespace

void name_document(const AskedPassages& asked, QuotedSentence& quote) {
  const AskedDocument& document = asked.question().document;
  if (!document.is_asked()) return;
  const PassageOutline& outline = asked.outline_of(quote);
  std::string name(outline.title());
  const std::string_view part = outline.part_name();
  if (document.is_part() && part != outline.title()) name.append(" > ").append(part);
  const std::vector<std::string> said = stems_of(quote.text);
  const std::vector<std::string> named = stems_of(name);
  std::set<std::string> known;
  if (document.is_named_in(quote.text) && asked.wanted().share_of(named, known) < kTitledSo) return;
  const bool is_said = std::all_of(named.begin(), named.end(), [&](const std::string& stem) {
    return std::find(said.begin(), said.end(), stem) != said.end();
  });
  if (!is_said) quote.text.insert(0, name + ": ");
}

// A page of a manual says what its program does ("> Split a file into pieces.") under the program's name, which who
// asks how to do it wants to know first, and who asks what it is expects to read.
void name_manual(const AskedPassages& asked, QuotedSentence& quote) {
  const QuoteQuestion& question = asked.question();
  const PassageOutline& outline = asked.outline_of(quote);
  const std::vector<OutlinePart>& parts = outline.parts();
  const auto quoted = std::find_if(parts.begin(), parts.end(),
                                   [&](const OutlinePart& part) { return part.span.byte_begin == quote.byte_begin; });
  const bool does = question.kind == QuestionKind::kManner && !question.action.empty();
  const bool wanted = does || question.kind == QuestionKind::kDefinition;
  if (!wanted || quoted == parts.end()) return;
  const bool of_top = quoted->span.kind == SentenceKind::kText && outline.heading_text(*quoted) == outline.title();
  const std::vector<std::string> title = stems_of(outline.title());
  const std::vector<std::string> said = stems_of(quote.text);
  const bool is_said = !question.is_only_action(title) &&  // "Split a file into pieces" does not say that split does
                       std::search(said.begin(), said.end(), title.begin(), title.end()) != said.end();
  if (of_top && !is_said) quote.text.insert(0, std::string(outline.title()) + ": ");
}

}  // namespace mneme::rag
