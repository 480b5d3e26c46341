// Any text through each kind of tokenizer: ids inside the vocabulary, no special token out of text, and what was valid
// UTF-8 comes back. Documents are hostile: "<|im_end|>" in one must stay ten characters.
#include <array>

#include "base/utf8.h"
#include "engine/tokenizer/tokenizer.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/unit/tokenizer/vocabularies.h"

namespace {

using mneme::engine::Tokenizer;

std::array<std::unique_ptr<Tokenizer>, 3> make_tokenizers() {
  using namespace mneme::engine::testing;
  return {make(sentencepiece_vocabulary({"\u2581the", "\u2581a", "th", "he", "in", "er", "\u2581", "e"})),
          make(bpe_vocabulary("llama-bpe", {{"t", "h"}, {"th", "e"}, {"i", "n"}, {" ", "a"}})),
          make(bpe_vocabulary("qwen2", {{"e", "r"}, {"i", "n"}, {"in", "g"}}))};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::array<std::unique_ptr<Tokenizer>, 3> tokenizers = make_tokenizers();
  mneme::fuzz::Input input(data, size);
  const size_t which = input.byte() % tokenizers.size();
  const Tokenizer& tokenizer = *tokenizers[which];
  const std::string_view text = input.rest();
  const std::vector<mneme::engine::TokenId> ids = tokenizer.encode_continuation(text);
  for (const mneme::engine::TokenId id : ids) {
    mneme::fuzz::require(id >= 0 && id < tokenizer.vocab_size());
    mneme::fuzz::require(!tokenizer.is_special(id) || id == 0);  // 0 is SentencePiece's unknown token
  }
  // Byte-level tokenizers lose nothing.
  if (which > 0 && mneme::utf8::valid(text)) mneme::fuzz::require(tokenizer.decode(ids) == text);
  mneme::engine::StreamDecoder decoder(tokenizer);
  std::string streamed;
  for (const mneme::engine::TokenId id : ids) streamed += decoder.add(id);
  streamed += decoder.finish();
  mneme::fuzz::require(mneme::utf8::valid(streamed));
  return 0;
}
