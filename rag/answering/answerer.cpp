#include "rag/answering/answerer.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/trace.h"
#include "engine/codec/codec.h"
#include "engine/language_model.h"
#include "rag/answering/citation_check.h"
#include "rag/answering/generator.h"
#include "rag/answering/prefill.h"
#include "rag/answering/prompt_builder.h"
#include "rag/answering/prompt_layout.h"
#include "rag/answering/quoting.h"
#include "rag/answering/standalone_query.h"
#include "rag/indexing/file_loader.h"
#include "rag/indexing/file_walker.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/readers/reader.h"
#include "rag/workspace.h"

namespace mneme::rag {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// A file given with --context, as one passage.
Status read_context_file(const std::string& given, const CancelToken& cancel, std::vector<Hit>& hits) {
  const std::string path = absolute_path(given);
  readers::ReadLimits limits;
  limits.cancel = &cancel;
  return readers::read_file(path, limits, [&](readers::ReadItem item) -> Status {
    MNEME_RETURN_IF_ERROR(item.status);
    Hit hit;
    hit.document = member_path(path, item.member);
    hit.title = item.document.title;
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

  Status find_sources() {
    stage("retrieving");
    std::vector<Hit> hits;
    if (!options_.passages.empty()) {
      for (const ContextPassage& passage : options_.passages) hits.push_back(passage_hit(passage));
    } else if (!options_.context_files.empty()) {
      for (const std::string& path : options_.context_files) {
        MNEME_RETURN_IF_ERROR(read_context_file(path, cancel_, hits));
      }
    } else {
      MNEME_RETURN_IF_ERROR(retrieve(hits));
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
    std::vector<std::string> contexts;
    std::vector<QuotePassage> passages;
    contexts.reserve(answer_.sources.size());
    for (const Citation& source : answer_.sources) {
      if (!answerable_) break;
      contexts.push_back(source.source.title + "\n" + source.source.heading_path);
      passages.push_back({source.source.text, contexts.back()});
    }
    const std::vector<QuotedSentence> sentences = quote_sentences(query_, passages);
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

  Status generate(engine::LanguageModel& model, std::unique_ptr<engine::Sequence>& sequence, int& sequence_tokens,
                  bool& sequence_unrotated) {
    const AnswerMode mode = options_.mode.value_or(AnswerMode::kFull);
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Prefiller> prefiller, make_prefiller(workspace_, mode));
    MNEME_ASSIGN_OR_RETURN(const Prompt prompt, make_prompt(model));
    const int needed = prompt.n_tokens() + options_.max_tokens;
    const bool unrotated = prefiller->needs_unrotated_keys();
    if (sequence == nullptr || sequence_tokens < needed || sequence_unrotated != unrotated) {
      sequence.reset();
      sequence_tokens = std::max(needed, std::min(context_of(model), 2 * needed));
      sequence_unrotated = unrotated;
      MNEME_ASSIGN_OR_RETURN(sequence, model.new_sequence(sequence_tokens, unrotated));
    }
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
    return decode(model, *sequence);
  }

  Answer take() { return std::move(answer_); }

 private:
  void stage(std::string_view name) const {
    if (callbacks_.stage) callbacks_.stage(name);
  }

  Status retrieve(std::vector<Hit>& hits) {
    query_ = standalone_query(question_, options_.history);
    if (query_ != question_) answer_.standalone_query = query_;
    Retriever retriever(workspace_);
    MNEME_ASSIGN_OR_RETURN(SearchResult found, retriever.search(query_, options_.search, cancel_));
    hits = std::move(found.hits);
    query_ = found.query;
    answerable_ = found.answerable;
    answer_.timing.retrieve = found.milliseconds;
    for (std::string& note : found.notes) answer_.notes.push_back(std::move(note));
    return {};
  }

  std::vector<std::string_view> texts() const {
    std::vector<std::string_view> views;
    for (const Citation& source : answer_.sources) views.push_back(source.source.text);
    return views;
  }

  int context_of(engine::LanguageModel& model) const {
    const int asked = workspace_.options().context_tokens;
    const int trained = model.config().context_length;
    return asked > 0 ? asked : trained > 0 ? trained : 4096;
  }

  Result<Prompt> make_prompt(engine::LanguageModel& model) {
    const PromptLayout& layout = PromptLayout::embedded();
    MNEME_ASSIGN_OR_RETURN(const PromptFrame frame, prompt_frame(model.tokenizer(), model.chat_template(), layout));
    has_template_ = frame.has_template;
    PromptRequest request;
    for (const Citation& source : answer_.sources)
      request.passages.push_back({source.source.title, source.source.text});
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

  Status decode(engine::LanguageModel& model, engine::Sequence& sequence) {
    stage("answering");
    GenerateOptions options;
    options.max_tokens = options_.max_tokens;
    options.temperature = options_.temperature;
    options.top_p = options_.top_p;
    options.seed = options_.seed;
    if (!has_template_) options.stop_text = "\nQuestion:";
    const double before_ms = milliseconds_since(start_);
    MNEME_ASSIGN_OR_RETURN(Generation generation, generate_answer(model, sequence, options, callbacks_.token, cancel_));
    answer_.timing.ttft = before_ms + generation.first_token_ms;
    if (generation.n_tokens > 1 && generation.decode_ms > 0) {
      answer_.decode_tokens_per_s = (generation.n_tokens - 1) / generation.decode_ms * 1e3;
    }
    answer_.text = std::move(generation.text);
    answer_.finish = generation.finish;
    answer_.usage.answer_tokens = generation.n_tokens;
    answer_.in_documents = !PromptLayout::embedded().says_no(answer_.text);
    check();
    finish();
    return {};
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

  void finish() {
    for (const Citation& source : answer_.sources) {
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
  bool has_template_ = false;
  Answer answer_;

 public:
  Answer& answer() { return answer_; }
};

// Opens the KV store and calibrates the codec, once per model, before the question's clock starts.
Status prepare_kv(Workspace& workspace, const engine::LanguageModel* model, const AskOptions& options) {
  const AnswerMode mode = options.mode.value_or(AnswerMode::kFull);
  if (model == nullptr || (mode != AnswerMode::kReuse && mode != AnswerMode::kBlend)) return {};
  const std::optional<engine::KvLevel> level = engine::kv_level_from_name(options.kv_level);
  if (!level) return usage_error("unknown KV level " + options.kv_level + "; there are exact, high, medium, low");
  MNEME_ASSIGN_OR_RETURN(const Workspace::Kv kv, workspace.kv());
  return kv.library->codec(*level).status();
}

}  // namespace

Answerer::Answerer(Workspace& workspace) : state_(std::make_unique<State>(workspace)) {}
Answerer::~Answerer() = default;

Result<Answer> Answerer::ask(const std::string& question, const AskOptions& options, const AskCallbacks& callbacks,
                             const CancelToken& cancel) {
  const trace::Span span("ask", "rag");
  if (question.find_first_not_of(" \t\r\n") == std::string::npos) return usage_error("the question is empty");
  // The model opens before the clock starts: the time to the first token is that of a resident model.
  MNEME_ASSIGN_OR_RETURN(engine::LanguageModel* const model, state_->workspace.model());
  MNEME_RETURN_IF_ERROR(prepare_kv(state_->workspace, model, options));
  Asking asking(state_->workspace, question, options, callbacks, cancel);
  asking.answer().model = state_->workspace.model_name();
  MNEME_RETURN_IF_ERROR(asking.find_sources());
  if (model == nullptr) {
    asking.quote();
    return asking.take();
  }
  if (state_->model != model) state_->sequence.reset();
  state_->model = model;
  asking.answer().device = model->backend().name();
  MNEME_RETURN_IF_ERROR(asking.generate(*model, state_->sequence, state_->sequence_tokens, state_->sequence_unrotated));
  return asking.take();
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
