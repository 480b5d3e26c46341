#include "rag/answering/writing/generator.h"

#include <algorithm>
#include <chrono>
#include <span>

#include "base/stopwatch.h"
#include "base/trace.h"
#include "base/utf8.h"
#include "engine/decoding/drafted_decoder.h"
#include "engine/language_model.h"
#include "engine/transformer/distribution.h"
#include "engine/transformer/sampler.h"
#include "rag/answering/writing/thought_filter.h"

namespace mneme::rag {

namespace {

using Clock = std::chrono::steady_clock;

// Text on its way out. Holds back what might be the beginning of the stop text, and space at the very beginning.
class Outlet {
 public:
  Outlet(std::string stop, const std::function<void(std::string_view)>& on_text)
      : stop_(std::move(stop)), on_text_(on_text) {}

  // False when the stop text has appeared; nothing is added behind it.
  bool add(std::string_view piece) {
    if (stopped_) return false;
    text_ += piece;
    if (sent_ == 0) text_.erase(0, std::min(text_.find_first_not_of(" \n\t"), text_.size()));
    if (!stop_.empty()) {
      const size_t from = sent_ > stop_.size() ? sent_ - stop_.size() : 0;
      if (const size_t at = text_.find(stop_, from); at != std::string::npos) {
        text_.resize(at);
        send(text_.size());
        stopped_ = true;
        return false;
      }
    }
    send(text_.size() - held_back());
    return true;
  }
  void finish() { send(text_.size()); }
  std::string take() {
    while (!text_.empty() && (text_.back() == ' ' || text_.back() == '\n')) text_.pop_back();
    return std::move(text_);
  }

 private:
  size_t held_back() const {
    for (size_t n = std::min(stop_.size(), text_.size()); n > 0; --n) {
      if (text_.ends_with(std::string_view(stop_).substr(0, n))) return n;
    }
    return 0;
  }
  void send(size_t end) {
    if (end <= sent_) return;
    if (on_text_) on_text_(std::string_view(text_).substr(sent_, end - sent_));
    sent_ = end;
  }

  const std::string stop_;
  const std::function<void(std::string_view)>& on_text_;
  std::string text_;
  size_t sent_ = 0;
  bool stopped_ = false;
};

// What the model has written so far, parted into thought and answer.
class AnswerStream {
 public:
  AnswerStream(const engine::Tokenizer& tokenizer, const GenerateOptions& options,
               const std::function<void(std::string_view)>& on_text)
      : tokenizer_(tokenizer),
        options_(options),
        characters_(tokenizer),
        filter_(options.thinking == engine::Thinking::kBegun),
        outlet_(options.stop_text, on_text) {
    if (filter_.inside()) tell_thinking(true);
  }

  // False when the stop text has appeared.
  bool add(engine::TokenId token) {
    const bool was_inside = filter_.inside();
    ++n_tokens_;
    const std::string answer = filter_.add(text_of(token));
    if (was_inside || filter_.inside()) n_thought_tokens_ = n_tokens_;
    if (was_inside != filter_.inside()) tell_thinking(filter_.inside());
    return outlet_.add(answer);
  }

  bool is_full() const {
    if (filter_.inside()) return n_thought_tokens_ >= options_.max_thought_tokens;
    return n_tokens_ - n_thought_tokens_ >= options_.max_tokens;
  }

  void finish(Generation& generation) {
    const bool ended = generation.finish == Finish::kStop;
    // Half a character at the end of a turn is nothing; one that was cut off is shown as such.
    std::string rest = ended ? std::string() : filter_.add(characters_.finish());
    rest += filter_.finish(ended);
    outlet_.add(rest);
    outlet_.finish();
    generation.text = outlet_.take();
    generation.thought = filter_.thought();
    generation.n_tokens = n_tokens_;
    generation.n_thought_tokens = n_thought_tokens_;
  }

 private:
  // Markers of thoughts are seen also where the file takes them for control tokens, which have no text.
  std::string text_of(engine::TokenId token) {
    std::string marker = tokenizer_.token_bytes(token).empty() ? tokenizer_.special_text(token) : std::string();
    for (const engine::ThoughtMarkers& markers : engine::kThoughtMarkers) {
      if (marker == markers.open || marker == markers.close) return marker;
    }
    return characters_.add(token);
  }
  void tell_thinking(bool thinking) const {
    if (options_.on_thinking) options_.on_thinking(thinking);
  }

  const engine::Tokenizer& tokenizer_;
  const GenerateOptions& options_;
  engine::StreamDecoder characters_;
  ThoughtFilter filter_;
  Outlet outlet_;
  int n_tokens_ = 0;
  int n_thought_tokens_ = 0;
};

}  // namespace

Result<Generation> generate_answer(engine::LanguageModel& model, engine::Sequence& sequence,
                                   const GenerateOptions& options, const std::function<void(std::string_view)>& on_text,
                                   const CancelToken& cancel) {
  const trace::Span span("generate", "rag");
  engine::SamplerOptions sampling;
  sampling.temperature = options.temperature;
  sampling.top_p = options.top_p;
  sampling.seed = options.seed;
  engine::Sampler sampler(sampling);
  engine::DraftedDecoder decoder(model, sequence, options.max_drafted);
  if (!options.scores) decoder.sample_in_steps(sampler);
  AnswerStream written(model.tokenizer(), options, on_text);
  Generation generation;
  generation.finish = Finish::kLength;
  const Clock::time_point start = Clock::now();
  Clock::time_point first = start;
  for (int i = 0; !written.is_full(); ++i) {
    const engine::TokenId token = decoder.sample(sampler);
    if (token == engine::kNoToken) return engine::no_finite_logits(model.path());
    if (i == 0) {
      generation.first_token_ms = milliseconds_since(start);
      first = Clock::now();
    }
    if (options.scores) {
      const double logprob = engine::token_log_probability(decoder.logits(), token);
      generation.mean_logprob += (logprob - generation.mean_logprob) / (i + 1);
    }
    if (model.tokenizer().is_end_of_generation(token) || !written.add(token)) {
      generation.finish = Finish::kStop;
      break;
    }
    if (written.is_full()) break;  // nobody would read what a further step gives
    const Status appended = decoder.append(token, cancel);
    if (appended.code() == StatusCode::kCancelled || cancel.cancelled()) {
      generation.finish = Finish::kInterrupted;
      break;
    }
    if (appended.code() == StatusCode::kResource) {
      const bool is_full = decoder.n_tokens() >= sequence.kv().options().max_tokens;
      if (!is_full) generation.cut_short = appended.message();
      break;
    }
    MNEME_RETURN_IF_ERROR(appended);
  }
  written.finish(generation);
  generation.decode_ms = milliseconds_since(first);
  generation.drafts = decoder.counts();
  return generation;
}

}  // namespace mneme::rag
