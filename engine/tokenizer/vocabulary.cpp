#include "engine/tokenizer/vocabulary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <variant>

namespace mneme::engine {

namespace {

constexpr size_t kMaxTokens = 16u << 20;  // far above any model; keeps ids and tables small

// An array of integers of either signedness as int64, or nothing when absent; `bad` when of another type.
bool read_integers(const gguf::GgufFile& file, std::string_view key, std::vector<int64_t>& out) {
  const gguf::MetaValue* value = file.find(key);
  if (value == nullptr) return true;
  if (const auto* list = std::get_if<std::vector<int64_t>>(value)) {
    out = *list;
    return true;
  }
  if (const auto* list = std::get_if<std::vector<uint64_t>>(value)) {
    out.reserve(list->size());
    for (const uint64_t item : *list) out.push_back(item > INT32_MAX ? -1 : static_cast<int64_t>(item));
    return true;
  }
  return false;
}

bool read_numbers(const gguf::GgufFile& file, std::string_view key, std::vector<float>& out) {
  const gguf::MetaValue* value = file.find(key);
  if (value == nullptr) return true;
  const auto* list = std::get_if<std::vector<double>>(value);
  if (list == nullptr) return false;
  out.reserve(list->size());
  for (const double item : *list) out.push_back(static_cast<float>(item));
  return true;
}

TokenId read_id(const gguf::GgufFile& file, std::string_view key) {
  const auto value = file.integer(key);
  return value && *value >= 0 && *value < INT32_MAX ? static_cast<TokenId>(*value) : kNoToken;
}

void read_special_ids(const gguf::GgufFile& file, Vocabulary& vocabulary) {
  vocabulary.bos = read_id(file, "tokenizer.ggml.bos_token_id");
  vocabulary.eos = read_id(file, "tokenizer.ggml.eos_token_id");
  vocabulary.unknown = read_id(file, "tokenizer.ggml.unknown_token_id");
  // Encoders may name their markers as BERT does, whatever their vocabulary's kind.
  if (vocabulary.model == "bert" || vocabulary.model == "gpt2") {
    if (vocabulary.bos == kNoToken) vocabulary.bos = read_id(file, "tokenizer.ggml.cls_token_id");
    // The format's own spelling of "separator".
    if (vocabulary.eos == kNoToken) vocabulary.eos = read_id(file, "tokenizer.ggml.seperator_token_id");
  }
  for (const char* key : {"tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"}) {
    if (const TokenId id = read_id(file, key); id != kNoToken) vocabulary.end_of_generation.push_back(id);
  }
}

// What stands around texts. Converters disagree about which of BERT's [SEP] flags they set; it has both markers always.
void read_markers(const gguf::GgufFile& file, Vocabulary& vocabulary) {
  // Files of these begin texts with BOS where they do not say.
  static constexpr std::string_view kBeginWithBos[] = {"falcon3", "falcon-h1",    "pixtral", "midm-2.0",
                                                       "lfm2",    "jina-v5-nano", "tekken"};
  const bool llama3_style = vocabulary.pre.starts_with("llama") ||
                            std::ranges::find(kBeginWithBos, vocabulary.pre) != std::end(kBeginWithBos);
  const bool unigram = vocabulary.model == "t5";
  const bool sentencepiece = vocabulary.model == "llama" || vocabulary.model == "gemma4";
  const bool wordpiece = vocabulary.model == "bert";
  vocabulary.add_bos =
      wordpiece || file.boolean("tokenizer.ggml.add_bos_token").value_or(sentencepiece || unigram || llama3_style);
  vocabulary.add_eos = wordpiece || file.boolean("tokenizer.ggml.add_eos_token").value_or(unigram);
  // XLM-R: <s> one </s></s> other </s>.
  if (!unigram || !file.boolean("tokenizer.ggml.add_sep_token").value_or(true)) return;
  const TokenId separator = read_id(file, "tokenizer.ggml.seperator_token_id");
  vocabulary.pair_separator = separator != kNoToken ? separator : vocabulary.eos;
}

void read_flags(const gguf::GgufFile& file, Vocabulary& vocabulary) {
  vocabulary.add_space_prefix = file.boolean("tokenizer.ggml.add_space_prefix").value_or(true);
  vocabulary.remove_extra_whitespaces =
      file.boolean("tokenizer.ggml.remove_extra_whitespaces").value_or(vocabulary.model == "t5");
  std::vector<int64_t> charsmap;
  if (read_integers(file, "tokenizer.ggml.precompiled_charsmap", charsmap)) {
    for (const int64_t byte : charsmap) vocabulary.precompiled_charsmap += static_cast<char>(byte);
  }
  vocabulary.chat_template = std::string(file.text("tokenizer.chat_template").value_or(""));
}

bool is_turn_end(std::string_view text) {
  static constexpr std::string_view kEnds[] = {"<|eot_id|>",
                                               "<|im_end|>",
                                               "<|end|>",
                                               "<end_of_turn>",
                                               "<turn|>",
                                               "<|endoftext|>",
                                               "<|eom_id|>",
                                               "<|end_of_text|>",
                                               "<|end_of_turn|>",
                                               "<|return|>",
                                               "<|call|>",
                                               "<EOT>",
                                               "<｜end▁of▁sentence｜>",
                                               "<|END_OF_TURN_TOKEN|>",
                                               "[|endofturn|]"};
  return std::find(std::begin(kEnds), std::end(kEnds), text) != std::end(kEnds);
}

}  // namespace

Result<Vocabulary> Vocabulary::read(const gguf::GgufFile& file) {
  Vocabulary vocabulary;
  vocabulary.file = file.name();
  const auto model = file.text("tokenizer.ggml.model");
  if (!model) {
    return corruption(file.name() +
                      " has no tokenizer (tokenizer.ggml.model is missing); convert the model again with "
                      "its tokenizer.");
  }
  vocabulary.model = std::string(*model);
  vocabulary.pre = std::string(file.text("tokenizer.ggml.pre").value_or(""));
  const auto* tokens = file.strings("tokenizer.ggml.tokens");
  if (tokens == nullptr) {
    return corruption(file.name() +
                      " has no token list (tokenizer.ggml.tokens is missing or not strings); convert the "
                      "model again.");
  }
  if (tokens->size() > kMaxTokens) {
    return corruption(file.name() + " claims " + std::to_string(tokens->size()) + " tokens, more than any model has.");
  }
  vocabulary.tokens = *tokens;
  if (const auto* merges = file.strings("tokenizer.ggml.merges")) vocabulary.merges = *merges;
  std::vector<int64_t> kinds;
  if (!read_integers(file, "tokenizer.ggml.token_type", kinds) ||
      !read_numbers(file, "tokenizer.ggml.scores", vocabulary.scores)) {
    return corruption(file.name() + " has token types or scores that are not numbers; convert the model again.");
  }
  for (const int64_t kind : kinds) {
    vocabulary.kinds.push_back(kind >= 1 && kind <= 6 ? static_cast<TokenKind>(kind) : TokenKind::kUnused);
  }
  read_special_ids(file, vocabulary);
  read_markers(file, vocabulary);
  read_flags(file, vocabulary);
  MNEME_RETURN_IF_ERROR(vocabulary.check());
  return vocabulary;
}

Status Vocabulary::check() {
  if (tokens.empty()) return corruption(file + " has an empty token list; convert the model again.");
  if (kinds.empty()) kinds.assign(tokens.size(), TokenKind::kNormal);
  if (scores.empty()) scores.assign(tokens.size(), 0.0f);
  if (kinds.size() != tokens.size() || scores.size() != tokens.size()) {
    return corruption(file + " lists " + std::to_string(tokens.size()) + " tokens but " + std::to_string(kinds.size()) +
                      " types and " + std::to_string(scores.size()) + " scores; convert the model again.");
  }
  for (float& score : scores) {
    if (!std::isfinite(score)) score = std::numeric_limits<float>::lowest();
  }
  for (TokenId* id : {&bos, &eos, &unknown, &pair_separator}) {
    if (*id < 0 || *id >= size()) *id = kNoToken;
  }
  if (model != "gpt2" && unknown != kNoToken && kinds[unknown] == TokenKind::kNormal)
    kinds[unknown] = TokenKind::kUnknown;
  if (unknown == kNoToken) {
    const auto found = std::find(kinds.begin(), kinds.end(), TokenKind::kUnknown);
    if (found != kinds.end()) unknown = static_cast<TokenId>(found - kinds.begin());
  }
  // What ends or starts a text is never part of one, whatever type the file gives it.
  for (const TokenId id : {bos, eos}) {
    if (id != kNoToken && kinds[id] != TokenKind::kUnknown) kinds[id] = TokenKind::kControl;
  }
  std::erase_if(end_of_generation, [&](TokenId id) { return id < 0 || id >= size(); });
  if (eos != kNoToken) end_of_generation.push_back(eos);
  for (TokenId id = 0; id < size(); ++id) {
    if ((kinds[id] == TokenKind::kControl || kinds[id] == TokenKind::kUserDefined) && is_turn_end(tokens[id])) {
      end_of_generation.push_back(id);
    }
  }
  std::sort(end_of_generation.begin(), end_of_generation.end());
  end_of_generation.erase(std::unique(end_of_generation.begin(), end_of_generation.end()), end_of_generation.end());
  return {};
}

bool is_marker(const Vocabulary& vocabulary, TokenId id) {
  const TokenKind kind = vocabulary.kinds[id];
  if (kind == TokenKind::kControl || kind == TokenKind::kUnknown) return true;
  if (kind != TokenKind::kUserDefined) return false;
  const std::string& text = vocabulary.tokens[id];
  if (text.size() >= 3 && text.starts_with("<|") && text.ends_with("|>")) return true;
  const bool bracketed =
      text.size() >= 3 && ((text.front() == '<' && text.back() == '>') || (text.front() == '[' && text.back() == ']'));
  return bracketed &&
         (is_turn_end(text) || text == "<start_of_turn>" || vocabulary.chat_template.find(text) != std::string::npos);
}

}  // namespace mneme::engine
