// Words among tokens as SentencePiece, byte-level and single-character vocabularies cut them.
#include "engine/fusion/word_starts.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace mneme::engine {
namespace {

// Tokens are the pieces given, ids their places.
class Pieces final : public Tokenizer {
 public:
  explicit Pieces(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}

  std::vector<TokenId> ids() const {
    std::vector<TokenId> all;
    for (size_t i = 0; i < pieces_.size(); ++i) all.push_back(static_cast<TokenId>(i));
    return all;
  }
  std::string token_bytes(TokenId id) const override { return pieces_[static_cast<size_t>(id)]; }

  std::vector<TokenId> encode(std::string_view) const override { return {}; }
  std::string decode(std::span<const TokenId>, bool) const override { return {}; }
  int vocab_size() const override { return static_cast<int>(pieces_.size()); }
  bool is_special(TokenId) const override { return false; }
  TokenId find_special(std::string_view) const override { return kNoToken; }
  std::string special_text(TokenId) const override { return {}; }
  size_t match_special(std::string_view, TokenId&) const override { return 0; }
  TokenId bos() const override { return kNoToken; }
  TokenId eos() const override { return kNoToken; }
  bool add_bos() const override { return false; }
  bool is_end_of_generation(TokenId) const override { return false; }

 private:
  const std::vector<std::string> pieces_;
};

// The pieces with a bar before every word.
std::string cut(const std::vector<std::string>& pieces) {
  const Pieces tokenizer(pieces);
  const std::vector<uint8_t> starts = word_starts(tokenizer, tokenizer.ids());
  std::string text;
  for (size_t i = 0; i < pieces.size(); ++i) text += (starts[i] != 0 ? "|" : "") + pieces[i];
  return text;
}

TEST(WordStarts, KeepNumbersAndNamesWhole) {
  EXPECT_EQ(cut({"It", " was", " fin", "ished", " in", " ", "1", "5", "0", "3", "."}),
            "|It| was| finished| in| 1503|.");
  EXPECT_EQ(cut({" K", "C", "-", "2", "5", "9", ".", "5", " to", " Ze", "huc", "aik", ",", " or"}),
            "| KC-259.5| to| Zehucaik|,| or");
}

TEST(WordStarts, MarksAtTheEndOfAWordStandAlone) {
  EXPECT_EQ(cut({"(", "see", " page", " 3", ").", "\n", "Next"}), "|(see| page| 3|).|\nNext");
  EXPECT_EQ(cut({" said", "!", "\""}), "| said|!|\"");
  EXPECT_EQ(cut({"."}), "|.");
}

TEST(WordStarts, CutWritingWithoutSpacesIntoPieces) {
  const std::vector<std::string> pieces(30, "\xe8\x92\xb8");
  const Pieces tokenizer(pieces);
  const std::vector<uint8_t> starts = word_starts(tokenizer, tokenizer.ids());
  for (size_t t = 0; t < starts.size(); ++t) EXPECT_EQ(starts[t] != 0, t % 12 == 0) << t;
}

TEST(WordStarts, TakeEmptyPiecesForPartsOfAWord) {
  EXPECT_EQ(cut({}), "");
  EXPECT_EQ(cut({"", "", " a"}), "|| a");
}

}  // namespace
}  // namespace mneme::engine
