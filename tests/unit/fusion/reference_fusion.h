// The same partial recompute in fp64: what a fusion that computed given rows must give, and to which rows the question
// attends when it looks first.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "engine/fusion/prompt_plan.h"
#include "engine/fusion/selector.h"
#include "tests/support/random_gguf.h"
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

  // layers_computed: as FuseReport has them. Behind the layers with keys and values the last row goes on alone.
  mneme::testing::Vector logits(const PromptPlan& plan, const std::vector<int>& layers_computed) {
    lay_out(plan);
    Rows running = rows_;
    std::vector<int> depths = layers_computed;
    for (int layer = 0; layer < reference_.n_layers(); ++layer) {
      for (Alone& chunk : alone_) place(layer, chunk);
      if (layer < reference_.n_kv_layers()) {
        drop_shallow(running, depths, layer);
      } else {
        running = {running.back()};
      }
      reference_.run_layer(layer, running, cache_);
    }
    return reference_.logits(running.back());
  }

  // By row of the prompt: the attention of the question's last rows, summed over the heads of the layers that count,
  // when labels and question run over the stored rows.
  //   shape: the model's heads; n_full: so many of the first layers are computed for all rows.
  mneme::testing::Vector attention(const PromptPlan& plan, const Selector& selector,
                                   const mneme::testing::RandomModel& shape, int n_full = 0) {
    lay_out(plan);
    const LookLayers look = look_layers(selector, reference_.n_kv_layers());
    Rows all = rows_;
    Rows running = computed_rows(plan);
    const size_t n_looking = std::min(plan.segments.back().ids.size(), static_cast<size_t>(selector.look_rows));
    mneme::testing::Vector mass(rows_.size());
    for (int layer = 0; layer < look.end; ++layer) {
      for (Alone& chunk : alone_) place(layer, chunk);
      if (layer < n_full) reference_.run_layer(layer, all, cache_);
      reference_.project(layer, running, cache_);
      for (size_t i = running.size() - n_looking; layer >= look.first_scored && i < running.size(); ++i) {
        add_attention(running[i], cache_.keys[static_cast<size_t>(layer)], shape, mass);
      }
      reference_.finish(layer, running, cache_);
    }
    return mass;
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

  // The rows of no chunk.
  Rows computed_rows(const PromptPlan& plan) const {
    Rows rows;
    size_t first = 0;
    for (const PromptSegment& segment : plan.segments) {
      const size_t end = first + segment.ids.size();
      for (size_t i = first; segment.chunk < 0 && i < end; ++i) rows.push_back(rows_[i]);
      first = end;
    }
    return rows;
  }

  void add_attention(const mneme::testing::ReferenceModel::Row& row, const std::map<int, mneme::testing::Vector>& keys,
                     const mneme::testing::RandomModel& shape, mneme::testing::Vector& mass) const {
    const size_t width = shape.head_dim;
    for (size_t head = 0; head < shape.n_heads; ++head) {
      const size_t group = head / (shape.n_heads / shape.n_kv_heads);
      std::vector<std::pair<int, double>> weights;
      double total = 0.0;
      for (const auto& [position, key] : keys) {
        if (position > row.position) continue;
        double score = 0.0;
        for (size_t i = 0; i < width; ++i) score += row.query[head * width + i] * key[group * width + i];
        weights.emplace_back(position, std::exp(score / std::sqrt(static_cast<double>(width))));
        total += weights.back().second;
      }
      const auto n_prefix = static_cast<int>(prefix_.size());
      for (const auto& [position, weight] : weights) {
        if (position >= n_prefix) mass[static_cast<size_t>(position - n_prefix)] += weight / total;
      }
    }
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
