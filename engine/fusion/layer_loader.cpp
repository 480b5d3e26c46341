#include "engine/fusion/layer_loader.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

#include "base/guarded.h"
#include "base/mutex.h"
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
  std::vector<std::thread> threads;
  std::atomic<int64_t> bytes_read{0};

  mutable Mutex mutex;
  CondVar ready;
  CondVar room;
  std::vector<Slot> slots MNEME_GUARDED_BY(mutex);
  int next_layer MNEME_GUARDED_BY(mutex);  // next item to claim: this layer of next_chunk
  int next_chunk MNEME_GUARDED_BY(mutex) = 0;
  int first_held MNEME_GUARDED_BY(mutex);  // layers before it are released
  bool stopping MNEME_GUARDED_BY(mutex) = false;
  double wait_ms MNEME_GUARDED_BY(mutex) = 0.0;

  State(KvSource& kv_source, std::span<const KvCodec* const> chunk_codecs, int layers,
        const LayerLoaderOptions& options)
      : source(kv_source),
        codecs(chunk_codecs.begin(), chunk_codecs.end()),
        n_layers(layers),
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

  // The next layer of a chunk to load, in order; waits for room. Null when there is nothing more to do.
  ChunkLayer* claim(int& layer, int& chunk) {
    MutexLock lock(mutex);
    while (!stopping && next_layer < n_layers && !has_room()) room.wait(mutex);
    if (stopping || next_layer >= n_layers) return nullptr;
    layer = next_layer;
    chunk = next_chunk;
    Slot& slot = slot_of(layer);
    if (chunk == 0) {
      slot.layer = layer;
      slot.n_ready = 0;
    }
    if (++next_chunk == n_chunks()) {
      next_chunk = 0;
      ++next_layer;
    }
    return &slot.chunks[static_cast<size_t>(chunk)];
  }

  void load(int layer, int chunk, std::vector<std::byte>& encoded, ChunkLayer& out) {
    const int n_tokens = source.chunk(chunk).n_tokens;
    const KvCodec& codec = *codecs[static_cast<size_t>(chunk)];
    const size_t n_elements = static_cast<size_t>(n_tokens) * static_cast<size_t>(codec.shape().kv_dim());
    out.keys.resize(n_elements);
    out.values.resize(n_elements);
    {
      trace::Span span("fetch", "kv", layer);
      out.status = source.fetch_layer(chunk, layer, encoded);
    }
    if (!out.status.ok()) return;
    bytes_read.fetch_add(static_cast<int64_t>(encoded.size()), std::memory_order_relaxed);
    trace::Span span("decode", "kv", layer);
    out.status = codec.decode_layer(layer, n_tokens, encoded, out.keys, out.values);
  }

  void run() {
    trace::name_thread("kv loader");
    std::vector<std::byte> encoded;
    int layer = 0;
    int chunk = 0;
    while (ChunkLayer* target = claim(layer, chunk)) {
      const Status loaded = guarded("a KV cache", [&] {
        load(layer, chunk, encoded, *target);
        return target->status;
      });
      if (!loaded.ok()) target->status = loaded;
      MutexLock lock(mutex);
      if (++slot_of(layer).n_ready == n_chunks()) ready.notify_all();
    }
  }
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
  MutexLock lock(s.mutex);
  while (!s.is_ready(layer)) {
    if (cancel.cancelled()) return {};
    s.ready.wait_for(s.mutex, kCancelPoll);
  }
  s.wait_ms += std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  return s.slot_of(layer).chunks;
}

void LayerLoader::release(int layer) {
  MutexLock lock(state_->mutex);
  state_->first_held = layer + 1;
  state_->room.notify_all();
}

int64_t LayerLoader::bytes_read() const {
  return state_->bytes_read.load();
}

double LayerLoader::wait_ms() const {
  MutexLock lock(state_->mutex);
  return state_->wait_ms;
}

}  // namespace mneme::engine
