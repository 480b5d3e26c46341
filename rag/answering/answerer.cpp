#include "rag/answering/answerer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "base/stopwatch.h"
#include "base/trace.h"
#include "engine/codec/codec.h"
#include "engine/language_model.h"
#include "engine/transformer/distribution.h"
#include "rag/answering/citation_check.h"
#include "rag/answering/cited_place.h"
#include "rag/answering/generator.h"
#include "rag/answering/mode_choice.h"
#include "rag/answering/prefill.h"
#include "rag/answering/prompt_builder.h"
#include "rag/answering/prompt_layout.h"
#include "rag/answering/query_rewriter.h"
#include "rag/answering/quoting.h"
#include "rag/answering/standalone_query.h"
#include "rag/document.h"
#include "rag/embedding/embedder.h"
#include "rag/indexing/file_loader.h"
#include "rag/indexing/file_walker.h"
#include "rag/kv_reuse/chat_kv.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/readers/reader.h"
#include "rag/readers/reader_worker.h"
#include "rag/retrieval/document_names.h"
#include "rag/text/comparison.h"
#include "rag/text/path_names.h"
#include "rag/workspace.h"

namespace mneme::rag {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSaysItself = 0.6;  // of a question: what says so much of it needs no conversation
constexpr int kDefining = 2;         // passages for each of two things that are compared

// A file given with --context, as one passage.
Status read_context_file(const std::string& given, const CancelToken& cancel, std::vector<Hit>& hits) {
  const std::string path = absolute_path(given);
  readers::ReadLimits limits;
  limits.cancel = &cancel;
  return readers::read_file_apart(path, limits, [&](readers::ReadItem item) -> Status {
    MNEME_RETURN_IF_ERROR(item.status);
    Hit hit;
    hit.document = member_path(path, item.member);
    hit.title = item.document.title;
    hit.form = form_of(item.document.format);
    hit.score = 1.0;
    hit.byte_end = item.document.text.size();
    if (!item.document.blocks.empty()) {
      hit.line_start = item.document.blocks.front().line_begin;
      hit.line_end = item.document.blocks.back().line_end;
      hit.page = item.document.blocks.front().page;
    }
    hit.chunk = xxh3_128(as_bytes(item.document.text)).hex();
    hit.text = std::move(item.document.text);
    while (hit.text.ends_with('\n')) hit.text.pop_back();
    hits.push_back(std::move(hit));
    return {};
  });
}

Hit passage_hit(const ContextPassage& passage) {
  Hit hit;
  hit.document = passage.document;
  hit.title = passage.title;
  hit.text = passage.text;
  hit.score = 1.0;
  hit.byte_end = passage.text.size();
  hit.chunk = xxh3_128(as_bytes(passage.text)).hex();
  return hit;
}

}  // namespace

struct Answerer::State {
  explicit State(Workspace& w) : workspace(w) {}
  Workspace& workspace;
  engine::LanguageModel* model = nullptr;
  std::unique_ptr<engine::Sequence> sequence;  // of the last prompt
  int sequence_tokens = 0;
  bool sequence_unrotated = false;
};

namespace {

// One question on its way to an answer.
class Asking {
 public:
  Asking(Workspace& workspace, const std::string& question, const AskOptions& options, const AskCallbacks& callbacks,
         const CancelToken& cancel)
      : workspace_(workspace), question_(question), options_(options), callbacks_(callbacks), cancel_(cancel) {}

  // model: null when the answer is quoted.
  Status find_sources(engine::LanguageModel* model) {
    stage("retrieving");
    std::vector<Hit> hits;
    if (!options_.passages.empty()) {
      for (const ContextPassage& passage : options_.passages) hits.push_back(passage_hit(passage));
    } else if (!options_.context_files.empty()) {
      for (const std::string& path : options_.context_files) {
        MNEME_RETURN_IF_ERROR(read_context_file(path, cancel_, hits));
      }
    } else {
      MNEME_RETURN_IF_ERROR(retrieve(model, hits));
    }
    for (size_t i = 0; i < hits.size(); ++i) {
      hits[i].rank = static_cast<int>(i + 1);
      answer_.sources.push_back({static_cast<int>(i + 1), std::move(hits[i]), false, false});
    }
    return {};
  }

