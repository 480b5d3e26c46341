#include "engine/tokenizer/number_tokenizer.h"

#include <charconv>

namespace mneme::engine {

namespace {

class NumberTokenizer final : public Tokenizer {
 public:
  explicit NumberTokenizer(int vocab_size) : vocab_size_(vocab_size) {}

  // Runs of digits are numbers; what is no id of the vocabulary is left out.
  std::vector<TokenId> encode(std::string_view text) const override {
    std::vector<TokenId> ids;
    const char* at = text.data();
    const char* end = at + text.size();
    while (at < end) {
      TokenId id = 0;
      const auto [next, error] = std::from_chars(at, end, id);
      if (error == std::errc() && id >= 0 && id < vocab_size_) ids.push_back(id);
      at = next == at ? at + 1 : next;
    }
    return ids;
  }

  std::string decode(std::span<const TokenId> ids, bool) const override {
    std::string text;
    for (const TokenId id : ids) text += token_bytes(id);
    return text;
  }

  std::string token_bytes(TokenId id) const override { return std::to_string(id) + " "; }
  int vocab_size() const override { return vocab_size_; }
  bool is_special(TokenId) const override { return false; }
  TokenId find_special(std::string_view) const override { return kNoToken; }
  std::string special_text(TokenId) const override { return {}; }
  size_t match_special(std::string_view, TokenId&) const override { return 0; }
  TokenId bos() const override { return kNoToken; }
  TokenId eos() const override { return kNoToken; }
  bool add_bos() const override { return false; }
  bool is_end_of_generation(TokenId) const override { return false; }

 private:
  const int vocab_size_;
};

}  // namespace

std::unique_ptr<Tokenizer> make_number_tokenizer(int vocab_size) {
  return std::make_unique<NumberTokenizer>(vocab_size);
}

}  // namespace mneme::engine
