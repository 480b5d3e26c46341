// From the symbols of stored KV back to numbers on the device. The transform codec's sums are of integers, exact in any
// order, so the halves are bit for bit those of the processor (engine/codec/codec_kernels.h). Each enqueues on the
// stream and returns what the launch said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "base/f16.h"
#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/kv_view.h"

namespace mneme::engine::cuda {

inline constexpr int kSynthesisTokens = 64;     // of a block
inline constexpr int kSynthesisChannels = 128;  // of a group, at most
inline constexpr int kSynthesisPairs = 64;      // of components of a group, at most

// A group of channels of one layer of the transform codec (CodedGroup of transform_plan.h) on the device.
struct GroupRef {
  // (pairs, group_dim): of two entries of the basis, each 64 * high + low, the bytes low, low, high, high.
  const uint32_t* basis = nullptr;
  const float* scale = nullptr;  // (group_dim)
  const float* mean = nullptr;   // (group_dim)
  int part = 0;                  // 0: keys
  int first_channel = 0;
  int first = 0;  // component, in the row
  int count = 0;
};

// Two entries of a basis, each within +-2047, as GroupRef has them.
constexpr uint32_t basis_word(int first, int second) {
  const auto high = [](int entry) { return (entry + 32) >> 6; };
  const auto low = [&](int entry) { return entry - 64 * high(entry); };
  const auto byte = [](int value, int place) { return (static_cast<uint32_t>(value) & 0xffu) << (8 * place); };
  return byte(low(first), 0) | byte(low(second), 1) | byte(high(first), 2) | byte(high(second), 3);
}

// An integer beyond the reach of its component.
struct ComponentRepair {
  int token = 0;          // in the stream
  int16_t component = 0;  // in the group
  int16_t value = 0;
};

// One stream of one layer of one chunk.
struct SynthesisJob {
  const uint8_t* symbols = nullptr;  // symbol (j, t) at j * n_tokens + t
  const GroupRef* groups = nullptr;
  const int16_t* reach = nullptr;   // (row)
  const int16_t* shrink = nullptr;  // (row)
  const ComponentRepair* repairs = nullptr;
  const uint32_t* repairs_begin = nullptr;  // (n_groups + 1): those of each group
  const int* damaged = nullptr;             // not 0: everything becomes 0
  f16* keys = nullptr;                      // (n_tokens, kv_dim) before RoPE
  f16* values = nullptr;
  int n_tokens = 0;
  float step_scale = 1.0f;
  int first_row = 0;  // its first token's, in the batch
};

// kSynthesisTokens tokens of a job.
struct SynthesisTile {
  int job = 0;
  int first_token = 0;
};

struct SynthesisShape {
  int n_groups = 0;   // of both parts; the same for all jobs
  int group_dim = 0;  // a multiple of 16 up to kSynthesisChannels
  int kv_dim = 0;
  bool on_tensor_cores = false;  // compute capability 8.0 and newer
};
cudaError_t synthesise_kv(cudaStream_t stream, const SynthesisShape& shape, const SynthesisJob* jobs,
                          const SynthesisTile* tiles, int n_tiles);

// Where a batch belongs.
struct SynthesisPlacing {
  KvView kv;
  int layer = 0;
  const int* positions = nullptr;  // of the batch's rows
  RotationRef rotation;            // of the batch's rows
};
// Whether synthesis can put its numbers there itself, as place_kv() of head_kernels.h does: on tensor cores, where
// groups are whole heads and these are placed by vectors.
bool synthesis_places(const SynthesisShape& shape, const SynthesisPlacing& placing);
// What jobs name as keys and values is then for what a block cannot keep, and becomes anything.
cudaError_t synthesise_and_place_kv(cudaStream_t stream, const SynthesisShape& shape, const SynthesisJob* jobs,
                                    const SynthesisTile* tiles, int n_tiles, const SynthesisPlacing& placing);

}  // namespace mneme::engine::cuda
