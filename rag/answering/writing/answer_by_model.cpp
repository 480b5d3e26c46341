#include "rag/answering/writing/answer_by_model.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/codec/codec.h"
#include "engine/language_model.h"
#include "rag/answering/citations/answer_citations.h"
#include "rag/answering/writing/generator.h"
#include "rag/answering/writing/prompt_sequence.h"
#include "rag/answering/writing/teacher_forcing.h"
#include "rag/kv_reuse/chat_kv.h"
#include "rag/kv_reuse/kv_collections.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/prompt/prompt_builder.h"
#include "rag/prompt/prompt_layout.h"
#include "rag/text/documents/path_names.h"
#include "rag/text/languages/notes.h"
#include "rag/workspace.h"

namespace mneme::rag {
namespace {

constexpr int kContextIfUnknown = 4096;

class ModelAnswer {
 public:
  ModelAnswer(const AnsweringModel& by, const Asked& asked, Answer& answer)
      : by_(by), asked_(asked), options_(asked.options), answer_(answer) {}

  Status run() {
    for (const std::string& note : by_.choice.notes) answer_.notes.push_back(note);
    MNEME_RETURN_IF_ERROR(make_prompt());
    MNEME_RETURN_IF_ERROR(find_not_stored());
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Prefiller> prefiller,
                           prefiller_for(by_.workspace, by_.choice, seconds_left()));
    // A chat's KV is taken out of the sequence again.
    const bool unrotated = options_.chat != nullptr;
    const int needed = prompt_.n_tokens() + options_.max_tokens + thought_room();
    MNEME_ASSIGN_OR_RETURN(sequence_, by_.kept.with_room(needed, context(), unrotated));
    MNEME_RETURN_IF_ERROR(set_attention());
    if (asked_.callbacks.sources) asked_.callbacks.sources(answer_.sources);
    MNEME_RETURN_IF_ERROR(read_prompt(*prefiller));
    if (answer_.finish == Finish::kInterrupted) return {};
    const std::vector<float> first(sequence_->logits().begin(), sequence_->logits().end());
    if (options_.wants_logits) answer_.first_logits = first;
    MNEME_RETURN_IF_ERROR(decode());
    if (options_.score_text) MNEME_RETURN_IF_ERROR(score(first));
    remember();
    return {};
  }

 private:
  int context() const {
    const int asked = by_.workspace.options().context_tokens;
    const int trained = by_.model.config().context_length;
    return asked > 0 ? asked : trained > 0 ? trained : kContextIfUnknown;
  }

  Status make_prompt() {
    const PromptLayout& layout = PromptLayout::embedded();
    const engine::Tokenizer& tokenizer = by_.model.tokenizer();
    MNEME_ASSIGN_OR_RETURN(frame_, prompt_frame(tokenizer, by_.model.chat_template(), layout));
    if (std::string note = engine::chat_template_note(by_.model); !note.empty()) {
      answer_.notes.push_back(std::move(note));
    }
    std::vector<std::string> titles;
    const PromptRequest request = prompt_request(titles);
    MNEME_ASSIGN_OR_RETURN(prompt_, build_prompt(tokenizer, frame_, layout, request));
    for (const std::string& note : prompt_.notes) answer_.notes.push_back(note);
    answer_.usage.cut_passages = static_cast<int>(answer_.sources.size()) - prompt_.n_passages;
    answer_.sources.resize(static_cast<size_t>(prompt_.n_passages));
    answer_.usage.prompt_tokens = prompt_.n_tokens();
    answer_.usage.chunk_tokens = prompt_.chunk_tokens;
    answer_.prompt_ids = prompt_.all_ids();
    return {};
  }

  // titles: what the request's passages view.
  PromptRequest prompt_request(std::vector<std::string>& titles) const {
    PromptRequest request;
    titles.reserve(answer_.sources.size());
    for (const Citation& cited : answer_.sources) {
      const Hit& hit = cited.source;
      titles.push_back(title_with_folders(hit.title, hit.document, hit.names));
      request.passages.push_back({titles.back(), hit.text});
    }
    request.instructions = options_.instructions;
    request.short_answer = options_.short_answer;
    request.history = options_.history;
    request.question = asked_.question;
    request.budget_tokens = context() - std::min(options_.max_tokens, context() / 4);
    return request;
  }

