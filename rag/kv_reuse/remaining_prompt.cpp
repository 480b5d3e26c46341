#include "rag/kv_reuse/remaining_prompt.h"

#include <algorithm>
#include <utility>

namespace mneme::rag {

using engine::PromptSegment;
using engine::TokenId;

size_t common_length(std::span<const TokenId> a, std::span<const TokenId> b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

size_t RemainingPrompt::take_out(std::span<const TokenId> present) {
  size_t taken = 0;
  size_t n_whole = 0;
  std::vector<PromptSegment>& segments = plan.segments;
  for (; n_whole + 1 < segments.size(); ++n_whole) {
    const std::vector<TokenId>& ids = segments[n_whole].ids;
    if (common_length(present.subspan(taken), ids) < ids.size()) break;
    taken += ids.size();
  }
  drop_first(n_whole);
  PromptSegment& next = segments.front();
  if (next.chunk >= 0) return taken;
  const size_t most = next.ids.size() - (segments.size() == 1 ? 1 : 0);
  const size_t n = std::min(common_length(present.subspan(taken), next.ids), most);
  next.ids.erase(next.ids.begin(), next.ids.begin() + static_cast<std::ptrdiff_t>(n));
  // What is left of the history is its end: the rows in place are of its beginning.
  if (n > 0 && history_segment == 0) history_segment = -1;
  return taken + n;
}

std::vector<TokenId> RemainingPrompt::joined(int n_tokens, size_t& ends_at) const {
  std::vector<TokenId> ids;
  for (ends_at = 0; ends_at < plan.segments.size() && static_cast<int>(ids.size()) < n_tokens; ++ends_at) {
    const std::vector<TokenId>& more = plan.segments[ends_at].ids;
    ids.insert(ids.end(), more.begin(), more.end());
  }
  return ids;
}

void RemainingPrompt::replace_first(size_t n, PromptSegment piece) {
  drop_first(n);
  plan.segments.insert(plan.segments.begin(), std::move(piece));
  if (history_segment >= 0) ++history_segment;
}

bool RemainingPrompt::has_passages() const {
  return std::any_of(plan.segments.begin(), plan.segments.end(), [](const PromptSegment& s) { return s.chunk >= 0; });
}

void RemainingPrompt::drop_first(size_t n) {
  const auto end = plan.segments.begin() + static_cast<std::ptrdiff_t>(n);
  for (auto it = plan.segments.begin(); it != end; ++it) {
    if (it->chunk >= 0) carried.push_back(it->chunk);
  }
  plan.segments.erase(plan.segments.begin(), end);
  // What was before the history leaves it where it is; with the history itself gone, there is none.
  history_segment = history_segment < static_cast<int>(n) ? -1 : history_segment - static_cast<int>(n);
}

}  // namespace mneme::rag
