#include "engine/backend/cuda/codec_synthesis.h"

#include "engine/backend/cuda/codec_synthesis_tensor.cuh"
#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/placing_vectors.cuh"
#include "engine/backend/cuda/placing_vectors.h"
#include "engine/codec/codec_kernels.h"

namespace mneme::engine::cuda {
namespace {

constexpr int kRows = 8;      // tokens of a thread
constexpr int kChannels = 4;  // of a thread: a lane takes four beside each other, a warp all of a group
constexpr int kThreads = kSynthesisTokens / kRows * kWarp;
constexpr int kUnpackedTokens = 16;  // of a thread, for tensor cores
constexpr int kUnpackedWords = kUnpackedTokens / 4;
constexpr int kWideLimit = 32767 / kComponentUnit - 1;  // integers whose component fits 16 bits
static_assert(kWarp * kChannels == kSynthesisChannels);

// A block's share: components in 16 bits, two and two, and what its repairs ask for.
struct Tile {
  union {
    alignas(16) uint32_t pairs[kSynthesisPairs][kSynthesisTokens];
    alignas(16) HalfRows rows;  // for tensor cores
  };
  int is_repaired;  // sums may need more than 31 bits
  int n_wide;       // tokens with a component that does not fit
  int is_large;     // a component is beyond what tensor cores take
  uint8_t is_wide[kSynthesisTokens];
};

__device__ __forceinline__ int component_of(int integer, int shrink) {
  return integer * kComponentUnit - (integer > 0 ? shrink : integer < 0 ? -shrink : 0);
}

__device__ __forceinline__ int component_at(const SynthesisJob& job, const GroupRef& group, int j, int token) {
  if (j >= group.count || token >= job.n_tokens) return 0;
  const int place = group.first + j;
  const int symbol = __ldg(job.symbols + int64_t{place} * job.n_tokens + token);
  return component_of(symbol - __ldg(job.reach + place), __ldg(job.shrink + place));
}

__device__ void unpack(const SynthesisJob& job, const GroupRef& group, int first_token, Tile& tile) {
  const int n_pairs = (group.count + 1) / 2;
  for (int i = static_cast<int>(threadIdx.x); i < n_pairs * kSynthesisTokens; i += kThreads) {
    const int pair = i / kSynthesisTokens;
    const int t = i % kSynthesisTokens;
    const int low = component_at(job, group, 2 * pair, first_token + t);
    const int high = component_at(job, group, 2 * pair + 1, first_token + t);
    tile.pairs[pair][t] = static_cast<uint32_t>(low & 0xffff) | static_cast<uint32_t>(high) << 16;
  }
}

// Symbols of a component from one token on, four to a word. They begin anywhere: whole words are read around them,
// those alone that hold a symbol of a token that is there.
__device__ __forceinline__ void load_symbols(const uint8_t* from, int n_there, uint32_t (&symbols)[kUnpackedWords]) {
  const auto before = static_cast<int>(reinterpret_cast<uintptr_t>(from) % sizeof(uint32_t));
  const auto* const words = reinterpret_cast<const uint32_t*>(from - before);
  const int n_read = min(n_there, kUnpackedTokens);
  uint32_t read[kUnpackedWords + 1];
#pragma unroll
  for (int i = 0; i <= kUnpackedWords; ++i) read[i] = 4 * i - before < n_read ? __ldg(words + i) : 0;
#pragma unroll
  for (int i = 0; i < kUnpackedWords; ++i)
    symbols[i] = static_cast<uint32_t>((uint64_t{read[i + 1]} << 32 | read[i]) >> (8 * before));
}

// A component of the tokens that a thread unpacks; zeros where there is no such component.
struct ComponentRun {
  uint32_t symbols[kUnpackedWords];
  int reach;
  int shrink;
};
__device__ __forceinline__ void load_run(const SynthesisJob& job, const GroupRef& group, int j, int token,
                                         ComponentRun& run) {
  const bool is_there = j < group.count;
  const int place = is_there ? group.first + j : 0;
  load_symbols(job.symbols + int64_t{place} * job.n_tokens + token, is_there ? job.n_tokens - token : -kUnpackedTokens,
               run.symbols);
  run.reach = is_there ? __ldg(job.reach + place) : 0;
  run.shrink = is_there ? __ldg(job.shrink + place) : 0;
}
__device__ __forceinline__ float component_in(const ComponentRun& run, int word, int byte) {
  const auto symbol = static_cast<int>(run.symbols[word] >> (8 * byte) & 0xffu);
  return static_cast<float>(component_of(symbol - run.reach, run.shrink));
}

// A thread takes two components of kUnpackedTokens tokens, and asks for all that it needs before it writes any: the
// block waits for memory once. Tokens that are not there become anything, and nothing of them is stored.
__device__ void unpack_halves(const SynthesisJob& job, const GroupRef& group, int first_token, Tile& tile) {
  constexpr int kThreadsOfPair = kSynthesisTokens / kUnpackedTokens;
  static_assert(kThreads / kThreadsOfPair == kSynthesisPairs);
  const int n_pairs = (group.count + kMmaDepth - 1) / kMmaDepth * (kMmaDepth / 2);
  const int pair = static_cast<int>(threadIdx.x) / kThreadsOfPair;
  if (pair >= n_pairs) return;
  const int t = static_cast<int>(threadIdx.x) % kThreadsOfPair * kUnpackedTokens;
  ComponentRun low;
  ComponentRun high;
  load_run(job, group, 2 * pair, first_token + t, low);
  load_run(job, group, 2 * pair + 1, first_token + t, high);
#pragma unroll
  for (int i = 0; i < kUnpackedTokens; ++i)
    tile.rows[t + i][pair] = pack_halves(component_in(low, i / 4, i % 4), component_in(high, i / 4, i % 4));
}

// As repair(); says where a component is beyond what tensor cores take.
__device__ void repair_halves(const SynthesisJob& job, const GroupRef& group, uint2 range, int first_token,
                              Tile& tile) {
  for (uint32_t i = range.x + threadIdx.x; i < range.y; i += kThreads) {
    const ComponentRepair& own = job.repairs[i];
    const int t = own.token - first_token;
    if (t < 0 || t >= kSynthesisTokens) continue;
    const int component = component_of(own.value, job.shrink[group.first + own.component]);
    if (component < -kHalfLimit || component > kHalfLimit) {
      tile.is_large = 1;
      continue;
    }
    auto* halves = reinterpret_cast<f16*>(&tile.rows[t][own.component / 2]);
    halves[own.component % 2] = float_to_half(static_cast<float>(component));
  }
}

// Puts repaired integers in their places; those that do not fit leave a zero and mark their token. Places are named
// once, so that no two threads write the same half of a word.
__device__ void repair(const SynthesisJob& job, const GroupRef& group, uint2 range, int first_token, Tile& tile) {
  for (uint32_t i = range.x + threadIdx.x; i < range.y; i += kThreads) {
    const ComponentRepair& own = job.repairs[i];
    const int t = own.token - first_token;
    if (t < 0 || t >= kSynthesisTokens) continue;
    const bool fits = own.value >= -kWideLimit && own.value <= kWideLimit;
    const int component = fits ? component_of(own.value, job.shrink[group.first + own.component]) : 0;
    auto* halves = reinterpret_cast<int16_t*>(&tile.pairs[own.component / 2][t]);
    halves[own.component % 2] = static_cast<int16_t>(component);
    tile.is_repaired = 1;
    if (fits) continue;
    tile.is_wide[t] = 1;
    tile.n_wide = 1;
  }
}

__device__ __forceinline__ f16 number_of(float sum, float scale, float mean) {
  return float_to_half(fmaf(sum, scale, mean));
}

// The components of kRows tokens by the basis of kChannels channels, low and high parts of the basis apart.
struct Sums {
  int low[kRows][kChannels];
  int high[kRows][kChannels];
};

__device__ __forceinline__ void add_pair(const uint32_t* basis, const uint32_t* components, Sums& sums) {
  const uint4 four = *reinterpret_cast<const uint4*>(basis);
  const uint4 first = *reinterpret_cast<const uint4*>(components);
  const uint4 second = *reinterpret_cast<const uint4*>(components + 4);
  const uint32_t columns[kChannels] = {four.x, four.y, four.z, four.w};
  const uint32_t rows[kRows] = {first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w};
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
#pragma unroll
    for (int c = 0; c < kChannels; ++c) {
      sums.low[r][c] = __dp2a_lo(static_cast<int>(rows[r]), static_cast<int>(columns[c]), sums.low[r][c]);
      sums.high[r][c] = __dp2a_hi(static_cast<int>(rows[r]), static_cast<int>(columns[c]), sums.high[r][c]);
    }
  }
}

__device__ __forceinline__ float whole_sum(int low, int high, bool may_be_long) {
  return may_be_long ? static_cast<float>(static_cast<long long>(high) * 64 + low)
                     : static_cast<float>(high * 64 + low);
}

__device__ __forceinline__ void store_four(const f16 (&four)[kChannels], f16* out) {
  *reinterpret_cast<uint2*>(out) = {four[0].bits | static_cast<uint32_t>(four[1].bits) << 16,
                                    four[2].bits | static_cast<uint32_t>(four[3].bits) << 16};
}

// A token whose components need more than 16 bits, a channel a thread: exact in 64.
__device__ void synthesise_wide(const SynthesisJob& job, const GroupRef& group, const SynthesisShape& shape,
                                uint2 range, int token, int t, const Tile& tile, f16* out) {
  const auto c = static_cast<int>(threadIdx.x);
  if (c >= shape.group_dim) return;
  const auto* basis = reinterpret_cast<const int8_t*>(group.basis);
  const auto entry = [&](int j) {
    const int8_t* bytes = basis + (int64_t{j / 2} * shape.group_dim + c) * 4 + j % 2;
    return bytes[2] * 64 + bytes[0];
  };
  long long sum = 0;
  for (int j = 0; j < group.count; ++j) {
    const auto component = static_cast<int16_t>(tile.pairs[j / 2][t] >> (j % 2 * 16));
    sum += static_cast<long long>(component) * entry(j);
  }
  for (uint32_t i = range.x; i < range.y; ++i) {
    const ComponentRepair& own = job.repairs[i];
    if (own.token != token || (own.value >= -kWideLimit && own.value <= kWideLimit)) continue;
    const int component = component_of(own.value, job.shrink[group.first + own.component]);
    sum += static_cast<long long>(component) * entry(own.component);
  }
  out[c] = number_of(static_cast<float>(sum), __fmul_rn(group.scale[c], job.step_scale), group.mean[c]);
}

// Where a block works.
struct Place {
  const SynthesisJob& job;
  const GroupRef& group;
  uint2 repairs;
  int first_token;
  bool is_lost;
  f16* out;
};

// Numbers of the block's tokens where its components were.
constexpr int kTileStride = 2 * kHalfPairs;  // halves
static_assert(kTileStride >= kSynthesisChannels && kTileStride % kPlacedVector == 0);
__device__ __forceinline__ f16* numbers_in(Tile& tile) {
  return reinterpret_cast<f16*>(tile.rows);
}

// To `at.out`, or into the tile. False where the block has components that are too large for it.
template <bool kIntoTile>
__device__ __forceinline__ bool synthesise_tensor(const Place& at, const SynthesisShape& shape, Tile& tile) {
  unpack_halves(at.job, at.group, at.first_token, tile);
  __syncthreads();
  if (at.repairs.x < at.repairs.y) {
    repair_halves(at.job, at.group, at.repairs, at.first_token, tile);
    __syncthreads();
    if (tile.is_large != 0) return false;
  }
  const int first_channel = first_channel_of_warp();
  const bool has_channels = first_channel < shape.group_dim;
  TensorSums sums{};
  if (has_channels) add_on_tensor_cores(tile.rows, at.group, shape.group_dim, sums);
  if constexpr (kIntoTile) __syncthreads();  // no warp reads components any more
  if (has_channels)
    store_sums(sums, at.job, at.group, kIntoTile ? kTileStride : shape.kv_dim, at.job.n_tokens - at.first_token,
               first_channel, at.is_lost, kIntoTile ? numbers_in(tile) : at.out);
  return true;
}

// The block's tokens, from `from` on, `stride` halves apart: all threads, who have seen each other's numbers.
__device__ __forceinline__ void place_tile(const SynthesisPlacing& placing, const Place& at,
                                           const SynthesisShape& shape, const f16* from, int stride) {
  const int head_dim = placing.kv.head_dim;
  const int parts_of_head = head_dim / kPlacedPart;
  const int parts_of_token = shape.group_dim / kPlacedPart;
  const int n_tokens = min(kSynthesisTokens, at.job.n_tokens - at.first_token);
  for (int i = static_cast<int>(threadIdx.x); i < n_tokens * parts_of_token; i += kThreads) {
    const int token = i / parts_of_token;
    const int part = i % parts_of_token;
    const int head = part / parts_of_head;  // of the group's
    const int row = at.job.first_row + at.first_token + token;
    const PlacedHead placed{placing.layer, placing.positions[row], at.group.first_channel / head_dim + head, row,
                            at.group.part != 0};
    place_part(placing.kv, placed, part % parts_of_head, from + token * stride + head * head_dim, placing.rotation);
  }
}

__device__ __forceinline__ void store_rows(const Place& at, const SynthesisShape& shape, const Sums& sums,
                                           int first_row, int channel, bool may_be_long) {
  const float4 own_scale = *reinterpret_cast<const float4*>(at.group.scale + channel);
  const float4 own_mean = *reinterpret_cast<const float4*>(at.group.mean + channel);
  const float by = at.job.step_scale;
  const float scale[kChannels] = {__fmul_rn(own_scale.x, by), __fmul_rn(own_scale.y, by), __fmul_rn(own_scale.z, by),
                                  __fmul_rn(own_scale.w, by)};
  const float mean[kChannels] = {own_mean.x, own_mean.y, own_mean.z, own_mean.w};
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    if (at.first_token + first_row + r >= at.job.n_tokens) continue;
    f16 four[kChannels];
#pragma unroll
    for (int c = 0; c < kChannels; ++c) {
      const float sum = whole_sum(sums.low[r][c], sums.high[r][c], may_be_long);
      four[c] = at.is_lost ? f16{} : number_of(sum, scale[c], mean[c]);
    }
    store_four(four, at.out + int64_t{first_row + r} * shape.kv_dim + channel);
  }
}

