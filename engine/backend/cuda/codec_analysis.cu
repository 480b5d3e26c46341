#include "engine/backend/cuda/codec_analysis.h"

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/kv_access.cuh"
#include "engine/codec/codec_kernels.h"
#include "engine/codec/transform_payload.h"

namespace mneme::engine::cuda {
namespace {

constexpr int kTokens = 32;     // of a block
constexpr int kChannels = 128;  // of a group, at most: a thread a component
constexpr int kRowPadding = 4;  // so that channels of a token lie in different banks, and vectors are aligned
constexpr int kVector = 4;
constexpr int kQuantised = 256;  // tokens of a block
constexpr int kJudges = 512;     // threads that choose a scale
constexpr uint32_t kInfinity = 0x7c00;

// As quantise_component() of engine/codec/kv_transform.h; in single operations, which no compiler puts together.
__device__ __forceinline__ int integer_of(float component, float inverse_step) {
  const float scaled = __fmul_rn(component, inverse_step);
  const float magnitude = fabsf(scaled);
  const int integer = magnitude < 32766.0f ? static_cast<int>(__fadd_rn(magnitude, kComponentRound)) : 32767;
  return scaled < 0.0f ? -integer : integer;
}

__device__ __forceinline__ float inverse_of(float step, float step_scale) {
  return __fdiv_rn(1.0f, __fmul_rn(step, step_scale));
}

__device__ __forceinline__ f16 stored_number(const KvView& kv, int layer, int position, int part, int channel) {
  const int head = channel / kv.head_dim;
  const int d = channel % kv.head_dim;
  if (part == 0) return unrotated_key(kv, layer, position, head)[d];
  const KvHead at = kv_head_at(kv, layer, position, head);
  return kv.is_q8 ? float_to_half(element_of(at, true, true, position % kPageTokens, d))
                  : at.values()[int64_t{position % kPageTokens} * kv.head_dim + d];
}

// Numbers less their channel's mean, tokens side by side; zeros for what is no number and for tokens that are not
// there.
struct Centred {
  alignas(16) float of[kChannels][kTokens + kRowPadding];
};

__device__ void load_centred(const AnalysisCall& call, const AnalysisJob& job, const AnalysisGroup& group,
                             int first_token, Centred& centred) {
  for (int i = static_cast<int>(threadIdx.x); i < kTokens * call.group_dim; i += kChannels) {
    const int t = i / call.group_dim;
    const int channel = i % call.group_dim;
    float number = 0.0f;
    if (first_token + t < call.n_tokens) {
      const f16 stored =
          stored_number(call.kv, job.layer, call.first + first_token + t, group.part, group.first_channel + channel);
      if ((stored.bits & kInfinity) == kInfinity) {
        *job.is_not_finite = 1;
      } else {
        number = __fsub_rn(half_to_float(stored), group.mean[channel]);
      }
    }
    centred.of[channel][t] = number;
  }
}

// kTokens tokens of one group: a thread makes a component of each.
__global__ void __launch_bounds__(kChannels) analysis_kernel(AnalysisCall call) {
  after_earlier_kernels();
  __shared__ Centred centred;
  const AnalysisJob job = call.jobs[blockIdx.z];
  const AnalysisGroup group = job.groups[blockIdx.y];
  const int first_token = static_cast<int>(blockIdx.x) * kTokens;
  load_centred(call, job, group, first_token, centred);
  __syncthreads();
  const auto j = static_cast<int>(threadIdx.x);
  if (j >= group.count) return;
  float sums[kTokens] = {};
  const float* column = group.matrix + j;
  for (int channel = 0; channel < call.group_dim; ++channel) {
    const float entry = __ldg(column + int64_t{channel} * group.width);
#pragma unroll
    for (int t = 0; t < kTokens; t += kVector) {
      const float4 four = *reinterpret_cast<const float4*>(&centred.of[channel][t]);
      sums[t] = fmaf(four.x, entry, sums[t]);
      sums[t + 1] = fmaf(four.y, entry, sums[t + 1]);
      sums[t + 2] = fmaf(four.z, entry, sums[t + 2]);
      sums[t + 3] = fmaf(four.w, entry, sums[t + 3]);
    }
  }
  float* const out = job.components + int64_t{group.first + j} * call.n_tokens + first_token;
#pragma unroll
  for (int t = 0; t < kTokens; ++t)
    if (first_token + t < call.n_tokens) out[t] = sums[t];
}

__device__ uint32_t cost_of(const AnalysisCall& call, const AnalysisJob& job, int component, float inverse_step,
                            int token) {
  const int integer = integer_of(job.components[int64_t{component} * call.n_tokens + token], inverse_step);
  const int reach = job.reach[component];
  const int symbol = min(max(integer, -reach), reach) + reach;
  const uint32_t cost = __ldg(call.costs + 256 * int{job.tables[component]} + symbol);
  return abs(integer) > reach ? cost + kTransformExceptionCost : cost;
}

// The sum over the block; thread 0 has it.
__device__ uint64_t sum_of_costs(uint32_t cost) {
  __shared__ uint32_t costs[kJudges];
  __shared__ uint64_t sums[kWarp];
  const auto thread = static_cast<int>(threadIdx.x);
  costs[thread] = cost;
  __syncthreads();
  uint64_t sum = 0;
  if (thread < kWarp) {
    for (int i = thread; i < kJudges; i += kWarp) sum += costs[i];
    sums[thread] = sum;
  }
  __syncthreads();
  if (thread != 0) return 0;
  sum = 0;
  for (int i = 0; i < kWarp; ++i) sum += sums[i];
  return sum;
}

// A block a layer. Most are content with the first scale, which is the level's own step.
__global__ void __launch_bounds__(kJudges) scale_kernel(AnalysisCall call) {
  after_earlier_kernels();
  __shared__ bool fits;
  const AnalysisJob job = call.jobs[blockIdx.x];
  int scale = 0;
  for (; scale < kTransformScales - 1; ++scale) {
    uint32_t cost = 0;
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < job.row * job.n_judging; i += kJudges) {
      const int component = i / job.n_judging;
      const float inverse = inverse_of(job.steps[component], call.step_scales[scale]);
      cost += cost_of(call, job, component, inverse, i % job.n_judging * job.stride);
    }
    const uint64_t sum = sum_of_costs(cost);
    if (threadIdx.x == 0) fits = sum <= job.budget;
    __syncthreads();
    if (fits) break;
    __syncthreads();  // all have seen it
  }
  if (threadIdx.x == 0) *job.scale = scale;
}

__device__ void add_exception(const AnalysisJob& job, const QuantisedStream& stream, int component, int token,
                              int integer) {
  const int at = atomicAdd(job.n_exceptions, 1);
  if (at >= job.most_exceptions) return;
  const auto before = static_cast<uint32_t>(stream.first_token) * static_cast<uint32_t>(job.row);
  const auto place = static_cast<uint32_t>(component) * static_cast<uint32_t>(stream.n_tokens);
  job.exceptions[at] = {before + place + static_cast<uint32_t>(token), integer};
}

// A component of kQuantised tokens of a stream.
__global__ void __launch_bounds__(kQuantised) quantise_kernel(AnalysisCall call) {
  after_earlier_kernels();
  const QuantisedStream stream = call.streams[blockIdx.z];
  const AnalysisJob job = call.jobs[stream.job];
  const auto thread = static_cast<int>(threadIdx.x);
  const auto component = static_cast<int>(blockIdx.y);
  const uint32_t n_coded = static_cast<uint32_t>(job.row) * static_cast<uint32_t>(stream.n_tokens);
  if (component == 0 && blockIdx.x == 0 && n_coded + static_cast<uint32_t>(thread) < stream.n_symbols)
    stream.symbols[n_coded + static_cast<uint32_t>(thread)] = 0;
  const int token = static_cast<int>(blockIdx.x) * kQuantised + thread;
  if (component >= job.row || token >= stream.n_tokens) return;
  const float inverse = inverse_of(job.steps[component], call.step_scales[*job.scale]);
  const int reach = job.reach[component];
  const int integer =
      integer_of(job.components[int64_t{component} * call.n_tokens + stream.first_token + token], inverse);
  if (abs(integer) > reach) add_exception(job, stream, component, token, integer);
  stream.symbols[int64_t{component} * stream.n_tokens + token] =
      static_cast<uint8_t>(min(max(integer, -reach), reach) + reach);
}

unsigned blocks_of(int n, int of_block) {
  return static_cast<unsigned>((n + of_block - 1) / of_block);
}

}  // namespace

cudaError_t analyse_kv(cudaStream_t stream, const AnalysisCall& call) {
  const dim3 grid(blocks_of(call.n_tokens, kTokens), static_cast<unsigned>(call.n_groups),
                  static_cast<unsigned>(call.n_jobs));
  return launch(stream, grid, kChannels, 0, analysis_kernel, call);
}

cudaError_t choose_scales(cudaStream_t stream, const AnalysisCall& call) {
  return launch(stream, dim3(static_cast<unsigned>(call.n_jobs)), kJudges, 0, scale_kernel, call);
}

cudaError_t quantise_kv(cudaStream_t stream, const AnalysisCall& call) {
  // At least one block of a stream, for symbols that only fill it up.
  const dim3 grid(blocks_of(call.most_stream_tokens, kQuantised),
                  static_cast<unsigned>(call.widest_row > 0 ? call.widest_row : 1),
                  static_cast<unsigned>(call.n_streams));
  return launch(stream, grid, kQuantised, 0, quantise_kernel, call);
}

}  // namespace mneme::engine::cuda
