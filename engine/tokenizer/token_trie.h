// Longest match of a set of byte strings at a position of a text. Threads: immutable after build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/types.h"

namespace mneme::engine {

class TokenTrie {
 public:
  // Texts longer than this are not kept: it bounds the work of a match whatever the vocabulary says.
  static constexpr size_t kMaxLength = 256;

  // The first id given for a text keeps it. Empty texts are ignored.
  void add(std::string_view text, TokenId id);

  bool empty() const { return edges_.empty(); }

  // Length in bytes of the longest text that `rest` begins with, and its id; 0 when none.
  size_t longest_match(std::string_view rest, TokenId& id) const;

 private:
  // (node << 8 | byte) -> node; node 0 is the root. ids_[node] is the text that ends there.
  std::unordered_map<uint64_t, uint32_t> edges_;
  std::vector<TokenId> ids_ = {kNoToken};
  bool starts_[256] = {};  // most positions fail on their first byte: no hashing for those
};

}  // namespace mneme::engine
