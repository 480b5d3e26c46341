#include "rag/answering/brief/brief_answer.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "base/trace.h"
#include "engine/language_model.h"
#include "engine/transformer/distribution.h"
#include "rag/answering/brief/bracketed_names.h"
#include "rag/answering/brief/brief_fit.h"
#include "rag/answering/brief/quoted_spans.h"
#include "rag/models/model_facts.h"
#include "rag/prompt/prompt_builder.h"
#include "rag/prompt/prompt_layout.h"

namespace mneme::rag {
namespace {

using engine::TokenId;

constexpr int kMostTokens = 32;      // of the answer
constexpr int kPromptTokens = 1500;  // quotations are short; a list may be long
// First tokens that are followed. The likeliest alone finds .008 F1 less on natural questions, six no more than three.
constexpr size_t kBeginnings = 3;

std::string_view without_space(std::string_view text) {
  return text.starts_with(' ') ? text.substr(1) : text;
}

struct Beginning {
  TokenId token = engine::kNoToken;
  double probability = 0.0;
};

// Greedy, along the quotations alone, from a given first token on.
class SpanDecoder {
 public:
  SpanDecoder(engine::LanguageModel& model, engine::Sequence& sequence, const QuotedSpans& spans)
      : tokenizer_(model.tokenizer()), sequence_(sequence), spans_(spans), vocab_size_(model.config().vocab_size) {}

  // The likeliest ones, best first.
  std::vector<Beginning> beginnings() const {
    std::vector<TokenId> tokens;
    std::vector<Beginning> found;
    while (found.size() < kBeginnings) {
      const TokenId next = best(tokens);
      if (next == engine::kNoToken) break;
      tokens.push_back(next);
      found.push_back({next, std::exp(engine::token_log_probability(sequence_.logits(), next))});
    }
    return found;
  }

  Status run(TokenId first, const CancelToken& cancel) {
    for (int i = 0; i < kMostTokens; ++i) {
      const TokenId token = i == 0 ? first : best({});
      if (token == engine::kNoToken) return {};
      log_probability_ += engine::token_log_probability(sequence_.logits(), token);
      if (tokenizer_.is_end_of_generation(token)) return {};
      text_ += tokenizer_.token_bytes(token);
      MNEME_RETURN_IF_ERROR(sequence_.append(std::span(&token, 1), cancel));
    }
    return {};
  }

  std::string_view text() const { return without_space(text_); }
  double probability() const { return std::exp(log_probability_); }

 private:
  // The likeliest token, but for some, that goes on along the quotations, or ends where words end; kNoToken: none does.
  TokenId best(std::span<const TokenId> but) const {
    const std::span<const float> logits = sequence_.logits();
    TokenId found = engine::kNoToken;
    for (TokenId id = 0; id < vocab_size_; ++id) {
      const float logit = logits[static_cast<size_t>(id)];
      const bool better = found == engine::kNoToken ? std::isfinite(logit) : logit > logits[static_cast<size_t>(found)];
      if (better && std::ranges::find(but, id) == but.end() && goes_on(id)) found = id;
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

// A script that the vocabulary has no pieces of: the model cannot read it.
bool is_spelled_in_bytes(const engine::Tokenizer& tokenizer, std::string_view text) {
  const std::vector<TokenId> ids = tokenizer.encode(text);
  const auto n_bytes = std::ranges::count_if(ids, [&](TokenId id) {
    const std::string bytes = tokenizer.token_bytes(id);
    return bytes.size() == 1 && static_cast<unsigned char>(bytes.front()) >= 0x80;
  });
  return 2 * static_cast<size_t>(n_bytes) > text.size();
}

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

// Behind the prompt, which the sequence holds. A beginning that is less likely than a whole answer that fits can come
// to nothing better.
Result<std::optional<BriefAnswer>> likeliest(engine::LanguageModel& model, engine::Sequence& sequence,
                                             std::string_view question, const QuotedSpans& spans,
                                             std::span<const ReadQuote> quotes, const CancelToken& cancel) {
  std::optional<BriefAnswer> found;
  double best = 0.0;
  const int n_prompt = sequence.n_tokens();
  const TokenId last = sequence.tokens().back();
  for (const Beginning& first : SpanDecoder(model, sequence, spans).beginnings()) {
    if (found && first.probability <= best) break;
    if (sequence.n_tokens() > n_prompt) {
      sequence.truncate(n_prompt - 1);
      MNEME_RETURN_IF_ERROR(sequence.append(std::span(&last, 1), cancel));
    }
    SpanDecoder decoder(model, sequence, spans);
    MNEME_RETURN_IF_ERROR(decoder.run(first.token, cancel));
    const int quote = spans.where(decoder.text());
    const double counts = decoder.probability() * brief_fit(question, decoder.text());
    if (quote < 0 || (found && counts <= best)) continue;
    best = counts;
    found = BriefAnswer{.text = std::string(decoder.text()),
                        .n = quotes[static_cast<size_t>(quote)].n,
                        .probability = decoder.probability(),
                        .model = model_name_of(model.path())};
  }
  return found;
}

// Beginnings are tried behind the prompt's last token, which is then read again: a state is kept before it.
Status read_prompt(const engine::LanguageModel& model, engine::Sequence& sequence, std::span<const TokenId> ids,
                   const CancelToken& cancel) {
  if (!model.config().has_state()) return sequence.append(ids, cancel);
  MNEME_RETURN_IF_ERROR(sequence.append(ids.first(ids.size() - 1), cancel));
  sequence.keep_place();
  return sequence.append(ids.last(1), cancel);
}

// Nothing to be read where brackets say who is asked for: the first quotation's word.
std::optional<BriefAnswer> bracketed(std::string_view question, std::span<const ReadQuote> quotes) {
  for (const ReadQuote& quote : quotes) {
    const std::string_view name = named_before_brackets(question, quote.text);
    if (!name.empty())
      return BriefAnswer{.text = std::string(name), .n = quote.n, .probability = 1.0, .stated = false, .model = {}};
  }
  return std::nullopt;
}

}  // namespace

Result<std::optional<BriefAnswer>> read_brief_answer(engine::LanguageModel& model, std::string_view question,
                                                     std::span<const ReadQuote> quotes, const CancelToken& cancel) {
  if (auto answer = bracketed(question, quotes)) return answer;
  std::vector<std::string_view> texts;
  for (const ReadQuote& quote : quotes) texts.push_back(quote.text);
  const QuotedSpans spans(texts);
  if (spans.empty() || is_spelled_in_bytes(model.tokenizer(), question)) return std::optional<BriefAnswer>();
  MNEME_ASSIGN_OR_RETURN(const Prompt prompt, prompt_of(model, question, quotes));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Sequence> sequence,
                         model.new_sequence(prompt.n_tokens() + kMostTokens));
  {
    const trace::Span traced("prefill", "rag");
    MNEME_RETURN_IF_ERROR(read_prompt(model, *sequence, prompt.all_ids(), cancel));
  }
  const trace::Span traced("generate", "rag");
  return likeliest(model, *sequence, question, spans, quotes, cancel);
}

}  // namespace mneme::rag
