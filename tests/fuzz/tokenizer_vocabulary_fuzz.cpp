// Vocabularies of any content: either refused in a sentence, or a tokenizer that encodes and decodes within its ids.
#include <cmath>

#include "engine/tokenizer/tokenizer.h"
#include "engine/tokenizer/vocabulary.h"
#include "tests/fuzz/fuzz_input.h"

namespace {

constexpr size_t kMostTokens = 600;

// A table for normalising text, long enough to be taken for one, with units of the input's at places of the input's:
// the length of its double array, the units, and the replacements behind them.
std::string charsmap_from(mneme::fuzz::Input& input) {
  constexpr uint32_t kUnits = 512;
  constexpr uint32_t kChildren = 256 << 10;  // the root's, as a unit spells it
  std::vector<uint32_t> units(kUnits, 0);
  units[0] = kChildren;
  for (int n = input.byte() % 16; n > 0; --n) {
    const uint32_t at = (input.byte() | uint32_t{input.byte()} << 8) % kUnits;
    units[at] = 0;
    for (int shift = 0; shift < 32; shift += 8) units[at] |= uint32_t{input.byte()} << shift;
  }
  const uint32_t n_bytes = kUnits * sizeof(uint32_t);
  std::string bytes(reinterpret_cast<const char*>(&n_bytes), sizeof n_bytes);
  bytes.append(reinterpret_cast<const char*>(units.data()), n_bytes);
  return bytes + input.short_text(32) + '\0';
}

mneme::engine::Vocabulary vocabulary_from(mneme::fuzz::Input& input) {
  using mneme::engine::TokenKind;
  static constexpr const char* kModels[] = {"llama", "gpt2", "bert", "t5", "other"};
  static constexpr const char* kPres[] = {"", "default", "llama-bpe", "qwen2", "gpt-2", "unheard-of"};
  mneme::engine::Vocabulary v;
  v.file = "fuzz";
  v.model = kModels[input.byte() % std::size(kModels)];
  v.pre = kPres[input.byte() % std::size(kPres)];
  const uint8_t flags = input.byte();
  v.add_bos = (flags & 1) != 0;
  v.add_space_prefix = (flags & 2) != 0;
  v.remove_extra_whitespaces = (flags & 4) != 0;
  if ((flags & 8) != 0) v.precompiled_charsmap = input.short_text(64);
  if ((flags & 64) != 0) v.precompiled_charsmap = charsmap_from(input);
  if ((flags & 16) != 0) v.chat_template = input.short_text(255);
  v.bos = static_cast<int8_t>(input.byte());
  v.eos = static_cast<int8_t>(input.byte());
  v.unknown = static_cast<int8_t>(input.byte());
  if ((flags & 32) != 0) {  // the 256 bytes, as byte-level models have them
    for (int byte = 0; byte < 256; ++byte) {
      char name[8];
      std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(byte));
      v.tokens.emplace_back(name);
      v.kinds.push_back(TokenKind::kByte);
      v.scores.push_back(0.0f);
    }
  }
  while (!input.empty() && v.tokens.size() < kMostTokens) {
    const uint8_t kind = input.byte();
    if (kind == 0xff) break;
    if ((kind & 0x80) != 0) {
      v.merges.push_back(input.short_text(24));
      continue;
    }
    v.tokens.push_back(input.short_text(24));
    v.kinds.push_back(static_cast<TokenKind>(kind % 8));
    v.scores.push_back(kind == 0x7f ? std::nanf("") : -static_cast<float>(kind));
  }
  return v;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mneme::fuzz::Input input(data, size);
  mneme::engine::Vocabulary vocabulary = vocabulary_from(input);
  const mneme::Status checked = vocabulary.check();
  mneme::fuzz::require(checked.ok() || !checked.message().empty());
  if (!checked.ok()) return 0;
  const auto tokenizer = mneme::engine::Tokenizer::make(std::move(vocabulary));
  if (!tokenizer.ok()) return 0;
  const std::vector<mneme::engine::TokenId> ids = (*tokenizer)->encode(input.rest().substr(0, 4096));
  for (const mneme::engine::TokenId id : ids) mneme::fuzz::require(id >= 0 && id < (*tokenizer)->vocab_size());
  (void)(*tokenizer)->decode(ids, true);
  return 0;
}
