#include "engine/backend/cuda/kv_block_cache.h"

#include <algorithm>

namespace mneme::engine::cuda {
namespace {

constexpr std::string_view kDoing = "caching blocks of keys and values";
constexpr int64_t kPartOfMemory = 4;  // of what is free
constexpr int kPartOfSequence = 8;

int blocks_of(int n_tokens) {
  return (n_tokens + kPageTokens - 1) / kPageTokens;
}

}  // namespace

std::unique_ptr<KvBlockCache> KvBlockCache::make(Device& device, cudaStream_t stream, const KvView& home,
                                                 const Shape& shape) {
  const int64_t n_layers = std::count(shape.layers.begin(), shape.layers.end(), true);
  const int64_t slot_bytes = n_layers * home.n_kv_heads * home.head_bytes;
  const int most_blocks = blocks_of(shape.max_tokens);
  if (slot_bytes == 0 || most_blocks > kMostBlocks) return nullptr;
  const int64_t fit = device.memory().free_bytes() / kPartOfMemory / slot_bytes;
  const int64_t wanted =
      std::max<int64_t>(shape.least_tokens / kPageTokens, std::min<int64_t>(fit, most_blocks / kPartOfSequence));
  const auto n_slots = static_cast<int>(std::min<int64_t>({wanted, most_blocks, kMostSlots}));
  if (n_slots <= 0) return nullptr;
  std::unique_ptr<KvBlockCache> cache(new KvBlockCache(device, stream, home, shape, n_slots));
  if (!cache->open()) return nullptr;
  return cache;
}

KvBlockCache::KvBlockCache(Device& device, cudaStream_t stream, const KvView& home, const Shape& shape, int n_slots)
    : device_(device),
      stream_(stream),
      layers_(shape.layers.size()),
      n_kv_heads_(home.n_kv_heads),
      n_slots_(n_slots),
      most_blocks_(blocks_of(shape.max_tokens)),
      head_bytes_(home.head_bytes),
      by_uses_(shape.eviction == BlockEviction::kLfu) {
  for (size_t i = 0; i < layers_.size(); ++i)
    if (shape.layers[i]) layers_[i].place = n_places_++;
}

// Its memory may be given to others at once, so nothing may still use it.
KvBlockCache::~KvBlockCache() {
  device_.settle();
  cudaStreamSynchronize(stream_);
  cudaStreamSynchronize(device_.stream());
  for (const Layer& layer : layers_)
    if (layer.filled != nullptr) cudaEventDestroy(layer.filled);
  if (decided_ != nullptr) cudaEventDestroy(decided_);
  if (told_ != nullptr) cudaFreeHost(told_);
}

// False where memory is too short, which others may do without; what else fails, the device remembers.
bool KvBlockCache::open() {
  const auto allocate = [&](DeviceBuffer& buffer, int64_t n_bytes) {
    auto piece = device_.memory().allocate(static_cast<size_t>(n_bytes), "a cache of keys and values");
    if (piece.ok()) buffer = std::move(*piece);
    return piece.ok();
  };
  const auto size_of = [&](int64_t n, size_t each) { return n_heads() * n * static_cast<int64_t>(each); };
  const bool fits = allocate(memory_, n_heads() * n_slots_ * head_bytes_) &&
                    allocate(slots_, size_of(n_slots_, sizeof(BlockSlot))) &&
                    allocate(places_, size_of(most_blocks_, sizeof(std::byte*))) &&
                    allocate(fills_, size_of(kOfferedBlocks, sizeof(BlockFill))) &&
                    allocate(n_fills_, size_of(1, sizeof(int))) && allocate(counts_, size_of(2, sizeof(int64_t)));
  void* told = nullptr;
  if (!fits) return false;
  if (cudaMallocHost(&told, static_cast<size_t>(size_of(2, sizeof(int64_t)))) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // said here; the next launch would be taken for what failed
    return false;
  }
  told_ = static_cast<int64_t*>(told);
  std::fill_n(told_, 2 * n_heads(), 0);
  device_.check(cudaEventCreateWithFlags(&decided_, cudaEventDisableTiming), "making events");
  for (Layer& layer : layers_)
    if (layer.place >= 0)
      device_.check(cudaEventCreateWithFlags(&layer.filled, cudaEventDisableTiming), "making events");
  for (const Layer& layer : layers_)
    if (layer.place >= 0) device_.check(clear_blocks(device_.stream(), of(layer)), kDoing);
  return true;
}

CachedBlocks KvBlockCache::of(const Layer& layer) const {
  const int64_t head = int64_t{layer.place} * n_kv_heads_;
  return {.n_kv_heads = n_kv_heads_,
          .n_slots = n_slots_,
          .most_blocks = most_blocks_,
          .head_bytes = head_bytes_,
          .by_uses = by_uses_,
          .memory = memory_.as() + head * n_slots_ * head_bytes_,
          .slots = slots_.as<BlockSlot>() + head * n_slots_,
          .places = places_.as<const std::byte*>() + head * most_blocks_,
          .fills = fills_.as<BlockFill>() + head * kOfferedBlocks,
          .n_fills = n_fills_.as<int>() + head,
          .counts = counts_.as<int64_t>() + 2 * head,
          .told = told_ + 2 * head};
}

const std::byte* const* KvBlockCache::serve(int layer, const KvView& home, const PqChoice& choice, int n_tokens) {
  Layer& own = layers_[static_cast<size_t>(layer)];
  if (own.place < 0) return nullptr;
  const CachedBlocks blocks = of(own);
  const cudaStream_t stream = device_.stream();
  // What the step before brings in has most of a step for it.
  device_.check(cudaStreamWaitEvent(stream, own.filled, 0), kDoing);
  if (own.n_kept != INT_MAX) device_.check(forget_blocks(stream, blocks, own.n_kept), kDoing);
  own.n_kept = INT_MAX;
  // Not the new token's own block: a step that fails or is given up writes it anew.
  const int n_whole = (n_tokens - 1) / kPageTokens;
  device_.check(
      serve_blocks(stream, blocks, choice.heads, choice.positions, choice.position_stride, n_whole, ++own.steps),
      kDoing);
  device_.check(cudaEventRecord(decided_, stream), kDoing);
  device_.check(cudaStreamWaitEvent(stream_, decided_, 0), kDoing);
  device_.check(fill_blocks(stream_, blocks, home, layer), kDoing);
  device_.check(cudaEventRecord(own.filled, stream_), kDoing);
  return blocks.places;
}

void KvBlockCache::forget(int n_tokens) {
  for (Layer& layer : layers_) layer.n_kept = std::min(layer.n_kept, n_tokens / kPageTokens);
}

KvBlockCache::Hits KvBlockCache::told() const {
  Hits hits;
  for (int64_t head = 0; head < n_heads(); ++head) {
    hits.served += told_[2 * head];
    hits.asked += told_[2 * head + 1];
  }
  return hits;
}

KvBlockCache::Hits KvBlockCache::hits() const {
  const Hits now = told();
  return {now.served - before_.served, now.asked - before_.asked};
}

void KvBlockCache::count_anew() {
  before_ = told();
}

}  // namespace mneme::engine::cuda