  // The best sentences, or that there are none.
  void quote() {
    stage("answering");
    std::vector<Hit> hits;
    hits.reserve(answer_.sources.size());
    for (const Citation& source : answer_.sources) hits.push_back(source.source);
    if (!answerable_) hits.clear();
    const std::vector<QuotedSentence> sentences = quotations(query_, leaned_on_, hits);
    answer_.in_documents = !sentences.empty();
    answer_.text = sentences.empty() ? PromptLayout::embedded().no_answer : quoted_answer(sentences);
    answer_.timing.ttft = milliseconds_since(start_);
    if (callbacks_.sources) callbacks_.sources(answer_.sources);
    if (callbacks_.token) callbacks_.token(answer_.text);
    for (const QuotedSentence& sentence : sentences) {
      Citation& citation = answer_.sources[static_cast<size_t>(sentence.passage)];
      citation.cited = citation.quoted = true;
    }
    answer_.cache.chunks = static_cast<int>(answer_.sources.size());
    answer_.attention.kind = "none";
    finish();
  }

  Status generate(engine::LanguageModel& model, const ModeChoice& choice, std::unique_ptr<engine::Sequence>& sequence,
                  int& sequence_tokens, bool& sequence_unrotated) {
    for (const std::string& note : choice.notes) answer_.notes.push_back(note);
    MNEME_ASSIGN_OR_RETURN(const Prompt prompt, make_prompt(model));
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Prefiller> prefiller,
                           make_prefiller(workspace_, choice, seconds_left(choice)));
    const int needed = prompt.n_tokens() + options_.max_tokens + thought_room(model, prompt);
    // A chat's KV is taken out of the sequence again.
    const bool unrotated = options_.chat != nullptr;
    if (sequence == nullptr || sequence_tokens < needed || sequence_unrotated != unrotated) {
      sequence.reset();
      sequence_tokens = std::max(needed, std::min(context_of(model), 2 * needed));
      sequence_unrotated = unrotated;
      MNEME_ASSIGN_OR_RETURN(sequence, model.new_sequence(sequence_tokens, unrotated));
    }
    MNEME_RETURN_IF_ERROR(set_attention(*sequence));
    if (callbacks_.sources) callbacks_.sources(answer_.sources);
    stage("reading");
    Result<PrefillReport> report = prefiller->prefill(model, *sequence, prompt, options_, cancel_);
    if (report.status().code() == StatusCode::kCancelled) {
      answer_.finish = Finish::kInterrupted;
      finish();
      return {};
    }
    if (!report.ok()) return report.status();
    answer_.cache = report->cache;
    answer_.timing.load = report->load_ms;
    answer_.timing.recompute = report->recompute_ms;
    for (std::string& note : report->notes) answer_.notes.push_back(std::move(note));
    // So that what is measured already depends on what retrieval finds with the answer's first token.
    if (options_.wants_logits && is_forced_to_retrieve()) MNEME_RETURN_IF_ERROR(decode_question(*sequence, prompt));
    if (options_.wants_logits) answer_.first_logits.assign(sequence->logits().begin(), sequence->logits().end());
    const std::vector<float> first(sequence->logits().begin(), sequence->logits().end());
    MNEME_RETURN_IF_ERROR(decode(model, *sequence));
    if (options_.score_text) MNEME_RETURN_IF_ERROR(score(model, *sequence, prompt, first));
    remember(*sequence, prompt, choice);
    return {};
  }

  Answer take() { return std::move(answer_); }

 private:
  std::vector<QuotedSentence> quotations(const std::string& query, std::string_view leaned_on,
                                         std::span<const Hit> hits) const {
    std::vector<std::string> contexts;
    std::vector<QuotePassage> passages;
    contexts.reserve(hits.size());
    for (const Hit& hit : hits) {
      contexts.push_back(called_by_path(hit.document, hit.names) + "\n" + hit.title + "\n" + hit.heading_path);
      passages.push_back({hit.text, contexts.back(), hit.title, hit.form});
    }
    QuotingOptions quoting;
    if (workspace_.embedder().is_quick()) quoting.embedder = &workspace_.embedder();
    quoting.compared = compared_;
    quoting.leaned_on = leaned_on;
    return quote_sentences(query, passages, quoting);
  }

