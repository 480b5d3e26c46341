#include "engine/backend/cuda/expert_kernels.h"

#include <cfloat>
#include <climits>

#include "engine/backend/cuda/device_language.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 256;

__device__ __forceinline__ int lane_id() {
  return static_cast<int>(threadIdx.x) % kWarp;
}

// --- Choosing: a warp a row, whose lanes look at every 32nd expert --------------------------------------------------

// Integers in the order of the numbers, so that what is taken can lie below all of them.
constexpr uint32_t kTaken = 0;
constexpr uint32_t kSign = 0x80000000u;
__device__ __forceinline__ uint32_t key_of(float value) {
  if (isnan(value)) return UINT32_MAX;
  const uint32_t bits = __float_as_uint(value);
  return (bits & kSign) == 0 ? bits | kSign : ~bits;
}
__device__ __forceinline__ float number_of(uint32_t key) {
  return __uint_as_float((key & kSign) != 0 ? key & ~kSign : ~key);
}

// The place of the largest of n keys, ties to the lower one; it is taken then.
__device__ int take_best(uint32_t* keys, int n) {
  uint64_t best = 0;
  for (int i = lane_id(); i < n; i += kWarp) {
    const uint64_t own = uint64_t{keys[i]} << 32 | (UINT32_MAX - static_cast<uint32_t>(i));
    best = max(best, own);
  }
  for (int lanes = kWarp / 2; lanes > 0; lanes /= 2) {
    const uint64_t other = __shfl_xor_sync(kAllLanes, best, lanes);
    best = max(best, other);
  }
  const auto place = static_cast<int>(UINT32_MAX - static_cast<uint32_t>(best));
  if (lane_id() == place % kWarp) keys[place] = kTaken;
  return place;
}

// Sigmoids of the logits, which are weights as they are, or what a softmax divides by the sum that is returned.
__device__ float raise(const RouterScores& scores, bool sigmoid, int n_experts, float* raised) {
  const float* logits = scores.logits + blockIdx.x * scores.stride;
  float largest = -INFINITY;
  for (int e = lane_id(); e < n_experts; e += kWarp) {
    raised[e] = logits[e] + (scores.bias != nullptr ? scores.bias[e] : 0.0f);
    largest = fmaxf(largest, raised[e]);
  }
  largest = warp_max(largest);
  float sum = 0.0f;
  for (int e = lane_id(); e < n_experts; e += kWarp) {
    raised[e] = sigmoid ? 1.0f / (1.0f + expf(-raised[e])) : expf(raised[e] - largest);
    sum += raised[e];
  }
  sum = warp_sum(sum);
  return sigmoid ? 1.0f : sum;
}

// A group is worth the sum of its best two; experts of other groups than the best are worth less than any. A lane takes
// a whole group: there are few.
__device__ void keep_best_groups(const ExpertRouting& how, int n_experts, uint32_t* keys, uint32_t* group_keys) {
  const uint32_t lowest = key_of(-INFINITY);
  const int size = n_experts / how.n_groups;
  for (int group = lane_id(); group < how.n_groups; group += kWarp) {
    uint32_t best = lowest;
    uint32_t second = lowest;
    for (int i = 0; i < size; ++i) {
      const uint32_t key = keys[group * size + i];
      second = max(second, min(best, key));
      best = max(best, key);
    }
    group_keys[group] = key_of(number_of(best) + number_of(second));
  }
  __syncwarp();
  for (int i = 0; i < how.n_groups_used; ++i) take_best(group_keys, how.n_groups);
  __syncwarp();
  for (int e = lane_id(); e < n_experts; e += kWarp)
    if (group_keys[e / size] != kTaken) keys[e] = lowest;
}

size_t choosing_bytes(int n_experts, int n_groups) {
  return (2 * static_cast<size_t>(n_experts) + static_cast<size_t>(n_groups)) * sizeof(uint32_t);
}

