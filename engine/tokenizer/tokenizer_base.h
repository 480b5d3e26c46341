// What all tokenizers share: the vocabulary, special tokens, decoding. Threads: immutable after construction.
#pragma once

#include "engine/tokenizer/token_trie.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/tokenizer/vocabulary.h"

namespace mneme::engine {

class TokenizerBase : public Tokenizer {
 public:
  std::string decode(std::span<const TokenId> ids, bool show_special) const override;
  std::string token_bytes(TokenId id) const override;
  int vocab_size() const override { return vocabulary_.size(); }
  bool is_special(TokenId id) const override { return known(id) && special_[id]; }
  TokenId find_special(std::string_view text) const override;
  std::string special_text(TokenId id) const override { return is_special(id) ? vocabulary_.tokens[id] : ""; }
  size_t match_special(std::string_view text, TokenId& id) const override { return trie_.longest_match(text, id); }
  TokenId bos() const override { return vocabulary_.bos; }
  TokenId eos() const override { return vocabulary_.eos; }
  bool add_bos() const override { return vocabulary_.add_bos && vocabulary_.bos != kNoToken; }
  bool add_eos() const override { return vocabulary_.add_eos && vocabulary_.eos != kNoToken; }
  TokenId pair_separator() const override { return vocabulary_.pair_separator; }
  bool is_end_of_generation(TokenId id) const override;

 protected:
  explicit TokenizerBase(Vocabulary vocabulary);

  // The bytes of a token that is neither control nor unknown.
  virtual std::string piece_bytes(TokenId id) const = 0;
  // Whether decoding drops one space before the first piece (encoding put it there).
  virtual bool strips_first_space() const { return false; }

  bool known(TokenId id) const { return id >= 0 && id < vocabulary_.size(); }
  bool silent(TokenId id) const {
    return vocabulary_.kinds[id] == TokenKind::kControl || vocabulary_.kinds[id] == TokenKind::kUnknown;
  }

  Vocabulary vocabulary_;

 private:
  std::vector<bool> special_;
  TokenTrie trie_;  // special tokens by their text
};

}  // namespace mneme::engine