__device__ __forceinline__ void synthesise_plain(const Place& at, const SynthesisShape& shape, Tile& tile) {
  const auto thread = static_cast<int>(threadIdx.x);
  unpack(at.job, at.group, at.first_token, tile);
  __syncthreads();
  if (at.repairs.x < at.repairs.y) {
    repair(at.job, at.group, at.repairs, at.first_token, tile);
    __syncthreads();
  }
  const int channel = thread % kWarp * kChannels;
  const int first_row = thread / kWarp * kRows;
  if (channel < shape.group_dim && at.first_token + first_row < at.job.n_tokens) {
    Sums sums{};
    const int n_pairs = (at.group.count + 1) / 2;
    for (int pair = 0; pair < n_pairs; ++pair)
      add_pair(at.group.basis + int64_t{pair} * shape.group_dim + channel, &tile.pairs[pair][first_row], sums);
    store_rows(at, shape, sums, first_row, channel, tile.is_repaired != 0);
  }
  if (tile.n_wide == 0 || at.is_lost) return;
  __syncthreads();  // what is written again was written by other threads
  for (int t = 0; t < kSynthesisTokens; ++t) {
    if (tile.is_wide[t] != 0)
      synthesise_wide(at.job, at.group, shape, at.repairs, at.first_token + t, t, tile,
                      at.out + int64_t{t} * shape.kv_dim);
  }
}