__global__ void __launch_bounds__(kWarp) choose(RouterScores scores, ExpertRouting how, Routing routing) {
  after_earlier_kernels();
  const int n_experts = routing.n_experts;
  auto* raised = dynamic_shared<float>();                        // (n_experts)
  auto* keys = reinterpret_cast<uint32_t*>(raised) + n_experts;  // (n_experts)
  const float sum = raise(scores, how.sigmoid, n_experts, raised);
  for (int e = lane_id(); e < n_experts; e += kWarp)
    keys[e] = key_of(scores.choice_bias != nullptr ? raised[e] / sum + scores.choice_bias[e] : raised[e]);
  __syncwarp();
  if (how.n_groups > 1) keep_best_groups(how, n_experts, keys, keys + n_experts);
  int* chosen = routing.chosen + int64_t{blockIdx.x} * routing.n_used;
  float* weights = routing.weights + int64_t{blockIdx.x} * routing.n_used;
  float used = 0.0f;
  for (int i = 0; i < routing.n_used; ++i) {
    const int expert = take_best(keys, n_experts);
    used += raised[expert];
    if (lane_id() == 0) chosen[i] = expert;
  }
  __syncwarp();
  // Weights of experts that only the bias chose may all be zero.
  const float scale = how.scale / (!how.normalise ? sum : used < FLT_MIN ? FLT_MIN : used);
  for (int i = lane_id(); i < routing.n_used; i += kWarp) {
    const float of_expert = scores.scales != nullptr ? scores.scales[chosen[i]] : 1.0f;
    weights[i] = raised[chosen[i]] * scale * of_expert;
  }
}

// --- What experts read and make -------------------------------------------------------------------------------------

// One block; a thread per expert counts and then places its pairs, so the order is the same every time.
__global__ void __launch_bounds__(kThreads) group(Routing routing, int* offsets, int* rows, int* places) {
  after_earlier_kernels();
  const int* chosen = routing.chosen;
  const int n_experts = routing.n_experts;
  const int n_pairs = routing.n_rows * routing.n_used;
  for (int e = static_cast<int>(threadIdx.x); e < n_experts; e += kThreads) {
    int count = 0;
    for (int i = 0; i < n_pairs; ++i) count += chosen[i] == e ? 1 : 0;
    offsets[e + 1] = count;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    offsets[0] = 0;
    for (int e = 0; e < n_experts; ++e) offsets[e + 1] += offsets[e];
  }
  __syncthreads();
  for (int e = static_cast<int>(threadIdx.x); e < n_experts; e += kThreads) {
    int next = offsets[e];
    for (int i = 0; i < n_pairs; ++i) {
      if (chosen[i] != e) continue;
      rows[next] = i / routing.n_used;
      places[i] = next++;
    }
  }
}

__device__ __forceinline__ float weight_of(const SharedExpertOut& shared, int64_t row) {
  const float scale = shared.row_scales != nullptr ? shared.row_scales[row] : 1.0f;
  return shared.logits != nullptr ? scale / (1.0f + expf(-shared.logits[row * shared.logit_stride])) : scale;
}

__global__ void __launch_bounds__(kThreads)
    combine(Routing routing, const float* y, const int* places, SharedExpertOut shared, int width, float* out) {
  after_earlier_kernels();
  const int n_used = routing.n_used;
  const int64_t row = blockIdx.x;
  const int i = static_cast<int>(blockIdx.y * kThreads + threadIdx.x);
  if (i >= width) return;
  const int* chosen = routing.chosen + row * n_used;
  float sum = 0.0f;
  // In ascending order of the experts, as the CPU adds them.
  for (int done = 0, last = -1; done < n_used; ++done) {
    int next = 0;
    int lowest = INT_MAX;
    for (int j = 0; j < n_used; ++j) {
      if (chosen[j] <= last || chosen[j] >= lowest) continue;
      next = j;
      lowest = chosen[j];
    }
    last = lowest;
    const int64_t pair = row * n_used + next;
    const int64_t place = places == nullptr ? pair : places[pair];
    sum += routing.weights[pair] * y[place * width + i];
  }
  if (shared.product != nullptr) sum += weight_of(shared, row) * shared.product[row * width + i];
  out[row * width + i] = sum;
}

unsigned count(int n) {
  return static_cast<unsigned>(n);
}

}  // namespace

cudaError_t choose_experts(cudaStream_t stream, const RouterScores& scores, const ExpertRouting& how,
                           const Routing& out) {
  return launch(stream, dim3(count(out.n_rows)), kWarp, choosing_bytes(out.n_experts, how.n_groups), choose, scores,
                how, out);
}

cudaError_t group_by_expert(cudaStream_t stream, const Routing& routing, int* offsets, int* rows, int* places) {
  return launch(stream, dim3(1), kThreads, 0, group, routing, offsets, rows, places);
}

cudaError_t combine_experts(cudaStream_t stream, const Routing& routing, const float* y, const int* places,
                            const SharedExpertOut& shared, int width, float* out) {
  const dim3 grid(count(routing.n_rows), (count(width) + kThreads - 1) / kThreads);
  return launch(stream, grid, kThreads, 0, combine, routing, y, places, shared, width, out);
}

}  // namespace mneme::engine::cuda