  void stage(std::string_view name) const {
    if (callbacks_.stage) callbacks_.stage(name);
  }

  Status retrieve(engine::LanguageModel* model, std::vector<Hit>& hits) {
    std::vector<QuestionReading> readings = question_readings(question_, options_.history);
    if (model != nullptr) {
      readings.resize(1);  // a model sees the conversation itself
      if (options_.rewrite_by_model) {
        MNEME_ASSIGN_OR_RETURN(readings[0].question, rewritten_query(*model, question_, options_.history, cancel_));
      }
    }
    Retriever retriever(workspace_);
    SearchOptions search = options_.search;
    search.judge = model == nullptr;  // a model says itself what its passages do not hold
    SearchResult first;
    for (size_t i = 0; i < readings.size(); ++i) {
      MNEME_ASSIGN_OR_RETURN(SearchResult found, retriever.search(readings[i].question, search, cancel_));
      const bool plain = readings.size() == 1 && readings[i].leaned_on.empty();
      const bool answers = plain || model != nullptr || is_answered(found, readings[i]);
      if (answers || i == 0) {
        query_ = readings[i].question;
        leaned_on_ = readings[i].leaned_on;
        first = std::move(found);
      }
      if (answers) break;
      // None is answered: what the question alone finds may be shown, not what is only about the same.
      if (i + 1 == readings.size() && !leaned_on_.empty()) first.answerable = false;
    }
    if (query_ != question_) answer_.standalone_query = query_;
    query_ = first.query;
    hits = std::move(first.hits);
    answerable_ = first.answerable.value_or(true);
    answer_.timing.retrieve = first.milliseconds;
    answer_.reranked = first.reranked;
    if (first.reranked > 0) answer_.timing.rerank = first.rerank_milliseconds;
    for (std::string& note : first.notes) answer_.notes.push_back(std::move(note));
    return model == nullptr ? find_compared(retriever, search, hits) : Status();
  }

  // Whether a sentence of what was found would be quoted that holds what is asked for.
  bool is_answered(const SearchResult& found, const QuestionReading& reading) const {
    if (!found.answerable.value_or(true)) return false;
    const std::vector<QuotedSentence> quotes = quotations(found.query, reading.leaned_on, found.hits);
    if (quotes.empty()) return false;
    return quotes.front().fits || (reading.leaned_on.empty() && quotes.front().says >= kSaysItself);
  }

  // Of two things that are compared, what says what each of them is: their difference may be stated nowhere.
  Status find_compared(Retriever& retriever, SearchOptions search, std::vector<Hit>& hits) {
    search.top_k = kDefining;
    for (const std::string& question : compared_definitions(query_)) {
      MNEME_ASSIGN_OR_RETURN(SearchResult found, retriever.search(question, search, cancel_));
      if (!found.answerable.value_or(false)) continue;
      compared_.push_back(question);
      for (Hit& hit : found.hits) {
        const auto is_it = [&](const Hit& other) { return other.chunk_row == hit.chunk_row; };
        if (std::none_of(hits.begin(), hits.end(), is_it)) hits.push_back(std::move(hit));
      }
    }
    if (compared_.size() < 2) compared_.clear();  // one of the two tells no difference
    answerable_ |= !compared_.empty();
    return {};
  }

  // Until the first token is wanted; nothing where no goal was set.
  std::optional<double> seconds_left(const ModeChoice& choice) {
    if (!options_.first_token_goal_ms) return std::nullopt;
    answer_.first_token_goal_ms = options_.first_token_goal_ms;
    if (choice.mode == AnswerMode::kFull || choice.mode == AnswerMode::kPrefix) {
      answer_.notes.push_back("the time goal had no say, since everything was computed");
    }
    return std::max(*options_.first_token_goal_ms - milliseconds_since(start_), 1.0) / 1e3;
  }

  std::vector<std::string_view> texts() const {
    std::vector<std::string_view> views;
    views.reserve(answer_.sources.size());
    for (const Citation& source : answer_.sources) views.push_back(source.source.text);
    return views;
  }

  int context_of(engine::LanguageModel& model) const {
    const int asked = workspace_.options().context_tokens;
    const int trained = model.config().context_length;
    return asked > 0 ? asked : trained > 0 ? trained : 4096;
  }

