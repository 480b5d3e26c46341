#include "engine/backend/cuda/kv_blocks.h"

#include "engine/backend/cuda/kv_access.cuh"
#include "engine/backend/cuda/pq_scan.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kFillThreads = 128;
constexpr uint64_t kStays = ~uint64_t{0};
static_assert(kOfferedBlocks <= kThreads && kPageTokens <= kThreads && kPageTokens % kWarp == 0);

__device__ __forceinline__ int thread_id() {
  return static_cast<int>(threadIdx.x);
}

// One head's part of a layer's cache.
struct HeadBlocks {
  BlockSlot* slots;
  const std::byte** places;
  BlockFill* fills;
  int* n_fills;
  std::byte* memory;
};
__device__ __forceinline__ HeadBlocks blocks_of(const CachedBlocks& cache, int head) {
  return {cache.slots + int64_t{head} * cache.n_slots, cache.places + int64_t{head} * cache.most_blocks,
          cache.fills + int64_t{head} * kOfferedBlocks, cache.n_fills + head,
          cache.memory + int64_t{head} * cache.n_slots * cache.head_bytes};
}

// What was on its way has come.
__device__ __forceinline__ void publish(const CachedBlocks& cache, const HeadBlocks& own) {
  if (thread_id() >= *own.n_fills) return;
  const BlockFill fill = own.fills[thread_id()];
  own.places[fill.block] = own.memory + fill.slot * cache.head_bytes;
}

__global__ void __launch_bounds__(kThreads) clear_kernel(CachedBlocks cache) {
  after_earlier_kernels();
  const auto head = static_cast<int>(blockIdx.x);
  const HeadBlocks own = blocks_of(cache, head);
  for (int s = thread_id(); s < cache.n_slots; s += kThreads) own.slots[s] = {-1, 0, 0};
  for (int b = thread_id(); b < cache.most_blocks; b += kThreads) own.places[b] = nullptr;
  if (thread_id() != 0) return;
  *own.n_fills = 0;
  for (int i = 2 * head; i < 2 * head + 2; ++i) cache.counts[i] = cache.told[i] = 0;
}

__global__ void __launch_bounds__(kThreads) forget_kernel(CachedBlocks cache, int first_block) {
  after_earlier_kernels();
  const HeadBlocks own = blocks_of(cache, static_cast<int>(blockIdx.x));
  publish(cache, own);
  __syncthreads();
  for (int s = thread_id(); s < cache.n_slots; s += kThreads) {
    const int block = own.slots[s].block;
    if (block < first_block) continue;
    own.places[block] = nullptr;
    own.slots[s] = {-1, 0, 0};
  }
  if (thread_id() == 0) *own.n_fills = 0;
}

// tokens[block] += the positions in it; they ascend, so that a run of equal blocks is added by its two ends.
__device__ void count_tokens(const int* positions, int n, int n_blocks, int* tokens) {
  for (int i = thread_id(); i < n; i += kThreads) {
    const int block = positions[i] / kPageTokens;
    if (block >= n_blocks) continue;
    if (i == 0 || positions[i - 1] / kPageTokens != block) atomicAdd(&tokens[block], -i);
    if (i + 1 == n || positions[i + 1] / kPageTokens != block) atomicAdd(&tokens[block], i + 1);
  }
}

// Slots that hold blocks of this step serve them. orders[s]: the lower, the sooner the slot is given to another block.
// The tokens of blocks that are here become negative.
__device__ int serve(const CachedBlocks& cache, const HeadBlocks& own, int n_blocks, int step, int* tokens,
                     uint64_t* orders) {
  int served = 0;
  for (int s = thread_id(); s < cache.n_slots; s += kThreads) {
    BlockSlot slot = own.slots[s];
    const int n = slot.block >= 0 && slot.block < n_blocks ? tokens[slot.block] : 0;
    if (n > 0) {
      served += n;
      slot.uses += static_cast<unsigned>(n);
      slot.last_step = step;
      own.slots[s] = slot;
      tokens[slot.block] = -n;
    }
    const auto last = static_cast<uint64_t>(slot.last_step);
    const uint64_t rank = cache.by_uses ? uint64_t{slot.uses} << 32 | last : last << 32 | slot.uses;
    orders[s] = slot.block < 0 ? 0 : slot.last_step == step ? kStays : rank;
  }
  return served;
}

