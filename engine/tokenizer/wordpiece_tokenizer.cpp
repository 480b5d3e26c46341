#include "engine/tokenizer/wordpiece_tokenizer.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include "base/utf8.h"
#include "engine/tokenizer/tokenizer_base.h"

namespace mneme::engine {

namespace {

constexpr std::string_view kWordMark =
    "\xe2\x96\x81";                   // GGUF marks pieces that begin a word instead of those that do not
constexpr size_t kLongestWord = 100;  // characters; longer words are unknown, as in BERT

bool is_cjk(char32_t c) {
  return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x20000 && c <= 0x2a6df) ||
         (c >= 0x2a700 && c <= 0x2b73f) || (c >= 0x2b740 && c <= 0x2b81f) || (c >= 0x2b820 && c <= 0x2ceaf) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x2f800 && c <= 0x2fa1f);
}

bool is_punctuation(char32_t c) {
  if (c < 0x80) return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126);
  return u_ispunct(static_cast<UChar32>(c));
}

bool is_dropped(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return false;
  if (c == 0 || c == 0xfffd) return true;
  const int8_t type = u_charType(static_cast<UChar32>(c));
  return type == U_CONTROL_CHAR || type == U_FORMAT_CHAR || type == U_SURROGATE || type == U_PRIVATE_USE_CHAR ||
         type == U_UNASSIGNED;
}

bool is_space(char32_t c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || u_charType(static_cast<UChar32>(c)) == U_SPACE_SEPARATOR;
}

class WordPieceTokenizer final : public TokenizerBase {
 public:
  explicit WordPieceTokenizer(Vocabulary vocabulary) : TokenizerBase(std::move(vocabulary)) {
    bool hashes = false;
    bool capitals = false;
    for (TokenId id = 0; id < vocabulary_.size(); ++id) {
      const std::string& text = vocabulary_.tokens[id];
      if (silent(id) || (text.starts_with('[') && text.ends_with(']'))) continue;
      hashes |= text.size() > 2 && text.starts_with("##");
      for (const char c : text) capitals |= c >= 'A' && c <= 'Z';
    }
    cased_ = capitals;
    index_pieces(hashes);
  }

  std::vector<TokenId> encode(std::string_view text) const override;

 protected:
  std::string piece_bytes(TokenId id) const override { return pieces_[id]; }
  bool strips_first_space() const override { return true; }

 private:
  void index_pieces(bool hashes);
  void encode_word(std::string_view word, size_t n_characters, std::vector<TokenId>& ids) const;
  // The decomposition of a character without its accents, lower case; the character itself for cased vocabularies.
  void append_normal(char32_t c, const UNormalizer2* nfd, std::u32string& out) const;

  std::vector<std::string> pieces_;  // as decoded: " word" or "continuation"
  TokenTrie starts_;                 // pieces that begin a word
  TokenTrie continuations_;
  bool cased_ = false;
};

void WordPieceTokenizer::index_pieces(bool hashes) {
  pieces_.resize(vocabulary_.tokens.size());
  for (TokenId id = 0; id < vocabulary_.size(); ++id) {
    std::string_view text = vocabulary_.tokens[id];
    bool continues = false;
    if (hashes) {
      continues = text.size() > 2 && text.starts_with("##");
      if (continues) text.remove_prefix(2);
    } else {
      continues = !text.starts_with(kWordMark);
      if (!continues) text.remove_prefix(kWordMark.size());
    }
    pieces_[id] = continues ? std::string(text) : " " + std::string(text);
    if (is_special(id) || (text.size() > 2 && text.starts_with('[') && text.ends_with(']'))) continue;
    (continues ? continuations_ : starts_).add(text, id);
  }
}

void WordPieceTokenizer::append_normal(char32_t c, const UNormalizer2* nfd, std::u32string& out) const {
  if (cased_) {
    out += c;
    return;
  }
  if (c < 0x80) {
    out += c >= 'A' && c <= 'Z' ? c + 32 : c;
    return;
  }
  UChar units[32];
  UErrorCode error = U_ZERO_ERROR;
  const int32_t length = unorm2_getDecomposition(nfd, static_cast<UChar32>(c), units, 32, &error);
  if (U_FAILURE(error) || length < 0) {  // negative: decomposes to itself
    if (u_charType(static_cast<UChar32>(c)) != U_NON_SPACING_MARK) {
      out += static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
    }
    return;
  }
  for (int32_t i = 0; i < length;) {
    UChar32 part = 0;
    U16_NEXT(units, i, length, part);
    if (u_charType(part) != U_NON_SPACING_MARK) out += static_cast<char32_t>(u_tolower(part));
  }
}

std::vector<TokenId> WordPieceTokenizer::encode(std::string_view text) const {
  UErrorCode error = U_ZERO_ERROR;
  const UNormalizer2* nfd = unorm2_getNFDInstance(&error);
  std::vector<TokenId> ids;
  std::string word;
  size_t n_characters = 0;
  const auto flush = [&] {
    if (!word.empty()) encode_word(word, n_characters, ids);
    word.clear();
    n_characters = 0;
  };
  std::u32string normal;
  for (size_t at = 0; at < text.size();) {
    const char32_t c = utf8::next(text, at);
    if (is_dropped(c)) continue;
    if (is_space(c)) {
      flush();
      continue;
    }
    normal.clear();
    append_normal(c, nfd, normal);
    for (const char32_t part : normal) {
      const bool alone = is_punctuation(part) || is_cjk(part);
      if (alone) flush();
      utf8::append(word, part);
      ++n_characters;
      if (alone) flush();
    }
  }
  flush();
  return ids;
}

void WordPieceTokenizer::encode_word(std::string_view word, size_t n_characters, std::vector<TokenId>& ids) const {
  const size_t first = ids.size();
  for (size_t at = 0; at < word.size();) {
    TokenId id = kNoToken;
    const size_t length = n_characters > kLongestWord ? 0
                          : at == 0                   ? starts_.longest_match(word, id)
                                                      : continuations_.longest_match(word.substr(at), id);
    if (length == 0) {  // one piece unknown: the word is
      ids.resize(first);
      ids.push_back(vocabulary_.unknown);
      return;
    }
    ids.push_back(id);
    at += length;
  }
}

}  // namespace

Result<std::unique_ptr<Tokenizer>> make_wordpiece_tokenizer(Vocabulary vocabulary) {
  if (vocabulary.unknown == kNoToken) {
    for (TokenId id = 0; id < vocabulary.size(); ++id) {
      if (vocabulary.tokens[id] == "[UNK]") vocabulary.unknown = id;
    }
  }
  if (vocabulary.unknown == kNoToken) {
    return corruption(vocabulary.file +
                      " has a WordPiece vocabulary without an unknown token; convert the model again.");
  }
  vocabulary.kinds[vocabulary.unknown] = TokenKind::kUnknown;
  for (TokenId id = 0; id < vocabulary.size(); ++id) {
    const std::string& text = vocabulary.tokens[id];
    if (text == "[CLS]" || text == "[SEP]" || text == "[PAD]" || text == "[MASK]") {
      vocabulary.kinds[id] = TokenKind::kControl;
    }
    if (text == "[CLS]" && vocabulary.bos == kNoToken) vocabulary.bos = id;
    if (text == "[SEP]" && vocabulary.eos == kNoToken) vocabulary.eos = id;
  }
  return std::unique_ptr<Tokenizer>(std::make_unique<WordPieceTokenizer>(std::move(vocabulary)));
}

}  // namespace mneme::engine