  // Tokens that the model may think before it answers: what the context leaves.
  int thought_room(engine::LanguageModel& model, const Prompt& prompt) const {
    if (thinking_ == engine::Thinking::kUnlikely) return 0;
    const int left = context_of(model) - prompt.n_tokens() - options_.max_tokens;
    return std::clamp(left, 0, GenerateOptions().max_thought_tokens);
  }

  Result<Prompt> make_prompt(engine::LanguageModel& model) {
    const PromptLayout& layout = PromptLayout::embedded();
    MNEME_ASSIGN_OR_RETURN(const PromptFrame frame, prompt_frame(model.tokenizer(), model.chat_template(), layout));
    has_template_ = frame.has_template;
    thinking_ = frame.thinking;
    if (std::string note = engine::chat_template_note(model); !note.empty()) answer_.notes.push_back(std::move(note));
    PromptRequest request;
    std::vector<std::string> titles;
    titles.reserve(answer_.sources.size());
    for (const Citation& cited : answer_.sources) {
      const Hit& hit = cited.source;
      titles.push_back(title_with_folders(hit.title, hit.document, hit.names));
      request.passages.push_back({titles.back(), hit.text});
    }
    request.instructions = options_.instructions;
    request.short_answer = options_.short_answer;
    request.history = options_.history;
    request.question = question_;
    request.budget_tokens = context_of(model) - std::min(options_.max_tokens, context_of(model) / 4);
    MNEME_ASSIGN_OR_RETURN(Prompt prompt, build_prompt(model.tokenizer(), frame, layout, request));
    for (const std::string& note : prompt.notes) answer_.notes.push_back(note);
    answer_.usage.cut_passages = static_cast<int>(answer_.sources.size()) - prompt.n_passages;
    answer_.sources.resize(static_cast<size_t>(prompt.n_passages));
    answer_.usage.prompt_tokens = prompt.n_tokens();
    answer_.usage.chunk_tokens = prompt.chunk_tokens;
    answer_.prompt_ids = prompt.all_ids();
    return prompt;
  }

  // Before anything is computed, so that options which do not fit are known at once.
  Status set_attention(engine::Sequence& sequence) {
    const Status status = sequence.set_retrieval(options_.retrieval);
    const bool automatic = options_.retrieval.kind == engine::AttentionKind::kAuto;
    return status.code() == StatusCode::kUnsupported && automatic ? Status() : status;
  }

  bool is_forced_to_retrieve() const { return options_.retrieval.kind == engine::AttentionKind::kPq; }

  // Logits after each of the ids. Under retrieval they come one at a time, as decoded ones do: together they would see
  // everything.
  Status read_on(engine::Sequence& sequence, std::span<const engine::TokenId> ids, std::vector<float>& logits) {
    if (!is_forced_to_retrieve()) return sequence.append_with_logits(ids, logits, cancel_);
    logits.clear();
    for (size_t i = 0; i < ids.size(); ++i) {
      MNEME_RETURN_IF_ERROR(sequence.append(ids.subspan(i, 1), cancel_));
      logits.insert(logits.end(), sequence.logits().begin(), sequence.logits().end());
    }
    return {};
  }

  // Reads what follows the passages and instructions again, one token at a time.
  Status decode_question(engine::Sequence& sequence, const Prompt& prompt) {
    const std::vector<engine::TokenId> ids = prompt.all_ids();
    const int first = prompt.n_before_history();
    sequence.truncate(first);
    std::vector<float> logits;
    return read_on(sequence, std::span(ids).subspan(static_cast<size_t>(first)), logits);
  }

  void report_attention(const engine::Sequence& sequence) {
    const engine::RetrievalReport report = sequence.retrieval_report();
    if (!report.used) return;
    answer_.attention.kind = "pq";
    answer_.attention.budget = report.budget_tokens;
    answer_.attention.attended = static_cast<int>(std::lround(report.mean_attended));
    answer_.attention.block_cache_hit_rate = report.block_cache_hit_rate;
    answer_.attention.recall = report.recall;
    answer_.attention.mass = report.mass;
  }

