#include "engine/backend/cuda/codec_rans_encode.h"

#include "engine/backend/cuda/device_language.cuh"

namespace mneme::engine::cuda {
namespace {

static_assert(kRansLanes == kWarp, "a lane for each coder");
static_assert(sizeof(RansTables::Step) == sizeof(uint4));

constexpr uint32_t kLow = 1u << 16;  // states begin here
constexpr int kStreams = 4;          // of a block, a warp each
constexpr int kAhead = 8;            // steps whose tables are on their way together
constexpr int kGatheringThreads = 256;

// What encoding this lane's symbol of a step takes; of steps that are not there anything.
__device__ __forceinline__ uint4 step_at(const RansEncodeJob& job, uint32_t step, uint32_t lane) {
  if (step >= job.n_steps) return {};
  const uint32_t n = step * kRansLanes + lane;
  const uint32_t run = min(n / job.run, job.n_tables);
  const uint32_t entry = 256 * uint32_t{__ldg(job.tables + run)} + job.symbols[n];
  return __ldg(reinterpret_cast<const uint4*>(job.steps) + entry);
}

// Adds a symbol to every lane's state; `at`: where the words begin that were given away so far. Later lanes give theirs
// away first, and words are wanted in the opposite order.
__device__ __forceinline__ void encode_step(const uint4& bits, uint16_t* words, uint32_t lane, uint32_t& state,
                                            uint32_t& at) {
  const uint64_t reciprocal = uint64_t{bits.y} << 32 | bits.x;
  const uint32_t start = bits.w & 0xffffu;
  const uint32_t frequency = bits.w >> 16;
  const bool gives = state > bits.z;
  const unsigned giving = __ballot_sync(kAllLanes, gives);
  if (gives) {
    const auto later = static_cast<uint32_t>(__popc(giving >> lane >> 1));
    words[at - 1 - later] = static_cast<uint16_t>(state);
    state >>= 16;
  }
  at -= static_cast<uint32_t>(__popc(giving));
  const auto quotient = static_cast<uint32_t>(state * reciprocal >> kRansReciprocalBits);
  state = (quotient << kRansBits) + (state - quotient * frequency) + start;
}

__global__ void __launch_bounds__(kStreams* kWarp) encode_kernel(const RansEncodeJob* jobs, int n_jobs) {
  after_earlier_kernels();
  const int index = static_cast<int>(blockIdx.x) * kStreams + static_cast<int>(threadIdx.x) / kWarp;
  if (index >= n_jobs) return;
  const RansEncodeJob job = jobs[index];
  const uint32_t lane = threadIdx.x % kWarp;
  uint32_t state = kLow;
  uint32_t at = job.n_steps * kRansLanes;
  // Steps in groups that end at a multiple of kAhead; the last one may not be whole.
  uint32_t begin = (job.n_steps + kAhead - 1) / kAhead * kAhead;
  uint4 next[kAhead];
#pragma unroll
  for (int i = 0; i < kAhead; ++i)
    next[i] = begin > 0 ? step_at(job, begin - kAhead + static_cast<uint32_t>(i), lane) : uint4{};
  while (begin > 0) {
    begin -= kAhead;
    uint4 own[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) own[i] = next[i];
    if (begin > 0) {
#pragma unroll
      for (int i = 0; i < kAhead; ++i) next[i] = step_at(job, begin - kAhead + static_cast<uint32_t>(i), lane);
    }
#pragma unroll
    for (int i = kAhead - 1; i >= 0; --i)
      if (begin + static_cast<uint32_t>(i) < job.n_steps) encode_step(own[i], job.words, lane, state, at);
  }
  job.states[lane] = state;
  if (lane == 0) *job.n_words = job.n_steps * kRansLanes - at;
}

__global__ void __launch_bounds__(kGatheringThreads) gather_kernel(const GatheredPiece* pieces) {
  after_earlier_kernels();
  const GatheredPiece own = pieces[blockIdx.y];
  for (uint32_t i = blockIdx.x * kGatheringThreads + threadIdx.x; i < own.n_halves; i += gridDim.x * kGatheringThreads)
    own.to[i] = own.from[i];
}

}  // namespace

cudaError_t encode_rans(cudaStream_t stream, const RansEncodeJob* jobs, int n_jobs) {
  return launch(stream, dim3(static_cast<unsigned>((n_jobs + kStreams - 1) / kStreams)), kStreams * kWarp, 0,
                encode_kernel, jobs, n_jobs);
}

cudaError_t gather_pieces(cudaStream_t stream, const GatheredPiece* pieces, int n_pieces) {
  constexpr unsigned kBlocksOfPiece = 16;
  return launch(stream, dim3(kBlocksOfPiece, static_cast<unsigned>(n_pieces)), kGatheringThreads, 0, gather_kernel,
                pieces);
}

}  // namespace mneme::engine::cuda
