// What an encoder reads: texts and pairs of texts as token ids, with the markers around them that the model was trained
// with, cut to what it reads. Ownership: borrows the tokenizer. Threads: immutable after make().
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/gguf/gguf_file.h"
#include "engine/model/model_config.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/types.h"

namespace mneme::engine {

class EncoderInput {
 public:
  // max_tokens: of a text or a pair, markers included.
  static EncoderInput make(const gguf::GgufFile& file, const ModelConfig& config, const Tokenizer& tokenizer,
                           int max_tokens);

  std::vector<TokenId> text(std::string_view text) const;

  struct Pair {
    std::vector<TokenId> ids;
    int second = 0;  // where the second text begins
  };
  // A question, which may take half of the room, and a passage, which is cut to the rest.
  Pair pair(std::string_view question, std::string_view passage) const;

 private:
  EncoderInput(const Tokenizer& tokenizer, int max_tokens) : tokenizer_(tokenizer), max_tokens_(max_tokens) {}
  std::vector<TokenId> fill_in(std::string_view question, std::string_view passage) const;
  std::string first_tokens(std::string_view text, size_t n) const;

  const Tokenizer& tokenizer_;
  const int max_tokens_;
  std::string rank_template_;  // of rankers made of language models: text with {query} and {document}
};

}  // namespace mneme::engine
