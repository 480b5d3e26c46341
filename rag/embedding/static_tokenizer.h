// Text to token ids for trained static embedders ("mneme-greedy" in the file): code points folded one by one, words cut
// greedily into the longest known pieces. The rules are those the vectors were trained with; assets/models/README.md
// states them. Threads: immutable after construction.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace mneme::rag {

class StaticTokenizer {
 public:
  // pieces: the vocabulary behind the first n_buckets ids, which stand for unknown characters.
  static Result<StaticTokenizer> make(std::span<const std::string> pieces, int n_buckets, int max_piece_length);

  // Appends the ids of a text; malformed UTF-8 counts as U+FFFD, which separates words.
  void encode(std::string_view text, std::vector<int32_t>& ids) const;

 private:
  StaticTokenizer() = default;
  bool insert(std::string_view piece, int32_t id, int max_piece_length);
  uint32_t child(uint32_t node, char32_t character) const;  // 0: none
  void encode_word(std::u32string_view word, std::vector<int32_t>& ids) const;

  // A trie whose edges lie in one open-addressed table, as small as they allow: every program that searches makes it.
  struct Edge {
    uint32_t node = 0;
    char32_t character = 0;
    uint32_t target = 0;  // 0, the root, is where no edge leads: the slot is free
  };
  size_t slot_of(uint32_t node, char32_t character) const;  // the edge's, or the free one where it belongs
  void grow();
  std::vector<Edge> edges_;       // a power of two of them
  std::vector<int32_t> node_id_;  // the piece that ends at a node; -1: none
  int n_buckets_ = 0;
};

}  // namespace mneme::rag
