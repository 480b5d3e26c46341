#include "rag/answering/answerer.h"

#include <optional>
#include <utility>

#include "base/trace.h"
#include "engine/codec/codec.h"
#include "engine/language_model.h"
#include "rag/answering/answer_by_quoting.h"
#include "rag/answering/citations/answer_citations.h"
#include "rag/answering/exchange/asked.h"
#include "rag/answering/listing_answer.h"
#include "rag/answering/payments_answer.h"
#include "rag/answering/senders_answer.h"
#include "rag/answering/sources/question_sources.h"
#include "rag/answering/states_answer.h"
#include "rag/answering/task_answer.h"
#include "rag/answering/writing/answer_by_model.h"
#include "rag/answering/writing/mode_choice.h"
#include "rag/answering/writing/prompt_sequence.h"
#include "rag/follow_ups/pleasantries.h"
#include "rag/kv_reuse/chat_kv.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/workspace.h"

namespace mneme::rag {

struct Answerer::State {
  explicit State(Workspace& w) : workspace(w) {}
  Workspace& workspace;
  PromptSequence sequence;
};

namespace {

void take_sources(QuestionSources& found, Answer& answer) {
  for (Hit& hit : found.hits) {
    const int n = hit.rank;
    answer.sources.push_back({n, std::move(hit), false, false});
  }
  found.hits.clear();
  answer.standalone_query = std::move(found.standalone);
  answer.timing.retrieve = found.retrieve_ms;
  answer.timing.rerank = found.rerank_ms;
  answer.reranked = found.reranked;
  answer.notes = std::move(found.notes);
}

// Nothing is looked for where somebody in a conversation only says thanks.
Result<QuestionSources> sources_for(Workspace& workspace, const Asked& asked, engine::LanguageModel* model) {
  const bool asks = model != nullptr || asked.options.history.empty() || reply_to_pleasantry(asked.question).empty();
  if (asks) return find_sources(workspace, asked, model);
  QuestionSources none;
  none.answerable = false;
  return none;
}

void quote(Workspace& workspace, const Asked& asked, const QuestionSources& found, Answer& answer) {
  asked.stage("answering");
  answer_by_quoting(asked, found, workspace.embedder(), [&] { return workspace.reader(); }, answer);
  const std::string_view reply = reply_to_pleasantry(asked.question);
  if (!answer.in_documents && !reply.empty()) {  // "Hello!" may be a word of the documents
    answer.text = reply;
    answer.in_documents = true;
  }
  answer.timing.ttft = asked.milliseconds();
  if (asked.callbacks.sources) asked.callbacks.sources(answer.sources);
  if (asked.callbacks.token) asked.callbacks.token(answer.text);
}

// Which documents and tasks there are, who wrote them, and what payments come to, no model has to say.
Result<bool> answer_by_lists(Workspace& workspace, const Asked& asked, Answer& answer) {
  MNEME_ASSIGN_OR_RETURN(bool is_listed, answer_by_listing(workspace, asked, answer));
  for (const auto answer_by : {answer_by_senders, answer_by_states, answer_by_tasks, answer_by_payments}) {
    if (is_listed) break;
    MNEME_ASSIGN_OR_RETURN(is_listed, answer_by(workspace, asked, answer));
  }
  if (!is_listed) return false;
  answer.timing.retrieve = answer.timing.ttft = asked.milliseconds();
  answer.cache.chunks = static_cast<int>(answer.sources.size());
  answer.attention.kind = "none";
  if (asked.callbacks.sources) asked.callbacks.sources(answer.sources);
  if (asked.callbacks.token) asked.callbacks.token(answer.text);
  collect_citations(answer);
  answer.timing.total = asked.milliseconds();
  return true;
}

}  // namespace

Answerer::Answerer(Workspace& workspace) : state_(std::make_unique<State>(workspace)) {}
Answerer::~Answerer() = default;

Result<Answer> Answerer::ask(const std::string& question, const AskOptions& options, const AskCallbacks& callbacks,
                             const CancelToken& cancel) {
  const trace::Span span("ask", "rag");
  if (question.find_first_not_of(" \t\r\n") == std::string::npos) return usage_error("the question is empty");
  Workspace& workspace = state_->workspace;
  Answer answer;
  MNEME_ASSIGN_OR_RETURN(
      const bool is_listed,
      answer_by_lists(workspace, {.question = question, .options = options, .callbacks = callbacks, .cancel = cancel},
                      answer));
  if (is_listed) return answer;
  // The model opens before the clock starts: the time to the first token is that of a resident one.
  MNEME_ASSIGN_OR_RETURN(engine::LanguageModel* const model, workspace.model());
  ModeChoice choice;
  if (model != nullptr) {
    MNEME_ASSIGN_OR_RETURN(
        choice, choose_mode(workspace, *model,
                            {.question = question, .options = options, .callbacks = callbacks, .cancel = cancel}));
    state_->sequence.set_model(*model);
  }
  const Asked asked{.question = question, .options = options, .callbacks = callbacks, .cancel = cancel};
  answer.model = workspace.model_name();
  MNEME_ASSIGN_OR_RETURN(QuestionSources found, sources_for(workspace, asked, model));
  take_sources(found, answer);
  if (model == nullptr) {
    quote(workspace, asked, found, answer);
  } else {
    answer.device = model->backend().name();
    answer.gpu_layers = model->backend().gpu_layers(model->config().n_layers);
    MNEME_RETURN_IF_ERROR(answer_by_model({workspace, *model, state_->sequence, choice}, asked, answer));
  }
  collect_citations(answer);
  answer.timing.total = asked.milliseconds();
  return answer;
}

void Answerer::leave_chat(const AskOptions& options) {
  engine::Sequence* const sequence = state_->sequence.unrotated();
  const std::optional<engine::KvLevel> level = engine::kv_level_from_name(options.kv_level);
  if (options.chat == nullptr || sequence == nullptr || !level) return;
  const Result<Workspace::Kv> kv = state_->workspace.kv();
  if (kv.ok()) static_cast<void>(options.chat->store_all(*kv->library, *sequence, *level));
}

}  // namespace mneme::rag
