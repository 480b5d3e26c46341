#include "app/eval/eval_answers.h"

#include "app/eval/answer_metrics.h"
#include "rag/workspace.h"

namespace mneme::app {
namespace {

// What the prompt layout trains a model to say when the documents hold no answer, in its short and long form.
constexpr const char* kNoAnswers[] = {"not in the documents", "The documents do not say."};

bool says_no(const std::string& answer) {
  const std::vector<std::string> tokens = answer_tokens(answer);
  for (const char* no : kNoAnswers) {
    if (tokens == answer_tokens(no)) return true;
  }
  return false;
}

rag::AskOptions ask_options(const EvalQuestion& question, const EvalLane& lane, const EvalAnswerOptions& options) {
  rag::AskOptions ask;
  for (const EvalContext& context : question.contexts) {
    ask.passages.push_back({.title = context.title, .text = context.text, .document = ""});
  }
  ask.short_answer = true;
  ask.mode = lane.mode;
  ask.recompute_ratio = lane.recompute_ratio;
  ask.kv_level = options.kv_level;
  ask.max_tokens = options.max_tokens;
  return ask;
}

void add_score(const EvalQuestion& question, const rag::Answer& answer, LaneScores& scores) {
  const std::string text = strip_citations(answer.text);
  const bool no = !answer.in_documents || says_no(text);
  AnswerScore score;
  if (question.answerable) {
    score = score_answer(text, question.answers);
  } else {
    score = {.em = no ? 1.0 : 0.0, .f1 = no ? 1.0 : 0.0, .contains = no ? 1.0 : 0.0, .rouge_l = no ? 1.0 : 0.0};
  }
  scores.em.push_back(score.em);
  scores.f1.push_back(score.f1);
  scores.contains.push_back(score.contains);
  scores.rouge_l.push_back(score.rouge_l);
  const std::string first = text.substr(0, text.find('\n'));
  scores.contains_first.push_back(question.answerable ? score_answer(first, question.answers).contains
                                                      : score.contains);
  scores.recompute_ratio.push_back(answer.cache.recompute_ratio);
  if (answer.timing.ttft) scores.ttft_ms.push_back(*answer.timing.ttft);
  scores.bytes_read += answer.cache.bytes_read;
  scores.refused += no ? 1 : 0;
  scores.refused_right += no && !question.answerable ? 1 : 0;
}

}  // namespace

Result<EvalAnswerResult> evaluate_answers(rag::Workspace& workspace, const EvalSet& set, const EvalCorpus& corpus,
                                          const EvalAnswerOptions& options, const std::function<void(size_t)>& each,
                                          const CancelToken& cancel) {
  EvalAnswerResult result;
  result.lanes.resize(options.lanes.size());
  rag::Answerer answerer(workspace);
  for (size_t i = 0; i < set.questions.size(); ++i) {
    const EvalQuestion question = options.n_chunks > 0
                                      ? pad_with_distractors(set.questions[i], corpus, options.n_chunks, options.seed)
                                      : set.questions[i];
    std::vector<rag::Answer> answers;
    for (const EvalLane& lane : options.lanes) {
      Result<rag::Answer> answer = answerer.ask(question.question, ask_options(question, lane, options), {}, cancel);
      const bool stopped = cancel.cancelled() || answer.status().code() == StatusCode::kCancelled;
      if (stopped || (answer.ok() && answer->finish == rag::Finish::kInterrupted)) {
        result.interrupted = true;
        return result;
      }
      if (!answer.ok()) return answer.status().with_context("question " + question.id + ", " + lane.name + ": ");
      answers.push_back(*std::move(answer));
    }
    // Only now, so that an interrupted question counts for no lane.
    for (size_t lane = 0; lane < answers.size(); ++lane) add_score(question, answers[lane], result.lanes[lane]);
    result.unanswerable += question.answerable ? 0 : 1;
    each(i);
  }
  return result;
}

}  // namespace mneme::app
