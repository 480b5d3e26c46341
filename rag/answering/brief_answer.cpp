#include "rag/answering/brief_answer.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "base/trace.h"
#include "engine/language_model.h"
#include "engine/transformer/distribution.h"
#include "rag/answering/quoted_spans.h"
#include "rag/models/model_facts.h"
#include "rag/prompt/prompt_builder.h"
#include "rag/prompt/prompt_layout.h"

namespace mneme::rag {
namespace {

using engine::TokenId;

constexpr int kMostTokens = 32;      // of the answer
constexpr int kPromptTokens = 1500;  // quotations are short; a list may be long

std::string_view without_space(std::string_view text) {
  return text.starts_with(' ') ? text.substr(1) : text;
}

// Greedy, along the quotations alone.
class SpanDecoder {
 public:
  SpanDecoder(engine::LanguageModel& model, engine::Sequence& sequence, const QuotedSpans& spans)
      : tokenizer_(model.tokenizer()), sequence_(sequence), spans_(spans), vocab_size_(model.config().vocab_size) {}

  Status run(const CancelToken& cancel) {
    for (int i = 0; i < kMostTokens; ++i) {
      const TokenId token = best();
      if (token == engine::kNoToken) return {};
      log_probability_ += engine::token_log_probability(sequence_.logits(), token);
      if (tokenizer_.is_end_of_generation(token)) return {};
      text_ += tokenizer_.token_bytes(token);
      MNEME_RETURN_IF_ERROR(sequence_.append(std::span(&token, 1), cancel));
    }
    return {};
  }

  std::string_view text() const { return without_space(text_); }
  double log_probability() const { return log_probability_; }

 private:
  // The likeliest token that goes on along the quotations, or ends where words end; kNoToken where none does.
  TokenId best() const {
    const std::span<const float> logits = sequence_.logits();
    TokenId found = engine::kNoToken;
    for (TokenId id = 0; id < vocab_size_; ++id) {
      const float logit = logits[static_cast<size_t>(id)];
      const bool better = found == engine::kNoToken ? std::isfinite(logit) : logit > logits[static_cast<size_t>(found)];
      if (better && goes_on(id)) found = id;
    }
    return found;
  }

  bool goes_on(TokenId id) const {
    if (tokenizer_.is_end_of_generation(id)) return spans_.where(text()) >= 0;
    const std::string bytes = tokenizer_.token_bytes(id);
    return !bytes.empty() && spans_.may_begin(without_space(text_ + bytes));
  }

  const engine::Tokenizer& tokenizer_;
  engine::Sequence& sequence_;
  const QuotedSpans& spans_;
  int vocab_size_;
  std::string text_;
  double log_probability_ = 0.0;
};

Result<Prompt> prompt_of(engine::LanguageModel& model, std::string_view question, std::span<const ReadQuote> quotes) {
  const PromptLayout& layout = PromptLayout::embedded();
  MNEME_ASSIGN_OR_RETURN(const PromptFrame frame, prompt_frame(model.tokenizer(), model.chat_template(), layout));
  PromptRequest request;
  request.passages.reserve(quotes.size());
  for (const ReadQuote& quote : quotes) request.passages.push_back({quote.title, quote.text});
  request.short_answer = true;
  request.question = question;
  request.budget_tokens = kPromptTokens;
  return build_prompt(model.tokenizer(), frame, layout, request);
}

}  // namespace

Result<std::optional<BriefAnswer>> read_brief_answer(engine::LanguageModel& model, std::string_view question,
                                                     std::span<const ReadQuote> quotes, const CancelToken& cancel) {
  std::vector<std::string_view> texts;
  for (const ReadQuote& quote : quotes) texts.push_back(quote.text);
  const QuotedSpans spans(texts);
  if (spans.empty()) return std::optional<BriefAnswer>();
  MNEME_ASSIGN_OR_RETURN(const Prompt prompt, prompt_of(model, question, quotes));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Sequence> sequence,
                         model.new_sequence(prompt.n_tokens() + kMostTokens));
  {
    const trace::Span traced("prefill", "rag");
    MNEME_RETURN_IF_ERROR(sequence->append(prompt.all_ids(), cancel));
  }
  const trace::Span traced("generate", "rag");
  SpanDecoder decoder(model, *sequence, spans);
  MNEME_RETURN_IF_ERROR(decoder.run(cancel));
  const int quote = spans.where(decoder.text());
  if (quote < 0) return std::optional<BriefAnswer>();  // the end of the room came within a word
  return std::optional(BriefAnswer{.text = std::string(decoder.text()),
                                   .n = quotes[static_cast<size_t>(quote)].n,
                                   .probability = std::exp(decoder.log_probability()),
                                   .model = model_name_of(model.path())});
}

}  // namespace mneme::rag