// A block that was offered and is not here.
struct Wanted {
  int block;
  int tokens;
};
struct Offer {
  int histogram[kPageTokens];  // [n - 1]: blocks with n tokens; then with n and more
  Wanted wanted[kOfferedBlocks];
  int n_wanted;
};

// The blocks with the most tokens, the first of equals, as many as are offered; of them those that are not here, in any
// order.
__device__ void find_wanted(const int* tokens, int n_blocks, Offer& offer) {
  if (thread_id() < kWarp) suffix_sums<kPageTokens>(offer.histogram);
  if (thread_id() == 0) offer.n_wanted = 0;
  __syncthreads();
  // So many tokens are reached by as many blocks as are offered, or by all.
  const int least =
      max(1, block_count(thread_id() < kPageTokens && offer.histogram[thread_id() % kPageTokens] >= kOfferedBlocks));
  const int room = kOfferedBlocks - (least < kPageTokens ? offer.histogram[least] : 0);
  // Blocks in order: a thread's lie side by side.
  const int n_own = (n_blocks + kThreads - 1) / kThreads;
  const int begin = min(n_blocks, thread_id() * n_own);
  const int end = min(n_blocks, begin + n_own);
  int n_equal = 0;
  for (int b = begin; b < end; ++b) n_equal += abs(tokens[b]) == least ? 1 : 0;
  int at = block_sum_before(n_equal);
  for (int b = begin; b < end; ++b) {
    const int n = abs(tokens[b]);
    const bool offered = n > least || (n == least && at++ < room);
    if (offered && tokens[b] > 0) offer.wanted[atomicAdd(&offer.n_wanted, 1)] = {b, n};
  }
  __syncthreads();
}

// Those wanted most come first; of equals the first blocks.
__device__ void sort_wanted(Offer& offer) {
  const bool is_one = thread_id() < offer.n_wanted;
  const Wanted own = is_one ? offer.wanted[thread_id()] : Wanted{};
  int before = 0;
  for (int i = 0; i < offer.n_wanted && is_one; ++i) {
    const Wanted other = offer.wanted[i];
    before += other.tokens > own.tokens || (other.tokens == own.tokens && other.block < own.block) ? 1 : 0;
  }
  __syncthreads();
  if (is_one) offer.wanted[before] = own;
  __syncthreads();
}

// Slots are given away in their order, the blocks that are wanted most take them first.
__device__ int give_slots(const CachedBlocks& cache, const HeadBlocks& own, int step, const uint64_t* orders,
                          const Offer& offer) {
  int given = 0;
  for (int s = thread_id(); s < cache.n_slots; s += kThreads) {
    if (orders[s] == kStays) continue;
    int before = 0;
    for (int t = 0; t < cache.n_slots; ++t)
      before += orders[t] < orders[s] || (orders[t] == orders[s] && t < s) ? 1 : 0;
    if (before >= offer.n_wanted) continue;
    const Wanted wanted = offer.wanted[before];
    if (own.slots[s].block >= 0) own.places[own.slots[s].block] = nullptr;
    own.slots[s] = {wanted.block, step, static_cast<unsigned>(wanted.tokens)};
    own.fills[before] = {wanted.block, s};
    ++given;
  }
  return given;
}

