#include "engine/tokenizer/bpe_tokenizer.h"

#include <array>
#include <unordered_map>

#include "base/hash.h"
#include "base/utf8.h"
#include "engine/tokenizer/byte_alphabet.h"
#include "engine/tokenizer/byte_tokens.h"
#include "engine/tokenizer/merge_table.h"
#include "engine/tokenizer/pre_tokenizer.h"
#include "engine/tokenizer/tokenizer_base.h"

namespace mneme::engine {

namespace {

// Remembers where in the output of this call a word was encoded before: text repeats its words. Direct mapped.
class WordCache {
 public:
  explicit WordCache(size_t text_bytes) : entries_(text_bytes >= kWorthwhile ? kEntries : 0) {}

  // Appends the ids of an equal word encoded earlier, or says no.
  bool append(std::string_view word, std::vector<TokenId>& ids) {
    if (entries_.empty() || word.size() > kLongest) return false;
    slot_ = &entries_[xxh3_64(as_bytes(word)) % kEntries];
    if (slot_->word != word) return false;
    for (uint32_t i = 0; i < slot_->count; ++i) ids.push_back(ids[slot_->begin + i]);
    return true;
  }
  void remember(std::string_view word, size_t begin, size_t end) {
    if (slot_ == nullptr || word.size() > kLongest) return;
    *slot_ = {word, static_cast<uint32_t>(begin), static_cast<uint32_t>(end - begin)};
  }

 private:
  static constexpr size_t kWorthwhile = 1024;
  static constexpr size_t kLongest = 64;
  static constexpr size_t kEntries = 4096;
  struct Entry {
    std::string_view word;
    uint32_t begin = 0, count = 0;
  };
  std::vector<Entry> entries_;
  Entry* slot_ = nullptr;
};

constexpr std::string_view kCharacterBpe = "gemma4";  // the name of the vocabulary's kind and of its pre-tokenizer

// What merges begin with.
enum class Symbols {
  kBytes,       // GPT-2's: pieces are written in the alphabet of byte_alphabet.h
  kCharacters,  // Gemma 4's: pieces are text with visible spaces, and bytes have tokens of their own (byte_tokens.h)
};

class BpeTokenizer final : public TokenizerBase {
 public:
  BpeTokenizer(Vocabulary vocabulary, std::unique_ptr<PreTokenizer> pre_tokenizer, Symbols symbols)
      : TokenizerBase(std::move(vocabulary)),
        symbols_(symbols),
        pre_tokenizer_(std::move(pre_tokenizer)),
        merges_(vocabulary_.merges.size()) {
    index_pieces();
    index_merges();
    vocabulary_.merges = {};
  }

  bool can_encode() const {
    for (const TokenId id : byte_ids_) {
      if (id != kNoToken) return true;
    }
    return false;
  }

  std::vector<TokenId> encode(std::string_view text) const override;

 protected:
  std::string piece_bytes(TokenId id) const override { return pieces_[id]; }

 private:
  std::string bytes_of(std::string_view token) const {
    return symbols_ == Symbols::kBytes ? bytes_of_token(token) : with_plain_spaces(token);
  }
  void index_pieces();
  void index_bytes();
  void index_merges();
  // text holds no added token and is well-formed UTF-8.
  void encode_plain(std::string_view text, WordCache& cache, std::vector<TokenId>& ids) const;
  void encode_word(std::string_view word, std::vector<TokenId>& symbols, std::vector<TokenId>& ids) const;
  // What the word's merging begins with.
  void find_symbols(std::string_view word, std::vector<TokenId>& symbols) const;
  void encode_byte(char byte, std::vector<TokenId>& ids) const {
    const TokenId id = byte_ids_[static_cast<unsigned char>(byte)];
    if (id != kNoToken || vocabulary_.unknown != kNoToken) ids.push_back(id != kNoToken ? id : vocabulary_.unknown);
  }