  // Until the first token is wanted; nothing where no goal was set.
  std::optional<double> seconds_left() {
    if (!options_.first_token_goal_ms) return std::nullopt;
    answer_.first_token_goal_ms = options_.first_token_goal_ms;
    if (by_.choice.mode == AnswerMode::kFull || by_.choice.mode == AnswerMode::kPrefix) {
      answer_.notes.push_back(note_for(asked_.question, &NoteTexts::goal_had_no_say));
    }
    return std::max(*options_.first_token_goal_ms - asked_.milliseconds(), 1.0) / 1e3;
  }

  // Tokens that the model may think before it answers: what the context leaves.
  int thought_room() const {
    if (frame_.thinking == engine::Thinking::kUnlikely) return 0;
    const int left = context() - prompt_.n_tokens() - options_.max_tokens;
    return std::clamp(left, 0, GenerateOptions().max_thought_tokens);
  }

  // Before anything is computed, so that options which do not fit are known at once.
  Status set_attention() {
    const Status status = sequence_->set_retrieval(options_.retrieval);
    const bool automatic = options_.retrieval.kind == engine::AttentionKind::kAuto;
    return status.code() == StatusCode::kUnsupported && automatic ? Status() : status;
  }

  Status read_prompt(Prefiller& prefiller) {
    asked_.stage("reading");
    Result<PrefillReport> report = prefiller.prefill(by_.model, *sequence_, prompt_, prefill_options(), asked_.cancel);
    if (report.status().code() == StatusCode::kCancelled) {
      answer_.finish = Finish::kInterrupted;
      return {};
    }
    if (!report.ok()) return report.status();
    answer_.cache = std::move(report->cache);
    answer_.timing.load = report->load_ms;
    answer_.timing.recompute = report->recompute_ms;
    for (const std::string& why : report->failed_caches)
      answer_.notes.push_back(note_for(asked_.question, &NoteTexts::cache_recomputed, {{"why", why}}));
    if (!report->refused_cache.empty()) answer_.notes.push_back(report->refused_cache);
    // So that what is measured already depends on what retrieval finds with the answer's first token.
    if (options_.wants_logits && retrieves()) MNEME_RETURN_IF_ERROR(decode_question());
    return {};
  }

  PrefillOptions prefill_options() const {
    return {.kv_level = options_.kv_level,
            .recompute_ratio = options_.recompute_ratio,
            .full_layers = options_.full_layers,
            .selector = options_.selector,
            .seed = options_.seed,
            .chat = options_.chat,
            .not_stored = not_stored_};
  }

  // Of the prompt's passages those of collections that store no KV.
  Status find_not_stored() {
    MNEME_ASSIGN_OR_RETURN(const std::set<std::string> without, collections_without_kv(by_.workspace.catalogue()));
    for (size_t i = 0; i < prompt_.text_hashes.size() && i < answer_.sources.size(); ++i) {
      if (without.contains(answer_.sources[i].source.collection)) not_stored_.push_back(prompt_.text_hashes[i]);
    }
    return {};
  }

  bool retrieves() const { return options_.retrieval.kind == engine::AttentionKind::kPq; }

  ForcedReading forced_reading() const { return {*sequence_, retrieves(), asked_.cancel}; }

  // Reads what follows the passages and instructions again, one token at a time.
  Status decode_question() {
    const std::vector<engine::TokenId> ids = prompt_.all_ids();
    const int first = prompt_.n_before_history();
    sequence_->truncate(first);
    std::vector<float> logits;
    return read_on(forced_reading(), std::span(ids).subspan(static_cast<size_t>(first)), logits);
  }

  GenerateOptions generate_options() const {
    GenerateOptions options;
    options.max_tokens = options_.max_tokens;
    options.temperature = options_.temperature;
    options.top_p = options_.top_p;
    options.seed = options_.seed;
    options.max_drafted = options_.max_drafted;
    options.scores = options_.wants_logits;
    options.thinking = frame_.thinking;
    options.on_thinking = [this](bool thinking) { asked_.stage(thinking ? "thinking" : "answering"); };
    if (!frame_.has_template) options.stop_text = "\nQuestion:";
    return options;
  }

