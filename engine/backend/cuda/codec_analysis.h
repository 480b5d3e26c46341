// The encoding half of the transform codec on the device: keys and values where they lie in a cache, to components, to
// the scale of the step, to symbols. Components are chains of fused multiply-adds in the processor's order and all else
// are single operations, so that every symbol is the processor's (engine/codec/codec_kernels.h). Each enqueues on the
// stream and returns what the launch said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "engine/backend/cuda/kv_view.h"

namespace mneme::engine::cuda {

// A group of channels of one layer, with its way to components.
struct AnalysisGroup {
  const float* matrix = nullptr;  // (group_dim, width)
  const float* mean = nullptr;    // (group_dim)
  int part = 0;                   // 0: keys
  int first_channel = 0;
  int first = 0;  // component, in the row
  int count = 0;  // components, up to width
  int width = 0;
};

// An integer beyond the reach of its component, by its place among the layer's symbols.
struct FoundException {
  uint32_t index = 0;
  int value = 0;
};

// One layer of a chunk; all pointers are the device's.
struct AnalysisJob {
  const AnalysisGroup* groups = nullptr;
  const float* steps = nullptr;     // (row)
  const int16_t* reach = nullptr;   // (row)
  const uint8_t* tables = nullptr;  // (row): coding tables
  float* components = nullptr;      // (row, n_tokens)
  FoundException* exceptions = nullptr;
  int* n_exceptions = nullptr;   // how many there are, whether or not there was room for them
  int* scale = nullptr;          // that was chosen
  int* is_not_finite = nullptr;  // becomes 1 where a key or value is no number
  uint64_t budget = 0;           // of the tokens that judge, in 1/256 bits
  int stride = 1;                // from one that judges to the next
  int n_judging = 0;
  int layer = 0;  // of the cache
  int row = 0;
  int most_exceptions = 0;
};

// A stream's symbols to be; the tokens of a layer are cut into streams.
struct QuantisedStream {
  uint8_t* symbols = nullptr;  // (n_symbols): (component j, token t) at j * n_tokens + t, then zeros
  uint32_t n_symbols = 0;
  int job = 0;
  int first_token = 0;  // in the chunk
  int n_tokens = 0;
};

// The chunk, and what all layers share.
struct AnalysisCall {
  KvView kv = {};  // that keeps keys before RoPE
  int first = 0;   // token of the cache
  int n_tokens = 0;
  int n_groups = 0;   // of both parts
  int group_dim = 0;  // a multiple of 16 up to 128
  int widest_row = 0;
  const AnalysisJob* jobs = nullptr;  // (n_jobs)
  int n_jobs = 0;
  const QuantisedStream* streams = nullptr;  // (n_streams)
  int n_streams = 0;
  int most_stream_tokens = 0;
  const float* step_scales = nullptr;  // (kTransformScales)
  const uint32_t* costs = nullptr;     // 256 per coding table, in 1/256 bits
};

// Fills components.
cudaError_t analyse_kv(cudaStream_t stream, const AnalysisCall& call);
// Chooses each layer's scale by its components.
cudaError_t choose_scales(cudaStream_t stream, const AnalysisCall& call);
// Fills symbols and exceptions, these in any order.
cudaError_t quantise_kv(cudaStream_t stream, const AnalysisCall& call);

}  // namespace mneme::engine::cuda
