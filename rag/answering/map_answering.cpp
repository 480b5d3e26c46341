#include "rag/answering/map_answering.h"

#include <cmath>
#include <utility>
#include <vector>

namespace mneme::rag {
namespace {

bool interrupted(const Answer& answer) {
  return answer.finish == Finish::kInterrupted;
}

// The surest of the answers that found something; of those that found nothing, if none did.
size_t surest(const std::vector<Answer>& answers) {
  size_t best = 0;
  for (size_t i = 1; i < answers.size(); ++i) {
    const double there = answers[best].mean_logprob.value_or(-INFINITY);
    const double here = answers[i].mean_logprob.value_or(-INFINITY);
    const bool finds_more = answers[i].in_documents && !answers[best].in_documents;
    if (finds_more || (answers[i].in_documents == answers[best].in_documents && here > there)) best = i;
  }
  return best;
}

}  // namespace

Result<Answer> ask_by_map(Answerer& answerer, MapKind kind, const std::string& question, const AskOptions& options,
                          const CancelToken& cancel) {
  if (options.passages.empty()) return usage_error("map answering needs passages");
  AskOptions alone = options;
  alone.mode = AnswerMode::kFull;
  alone.wants_logits = true;
  std::vector<Answer> answers;
  double total_ms = 0.0;
  for (const ContextPassage& passage : options.passages) {
    alone.passages = {passage};
    MNEME_ASSIGN_OR_RETURN(Answer answer, answerer.ask(question, alone, {}, cancel));
    if (interrupted(answer)) return answer;
    total_ms += answer.timing.total.value_or(0.0);
    answers.push_back(std::move(answer));
  }
  if (kind == MapKind::kRerank) {
    Answer best = std::move(answers[surest(answers)]);
    best.timing.ttft = best.timing.total = total_ms;
    return best;
  }
  AskOptions last = options;
  last.mode = AnswerMode::kFull;
  last.passages.clear();
  for (size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].in_documents || answers[i].text.empty()) continue;
    last.passages.push_back({options.passages[i].title, answers[i].text, options.passages[i].document});
  }
  // Nothing found anywhere is an answer too.
  if (last.passages.empty()) {
    Answer none = std::move(answers.front());
    none.timing.ttft = none.timing.total = total_ms;
    return none;
  }
  MNEME_ASSIGN_OR_RETURN(Answer reduced, answerer.ask(question, last, {}, cancel));
  if (reduced.timing.ttft) reduced.timing.ttft = *reduced.timing.ttft + total_ms;
  if (reduced.timing.total) reduced.timing.total = *reduced.timing.total + total_ms;
  return reduced;
}

}  // namespace mneme::rag