  Status decode() {
    asked_.stage("answering");
    const double before_ms = asked_.milliseconds();
    MNEME_ASSIGN_OR_RETURN(Generation generation, generate_answer(by_.model, *sequence_, generate_options(),
                                                                  asked_.callbacks.token, asked_.cancel));
    answer_.timing.ttft = before_ms + generation.first_token_ms;
    report_attention();
    take(std::move(generation));
    answer_.in_documents = !PromptLayout::embedded().says_no(answer_.text);
    check_citations_of(answer_, asked_.question, options_.short_answer);
    return {};
  }

  void take(Generation generation) {
    if (generation.n_tokens > 1 && generation.decode_ms > 0) {
      answer_.decode_tokens_per_s = (generation.n_tokens - 1) / generation.decode_ms * 1e3;
    }
    if (options_.wants_logits) answer_.mean_logprob = generation.mean_logprob;
    answer_.text = std::move(generation.text);
    answer_.reasoning = std::move(generation.thought);
    answer_.finish = generation.finish;
    answer_.usage.answer_tokens = generation.n_tokens;
    answer_.usage.reasoning_tokens = generation.n_thought_tokens;
    answer_.usage.decode_steps = generation.drafts.steps;
    if (!generation.cut_short.empty())
      answer_.notes.push_back(note_for(asked_.question, &NoteTexts::ends_in_middle, {{"why", generation.cut_short}}));
    if (answer_.text.empty() && !answer_.reasoning.empty() && answer_.finish == Finish::kLength) {
      answer_.notes.push_back(
          note_for(asked_.question, &NoteTexts::still_thinking, {{"n", std::to_string(generation.n_thought_tokens)}}));
    }
  }

  void report_attention() {
    answer_.attention.kv_in_host_memory = sequence_->kv().in_host_memory();
    const engine::RetrievalReport report = sequence_->retrieval_report();
    if (!report.used) return;
    answer_.attention.kind = "pq";
    answer_.attention.budget = report.budget_tokens;
    answer_.attention.attended = static_cast<int>(std::lround(report.mean_attended));
    answer_.attention.block_cache_hit_rate = report.block_cache_hit_rate;
    answer_.attention.recall = report.recall;
    answer_.attention.mass = report.mass;
  }

  // How likely the model holds a given answer, read off the same prompt.
  Status score(std::span<const float> first) {
    const std::vector<engine::TokenId> ids = by_.model.tokenizer().encode_continuation(*options_.score_text);
    const int room = sequence_->kv().options().max_tokens - prompt_.n_tokens();
    if (ids.empty() || static_cast<int>(ids.size()) > room) return {};
    sequence_->truncate(prompt_.n_tokens());
    MNEME_ASSIGN_OR_RETURN(answer_.score_nll, mean_nll(forced_reading(), ids, first));
    return {};
  }

  // Keeps this turn's KV with the chat. Whatever hinders it costs the next turn time, nothing else.
  void remember() {
    const bool reuses = by_.choice.mode == AnswerMode::kBlend || by_.choice.mode == AnswerMode::kReuse;
    if (options_.chat == nullptr || !reuses || answer_.finish == Finish::kInterrupted) return;
    const Result<Workspace::Kv> kv = by_.workspace.kv();
    const std::optional<engine::KvLevel> level = engine::kv_level_from_name(options_.kv_level);
    if (!kv.ok() || !level) return;
    const std::vector<engine::TokenId> turn = turn_ids(kv->library->model().tokenizer(), PromptLayout::embedded(),
                                                       {.question = asked_.question, .answer = answer_.text});
    static_cast<void>(options_.chat->remember(*kv->library, *sequence_, prompt_, turn, *level));
    if (!not_stored_.empty()) options_.chat->leave_out_passages();
  }

  const AnsweringModel& by_;
  const Asked& asked_;
  const AskOptions& options_;
  Answer& answer_;
  PromptFrame frame_;
  Prompt prompt_;
  std::vector<Hash128> not_stored_;
  engine::Sequence* sequence_ = nullptr;
};

}  // namespace

Status answer_by_model(const AnsweringModel& by, const Asked& asked, Answer& answer) {
  return ModelAnswer(by, asked, answer).run();
}

}  // namespace mneme::rag
