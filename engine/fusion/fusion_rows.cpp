#include "engine/fusion/fusion_rows.h"

namespace mneme::engine {
namespace {

// A label's number and title are hardly longer.
constexpr int kMostLabelTokens = 64;

// Nothing but a label between the prefix and the chunk: no other passage, cached or computed.
bool stands_in_place(const PromptPlan& plan, size_t segment, TokenPos first) {
  return plan.prefix_tokens >= 0 && segment <= 1 && first - plan.prefix_tokens <= kMostLabelTokens;
}

}  // namespace

FusionRows lay_out(const PromptPlan& plan, TokenPos first_position) {
  FusionRows layout;
  layout.rows.reserve(static_cast<size_t>(plan.n_tokens()));
  TokenPos position = first_position;
  for (size_t i = 0; i < plan.segments.size(); ++i) {
    const PromptSegment& segment = plan.segments[i];
    int chunk = -1;
    if (segment.chunk >= 0 && !segment.ids.empty()) {
      chunk = static_cast<int>(layout.chunks.size());
      layout.chunks.push_back(
          {segment.chunk, position, static_cast<int>(segment.ids.size()), stands_in_place(plan, i, position)});
      layout.n_chunk_rows += static_cast<int>(segment.ids.size());
    }
    int offset = 0;
    for (const TokenId id : segment.ids) layout.rows.push_back({position++, id, chunk, offset++, segment.question});
  }
  return layout;
}

std::vector<Candidate> candidates_of(const FusionRows& layout, std::span<const int> current) {
  std::vector<Candidate> candidates;
  for (size_t i = 0; i < current.size(); ++i) {
    const PromptRow& row = layout.rows[static_cast<size_t>(current[i])];
    if (row.chunk < 0) continue;
    const PlacedChunk& chunk = layout.chunks[static_cast<size_t>(row.chunk)];
    candidates.push_back({static_cast<int>(i), row.chunk, row.offset, chunk.n_tokens, 0.0f, chunk.in_place});
  }
  return candidates;
}

std::vector<int> looking_rows(const FusionRows& layout, std::span<const int> current, const Selector& selector) {
  std::vector<int> looking;
  for (size_t i = 0; i < current.size(); ++i) {
    if (layout.rows[static_cast<size_t>(current[i])].question) looking.push_back(static_cast<int>(i));
  }
  const auto most = static_cast<size_t>(selector.look_rows);
  if (most > 0 && looking.size() > most) looking.erase(looking.begin(), looking.end() - selector.look_rows);
  return looking;
}

std::vector<int> rows_to_keep(const FusionRows& layout, std::span<const int> current, const Selector& selector,
                              std::span<const Candidate> candidates, int budget, double ratio) {
  std::vector<bool> keep(current.size());
  for (size_t i = 0; i < current.size(); ++i) keep[i] = layout.rows[static_cast<size_t>(current[i])].chunk < 0;
  for (const int chosen : choose_rows(selector, candidates, budget, ratio)) {
    keep[static_cast<size_t>(candidates[static_cast<size_t>(chosen)].row)] = true;
  }
  std::vector<int> kept;
  for (size_t i = 0; i < current.size(); ++i) {
    if (keep[i]) kept.push_back(static_cast<int>(i));
  }
  return kept;
}

}  // namespace mneme::engine
