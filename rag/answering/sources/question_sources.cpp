#include "rag/answering/sources/question_sources.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "rag/answering/sources/answered_parts.h"
#include "rag/answering/sources/answered_reading.h"
#include "rag/answering/sources/gist_sources.h"
#include "rag/answering/sources/given_passages.h"
#include "rag/answering/sources/listed_document.h"
#include "rag/answering/sources/other_words.h"
#include "rag/answering/sources/page_sources.h"
#include "rag/answering/writing/query_rewriter.h"
#include "rag/follow_ups/standalone_query.h"
#include "rag/text/asked/comparison.h"
#include "rag/workspace.h"

namespace mneme::rag {
namespace {

constexpr double kSaysNearlyAll = 0.75;  // ... of one that need not go on from the conversation
constexpr double kSaysHalf = 0.5;        // ... where no other document says nearly all
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

// Looks for one question in the order of what it may mean, until a reading is answered; where quotations answer.
class ReadingSearch {
 public:
  ReadingSearch(Workspace& workspace, const Asked& asked, std::span<const QuestionReading> readings)
      : workspace_(workspace), asked_(asked), readings_(readings), retriever_(workspace) {
    const std::span<const std::string> talk = talked_of(asked.options.history);
    if (may_go_on(asked.question)) talk_.assign(talk.begin(), talk.end());
  }

  // By the first reading that is answered, else by the first.
  Status find(QuestionSources& found) {
    const bool by_itself = readings_.size() > 1 && readings_.front().is_alone;
    MNEME_ASSIGN_OR_RETURN(bool answered, by_itself ? look_for_own(found) : look_where_talk_was(readings_, found));
    for (size_t i = 0; i < readings_.size() && !answered; ++i) {
      MNEME_ASSIGN_OR_RETURN(QuestionSources read, look(readings_[i], {}));
      answered = !chooses() || is_answered(read, workspace_.embedder());
      if (answered || i == 0) found = std::move(read);
    }
    // What the question alone finds may be shown, not what is only about the same.
    if (!answered && !found.leaned_on.empty()) found.answerable = false;
    return {};
  }

 private:
  bool chooses() const { return readings_.size() > 1 || !readings_.front().leaned_on.empty(); }

  Result<QuestionSources> look(const QuestionReading& reading, std::span<const std::string> within) {
    SearchOptions search = asked_.options.search;
    search.judge = true;
    if (!within.empty()) search.within.assign(within.begin(), within.end());
    MNEME_ASSIGN_OR_RETURN(SearchResult result, retriever_.search(reading.question, search, asked_.cancel));
    QuestionSources read;
    take(std::move(result), reading, read);
    if (reading.question != asked_.question) read.standalone = reading.question;
    return read;
  }

  // Where the last answer was found, a question that goes on from it is looked for first: "What about the deposit?"
  // behind "Who is the landlord?" means the lease's. True: by the reading that is answered there, in so many words.
  Result<bool> look_where_talk_was(std::span<const QuestionReading> readings, QuestionSources& found) {
    if (talk_.empty()) return false;
    const double least_said = is_follow_up(asked_.question) ? kSaysItself : kSaysNearlyAll;
    for (const QuestionReading& reading : readings) {
      MNEME_ASSIGN_OR_RETURN(QuestionSources read, look(reading, talk_));
      if (take_if_said(read, least_said, found)) return true;
    }
    return false;
  }

  // A question that names its own thing is looked for as it was asked before anything is added to it: where the talk
  // was, and everywhere; "How much is the hosting?" behind a warranty asks for no warranty.
  Result<bool> look_for_own(QuestionSources& found) {
    const QuestionReading& alone = readings_.front();
    QuestionSources there;
    there.answerable = false;
    if (!talk_.empty()) {
      MNEME_ASSIGN_OR_RETURN(there, look(alone, talk_));
    }
    if (take_if_said(there, kSaysNearlyAll, found)) return true;
    MNEME_ASSIGN_OR_RETURN(QuestionSources everywhere, look(alone, {}));
    if (take_if_said(everywhere, kSaysNearlyAll, found) || take_if_said(there, kSaysHalf, found)) return true;
    return look_where_talk_was(readings_.subspan(1), found);
  }

  bool take_if_said(QuestionSources& read, double least_said, QuestionSources& found) {
    if (!is_answered(read, workspace_.embedder(), least_said)) return false;
    found = std::move(read);
    return true;
  }

  Workspace& workspace_;
  const Asked& asked_;
  const std::span<const QuestionReading> readings_;
  Retriever retriever_;
  std::vector<std::string> talk_;  // documents that the last answer cites, where the question may go on from it
};

// What a model is to read.
Status retrieve_for_model(Workspace& workspace, const Asked& asked, const QuestionReading& reading,
                          QuestionSources& found) {
  SearchOptions search = asked.options.search;
  search.judge = false;  // a model says itself what its passages do not hold
  // It reads what follows each other in a document in that order; quoting looks at one passage at a time.
  search.join_neighbours = true;
  MNEME_ASSIGN_OR_RETURN(SearchResult result, Retriever(workspace).search(reading.question, search, asked.cancel));
  take(std::move(result), reading, found);
  if (reading.question != asked.question) found.standalone = reading.question;
  return {};
}

Status retrieve(Workspace& workspace, const Asked& asked, engine::LanguageModel* model, QuestionSources& found) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<QuestionReading> readings, readings_for(asked, model));
  if (model != nullptr) return retrieve_for_model(workspace, asked, readings.front(), found);
  MNEME_RETURN_IF_ERROR(ReadingSearch(workspace, asked, readings).find(found));
  Retriever retriever(workspace);
  SearchOptions search = asked.options.search;
  search.judge = true;
  MNEME_RETURN_IF_ERROR(find_compared(retriever, search, asked.cancel, found));
  if (!found.leaned_on.empty()) return {};
  if (!found.answerable) MNEME_RETURN_IF_ERROR(find_answered_parts(retriever, search, asked.cancel, found));
  return find_in_other_words(workspace, asked, found);
}

// "Who wrote the first one?" is asked of that document alone.
Result<QuestionSources> find_in_listed(Workspace& workspace, const Asked& asked, const ListedDocument& listed,
                                       engine::LanguageModel* model) {
  AskOptions options = asked.options;
  options.history.clear();
  options.search.within = {listed.document.path};
  const Asked alone{listed.question, options, asked.callbacks, asked.cancel, asked.since};
  MNEME_ASSIGN_OR_RETURN(QuestionSources found, find_sources(workspace, alone, model));
  if (found.standalone.empty()) found.standalone = listed.question;
  return found;
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
  MNEME_ASSIGN_OR_RETURN(const std::optional<ListedDocument> listed, listed_document(workspace, asked));
  if (listed && !listed->as_whole) return find_in_listed(workspace, asked, *listed, model);
  QuestionSources found;
  found.query = asked.question;
  const bool given = !asked.options.passages.empty() || !asked.options.context_files.empty();
  if (!given) MNEME_RETURN_IF_ERROR(find_page(workspace, asked, found));
  if (!given && found.page == 0) MNEME_RETURN_IF_ERROR(find_gist(workspace, asked, model, found));
  if (found.page == 0 && !found.of_whole)
    MNEME_RETURN_IF_ERROR(given ? take_given(asked, found.hits) : retrieve(workspace, asked, model, found));
  for (size_t i = 0; i < found.hits.size(); ++i) found.hits[i].rank = static_cast<int>(i + 1);
  return found;
}

}  // namespace mneme::rag
