// What tokenizer.ggml.* says, read once and checked: the pieces, their kinds and scores, merges, and the ids of special
// tokens. Every id is inside the vocabulary or kNoToken; arrays agree in length.
// Ownership: a plain value. Threads: immutable after reading.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/gguf/gguf_file.h"
#include "engine/types.h"

namespace mneme::engine {

// The numbers are those of the GGUF format (and of SentencePiece); never renumber.
enum class TokenKind : uint8_t { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };

struct Vocabulary {
  std::string file;   // for messages
  std::string model;  // "llama", "t5", "gpt2", "gemma4", "bert"
  std::string pre;    // name of the pre-tokenizer, gpt2 only; may be empty
  std::vector<std::string> tokens;
  std::vector<TokenKind> kinds;     // tokens.size()
  std::vector<float> scores;        // tokens.size(); finite
  std::vector<std::string> merges;  // "left right", best first; gpt2, gemma4

  TokenId bos = kNoToken;
  TokenId eos = kNoToken;
  TokenId unknown = kNoToken;
  std::vector<TokenId> end_of_generation;  // end-of-turn ids the file names, besides eos

  bool add_bos = false;
  bool add_eos = false;                   // encoders: texts end with it
  TokenId pair_separator = kNoToken;      // encoders: before the second text of a pair, after the first's EOS
  bool add_space_prefix = true;           // SentencePiece: text starts with a space of its own
  bool remove_extra_whitespaces = false;  // SentencePiece normaliser
  std::string precompiled_charsmap;       // SentencePiece normaliser; usually empty
  std::string chat_template;              // tokenizer.chat_template; may be empty

  int size() const { return static_cast<int>(tokens.size()); }

  // kCorruption names the key that is missing or does not fit; kUnsupported an unknown tokenizer model.
  static Result<Vocabulary> read(const gguf::GgufFile& file);

  // Fills what is derived (kinds, scores, defaults) and checks everything: the second half of read(), also for
  // vocabularies made in memory.
  Status check();
};

// Whether only templates may produce the token: control and unknown tokens, and user-defined ones that are turn
// markers. A user-defined token counts as a marker when it is spelled <|...|> or, in brackets, by the chat template.
bool is_marker(const Vocabulary& vocabulary, TokenId id);

}  // namespace mneme::engine