  const Symbols symbols_;
  std::unique_ptr<PreTokenizer> pre_tokenizer_;
  MergeTable merges_;
  std::vector<std::string> pieces_;                         // bytes of each token
  std::unordered_map<std::string_view, TokenId> by_bytes_;  // into pieces_; ordinary tokens
  std::array<TokenId, 256> byte_ids_{};
  TokenTrie added_;  // user-defined tokens that are text (runs of spaces): found before words are split
};

void BpeTokenizer::index_pieces() {
  pieces_.resize(vocabulary_.tokens.size());
  byte_ids_.fill(kNoToken);
  for (TokenId id = 0; id < vocabulary_.size(); ++id) {
    const TokenKind kind = vocabulary_.kinds[id];
    if (const int byte = symbols_ == Symbols::kCharacters ? byte_value(vocabulary_, id) : -1; byte >= 0) {
      pieces_[id] = std::string(1, static_cast<char>(byte));
      if (byte_ids_[static_cast<size_t>(byte)] == kNoToken) byte_ids_[static_cast<size_t>(byte)] = id;
      continue;  // no symbol of merges, though a character may have the same bytes
    }
    const bool ordinary = kind == TokenKind::kNormal || kind == TokenKind::kUnused || kind == TokenKind::kByte;
    pieces_[id] = ordinary ? bytes_of(vocabulary_.tokens[id]) : vocabulary_.tokens[id];
    if (kind == TokenKind::kUserDefined && !is_special(id)) added_.add(pieces_[id], id);
    if (!ordinary || kind == TokenKind::kUnused) continue;
    by_bytes_.try_emplace(pieces_[id], id);
  }
  if (symbols_ == Symbols::kBytes) index_bytes();
}

void BpeTokenizer::index_bytes() {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const auto found = by_bytes_.find(std::string_view(&c, 1));
    if (found != by_bytes_.end()) byte_ids_[byte] = found->second;
  }
}

void BpeTokenizer::index_merges() {
  int32_t rank = 0;
  for (const std::string& merge : vocabulary_.merges) {
    const int32_t own_rank = rank++;
    // "left right"; a space inside a side is written as another character, so the first one after a start divides.
    const size_t space = merge.find(' ', 1);
    if (space == std::string::npos) continue;
    const std::string left = bytes_of(std::string_view(merge).substr(0, space));
    const std::string right = bytes_of(std::string_view(merge).substr(space + 1));
    const auto left_id = by_bytes_.find(left);
    const auto right_id = by_bytes_.find(right);
    const auto merged = by_bytes_.find(left + right);
    // A merge whose sides or result are not tokens can never apply.
    if (left_id == by_bytes_.end() || right_id == by_bytes_.end() || merged == by_bytes_.end()) continue;
    merges_.add(left_id->second, right_id->second, {own_rank, merged->second});
  }
}

std::vector<TokenId> BpeTokenizer::encode(std::string_view text) const {
  std::string plain;  // visible spaces of the text are spaces to such a vocabulary
  if (symbols_ == Symbols::kCharacters && text.find(kSpaceMark) != std::string_view::npos) {
    plain = with_plain_spaces(text);
    text = plain;
  }
  std::vector<TokenId> ids;
  ids.reserve(text.size() / 3);
  WordCache cache(text.size());
  size_t begin = 0;
  const auto flush = [&](size_t end) {
    // Malformed bytes are words of their own.
    while (begin < end) {
      const std::string_view rest = text.substr(begin, end - begin);
      const size_t valid = utf8::first_invalid(rest);
      encode_plain(rest.substr(0, valid), cache, ids);
      if (valid < rest.size()) encode_byte(rest[valid], ids);
      begin += std::min(valid + 1, rest.size());
    }
  };
  for (size_t at = 0; !added_.empty() && at < text.size();) {
    TokenId id = kNoToken;
    const size_t length = added_.longest_match(text.substr(at), id);
    if (length == 0) {
      ++at;
      continue;
    }
    flush(at);
    ids.push_back(id);
    at += length;
    begin = at;
  }
  flush(text.size());
  return ids;
}

void BpeTokenizer::encode_plain(std::string_view text, WordCache& cache, std::vector<TokenId>& ids) const {
  // Very long texts go in parts, so that offsets fit; a part ends before a line feed where there is one.
  constexpr size_t kPart = 64u << 20;
  std::vector<uint32_t> ends;
  std::vector<TokenId> symbols;
  while (!text.empty()) {
    std::string_view part = text.substr(0, kPart);
    if (part.size() < text.size()) {
      const size_t line = part.rfind('\n');
      part = part.substr(0, line != std::string_view::npos && line > 0 ? line : utf8::floor_boundary(text, kPart));
    }
    pre_tokenizer_->split(part, ends);
    size_t begin = 0;
    for (const uint32_t end : ends) {
      const std::string_view word = part.substr(begin, end - begin);
      begin = end;
      if (cache.append(word, ids)) continue;
      const size_t first = ids.size();
      encode_word(word, symbols, ids);
      cache.remember(word, first, ids.size());
    }
    text.remove_prefix(part.size());
  }
}

void BpeTokenizer::encode_word(std::string_view word, std::vector<TokenId>& symbols, std::vector<TokenId>& ids) const {
  // Runs of line feeds that are tokens have no merges in some files of Gemma 4.
  const bool lines = symbols_ == Symbols::kCharacters && word.front() == '\n';
  if (pre_tokenizer_->whole_words_first() || lines) {
    if (const auto whole = by_bytes_.find(word); whole != by_bytes_.end()) {
      ids.push_back(whole->second);
      return;
    }
  }
  find_symbols(word, symbols);
  merges_.merge_word(symbols);
  ids.insert(ids.end(), symbols.begin(), symbols.end());
}

void BpeTokenizer::find_symbols(std::string_view word, std::vector<TokenId>& symbols) const {
  symbols.clear();
  if (symbols_ == Symbols::kBytes) {
    for (const char byte : word) encode_byte(byte, symbols);
    return;
  }
  while (!word.empty()) {
    size_t end = 0;
    utf8::next(word, end);
    const std::string_view character = word.substr(0, end);
    word.remove_prefix(character.size());
    if (const auto found = by_bytes_.find(character); found != by_bytes_.end()) {
      symbols.push_back(found->second);
    } else {
      for (const char byte : character) encode_byte(byte, symbols);
    }
  }
}

}  // namespace

Result<std::unique_ptr<Tokenizer>> make_bpe_tokenizer(Vocabulary vocabulary) {
  const bool characters = vocabulary.model == kCharacterBpe;
  auto pre_tokenizer = PreTokenizer::open(characters ? kCharacterBpe : std::string_view(vocabulary.pre));
  if (!pre_tokenizer.ok()) return pre_tokenizer.status().with_context("cannot use " + vocabulary.file + ": ");
  if (vocabulary.merges.empty()) {
    return corruption(vocabulary.file + " has no merges (tokenizer.ggml.merges is missing); convert the model again.");
  }
  std::string file = vocabulary.file;
  auto tokenizer = std::make_unique<BpeTokenizer>(std::move(vocabulary), *std::move(pre_tokenizer),
                                                  characters ? Symbols::kCharacters : Symbols::kBytes);
  if (!tokenizer->can_encode()) {
    return corruption(file + " has no token for any single byte, so nothing can be encoded; convert the model again.");
  }
  return std::unique_ptr<Tokenizer>(std::move(tokenizer));
}

}  // namespace mneme::engine
