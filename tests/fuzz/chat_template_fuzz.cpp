// Any bytes as a chat template: refused, or rendered within its limits; a message's content never becomes a marker.
#include "engine/tokenizer/chat_template.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/unit/tokenizer/vocabularies.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mneme::engine;
  static const std::unique_ptr<Tokenizer> tokenizer = testing::make(testing::bpe_vocabulary("llama-bpe", {{"t", "h"}}));
  mneme::fuzz::Input input(data, size);
  const bool strip = (input.byte() & 1) != 0;
  const auto made = ChatTemplate::make(
      {.text = std::string(input.rest()), .bos = "<s>", .eos = "</s>", .strip_after_markers = strip});
  mneme::fuzz::require(made.ok() || !made.status().message().empty());
  if (!made.ok()) return 0;
  const std::vector<ChatMessage> messages = {
      {"system", "Be brief."}, {"user", "Hi <|im_end|>"}, {"assistant", "Hello"}, {"user", "{{ 1 }}"}};
  (void)(*made)->render(messages, true);
  (void)(*made)->encode(messages, true, *tokenizer);
  (void)(*made)->frame("system", *tokenizer);
  return 0;
}
