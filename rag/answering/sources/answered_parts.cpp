#include "rag/answering/sources/answered_parts.h"

#include <string>
#include <utility>
#include <vector>

#include "rag/answering/sources/question_sources.h"
#include "rag/follow_ups/standalone_query.h"
#include "rag/retrieval/retriever.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/asked/question_parts.h"
#include "rag/text/languages/notes.h"

namespace mneme::rag {

namespace {

// "When does the ferry leave?" behind "How much is the ferry, and when does it leave?"; "" where only the other parts
// say what it asks of: "and where is it mined?" would be answered by whatever is mined.
std::string by_itself(const std::string& part, const std::string& before) {
  if (!is_follow_up(part)) return part;
  if (before.empty()) return {};
  const Turn turn{before, {}, {}};
  std::string alone = standalone_query(part, {&turn, 1});
  return is_follow_up(alone) ? std::string() : alone;
}

}  // namespace

Status find_answered_parts(Retriever& retriever, const SearchOptions& search, const CancelToken& cancel,
                           QuestionSources& found) {
  std::vector<std::string> parts;
  const std::string question = found.query;
  for (const std::string_view part : question_parts(question)) parts.emplace_back(without_joiners(part));
  if (parts.size() < 2) return {};
  std::vector<Hit> hits;
  std::string answered;
  std::string left;
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::string part = by_itself(parts[i], i == 0 ? std::string() : parts[i - 1]);
    bool is_answered = !part.empty();
    if (is_answered) {
      MNEME_ASSIGN_OR_RETURN(SearchResult result, retriever.search(part, search, cancel));
      is_answered = result.answerable.value_or(false);
      if (is_answered) add_new_hits(std::move(result.hits), hits);
    }
    std::string& of = is_answered ? answered : left;
    of += (of.empty() ? "" : " ") + (is_answered ? part : parts[i]);
  }
  if (answered.empty()) return {};
  found.hits = std::move(hits);
  found.query = std::move(answered);
  found.answerable = true;
  if (!left.empty()) found.notes.push_back(note_for(question, &NoteTexts::parts_not_said, {{"parts", left}}));
  return {};
}

}  // namespace mneme::rag
