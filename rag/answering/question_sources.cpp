#include "rag/answering/question_sources.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "rag/answering/given_passages.h"
#include "rag/answering/query_rewriter.h"
#include "rag/answering/standalone_query.h"
#include "rag/text/comparison.h"

namespace mneme::rag {
namespace {

constexpr int kDefining = 2;  // passages for each of two things that are compared

Status take_given(const Asked& asked, std::vector<Hit>& hits) {
  if (!asked.options.passages.empty()) {
    for (const ContextPassage& passage : asked.options.passages) hits.push_back(given_passage(passage));
    return {};
  }
  for (const std::string& path : asked.options.context_files) {
    MNEME_ASSIGN_OR_RETURN(std::vector<Hit> of_file, passages_of_file(path, asked.cancel));
    std::move(of_file.begin(), of_file.end(), std::back_inserter(hits));
  }
  return {};
}

// Of two things that are compared, what says what each of them is: their difference may be stated nowhere.
Status find_compared(Retriever& retriever, SearchOptions search, const CancelToken& cancel, QuestionSources& found) {
  search.top_k = kDefining;
  for (const std::string& question : compared_definitions(found.query)) {
    MNEME_ASSIGN_OR_RETURN(SearchResult defining, retriever.search(question, search, cancel));
    if (!defining.answerable.value_or(false)) continue;
    found.compared.push_back(question);
    for (Hit& hit : defining.hits) {
      const auto is_it = [&](const Hit& other) { return other.chunk_row == hit.chunk_row; };
      if (std::none_of(found.hits.begin(), found.hits.end(), is_it)) found.hits.push_back(std::move(hit));
    }
  }
  if (found.compared.size() < 2) found.compared.clear();  // one of the two tells no difference
  found.answerable |= !found.compared.empty();
  return {};
}

Result<std::string> alone(const Asked& asked, engine::LanguageModel* model) {
  if (model != nullptr && asked.options.rewrite_by_model) {
    return rewritten_query(*model, asked.question, asked.options.history, asked.cancel);
  }
  return standalone_query(asked.question, asked.options.history);
}

Status retrieve(Workspace& workspace, const Asked& asked, engine::LanguageModel* model, QuestionSources& found) {
  MNEME_ASSIGN_OR_RETURN(const std::string query, alone(asked, model));
  if (query != asked.question) found.standalone = query;
  Retriever retriever(workspace);
  SearchOptions search = asked.options.search;
  search.judge = model == nullptr;  // a model says itself what its passages do not hold
  MNEME_ASSIGN_OR_RETURN(SearchResult result, retriever.search(query, search, asked.cancel));
  found.hits = std::move(result.hits);
  found.query = std::move(result.query);
  found.answerable = result.answerable.value_or(true);
  found.retrieve_ms = result.milliseconds;
  found.reranked = result.reranked;
  if (result.reranked > 0) found.rerank_ms = result.rerank_milliseconds;
  found.notes = std::move(result.notes);
  return model == nullptr ? find_compared(retriever, search, asked.cancel, found) : Status();
}

}  // namespace

Result<QuestionSources> find_sources(Workspace& workspace, const Asked& asked, engine::LanguageModel* model) {
  asked.stage("retrieving");
  QuestionSources found;
  found.query = asked.question;
  const bool given = !asked.options.passages.empty() || !asked.options.context_files.empty();
  MNEME_RETURN_IF_ERROR(given ? take_given(asked, found.hits) : retrieve(workspace, asked, model, found));
  for (size_t i = 0; i < found.hits.size(); ++i) found.hits[i].rank = static_cast<int>(i + 1);
  return found;
}

}  // namespace mneme::rag
