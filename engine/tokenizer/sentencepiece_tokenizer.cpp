#include "engine/tokenizer/sentencepiece_tokenizer.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <array>

#include "base/memory_reserve.h"
#include "base/utf8.h"
#include "engine/tokenizer/byte_tokens.h"
#include "engine/tokenizer/charsmap.h"
#include "engine/tokenizer/sentencepiece_proto.h"
#include "engine/tokenizer/tokenizer_base.h"

namespace mneme::engine {

namespace {

// Held back while the library works, which bears no allocation that fails: about what it needs for a passage, and a
// part of what it needs for a vocabulary or a long text, so that a ceiling on memory is not reached because of it.
constexpr size_t kReservePerProtoByte = 2;
constexpr size_t kReservePerTextByte = 64;
constexpr size_t kLeastReserve = 16 * 1024;
constexpr size_t kMostReserve = 8 * 1024 * 1024;

size_t reserve_for(size_t n_bytes, size_t per_byte) {
  return std::min(kLeastReserve + n_bytes * per_byte, kMostReserve);
}

class SentencePieceTokenizer final : public TokenizerBase {
 public:
  explicit SentencePieceTokenizer(Vocabulary vocabulary) : TokenizerBase(std::move(vocabulary)) {
    byte_ids_.fill(kNoToken);
    for (TokenId id = 0; id < vocabulary_.size(); ++id) {
      if (const int byte = byte_value(vocabulary_, id); byte >= 0 && byte_ids_[byte] == kNoToken) byte_ids_[byte] = id;
    }
  }

  Status load() {
    const std::string& charsmap = vocabulary_.precompiled_charsmap;
    if (!charsmap.empty() && !is_sound_charsmap(charsmap)) {
      return corruption(vocabulary_.file +
                        " has a damaged table for normalising text; get or convert the model again.");
    }
    const SentencePieceProto proto = write_sentencepiece_proto(vocabulary_);
    const MemoryReserve reserve(reserve_for(proto.bytes.size(), kReservePerProtoByte));
    const auto status = processor_.LoadFromSerializedProto(proto.bytes);
    if (status.ok()) return {};
    return corruption(vocabulary_.file + " has a vocabulary that SentencePiece refuses (" + status.message() +
                      "); convert the model again.");
  }

  std::vector<TokenId> encode(std::string_view text) const override {
    return encode_runs(text, vocabulary_.add_space_prefix && !vocabulary_.remove_extra_whitespaces);
  }
  std::vector<TokenId> encode_continuation(std::string_view text) const override { return encode_runs(text, false); }

 protected:
  std::string piece_bytes(TokenId id) const override {
    if (const int byte = byte_value(vocabulary_, id); byte >= 0) return std::string(1, static_cast<char>(byte));
    return with_plain_spaces(vocabulary_.tokens[id]);
  }
  bool strips_first_space() const override { return vocabulary_.add_space_prefix; }

 private:
  // Well-formed stretches go to the library, which would turn malformed bytes into U+FFFD; those are encoded here.
  std::vector<TokenId> encode_runs(std::string_view text, bool space_first) const {
    std::vector<TokenId> ids;
    size_t begin = 0;
    bool first = true;
    while (begin < text.size()) {
      const std::string_view rest = text.substr(begin);
      const size_t valid = utf8::first_invalid(rest);
      if (valid > 0 || first) encode_valid(rest.substr(0, valid), space_first && first, ids);
      first = false;
      if (valid == rest.size()) break;
      const TokenId byte = byte_ids_[static_cast<unsigned char>(rest[valid])];
      if (byte != kNoToken || vocabulary_.unknown != kNoToken) {
        ids.push_back(byte != kNoToken ? byte : vocabulary_.unknown);
      }
      begin += valid + 1;
    }
    return ids;
  }

  void encode_valid(std::string_view text, bool space_first, std::vector<TokenId>& ids) const {
    std::string spaced;
    if (space_first) {
      spaced.reserve(text.size() + 1);
      spaced += ' ';
      spaced += text;
      text = spaced;
    }
    std::vector<int> pieces;
    {
      const MemoryReserve reserve(reserve_for(text.size(), kReservePerTextByte));
      if (!processor_.Encode(text, &pieces).ok()) pieces.clear();  // cannot fail on a loaded model
    }
    ids.reserve(ids.size() + pieces.size());
    for (const int id : pieces) {
      if (id < vocabulary_.size()) ids.push_back(id);
    }
  }

  sentencepiece::SentencePieceProcessor processor_;
  std::array<TokenId, 256> byte_ids_;
};

}  // namespace

Result<std::unique_ptr<Tokenizer>> make_sentencepiece_tokenizer(Vocabulary vocabulary) {
  auto tokenizer = std::make_unique<SentencePieceTokenizer>(std::move(vocabulary));
  MNEME_RETURN_IF_ERROR(tokenizer->load());
  return std::unique_ptr<Tokenizer>(std::move(tokenizer));
}

}  // namespace mneme::engine
