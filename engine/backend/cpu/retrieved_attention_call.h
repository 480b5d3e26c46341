// What one call of RetrievedAttention::run() is about, for the two files that it is written in. Threads: constant.
#pragma once

#include <cstdint>

#include "engine/backend/cpu/retrieved_attention.h"

namespace mneme::engine::cpu {

struct RetrievedAttention::Call {
  const ModelConfig& config;
  int layer;
  const CpuKvCache& cache;
  CpuRetrieval& retrieval;
  StepBudget budget;
  int n_tokens;     // the new one included
  int pages_begin;  // the part of the window from here on is attended to by pages, what is before it by token
  const float* q;   // (n_heads, head_dim) of the row
  float* out;       // likewise
  int heads_per_kv;
  int value_stride;

  const float* head_queries(int kv_head) const { return q + int64_t{kv_head} * heads_per_kv * config.head_dim; }
  int64_t partial_floats() const { return int64_t{heads_per_kv} * (value_stride + 2); }
  bool codes() const { return cache.options().type == KvType::kQ8_0; }
  // The soft cap changes scores that an estimate has only as sums.
  bool takes_estimates() const { return config.attention_softcap <= 0; }
  KeyQuery query(int kv_head) const {
    KeyQuery query;
    query.layer = layer;
    query.kv_head = kv_head;
    query.queries = {head_queries(kv_head), static_cast<size_t>(heads_per_kv * config.head_dim)};
    query.n_heads = heads_per_kv;
    query.scale = config.attention_scale;
    return query;
  }
  int sink_stride() const { return (budget.sinks + 15) / 16 * 16; }
};

}  // namespace mneme::engine::cpu