// kSynthesisTokens tokens of one group of channels.
template <bool kOnTensorCores, bool kPlaces>
__global__ void __launch_bounds__(kThreads, 2) synthesis_kernel(SynthesisShape shape, const SynthesisJob* jobs,
                                                                const SynthesisTile* tiles, SynthesisPlacing placing) {
  after_earlier_kernels();
  __shared__ Tile tile;
  const SynthesisTile own = tiles[blockIdx.x];
  const SynthesisJob job = jobs[own.job];  // in registers: behind a reference it would be read again after every store
  const GroupRef group = job.groups[blockIdx.y];
  f16* const rows = (group.part == 0 ? job.keys : job.values) + int64_t{own.first_token} * shape.kv_dim;
  const Place at{job,
                 group,
                 {job.repairs_begin[blockIdx.y], job.repairs_begin[blockIdx.y + 1]},
                 own.first_token,
                 *job.damaged != 0,
                 rows + group.first_channel};
  const auto thread = static_cast<int>(threadIdx.x);
  if (thread == 0) tile.is_repaired = tile.n_wide = tile.is_large = 0;
  if (thread < kSynthesisTokens) tile.is_wide[thread] = 0;
  if constexpr (kOnTensorCores) {
    if (synthesise_tensor<kPlaces>(at, shape, tile)) {
      if constexpr (kPlaces) {
        __syncthreads();
        place_tile(placing, at, shape, numbers_in(tile), kTileStride);
      }
      return;
    }
    __syncthreads();  // all have seen that it is too large
  }
  synthesise_plain(at, shape, tile);
  if constexpr (kPlaces) {
    __syncthreads();
    place_tile(placing, at, shape, at.out, shape.kv_dim);
  }
}

}  // namespace

cudaError_t synthesise_kv(cudaStream_t stream, const SynthesisShape& shape, const SynthesisJob* jobs,
                          const SynthesisTile* tiles, int n_tiles) {
  return launch(stream, dim3(static_cast<unsigned>(n_tiles), static_cast<unsigned>(shape.n_groups)), kThreads, 0,
                shape.on_tensor_cores ? synthesis_kernel<true, false> : synthesis_kernel<false, false>, shape, jobs,
                tiles, SynthesisPlacing{});
}

bool synthesis_places(const SynthesisShape& shape, const SynthesisPlacing& placing) {
  return shape.on_tensor_cores && shape.group_dim % placing.kv.head_dim == 0 &&
         places_vectors(placing.kv, placing.rotation);
}

cudaError_t synthesise_and_place_kv(cudaStream_t stream, const SynthesisShape& shape, const SynthesisJob* jobs,
                                    const SynthesisTile* tiles, int n_tiles, const SynthesisPlacing& placing) {
  return launch(stream, dim3(static_cast<unsigned>(n_tiles), static_cast<unsigned>(shape.n_groups)), kThreads, 0,
                synthesis_kernel<true, true>, shape, jobs, tiles, placing);
}

}  // namespace mneme::engine::cuda
