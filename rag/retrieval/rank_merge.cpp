#include "rag/retrieval/rank_merge.h"

#include <algorithm>
#include <unordered_map>

namespace mneme::rag {

std::vector<MergedRank> merge_rankings(std::span<const Ranking> rankings) {
  std::vector<MergedRank> merged;
  std::unordered_map<int64_t, size_t> place;
  for (const Ranking& ranking : rankings) {
    size_t shared = 0;
    for (size_t i = 0; i < ranking.keys.size(); ++i) {
      if (ranking.scores.empty() || ranking.scores[i] != ranking.scores[shared]) shared = i;
      const auto [at, inserted] = place.emplace(ranking.keys[i], merged.size());
      if (inserted) merged.push_back({ranking.keys[i], 0.0});
      merged[at->second].score += ranking.weight / (kRankOffset + static_cast<double>(shared + 1));
    }
  }
  std::sort(merged.begin(), merged.end(), [](const MergedRank& a, const MergedRank& b) {
    return a.score != b.score ? a.score > b.score : a.key < b.key;
  });
  return merged;
}

}  // namespace mneme::rag
