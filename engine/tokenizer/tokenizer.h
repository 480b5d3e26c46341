// Text to token ids and back, as the model's GGUF says: SentencePiece (by libsentencepiece), byte-level BPE, WordPiece.
// Special tokens are never produced from text: only encode_special() and templates give them.
// Threads: immutable after open; all functions may run concurrently.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/types.h"

namespace mneme::gguf {
class GgufFile;
}

namespace mneme::engine {

struct Vocabulary;

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // Builds the tokenizer that tokenizer.ggml.* describes. kUnsupported names an unknown model or pre-tokenizer.
  static Result<std::unique_ptr<Tokenizer>> open(const gguf::GgufFile& file);
  // The same from a vocabulary in memory (engine/tokenizer/vocabulary.h), which must have passed its check().
  static Result<std::unique_ptr<Tokenizer>> make(Vocabulary vocabulary);

  // Ids of the text, without BOS or EOS. Text that spells a special token is encoded as the characters it is.
  // Malformed UTF-8 is encoded byte by byte where the vocabulary allows, else as the unknown token.
  virtual std::vector<TokenId> encode(std::string_view text) const = 0;

  // The same for text that follows other text: nothing is put before it (SentencePiece models put a space before a text
  // that stands alone). Equal to encode() for the other tokenizers.
  virtual std::vector<TokenId> encode_continuation(std::string_view text) const { return encode(text); }

  // The text of the ids; control tokens give nothing unless show_special. Markers that models are meant to write and
  // people to see (<think>, <tool_call>: "user defined" in the file) are shown always, though text never gives them.
  virtual std::string decode(std::span<const TokenId> ids, bool show_special = false) const = 0;

  // The bytes one token adds (may be part of a UTF-8 character); empty for control tokens.
  virtual std::string token_bytes(TokenId id) const = 0;

  virtual int vocab_size() const = 0;
  virtual bool is_special(TokenId id) const = 0;                  // BOS, EOS, template markers: never from text
  virtual TokenId find_special(std::string_view text) const = 0;  // "<|im_end|>" -> id, or kNoToken
  virtual std::string special_text(TokenId id) const = 0;
  // The longest special token that `text` begins with: its length in bytes and its id; 0 when none. For templates.
  virtual size_t match_special(std::string_view text, TokenId& id) const = 0;

  virtual TokenId bos() const = 0;  // kNoToken when the model has none
  virtual TokenId eos() const = 0;
  virtual bool add_bos() const = 0;               // whether prompts start with BOS
  virtual bool add_eos() const { return false; }  // whether texts that an encoder reads end with EOS
  // What an encoder reads before the second text of a pair, behind the first's EOS; kNoToken: nothing.
  virtual TokenId pair_separator() const { return kNoToken; }
  virtual bool is_end_of_generation(TokenId id) const = 0;  // EOS, end of turn
};

// Streams decoded text out in whole UTF-8 characters.
class StreamDecoder {
 public:
  explicit StreamDecoder(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}
  std::string add(TokenId id);  // text that became complete
  std::string finish();         // what is left, malformed bytes replaced by U+FFFD

 private:
  const Tokenizer& tokenizer_;
  std::string pending_;
};

}  // namespace mneme::engine
