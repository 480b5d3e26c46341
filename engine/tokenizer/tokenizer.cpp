#include "engine/tokenizer/tokenizer.h"

#include <algorithm>

#include "engine/tokenizer/bpe_tokenizer.h"
#include "engine/tokenizer/sentencepiece_tokenizer.h"
#include "engine/tokenizer/tokenizer_base.h"
#include "engine/tokenizer/wordpiece_tokenizer.h"

namespace mneme::engine {

Result<std::unique_ptr<Tokenizer>> Tokenizer::open(const gguf::GgufFile& file) {
  MNEME_ASSIGN_OR_RETURN(Vocabulary vocabulary, Vocabulary::read(file));
  return make(std::move(vocabulary));
}

Result<std::unique_ptr<Tokenizer>> Tokenizer::make(Vocabulary vocabulary) {
  const std::string& model = vocabulary.model;
  if (model == "llama" || model == "t5") return make_sentencepiece_tokenizer(std::move(vocabulary));
  if (model == "gpt2" || model == "gemma4") return make_bpe_tokenizer(std::move(vocabulary));
  if (model == "bert") return make_wordpiece_tokenizer(std::move(vocabulary));
  return unsupported(
      vocabulary.file + " uses the tokenizer \"" + model +
      "\", which this program does not know (it knows llama, t5, gpt2, gemma4, bert); use a model with one of "
      "those.");
}

TokenizerBase::TokenizerBase(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {
  special_.resize(vocabulary_.tokens.size());
  for (TokenId id = 0; id < vocabulary_.size(); ++id) {
    special_[id] = is_marker(vocabulary_, id);
    if (special_[id]) trie_.add(vocabulary_.tokens[id], id);
  }
}

std::string TokenizerBase::decode(std::span<const TokenId> ids, bool show_special) const {
  std::string text;
  bool first = true;
  for (const TokenId id : ids) {
    if (!known(id)) continue;
    if (silent(id)) {
      if (show_special) text += vocabulary_.tokens[id];
      continue;
    }
    const std::string piece = piece_bytes(id);
    const bool strip = first && strips_first_space() && piece.starts_with(' ');
    text.append(piece, strip ? 1 : 0);
    first = false;
  }
  return text;
}

std::string TokenizerBase::token_bytes(TokenId id) const {
  return known(id) && !silent(id) ? piece_bytes(id) : std::string();
}

TokenId TokenizerBase::find_special(std::string_view text) const {
  TokenId id = kNoToken;
  return !text.empty() && trie_.longest_match(text, id) == text.size() ? id : kNoToken;
}

bool TokenizerBase::is_end_of_generation(TokenId id) const {
  return std::binary_search(vocabulary_.end_of_generation.begin(), vocabulary_.end_of_generation.end(), id);
}

}  // namespace mneme::engine
