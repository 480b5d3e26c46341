#include "rag/answering/question_sources.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "rag/answering/answered_parts.h"
#include "rag/answering/answered_reading.h"
#include "rag/answering/given_passages.h"
#include "rag/answering/page_sources.h"
#include "rag/answering/query_rewriter.h"
#include "rag/follow_ups/standalone_query.h"
#include "rag/text/comparison.h"
#include "rag/workspace.h"

namespace mneme::rag {
namespace {

constexpr double kSaysNearlyAll = 0.75;  // ... of one that need not go on from the conversation
constexpr int kDefining = 2;             // passages for each of two things that are compared

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
    add_new_hits(std::move(defining.hits), found.hits);
  }
  if (found.compared.size() < 2) found.compared.clear();  // one of the two tells no difference
  found.answerable |= !found.compared.empty();
  return {};
}

// What the question may mean; one thing where a model answers, which sees the conversation itself.
Result<std::vector<QuestionReading>> readings_for(const Asked& asked, engine::LanguageModel* model) {
  std::vector<QuestionReading> readings = question_readings(asked.question, asked.options.history);
  if (model == nullptr) return readings;
  readings.resize(1);
  if (asked.options.rewrite_by_model) {
    MNEME_ASSIGN_OR_RETURN(readings[0].question,
                           rewritten_query(*model, asked.question, asked.options.history, asked.cancel));
  }
  return readings;
}

void take(SearchResult result, const QuestionReading& reading, QuestionSources& found) {
  found.hits = std::move(result.hits);
  found.query = std::move(result.query);
  found.leaned_on = reading.leaned_on;
  found.named = reading.named;
  found.answerable = result.answerable.value_or(true);
  found.retrieve_ms = result.milliseconds;
  found.reranked = result.reranked;
  if (result.reranked > 0) found.rerank_ms = result.rerank_milliseconds;
  found.notes = std::move(result.notes);
}

// Where the last answer was found, a question that goes on from it is looked for first: "What about the deposit?"
// behind "Who is the landlord?" means the lease's. True: by the reading that is answered there, in so many words.
Result<bool> retrieve_where_talk_was(Workspace& workspace, const Asked& asked,
                                     std::span<const QuestionReading> readings, QuestionSources& found) {
  const std::vector<Turn>& history = asked.options.history;
  if (history.empty() || history.back().documents.empty() || !may_go_on(asked.question)) return false;
  const double least_said = is_follow_up(asked.question) ? kSaysItself : kSaysNearlyAll;
  SearchOptions search = asked.options.search;
  search.judge = true;
  search.within = history.back().documents;
  Retriever retriever(workspace);
  for (const QuestionReading& reading : readings) {
    MNEME_ASSIGN_OR_RETURN(SearchResult result, retriever.search(reading.question, search, asked.cancel));
    QuestionSources read;
    take(std::move(result), reading, read);
    if (!is_answered(read, workspace.embedder(), least_said)) continue;
    if (reading.question != asked.question) read.standalone = reading.question;
    found = std::move(read);
    return true;
  }
  return false;
}

// By the first reading that is answered, else the first.
Status retrieve(Workspace& workspace, const Asked& asked, engine::LanguageModel* model, QuestionSources& found) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<QuestionReading> readings, readings_for(asked, model));
  if (model == nullptr) {
    MNEME_ASSIGN_OR_RETURN(const bool there, retrieve_where_talk_was(workspace, asked, readings, found));
    if (there) return {};
  }
  Retriever retriever(workspace);
  SearchOptions search = asked.options.search;
  search.judge = model == nullptr;  // a model says itself what its passages do not hold
  // It reads what follows each other in a document in that order; quoting looks at one passage at a time.
  search.join_neighbours = model != nullptr;
  const bool chooses = model == nullptr && (readings.size() > 1 || !readings[0].leaned_on.empty());
  std::string query = readings[0].question;
  bool answered = false;
  for (size_t i = 0; i < readings.size() && !answered; ++i) {
    MNEME_ASSIGN_OR_RETURN(SearchResult result, retriever.search(readings[i].question, search, asked.cancel));
    QuestionSources read;
    take(std::move(result), readings[i], read);
    answered = !chooses || is_answered(read, workspace.embedder());
    if (!answered && i > 0) continue;
    query = readings[i].question;
    found = std::move(read);
  }
  // What the question alone finds may be shown, not what is only about the same.
  if (!answered && !found.leaned_on.empty()) found.answerable = false;
  if (query != asked.question) found.standalone = std::move(query);
  if (model != nullptr) return {};
  MNEME_RETURN_IF_ERROR(find_compared(retriever, search, asked.cancel, found));
  if (found.answerable || !found.leaned_on.empty()) return {};
  return find_answered_parts(retriever, search, asked.cancel, found);
}

}  // namespace

void add_new_hits(std::vector<Hit> hits, std::vector<Hit>& to) {
  for (Hit& hit : hits) {
    const auto is_it = [&](const Hit& other) { return other.chunk_row == hit.chunk_row; };
    if (std::none_of(to.begin(), to.end(), is_it)) to.push_back(std::move(hit));
  }
}

Result<QuestionSources> find_sources(Workspace& workspace, const Asked& asked, engine::LanguageModel* model) {
  asked.stage("retrieving");
  QuestionSources found;
  found.query = asked.question;
  const bool given = !asked.options.passages.empty() || !asked.options.context_files.empty();
  if (!given) MNEME_RETURN_IF_ERROR(find_page(workspace, asked, found));
  if (found.page == 0)
    MNEME_RETURN_IF_ERROR(given ? take_given(asked, found.hits) : retrieve(workspace, asked, model, found));
  for (size_t i = 0; i < found.hits.size(); ++i) found.hits[i].rank = static_cast<int>(i + 1);
  return found;
}

}  // namespace mneme::rag
