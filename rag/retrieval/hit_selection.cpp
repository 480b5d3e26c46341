#include "rag/retrieval/hit_selection.h"

#include <algorithm>
#include <cstdlib>

namespace mneme::rag {

std::vector<Hit> choose_diverse(std::vector<Hit> hits, double diversity, int top_k,
                                const std::function<double(const Hit&, const Hit&)>& likeness) {
  std::vector<Hit> chosen;
  if (hits.empty()) return chosen;
  const double best_score = std::max(hits.front().score, 1e-12);
  const auto value_of = [&](const Hit& hit) {
    double nearest = 0.0;
    for (const Hit& other : chosen) nearest = std::max(nearest, likeness(hit, other));
    return (1.0 - diversity) * hit.score / best_score - diversity * nearest;
  };
  while (!hits.empty() && chosen.size() < static_cast<size_t>(std::max(top_k, 0))) {
    size_t best = 0;
    double best_value = value_of(hits[0]);
    for (size_t i = 1; i < hits.size(); ++i) {
      const double value = value_of(hits[i]);
      if (value <= best_value) continue;
      best_value = value;
      best = i;
    }
    chosen.push_back(std::move(hits[best]));
    hits.erase(hits.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return chosen;
}

void join_neighbours(std::vector<Hit>& hits) {
  const auto adjoin = [&](size_t a, size_t b) {
    return hits[a].document_id == hits[b].document_id && std::abs(hits[a].ordinal - hits[b].ordinal) == 1;
  };
  std::vector<Hit> joined;
  std::vector<bool> used(hits.size());
  for (size_t i = 0; i < hits.size(); ++i) {
    if (used[i]) continue;
    std::vector<size_t> group{i};
    used[i] = true;
    for (size_t known = 0; known < group.size(); ++known) {
      for (size_t j = 0; j < hits.size(); ++j) {
        if (used[j] || !adjoin(group[known], j)) continue;
        used[j] = true;
        group.push_back(j);
      }
    }
    std::sort(group.begin(), group.end(), [&](size_t a, size_t b) { return hits[a].ordinal < hits[b].ordinal; });
    for (const size_t g : group) joined.push_back(hits[g]);
  }
  hits = std::move(joined);
}

}  // namespace mneme::rag
