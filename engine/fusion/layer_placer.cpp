#include "engine/fusion/layer_placer.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <utility>

#include "base/guarded.h"
#include "base/stopwatch.h"
#include "base/trace.h"

namespace mneme::engine {
namespace {

using Clock = std::chrono::steady_clock;

// Decoded bytes that are placed at once: what still lies in the cores' caches when their layers are computed.
constexpr int64_t kBytesAtOnce = int64_t{2} << 20;

}  // namespace

LayerPlacer::LayerPlacer(KvSource& source, std::span<const KvCodec* const> codecs, int n_layers, int first_layer,
                         ThreadPool& pool, Place place)
    : source_(source),
      codecs_(codecs.begin(), codecs.end()),
      n_layers_(n_layers),
      pool_(pool),
      place_(std::move(place)),
      next_layer_(first_layer),
      workers_(static_cast<size_t>(pool.n_threads())),
      statuses_(codecs.size()) {
  assert(!codecs_.empty());
  for (int chunk = 0; chunk < n_chunks(); ++chunk) {
    const KvShape& shape = codecs_[static_cast<size_t>(chunk)]->shape();
    const int64_t n_elements = int64_t{source_.chunk(chunk).n_tokens} * shape.kv_dim(first_layer);
    layer_bytes_ += 2 * n_elements * static_cast<int64_t>(sizeof(f16));
  }
}

bool LayerPlacer::is_there(int layer) const {
  for (int chunk = 0; chunk < n_chunks(); ++chunk) {
    if (!source_.is_ready(chunk, layer)) return false;
  }
  return true;
}

// The layers [next_layer_, end) are placed at once.
int LayerPlacer::end_of_next(int layer) const {
  int end = layer + 1;
  while (end < n_layers_ && (end + 1 - next_layer_) * layer_bytes_ <= kBytesAtOnce && is_there(end)) ++end;
  return end;
}

Status LayerPlacer::fetch_decode_place(int layer, int chunk, Worker& worker) {
  const int n_tokens = source_.chunk(chunk).n_tokens;
  const KvCodec& codec = *codecs_[static_cast<size_t>(chunk)];
  const size_t n_elements = static_cast<size_t>(n_tokens) * static_cast<size_t>(codec.shape().kv_dim(layer));
  if (worker.keys.size() < n_elements) {
    worker.keys.resize(n_elements);
    worker.values.resize(n_elements);
  }
  {
    trace::Span span("fetch", "kv", layer);
    MNEME_RETURN_IF_ERROR(source_.fetch_layer(chunk, layer, worker.encoded));
  }
  const Clock::time_point begin = Clock::now();
  const std::span<f16> keys = std::span(worker.keys).first(n_elements);
  const std::span<f16> values = std::span(worker.values).first(n_elements);
  {
    trace::Span span("decode", "kv", layer);
    MNEME_RETURN_IF_ERROR(codec.decode_layer(layer, n_tokens, worker.encoded, keys, values));
  }
  trace::Span span("place", "kv", layer);
  place_(layer, chunk, keys, values);
  worker.stats.decode_ms += milliseconds_since(begin);
  worker.stats.bytes_read += static_cast<int64_t>(worker.encoded.size());
  worker.stats.bytes_decoded += static_cast<int64_t>(2 * n_elements * sizeof(f16));
  return {};
}

void LayerPlacer::run_item(size_t item, Worker& worker) {
  const int layer = next_layer_ + static_cast<int>(item / codecs_.size());
  const int chunk = static_cast<int>(item % codecs_.size());
  item_statuses_[item] = guarded("a KV cache", [&] { return fetch_decode_place(layer, chunk, worker); });
}

std::span<const Status> LayerPlacer::place(int layer, const CancelToken& cancel) {
  if (cancel.cancelled()) return {};
  if (layer < next_layer_) return statuses_;
  trace::Span span("wait for kv", "kv", layer);
  const Clock::time_point begin = Clock::now();
  const size_t n_items = static_cast<size_t>(end_of_next(layer) - next_layer_) * codecs_.size();
  item_statuses_.assign(n_items, {});
  pool_.parallel_for(n_items, 1, [&](int worker, size_t first, size_t end) {
    for (size_t item = first; item < end && !cancel.cancelled(); ++item) {
      run_item(item, workers_[static_cast<size_t>(worker)]);
    }
  });
  for (size_t item = 0; item < n_items; ++item) {
    Status& status = statuses_[item % codecs_.size()];
    if (status.ok()) status = std::move(item_statuses_[item]);
  }
  next_layer_ += static_cast<int>(n_items / codecs_.size());
  for (Worker& worker : workers_) stats_.add(std::exchange(worker.stats, {}));
  stats_.wait_ms += milliseconds_since(begin);
  return cancel.cancelled() ? std::span<const Status>() : statuses_;
}

}  // namespace mneme::engine