  Status decode(engine::LanguageModel& model, engine::Sequence& sequence) {
    stage("answering");
    GenerateOptions options;
    options.max_tokens = options_.max_tokens;
    options.temperature = options_.temperature;
    options.top_p = options_.top_p;
    options.seed = options_.seed;
    options.max_drafted = options_.max_drafted;
    options.scores = options_.wants_logits;
    options.thinking = thinking_;
    options.on_thinking = [this](bool thinking) { stage(thinking ? "thinking" : "answering"); };
    if (!has_template_) options.stop_text = "\nQuestion:";
    const double before_ms = milliseconds_since(start_);
    MNEME_ASSIGN_OR_RETURN(Generation generation, generate_answer(model, sequence, options, callbacks_.token, cancel_));
    answer_.timing.ttft = before_ms + generation.first_token_ms;
    report_attention(sequence);
    if (generation.n_tokens > 1 && generation.decode_ms > 0) {
      answer_.decode_tokens_per_s = (generation.n_tokens - 1) / generation.decode_ms * 1e3;
    }
    if (options.scores) answer_.mean_logprob = generation.mean_logprob;
    answer_.text = std::move(generation.text);
    answer_.reasoning = std::move(generation.thought);
    answer_.finish = generation.finish;
    answer_.usage.answer_tokens = generation.n_tokens;
    answer_.usage.reasoning_tokens = generation.n_thought_tokens;
    if (answer_.text.empty() && !answer_.reasoning.empty() && answer_.finish == Finish::kLength) {
      answer_.notes.push_back("the model was still thinking after " + std::to_string(generation.n_thought_tokens) +
                              " tokens and came to no answer; ask a narrower question, or use a model that answers "
                              "at once");
    }
    answer_.usage.decode_steps = generation.drafts.steps;
    answer_.in_documents = !PromptLayout::embedded().says_no(answer_.text);
    check();
    finish();
    return {};
  }

  // How likely the model holds a given answer, read off the same prompt.
  Status score(engine::LanguageModel& model, engine::Sequence& sequence, const Prompt& prompt,
               std::span<const float> first) {
    const std::vector<engine::TokenId> ids = model.tokenizer().encode_continuation(*options_.score_text);
    const auto vocab_size = static_cast<size_t>(model.config().vocab_size);
    const int room = sequence.kv().options().max_tokens - prompt.n_tokens();
    if (ids.empty() || static_cast<int>(ids.size()) > room) return {};
    sequence.truncate(prompt.n_tokens());
    std::vector<float> rest;
    MNEME_RETURN_IF_ERROR(read_on(sequence, ids, rest));
    double nll = -engine::token_log_probability(first, ids.front());
    for (size_t i = 1; i < ids.size(); ++i) {
      nll -= engine::token_log_probability(std::span(rest).subspan((i - 1) * vocab_size, vocab_size), ids[i]);
    }
    answer_.score_nll = nll / static_cast<double>(ids.size());
    return {};
  }

  // Keeps this turn's KV with the chat. Whatever hinders it costs the next turn time, nothing else.
  void remember(engine::Sequence& sequence, const Prompt& prompt, const ModeChoice& choice) {
    const bool reuses = choice.mode == AnswerMode::kBlend || choice.mode == AnswerMode::kReuse;
    if (options_.chat == nullptr || !reuses || answer_.finish == Finish::kInterrupted) return;
    const Result<Workspace::Kv> kv = workspace_.kv();
    const std::optional<engine::KvLevel> level = engine::kv_level_from_name(options_.kv_level);
    if (!kv.ok() || !level) return;
    const std::vector<engine::TokenId> turn = turn_ids(kv->library->model().tokenizer(), PromptLayout::embedded(),
                                                       {.question = question_, .answer = answer_.text});
    static_cast<void>(options_.chat->remember(*kv->library, sequence, prompt, turn, *level));
  }

  void check() {
    const CitationCheck checked = check_citations(answer_.text, question_, texts(), !answer_.in_documents);
    for (const CitationCheck::Named& named : checked.named) {
      if (named.n > static_cast<int>(answer_.sources.size())) {
        answer_.notes.push_back("the answer names [" + std::to_string(named.n) + "], which is no source");
        continue;
      }
      Citation& citation = answer_.sources[static_cast<size_t>(named.n - 1)];
      citation.cited = true;
      citation.quoted = named.supported && !named.refuted;
    }
    // Short answers are not sentences, and are not asked to cite.
    if (!options_.short_answer) answer_.unsupported = checked.unsupported;
  }

