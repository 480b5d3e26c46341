// How one layer is coded at one level by the transform codec: what the profile says, laid out for the inner loops.
// Ownership: plain values. Threads: immutable once made.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/codec/kv_profile.h"
#include "engine/codec/rans.h"

namespace mneme::engine {

// The components of one group of channels that are coded; they stand together in the layer's row of components.
struct CodedGroup {
  int part = 0;           // KvPart
  int first_channel = 0;  // in the part
  int first = 0;          // component, in the row
  int count = 0;
  // Component to channels in 12-bit integers, two components side by side: (pairs, group_dim, 2). A channel is
  // mean + scale * sum of component (in 1 / kComponentUnit steps) * basis.
  std::vector<int16_t> basis;
  std::vector<float> scale;  // (group_dim)
  int n_pairs() const { return (count + 1) / 2; }
};

struct TransformPlan {
  int row = 0;  // components per token: keys' groups, then values'
  std::vector<CodedGroup> groups;
  // Per component:
  std::vector<uint32_t> table;
  std::vector<int16_t> reach;   // codes -reach .. reach
  std::vector<int16_t> shrink;  // in 1 / kComponentUnit steps
  std::vector<float> step;

  // The tables of a stream of n_tokens, component by component, filled up to whole steps with `padding_table`.
  RansRuns runs(int n_tokens, uint32_t padding_table) const;
  size_t symbols(int n_tokens) const;  // with that padding
};

TransformPlan make_transform_plan(const KvProfile& profile, const KvLevelProfile& level, int layer);

}  // namespace mneme::engine
