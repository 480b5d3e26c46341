#include "engine/fusion/layer_loader.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <thread>

#include "base/guarded.h"
#include "base/mutex.h"
#include "base/stopwatch.h"
#include "base/trace.h"

namespace mneme::engine {
namespace {

using Clock = std::chrono::steady_clock;

// How often a waiting consumer looks whether it was cancelled.
constexpr std::chrono::milliseconds kCancelPoll{20};

// One layer in flight. Slots are reused, so that their memory is touched for the first time only once.
struct Slot {
  std::vector<ChunkLayer> chunks;
  int layer = -1;
  int n_ready = 0;
};

}  // namespace

struct LayerLoader::State {
  KvSource& source;
  const std::vector<const KvCodec*> codecs;
  const int n_layers;
  const std::function<bool(int, const KvCodec&)> leaves_encoded;
  std::vector<std::thread> threads;

  mutable Mutex mutex;
  CondVar ready;
  CondVar room;
  std::vector<Slot> slots MNEME_GUARDED_BY(mutex);
  int next_layer MNEME_GUARDED_BY(mutex);  // next item to claim: this layer of next_chunk
  int next_chunk MNEME_GUARDED_BY(mutex) = 0;
  int first_held MNEME_GUARDED_BY(mutex);  // layers before it are released
  bool stopping MNEME_GUARDED_BY(mutex) = false;
  LoadingStats stats MNEME_GUARDED_BY(mutex);

  State(KvSource& kv_source, std::span<const KvCodec* const> chunk_codecs, int layers,
        const LayerLoaderOptions& options)
      : source(kv_source),
        codecs(chunk_codecs.begin(), chunk_codecs.end()),
        n_layers(layers),
        leaves_encoded(options.leaves_encoded),
        slots(static_cast<size_t>(std::max(1, options.depth))),
        next_layer(options.first_layer),
        first_held(options.first_layer) {
    for (Slot& slot : slots) slot.chunks.resize(codecs.size());
  }

  ~State() {
    {
      MutexLock lock(mutex);
      stopping = true;
      room.notify_all();
    }
    for (std::thread& thread : threads) thread.join();
  }

  int n_chunks() const { return static_cast<int>(codecs.size()); }
  Slot& slot_of(int layer) MNEME_REQUIRES(mutex) { return slots[static_cast<size_t>(layer) % slots.size()]; }
  bool has_room() MNEME_REQUIRES(mutex) { return next_layer < first_held + static_cast<int>(slots.size()); }
  bool is_ready(int layer) MNEME_REQUIRES(mutex) {
    const Slot& slot = slot_of(layer);
    return slot.layer == layer && slot.n_ready == n_chunks();
  }

  // One layer of one chunk, to be loaded by whoever claimed it.
  struct Item {
    int layer = 0;
    int chunk = 0;
    ChunkLayer* target = nullptr;  // null: there is nothing (more) to do
  };

  // The next item in order; there must be one, and room for it.
  Item claim_next() MNEME_REQUIRES(mutex) {
    Slot& slot = slot_of(next_layer);
    if (next_chunk == 0) {
      slot.layer = next_layer;
      slot.n_ready = 0;
    }
    const Item item{next_layer, next_chunk, &slot.chunks[static_cast<size_t>(next_chunk)]};
    if (++next_chunk == n_chunks()) {
      next_chunk = 0;
      ++next_layer;
    }
    return item;
  }

  // For the loader threads: waits for room.
  Item claim() {
    MutexLock lock(mutex);
    while (!stopping && next_layer < n_layers && !has_room()) room.wait(mutex);
    if (stopping || next_layer >= n_layers) return {};
    return claim_next();
  }

  // For the consumer: an item of the very layer it waits for, if one is left.
  Item claim_of(int layer) {
    MutexLock lock(mutex);
    return next_layer == layer && has_room() ? claim_next() : Item{};
  }

