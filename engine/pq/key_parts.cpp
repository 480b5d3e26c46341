#include "engine/pq/key_parts.h"

#include <cassert>
#include <numeric>
#include <utility>

namespace mneme::engine {
namespace {

// The pairs that are rotated, then the dimensions that are not, two by two.
std::vector<std::pair<int, int>> pairs_of(int head_dim, const RopeConfig& rope) {
  std::vector<std::pair<int, int>> pairs;
  const int half = rope.n_rot / 2;
  for (int i = 0; i < half; ++i)
    rope.layout == RopeLayout::kSplitHalf ? pairs.emplace_back(i, i + half) : pairs.emplace_back(2 * i, 2 * i + 1);
  for (int d = rope.n_rot; d + 1 < head_dim; d += 2) pairs.emplace_back(d, d + 1);
  return pairs;
}

}  // namespace

KeyParts make_key_parts(int head_dim, int n_parts, const RopeConfig* rope) {
  assert(n_parts > 0 && head_dim % n_parts == 0);
  KeyParts parts{.n_parts = n_parts, .part_dim = head_dim / n_parts, .order = {}, .keeps_pairs = rope == nullptr};
  const bool even = head_dim % 2 == 0 && parts.part_dim % 2 == 0;
  if (rope == nullptr || !even) {
    parts.order.resize(static_cast<size_t>(head_dim));
    std::iota(parts.order.begin(), parts.order.end(), 0);
    return parts;
  }
  for (const auto& [a, b] : pairs_of(head_dim, *rope)) {
    parts.order.push_back(a);
    parts.order.push_back(b);
  }
  parts.keeps_pairs = true;
  return parts;
}

}  // namespace mneme::engine
