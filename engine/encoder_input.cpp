#include "engine/encoder_input.h"

#include <algorithm>
#include <cstddef>

namespace mneme::engine {

namespace {

// What Qwen3-Reranker was trained with, for files that do not bring it.
constexpr std::string_view kRankTemplate =
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct "
    "provided. Note that the answer can only be \"yes\" or \"no\".<|im_end|>\n<|im_start|>user\n<Instruct>: Given a "
    "web "
    "search query, retrieve relevant passages that answer the query\n<Query>: {query}\n<Document>: "
    "{document}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n";

void append(std::vector<TokenId>& ids, const std::vector<TokenId>& more) {
  ids.insert(ids.end(), more.begin(), more.end());
}

// The text with the placeholder that stands at its beginning replaced, or its first character.
size_t replace_first(std::string_view text, std::string_view question, std::string_view passage, std::string& out) {
  for (const auto& [name, value] : {std::pair{std::string_view("{query}"), question}, {"{document}", passage}}) {
    if (!text.starts_with(name)) continue;
    out += value;
    return name.size();
  }
  out += text[0];
  return 1;
}

}  // namespace

EncoderInput EncoderInput::make(const gguf::GgufFile& file, const ModelConfig& config, const Tokenizer& tokenizer,
                                int max_tokens) {
  EncoderInput input(tokenizer, max_tokens);
  if (config.causal && config.pooling == Pooling::kRank)
    input.rank_template_ = file.text("tokenizer.chat_template.rerank").value_or(kRankTemplate);
  return input;
}

std::vector<TokenId> EncoderInput::text(std::string_view text) const {
  std::vector<TokenId> ids = tokenizer_.encode(text);
  const bool begins = tokenizer_.add_bos();
  const bool ends = tokenizer_.add_eos();
  const auto room = static_cast<size_t>(std::max(0, max_tokens_ - (begins ? 1 : 0) - (ends ? 1 : 0)));
  if (ids.size() > room) ids.resize(room);
  if (begins) ids.insert(ids.begin(), tokenizer_.bos());
  if (ends) ids.push_back(tokenizer_.eos());
  return ids;
}

// [CLS] question [SEP] passage [SEP], as the model spells them.
EncoderInput::Pair EncoderInput::pair(std::string_view question, std::string_view passage) const {
  if (!rank_template_.empty()) return {fill_in(question, passage), 0};
  Pair pair;
  pair.ids = tokenizer_.encode(question);
  pair.ids.resize(std::min(pair.ids.size(), static_cast<size_t>(max_tokens_ / 2)));
  if (tokenizer_.add_bos()) pair.ids.insert(pair.ids.begin(), tokenizer_.bos());
  if (tokenizer_.add_eos()) pair.ids.push_back(tokenizer_.eos());
  if (tokenizer_.pair_separator() != kNoToken) pair.ids.push_back(tokenizer_.pair_separator());
  pair.second = static_cast<int>(pair.ids.size());
  const std::vector<TokenId> second = tokenizer_.encode(passage);
  const auto room = static_cast<size_t>(std::max(0, max_tokens_ - pair.second - 1));
  pair.ids.insert(pair.ids.end(), second.begin(),
                  second.begin() + static_cast<std::ptrdiff_t>(std::min(room, second.size())));
  if (tokenizer_.add_eos()) pair.ids.push_back(tokenizer_.eos());
  return pair;
}

// The beginning of a text that is n tokens long by itself.
std::string EncoderInput::first_tokens(std::string_view text, size_t n) const {
  const std::vector<TokenId> ids = tokenizer_.encode(text);
  if (ids.size() <= n) return std::string(text);
  return tokenizer_.decode(std::span(ids).first(n));
}

// Special tokens come from the template alone; between two of them all is one text, as words and what stands before
// them share tokens. The passage is cut so that the template's end, which asks for the answer, is there.
std::vector<TokenId> EncoderInput::fill_in(std::string_view question, std::string_view passage) const {
  constexpr size_t kSlack = 8;  // tokens that texts may need more within others than by themselves
  const size_t frame = tokenizer_.encode(rank_template_).size() + kSlack;
  const size_t room = static_cast<size_t>(max_tokens_) > frame ? static_cast<size_t>(max_tokens_) - frame : 0;
  const std::string asked = first_tokens(question, room / 2);
  const std::string read = first_tokens(passage, room - std::min(room, tokenizer_.encode(asked).size()));
  std::vector<TokenId> ids;
  std::string plain;
  for (std::string_view rest = rank_template_; !rest.empty();) {
    TokenId special = kNoToken;
    const size_t length = tokenizer_.match_special(rest, special);
    if (length > 0) {
      append(ids, tokenizer_.encode(plain));
      plain.clear();
      ids.push_back(special);
      rest.remove_prefix(length);
    } else {
      rest.remove_prefix(replace_first(rest, asked, read, plain));
    }
  }
  append(ids, tokenizer_.encode(plain));
  if (ids.size() > static_cast<size_t>(max_tokens_)) ids.resize(static_cast<size_t>(max_tokens_));
  return ids;
}

}  // namespace mneme::engine