  Status fetch_and_decode(const Item& item, std::vector<std::byte>& encoded, LoadingStats& cost) {
    {
      trace::Span span("fetch", "kv", item.layer);
      MNEME_RETURN_IF_ERROR(source.fetch_layer(item.chunk, item.layer, encoded));
    }
    cost.bytes_read = static_cast<int64_t>(encoded.size());
    MNEME_ASSIGN_OR_RETURN(const CodedLayer coded, codecs[static_cast<size_t>(item.chunk)]->resolve(encoded));
    if (!leaves_encoded || !leaves_encoded(item.layer, *coded.codec)) return decode(item, coded, cost);
    item.target->encoded.swap(encoded);  // the bytes stay where they are
    item.target->coded = coded;
    return {};
  }

  Status decode(const Item& item, const CodedLayer& coded, LoadingStats& cost) {
    const int n_tokens = source.chunk(item.chunk).n_tokens;
    const size_t n_elements =
        static_cast<size_t>(n_tokens) * static_cast<size_t>(coded.codec->shape().kv_dim(item.layer));
    item.target->keys.resize(n_elements);
    item.target->values.resize(n_elements);
    item.target->coded = {};
    trace::Span span("decode", "kv", item.layer);
    const Clock::time_point begin = Clock::now();
    const Status decoded =
        coded.codec->decode_layer(item.layer, n_tokens, coded.payload, item.target->keys, item.target->values);
    cost.decode_ms = milliseconds_since(begin);
    cost.bytes_decoded = static_cast<int64_t>(2 * n_elements * sizeof(f16));
    return decoded;
  }

  void load(const Item& item, std::vector<std::byte>& encoded) {
    LoadingStats cost;
    item.target->status = guarded("a KV cache", [&] { return fetch_and_decode(item, encoded, cost); });
    MutexLock lock(mutex);
    stats.decode_ms += cost.decode_ms;
    stats.bytes_read += cost.bytes_read;
    stats.bytes_decoded += cost.bytes_decoded;
    if (++slot_of(item.layer).n_ready == n_chunks()) ready.notify_all();
  }

  void run() {
    trace::name_thread("kv loader");
    std::vector<std::byte> encoded;
    for (Item item = claim(); item.target != nullptr; item = claim()) load(item, encoded);
  }

  // Loads what is left of a layer beside the loader threads.
  void help_with(int layer, const CancelToken& cancel) {
    while (!cancel.cancelled()) {
      const Item item = claim_of(layer);
      if (item.target == nullptr) break;
      load(item, consumer_encoded);
    }
  }

  std::vector<std::byte> consumer_encoded;  // of the consumer alone
};

LayerLoader::LayerLoader(KvSource& source, std::span<const KvCodec* const> codecs, int n_layers,
                         const LayerLoaderOptions& options)
    : state_(std::make_unique<State>(source, codecs, n_layers, options)) {
  assert(!codecs.empty());
  for (int i = 0; i < std::max(1, options.n_threads); ++i) state_->threads.emplace_back([this] { state_->run(); });
}

LayerLoader::~LayerLoader() = default;

std::span<const ChunkLayer> LayerLoader::acquire(int layer, const CancelToken& cancel) {
  trace::Span span("wait for kv", "kv", layer);
  const Clock::time_point begin = Clock::now();
  State& s = *state_;
  s.help_with(layer, cancel);
  MutexLock lock(s.mutex);
  while (!s.is_ready(layer)) {
    if (cancel.cancelled()) return {};
    s.ready.wait_for(s.mutex, kCancelPoll);
  }
  s.stats.wait_ms += milliseconds_since(begin);
  return s.slot_of(layer).chunks;
}

void LayerLoader::release(int layer) {
  MutexLock lock(state_->mutex);
  state_->first_held = layer + 1;
  state_->room.notify_all();
}

LoadingStats LayerLoader::stats() const {
  MutexLock lock(state_->mutex);
  return state_->stats;
}

}  // namespace mneme::engine
