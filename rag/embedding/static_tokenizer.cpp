#include "rag/embedding/static_tokenizer.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <bit>

#include "base/utf8.h"

namespace mneme::rag {

namespace {

constexpr char32_t kWordMark = 0x2581;  // stands before each word
constexpr char32_t kDropped = 0;        // folds to nothing
constexpr char32_t kBorder = ' ';       // separates words

char32_t fold_slow(char32_t c) {
  if (c >= 0xFF01 && c <= 0xFF5E) c -= 0xFEE0;
  const UChar32 point = static_cast<UChar32>(c);
  const uint32_t category = U_MASK(u_charType(point));
  if (category == U_GC_MN_MASK) return kDropped;
  if ((category & (U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK)) == 0) return kBorder;
  if (c == 0x0130) return c;  // its lower case is two characters: it stays
  return static_cast<char32_t>(u_tolower(point));
}

char32_t fold(char32_t c) {
  static const std::array<char32_t, 0x3000> table = [] {
    std::array<char32_t, 0x3000> built;
    for (size_t i = 0; i < built.size(); ++i) built[i] = fold_slow(static_cast<char32_t>(i));
    return built;
  }();
  return c < table.size() ? table[c] : fold_slow(c);
}

}  // namespace

Result<StaticTokenizer> StaticTokenizer::make(std::span<const std::string> pieces, int n_buckets,
                                              int max_piece_length) {
  if (n_buckets < 1 || max_piece_length < 1 || max_piece_length > 256) {
    return corruption("its tokenizer has impossible sizes");
  }
  StaticTokenizer tokenizer;
  tokenizer.n_buckets_ = n_buckets;
  // Most vocabularies have some two edges a piece; grow() is for the others.
  tokenizer.edges_.resize(std::bit_ceil(4 * std::max<size_t>(pieces.size(), 256)));
  tokenizer.node_id_.push_back(-1);  // the root
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (!tokenizer.insert(pieces[i], n_buckets + static_cast<int32_t>(i), max_piece_length)) {
      return corruption("its vocabulary holds an empty, malformed or too long piece at " + std::to_string(i));
    }
  }
  return tokenizer;
}

bool StaticTokenizer::insert(std::string_view piece, int32_t id, int max_piece_length) {
  if (piece.empty() || !utf8::valid(piece)) return false;
  uint32_t node = 0;
  int length = 0;
  for (size_t offset = 0; offset < piece.size(); ++length) {
    const char32_t character = utf8::next(piece, offset);
    size_t slot = slot_of(node, character);
    if (edges_[slot].target == 0) {
      // Every node but the root has an edge that leads to it.
      if (node_id_.size() > edges_.size() / 3 * 2) {
        grow();
        slot = slot_of(node, character);
      }
      edges_[slot] = {node, character, static_cast<uint32_t>(node_id_.size())};
      node_id_.push_back(-1);
    }
    node = edges_[slot].target;
  }
  if (length > max_piece_length) return false;
  if (node_id_[node] < 0) node_id_[node] = id;
  return true;
}

size_t StaticTokenizer::slot_of(uint32_t node, char32_t character) const {
  const size_t mask = edges_.size() - 1;
  const uint64_t key = uint64_t{node} << 21 | character;
  size_t slot = static_cast<size_t>((key * 0x9e3779b97f4a7c15ull) >> 32) & mask;
  while (edges_[slot].target != 0 && (edges_[slot].node != node || edges_[slot].character != character)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

void StaticTokenizer::grow() {
  std::vector<Edge> smaller(2 * edges_.size());
  smaller.swap(edges_);
  for (const Edge& edge : smaller) {
    if (edge.target != 0) edges_[slot_of(edge.node, edge.character)] = edge;
  }
}

uint32_t StaticTokenizer::child(uint32_t node, char32_t character) const {
  return edges_[slot_of(node, character)].target;
}

void StaticTokenizer::encode_word(std::u32string_view word, std::vector<int32_t>& ids) const {
  for (size_t at = 0; at < word.size();) {
    int32_t best = -1;
    size_t best_end = at + 1;
    uint32_t node = 0;
    for (size_t i = at; i < word.size(); ++i) {
      node = child(node, word[i]);
      if (node == 0) break;
      if (node_id_[node] >= 0) {
        best = node_id_[node];
        best_end = i + 1;
      }
    }
    if (best >= 0) {
      ids.push_back(best);
    } else if (word[at] != kWordMark) {
      ids.push_back(static_cast<int32_t>(word[at] % static_cast<char32_t>(n_buckets_)));
    }
    at = best_end;
  }
}

void StaticTokenizer::encode(std::string_view text, std::vector<int32_t>& ids) const {
  std::u32string word(1, kWordMark);
  for (size_t offset = 0; offset < text.size();) {
    const char32_t folded = fold(utf8::next(text, offset));
    if (folded == kDropped) continue;
    if (folded != kBorder) {
      word.push_back(folded);
      continue;
    }
    if (word.size() > 1) encode_word(word, ids);
    word.resize(1);
  }
  if (word.size() > 1) encode_word(word, ids);
}

}  // namespace mneme::rag
