// Splits text into the words that byte-level BPE works on, with the regular expressions that each model was trained
// with. tokenizer.ggml.pre names the set; PCRE2 (JIT, UTF, Unicode properties) runs it.
// Threads: immutable after open; split may run concurrently.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace mneme::engine {

class PreTokenizer {
 public:
  // kUnsupported for a name that is not in the table; the sentence lists those that are. Empty: "gpt-2".
  static Result<std::unique_ptr<PreTokenizer>> open(std::string_view name);

  ~PreTokenizer();

  // End offsets of the words of `text` (well-formed UTF-8), ascending; the last is text.size(). All bytes are kept.
  void split(std::string_view text, std::vector<uint32_t>& ends) const;

  // A word that is a token as it stands is taken whole, whatever the merges say (Llama 3, Tekken).
  bool whole_words_first() const { return whole_words_first_; }

 private:
  struct Pattern;
  PreTokenizer();

  std::vector<Pattern> patterns_;
  bool whole_words_first_ = false;
};

}  // namespace mneme::engine
