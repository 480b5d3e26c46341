// The same partial recompute in fp64: what a fusion that computed given rows must give.
#pragma once

#include <utility>
#include <vector>

#include "engine/fusion/prompt_plan.h"
#include "tests/support/reference_model.h"

namespace mneme::engine {

// Chunks computed alone behind the prefix, their keys turned to where they stand,
// the rows that were computed, as deep as they were, computed over them, layer by layer.
class ReferenceFusion {
 public:
  using Rows = std::vector<mneme::testing::ReferenceModel::Row>;

  ReferenceFusion(const mneme::testing::ReferenceModel& reference, const std::vector<TokenId>& prefix)
      : reference_(reference), prefix_(prefix.begin(), prefix.end()), cache_(reference.empty_cache()) {
    reference_.prefill(prefix_, cache_);
  }

  // layers_computed: as FuseReport has them.
  mneme::testing::Vector logits(const PromptPlan& plan, const std::vector<int>& layers_computed) {
    lay_out(plan);
    Rows running = rows_;
    std::vector<int> depths = layers_computed;
    for (int layer = 0; layer < reference_.n_layers(); ++layer) {
      for (Alone& chunk : alone_) place(layer, chunk);
      drop_shallow(running, depths, layer);
      reference_.run_layer(layer, running, cache_);
    }
    return reference_.logits(running.back());
  }

 private:
  // A chunk behind the prefix alone, and where it stands in the prompt.
  struct Alone {
    Rows rows;
    mneme::testing::ReferenceModel::Cache cache;
    int first = 0;
  };

  void place(int layer, Alone& chunk) {
    Rows moved = chunk.rows;
    for (size_t i = 0; i < moved.size(); ++i) moved[i].position = chunk.first + static_cast<int>(i);
    reference_.project(layer, moved, cache_);
    reference_.run_layer(layer, chunk.rows, chunk.cache);
  }

  static void drop_shallow(Rows& rows, std::vector<int>& depths, int layer) {
    size_t kept = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (depths[i] <= layer) continue;
      depths[kept] = depths[i];
      if (kept != i) rows[kept] = std::move(rows[i]);
      ++kept;
    }
    rows.resize(kept);
    depths.resize(kept);
  }

  void lay_out(const PromptPlan& plan) {
    for (const PromptSegment& segment : plan.segments) {
      const int first = static_cast<int>(prefix_.size() + rows_.size());
      if (segment.chunk >= 0) add_chunk(segment, first);
      for (size_t i = 0; i < segment.ids.size(); ++i) {
        rows_.push_back(reference_.begin(segment.ids[i], first + static_cast<int>(i)));
      }
    }
  }

  void add_chunk(const PromptSegment& segment, int first) {
    Alone chunk{.rows = {}, .cache = reference_.empty_cache(), .first = first};
    reference_.prefill(prefix_, chunk.cache);
    for (size_t i = 0; i < segment.ids.size(); ++i) {
      chunk.rows.push_back(reference_.begin(segment.ids[i], static_cast<int>(prefix_.size() + i)));
    }
    alone_.push_back(std::move(chunk));
  }

  const mneme::testing::ReferenceModel& reference_;
  const std::vector<int> prefix_;
  mneme::testing::ReferenceModel::Cache cache_;
  std::vector<Alone> alone_;
  Rows rows_;  // of the whole prompt
};

}  // namespace mneme::engine
