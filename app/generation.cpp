#include "app/generation.h"

#include <algorithm>
#include <chrono>

#include "base/stopwatch.h"
#include "engine/decoding/drafted_decoder.h"
#include "engine/tokenizer/tokenizer.h"

namespace mneme::app {
namespace {

using Clock = std::chrono::steady_clock;

// How many tokens the sequence needs room for; kResource when the prompt alone does not fit.
Result<int> sequence_room(const engine::LanguageModel& model, size_t prompt_tokens, int max_tokens) {
  const int context = model.config().context_length;
  if (prompt_tokens == 0) return usage_error("the prompt is empty; give one with --prompt or --prompt-file.");
  if (context > 0 && prompt_tokens >= static_cast<size_t>(context)) {
    return resource_error("the prompt has " + std::to_string(prompt_tokens) +
                          " tokens, but the model's context holds " + std::to_string(context) + "; shorten it.");
  }
  const int64_t wanted = static_cast<int64_t>(prompt_tokens) + max_tokens;
  return static_cast<int>(context > 0 ? std::min<int64_t>(wanted, context) : wanted);
}

}  // namespace

Result<Generation> generate(engine::LanguageModel& model, std::span<const engine::TokenId> prompt,
                            const GenerationOptions& options, const std::function<void(std::string_view)>& token,
                            const CancelToken& cancel) {
  MNEME_ASSIGN_OR_RETURN(const int room, sequence_room(model, prompt.size(), options.max_tokens));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Sequence> sequence, model.new_sequence(room));
  MNEME_RETURN_IF_ERROR(sequence->set_retrieval(options.retrieval));
  Generation result;
  const Clock::time_point start = Clock::now();
  MNEME_RETURN_IF_ERROR(sequence->append(prompt, cancel));
  result.prefill_ms = milliseconds_since(start);

  engine::Sampler sampler(options.sampler);
  engine::DraftedDecoder decoder(model, *sequence, options.max_drafted);
  if (options.top_logprobs == 0) decoder.sample_in_steps(sampler);
  engine::StreamDecoder characters(model.tokenizer());
  const auto deliver = [&](const std::string& text) {
    result.text += text;
    if (token && !text.empty()) token(text);
  };
  while (true) {
    if (options.top_logprobs > 0) {
      result.top_logprobs.push_back(engine::top_logprobs(decoder.logits(), options.top_logprobs));
    }
    const engine::TokenId next = decoder.sample(sampler);
    if (next == engine::kNoToken) return engine::no_finite_logits(model.path());
    if (result.first_token_ms == 0) result.first_token_ms = milliseconds_since(start);
    if (model.tokenizer().is_end_of_generation(next)) break;
    result.tokens.push_back(next);
    deliver(characters.add(next));
    if (static_cast<int>(result.tokens.size()) >= options.max_tokens || decoder.n_tokens() >= room) {
      result.finish = "length";
      break;
    }
    const Status step = decoder.append(next, cancel);
    if (step.code() == StatusCode::kCancelled) {
      result.finish = "interrupted";
      break;
    }
    MNEME_RETURN_IF_ERROR(step);
  }
  deliver(characters.finish());
  result.drafts = decoder.counts();
  result.retrieval = sequence->retrieval_report();
  result.kv_in_host_memory = sequence->kv().in_host_memory();
  result.total_ms = milliseconds_since(start);
  return result;
}

}  // namespace mneme::app