  // A passage may go over the end of a page: cited is the page of its words.
  void cite_page_of_words(Citation& citation) const {
    Hit& source = citation.source;
    source.page = cited_place(source, answer_.text, citation.n).page;
    source.page_marks.clear();
  }

  void finish() {
    for (Citation& source : answer_.sources) {
      if (source.quoted) cite_page_of_words(source);
      if (source.cited) answer_.citations.push_back(source);
    }
    answer_.timing.total = milliseconds_since(start_);
  }

  Workspace& workspace_;
  const std::string& question_;
  const AskOptions& options_;
  const AskCallbacks& callbacks_;
  const CancelToken& cancel_;
  const Clock::time_point start_ = Clock::now();
  std::string query_ = question_;
  bool answerable_ = true;
  std::vector<std::string> compared_;  // compared_definitions() that are answered; both or none
  std::string leaned_on_;              // by query_: QuestionReading
  bool has_template_ = false;
  engine::Thinking thinking_ = engine::Thinking::kUnlikely;
  Answer answer_;

 public:
  Answer& answer() { return answer_; }
};

}  // namespace

Answerer::Answerer(Workspace& workspace) : state_(std::make_unique<State>(workspace)) {}
Answerer::~Answerer() = default;

Result<Answer> Answerer::ask(const std::string& question, const AskOptions& options, const AskCallbacks& callbacks,
                             const CancelToken& cancel) {
  const trace::Span span("ask", "rag");
  if (question.find_first_not_of(" \t\r\n") == std::string::npos) return usage_error("the question is empty");
  // The model opens before the clock starts: the time to the first token is that of a resident model.
  MNEME_ASSIGN_OR_RETURN(engine::LanguageModel* const model, state_->workspace.model());
  ModeChoice choice;
  if (model != nullptr) {
    MNEME_ASSIGN_OR_RETURN(choice, choose_mode(state_->workspace, *model, options, callbacks, cancel));
  }
  Asking asking(state_->workspace, question, options, callbacks, cancel);
  asking.answer().model = state_->workspace.model_name();
  MNEME_RETURN_IF_ERROR(asking.find_sources(model));
  if (model == nullptr) {
    asking.quote();
    return asking.take();
  }
  if (state_->model != model) state_->sequence.reset();
  state_->model = model;
  asking.answer().device = model->backend().name();
  MNEME_RETURN_IF_ERROR(
      asking.generate(*model, choice, state_->sequence, state_->sequence_tokens, state_->sequence_unrotated));
  return asking.take();
}

void Answerer::leave_chat(const AskOptions& options) {
  const std::optional<engine::KvLevel> level = engine::kv_level_from_name(options.kv_level);
  if (options.chat == nullptr || state_->sequence == nullptr || !state_->sequence_unrotated || !level) return;
  const Result<Workspace::Kv> kv = state_->workspace.kv();
  if (kv.ok()) static_cast<void>(options.chat->store_all(*kv->library, *state_->sequence, *level));
}

Result<AnswerMode> parse_answer_mode(std::string_view name) {
  for (const AnswerMode mode : {AnswerMode::kFull, AnswerMode::kPrefix, AnswerMode::kReuse, AnswerMode::kBlend}) {
    if (name == answer_mode_name(mode)) return mode;
  }
  return usage_error("unknown mode " + std::string(name) + "; there are full, prefix, reuse, blend");
}

std::string_view answer_mode_name(AnswerMode mode) {
  switch (mode) {
    case AnswerMode::kFull: return "full";
    case AnswerMode::kPrefix: return "prefix";
    case AnswerMode::kReuse: return "reuse";
    case AnswerMode::kBlend: return "blend";
  }
  return "full";
}

std::string_view finish_name(Finish finish) {
  switch (finish) {
    case Finish::kStop: return "stop";
    case Finish::kLength: return "length";
    case Finish::kInterrupted: return "interrupted";
  }
  return "stop";
}

}  // namespace mneme::rag
