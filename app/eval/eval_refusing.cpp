#include "app/eval/eval_refusing.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/eval/answer_metrics.h"
#include "app/eval/eval_home.h"
#include "app/eval/judged_file.h"
#include "app/output/result_file.h"
#include "rag/answering/answerer.h"
#include "rag/retrieval/retriever.h"

namespace mneme::app {
namespace {

// One home, asked by quoting.
class Refusals {
 public:
  Refusals(Context& context, EvalHome& home, JudgedFile* file)
      : context_(context), home_(home), file_(file), answerer_(home.workspace()), retriever_(home.workspace()) {}

  Status ask(const EvalQuestion& question, const std::vector<int>& relevant, bool absent, RefusingResult& result) {
    rag::AskOptions options;
    if (absent) {
      for (const int number : relevant) options.search.without.push_back(home_.path_of(number));
    }
    MNEME_ASSIGN_OR_RETURN(const rag::Answer answer, answerer_.ask(question.question, options, {}, context_.cancel));
    const bool refused = !answer.in_documents;
    if (absent) {
      ++result.absent;
      result.answered_absent += refused ? 0 : 1;
      const bool elsewhere = !refused && score_answer(answer.text, question.answers).contains > 0.0;
      result.answered_elsewhere += elsewhere ? 1 : 0;
    } else {
      ++result.questions;
      result.refused_answerable += refused ? 1 : 0;
      const std::string first = answer.text.substr(0, answer.text.find('\n'));
      const bool right = !refused && score_answer(strip_citations(first), question.answers).contains > 0.0;
      result.first_right += right ? 1 : 0;
    }
    return file_ == nullptr ? Status() : keep(question, relevant, {.absent = absent, .refused = refused}, options);
  }

 private:
  Status keep(const EvalQuestion& question, const std::vector<int>& relevant, Judgement judgement,
              const rag::AskOptions& options) {
    rag::SearchOptions search = options.search;
    search.judge = true;
    search.explain = true;
    MNEME_ASSIGN_OR_RETURN(const rag::SearchResult found,
                           retriever_.search(question.question, search, context_.cancel));
    const std::string title(split_title(question));
    judgement.title = title;
    judgement.question = question.question;
    judgement.evidence = found.judged;
    for (size_t i = 0; i < found.judged.size(); ++i) {
      const int number = EvalHome::number_of(found.hits[i].document);
      const bool is_relevant = std::find(relevant.begin(), relevant.end(), number) != relevant.end();
      if (is_relevant) judgement.relevant.push_back(static_cast<int>(i));
    }
    return file_->add(judgement);
  }

  Context& context_;
  EvalHome& home_;
  JudgedFile* const file_;
  rag::Answerer answerer_;
  rag::Retriever retriever_;
};

constexpr std::array kCounts{&RefusingResult::questions,       &RefusingResult::refused_answerable,
                             &RefusingResult::first_right,     &RefusingResult::absent,
                             &RefusingResult::answered_absent, &RefusingResult::answered_elsewhere};

// Adds what is kept of a question. False: nothing is.
bool add_known(const ResultFile* kept, const std::string& key, RefusingResult& result) {
  const nlohmann::json* const known = kept == nullptr ? nullptr : kept->find(key);
  if (known == nullptr || !known->is_array() || known->size() != kCounts.size()) return false;
  if (!std::all_of(known->begin(), known->end(), [](const auto& count) { return count.is_number_integer(); })) {
    return false;
  }
  for (size_t i = 0; i < kCounts.size(); ++i) result.*kCounts[i] += (*known)[i].get<int64_t>();
  return true;
}

Status keep_new(ResultFile* kept, const std::string& key, const RefusingResult& before, const RefusingResult& now) {
  if (kept == nullptr) return {};
  nlohmann::json counts = nlohmann::json::array();
  for (const auto count : kCounts) counts.push_back(now.*count - before.*count);
  return kept->add(key, counts);
}

}  // namespace

Result<RefusingResult> evaluate_refusing(Context& context, const EvalSet& set, const EvalCorpus& corpus,
                                         const RefusingRun& run) {
  std::unique_ptr<JudgedFile> file;
  if (!run.evidence_file.empty()) {
    MNEME_ASSIGN_OR_RETURN(file, JudgedFile::create(run.evidence_file));
  }
  MNEME_ASSIGN_OR_RETURN(EvalHome home, EvalHome::make(context, corpus.documents, run.documents, false));
  Refusals refusals(context, home, file.get());
  RefusingResult result;
  std::map<std::string, int> seen;  // ids of public sets are not always unique
  for (size_t i = 0; i < set.questions.size(); ++i) {
    const EvalQuestion& question = set.questions[i];
    const std::vector<int>& relevant = corpus.relevant[i];
    if (context.cancel.cancelled()) return cancelled();
    const std::string key = question.id + "#" + std::to_string(seen[question.id]++);
    if (!relevant.empty() && !add_known(run.kept, key, result)) {
      const RefusingResult before = result;
      if (run.documents.empty()) MNEME_RETURN_IF_ERROR(refusals.ask(question, relevant, false, result));
      // Of a folder about other things nothing need be left out.
      const std::vector<int> none;
      MNEME_RETURN_IF_ERROR(refusals.ask(question, run.documents.empty() ? relevant : none, true, result));
      MNEME_RETURN_IF_ERROR(keep_new(run.kept, key, before, result));
    }
    if (run.progress) run.progress(i + 1, set.questions.size());
  }
  if (file != nullptr) MNEME_RETURN_IF_ERROR(file->close());
  return result;
}

}  // namespace mneme::app
