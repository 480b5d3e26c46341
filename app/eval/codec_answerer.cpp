#include "app/eval/codec_answerer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/stopwatch.h"
#include "engine/fusion/fuser.h"
#include "engine/kv/chunk_kv.h"
#include "engine/transformer/distribution.h"
#include "rag/answering/writing/generator.h"
#include "rag/kv_reuse/kv_codecs.h"
#include "rag/prompt/prompt_layout.h"

namespace mneme::app {
namespace {

using Clock = std::chrono::steady_clock;
using engine::TokenId;

constexpr int kMaxPassageTokens = 4096;  // as the store's
constexpr size_t kKeptPassages = 64;
constexpr int kContextWhereUnknown = 4096;

int context_of(const engine::LanguageModel& model) {
  return model.config().context_length > 0 ? model.config().context_length : kContextWhereUnknown;
}

}  // namespace

Result<std::unique_ptr<CodecAnswerer>> CodecAnswerer::make(engine::LanguageModel& model,
                                                           std::span<const KvCodecChoice> choices,
                                                           const CancelToken& cancel) {
  MNEME_ASSIGN_OR_RETURN(rag::PromptFrame frame,
                         rag::prompt_frame(model.tokenizer(), model.chat_template(), rag::PromptLayout::embedded()));
  std::unique_ptr<CodecAnswerer> answerer(new CodecAnswerer(model, std::move(frame)));
  const std::vector<std::string> passages = rag::calibration_passages();
  MNEME_ASSIGN_OR_RETURN(const KvCodecSet set, KvCodecSet::calibrate(model, passages, choices, cancel));
  for (const KvCodecChoice& choice : choices) {
    MNEME_ASSIGN_OR_RETURN(std::unique_ptr<engine::KvCodec> codec, set.make(choice));
    answerer->codecs_.push_back(std::move(codec));
  }
  const int room = context_of(model) - static_cast<int>(answerer->frame_.prefix.size());
  MNEME_ASSIGN_OR_RETURN(answerer->calculator_, engine::ChunkKvCalculator::make(model, answerer->frame_.prefix,
                                                                                std::min(kMaxPassageTokens, room)));
  return answerer;
}

Result<rag::Prompt> CodecAnswerer::make_prompt(const std::string& question, const rag::AskOptions& options) const {
  rag::PromptRequest request;
  for (const rag::ContextPassage& passage : options.passages) request.passages.push_back({passage.title, passage.text});
  request.short_answer = options.short_answer;
  request.question = question;
  request.budget_tokens = context_of(model_) - std::min(options.max_tokens, context_of(model_) / 4);
  return rag::build_prompt(model_.tokenizer(), frame_, rag::PromptLayout::embedded(), request);
}

Result<const engine::ChunkKv*> CodecAnswerer::kv_of(const std::vector<TokenId>& ids, const CancelToken& cancel) {
  const auto known = kv_.find(ids);
  if (known != kv_.end()) return &known->second;
  MNEME_ASSIGN_OR_RETURN(engine::ChunkKv kv, calculator_->calculate(ids, cancel));
  return &kv_.emplace(ids, std::move(kv)).first->second;
}

// The prompt's plan with every passage coded into the source.
Result<engine::PromptPlan> CodecAnswerer::code_passages(const rag::Prompt& prompt, size_t codec,
                                                        engine::MemoryKvSource& source, rag::CacheReport& cache,
                                                        const CancelToken& cancel) {
  if (kv_.size() > kKeptPassages) kv_.clear();
  engine::PromptPlan plan = prompt.plan;
  for (engine::PromptSegment& segment : plan.segments) {
    if (segment.chunk < 0) continue;
    segment.chunk = -1;
    if (segment.ids.empty()) continue;
    MNEME_ASSIGN_OR_RETURN(const engine::ChunkKv* const kv, kv_of(segment.ids, cancel));
    MNEME_ASSIGN_OR_RETURN(engine::EncodedKv encoded, engine::encode_kv(*kv, *codecs_[codec]));
    for (const auto& layer : encoded.layers) cache.bytes_read += static_cast<int64_t>(layer.size());
    segment.chunk = source.add(std::move(encoded));
    ++cache.hits;
  }
  cache.mode = rag::AnswerMode::kReuse;
  cache.chunks = prompt.n_passages;
  cache.recompute_ratio = 0;
  cache.bytes_fp16 = int64_t{prompt.chunk_tokens} * model_.config().kv_bytes_per_token();
  return plan;
}

// Leaves the prefix in the sequence, and nothing else.
Status CodecAnswerer::prepare_sequence(int n_tokens, const CancelToken& cancel) {
  if (sequence_ == nullptr || sequence_tokens_ < n_tokens) {
    sequence_.reset();
    const int room = std::max(n_tokens, std::min(context_of(model_), 2 * n_tokens));
    MNEME_ASSIGN_OR_RETURN(std::unique_ptr<engine::Sequence> sequence, model_.new_sequence(room));
    if (!frame_.prefix.empty()) MNEME_RETURN_IF_ERROR(sequence->append(frame_.prefix, cancel));
    sequence_ = std::move(sequence);
    sequence_tokens_ = room;
  }
  sequence_->truncate(static_cast<int>(frame_.prefix.size()));
  return {};
}

Result<rag::Answer> CodecAnswerer::ask(size_t codec, const std::string& question, const rag::AskOptions& options,
                                       const CancelToken& cancel) {
  rag::Answer answer;
  MNEME_ASSIGN_OR_RETURN(const rag::Prompt prompt, make_prompt(question, options));
  engine::MemoryKvSource source;
  MNEME_ASSIGN_OR_RETURN(const engine::PromptPlan plan, code_passages(prompt, codec, source, answer.cache, cancel));
  MNEME_RETURN_IF_ERROR(prepare_sequence(prompt.n_tokens() + options.max_tokens, cancel));
  const Clock::time_point begin = Clock::now();
  engine::FuseOptions fusing;
  fusing.ratio = 0;
  MNEME_ASSIGN_OR_RETURN(const engine::FuseReport fused,
                         engine::fuse(model_, *sequence_, plan, source, source.codecs(), fusing, cancel));
  if (!fused.failures.empty()) return fused.failures.front();
  answer.first_logits.assign(sequence_->logits().begin(), sequence_->logits().end());
  rag::GenerateOptions generating;
  generating.max_tokens = options.max_tokens;
  if (!frame_.has_template) generating.stop_text = "\nQuestion:";
  const double fused_ms = milliseconds_since(begin);
  MNEME_ASSIGN_OR_RETURN(const rag::Generation generation,
                         rag::generate_answer(model_, *sequence_, generating, {}, cancel));
  answer.timing.ttft = fused_ms + generation.first_token_ms;
  answer.text = generation.text;
  answer.finish = generation.finish;
  answer.in_documents = !rag::PromptLayout::embedded().says_no(answer.text);
  answer.prompt_ids = prompt.all_ids();
  answer.usage = {
      .prompt_tokens = prompt.n_tokens(), .chunk_tokens = prompt.chunk_tokens, .answer_tokens = generation.n_tokens};
  MNEME_RETURN_IF_ERROR(score(options, prompt.n_tokens(), answer, cancel));
  return answer;
}

// How likely the model holds the given answer behind the same prompt.
Status CodecAnswerer::score(const rag::AskOptions& options, int n_prompt, rag::Answer& answer,
                            const CancelToken& cancel) {
  if (!options.score_text) return {};
  const std::vector<TokenId> ids = model_.tokenizer().encode_continuation(*options.score_text);
  if (ids.empty() || static_cast<int>(ids.size()) > sequence_tokens_ - n_prompt) return {};
  sequence_->truncate(n_prompt);
  std::vector<float> rest;
  MNEME_RETURN_IF_ERROR(sequence_->append_with_logits(ids, rest, cancel));
  const size_t vocab_size = answer.first_logits.size();
  double nll = -engine::token_log_probability(answer.first_logits, ids.front());
  for (size_t i = 1; i < ids.size(); ++i) {
    nll -= engine::token_log_probability(std::span(rest).subspan((i - 1) * vocab_size, vocab_size), ids[i]);
  }
  answer.score_nll = nll / static_cast<double>(ids.size());
  return {};
}

}  // namespace mneme::app