__global__ void __launch_bounds__(kThreads, 1)
    serve_kernel(CachedBlocks cache, const HeadChoice* heads, const int* positions, int64_t position_stride,
                 int n_blocks, int step) {
  after_earlier_kernels();
  __shared__ Offer offer;
  auto* orders = dynamic_shared<uint64_t>();
  auto* tokens = reinterpret_cast<int*>(orders + cache.n_slots);
  const auto head = static_cast<int>(blockIdx.x);
  const HeadBlocks own = blocks_of(cache, head);
  publish(cache, own);
  for (int b = thread_id(); b < n_blocks; b += kThreads) tokens[b] = 0;
  if (thread_id() < kPageTokens) offer.histogram[thread_id()] = 0;
  __syncthreads();
  count_tokens(positions + head * position_stride, heads[head].k, n_blocks, tokens);
  __syncthreads();
  int asked = 0;
  for (int b = thread_id(); b < n_blocks; b += kThreads) {
    asked += tokens[b];
    if (tokens[b] > 0) atomicAdd(&offer.histogram[tokens[b] - 1], 1);
  }
  __syncthreads();
  const int served = serve(cache, own, n_blocks, step, tokens, orders);
  const float all_asked = block_sum(static_cast<float>(asked));
  const float all_served = block_sum(static_cast<float>(served));
  find_wanted(tokens, n_blocks, offer);
  sort_wanted(offer);
  const float given = block_sum(static_cast<float>(give_slots(cache, own, step, orders, offer)));
  if (thread_id() != 0) return;
  *own.n_fills = static_cast<int>(given);
  cache.told[2 * head] = cache.counts[2 * head] += static_cast<int64_t>(all_served);
  cache.told[2 * head + 1] = cache.counts[2 * head + 1] += static_cast<int64_t>(all_asked);
}

__global__ void __launch_bounds__(kFillThreads) fill_kernel(CachedBlocks cache, KvView home, int layer) {
  after_earlier_kernels();
  const auto head = static_cast<int>(blockIdx.y);
  const HeadBlocks own = blocks_of(cache, head);
  if (static_cast<int>(blockIdx.x) >= *own.n_fills) return;
  const BlockFill fill = own.fills[blockIdx.x];
  const auto* from = reinterpret_cast<const uint4*>(kv_head_at(home, layer, fill.block * kPageTokens, head).base);
  auto* to = reinterpret_cast<uint4*>(own.memory + fill.slot * cache.head_bytes);
  const auto n = static_cast<int>(cache.head_bytes / static_cast<int64_t>(sizeof(uint4)));
#pragma unroll 4
  for (int i = thread_id(); i < n; i += kFillThreads) to[i] = from[i];
}

dim3 grid_of(const CachedBlocks& cache) {
  return dim3(static_cast<unsigned>(cache.n_kv_heads));
}

}  // namespace

cudaError_t clear_blocks(cudaStream_t stream, const CachedBlocks& cache) {
  return launch(stream, grid_of(cache), kThreads, 0, clear_kernel, cache);
}

cudaError_t serve_blocks(cudaStream_t stream, const CachedBlocks& cache, const HeadChoice* heads, const int* positions,
                         int64_t position_stride, int n_blocks, int step) {
  const size_t bytes =
      static_cast<size_t>(cache.n_slots) * sizeof(uint64_t) + static_cast<size_t>(n_blocks) * sizeof(int);
  return launch(stream, grid_of(cache), kThreads, bytes, serve_kernel, cache, heads, positions, position_stride,
                n_blocks, step);
}

cudaError_t fill_blocks(cudaStream_t stream, const CachedBlocks& cache, const KvView& home, int layer) {
  const dim3 grid(kOfferedBlocks, static_cast<unsigned>(cache.n_kv_heads));
  return launch(stream, grid, kFillThreads, 0, fill_kernel, cache, home, layer);
}

cudaError_t forget_blocks(cudaStream_t stream, const CachedBlocks& cache, int first_block) {
  return launch(stream, grid_of(cache), kThreads, 0, forget_kernel, cache, first_block);
}

}  // namespace mneme::engine::cuda
