#include "rag/answering/answered_parts.h"

#include <string>
#include <utility>
#include <vector>

#include "rag/answering/question_sources.h"
#include "rag/follow_ups/standalone_query.h"
#include "rag/retrieval/retriever.h"
#include "rag/text/question_kind.h"
#include "rag/text/question_parts.h"

namespace mneme::rag {

Status find_answered_parts(Retriever& retriever, const SearchOptions& search, const CancelToken& cancel,
                           QuestionSources& found) {
  std::vector<std::string> parts;
  for (const std::string_view part : question_parts(found.query)) parts.emplace_back(without_joiners(part));
  if (parts.size() < 2) return {};
  std::vector<Hit> hits;
  std::string answered;
  std::string left;
  for (const std::string& part : parts) {
    // "and where is it mined?" would be answered by whatever is mined.
    bool is_answered = !is_follow_up(part);
    if (is_answered) {
      MNEME_ASSIGN_OR_RETURN(SearchResult result, retriever.search(part, search, cancel));
      is_answered = result.answerable.value_or(false);
      if (is_answered) add_new_hits(std::move(result.hits), hits);
    }
    std::string& of = is_answered ? answered : left;
    of += (of.empty() ? "" : " ") + part;
  }
  if (answered.empty()) return {};
  found.hits = std::move(hits);
  found.query = std::move(answered);
  found.answerable = true;
  if (!left.empty()) found.notes.push_back("the documents do not say: " + left);
  return {};
}

}  // namespace mneme::rag
