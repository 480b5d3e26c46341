#include "rag/kv_reuse/adaptive_streamer.h"

#include <algorithm>
#include <chrono>

#include "base/trace.h"
#include "storage/chunks/chunk_stream.h"

namespace mneme::rag {
namespace {

using Clock = std::chrono::steady_clock;

class Streamer {
 public:
  Streamer(std::span<const LevelledChunk> chunks, const AdaptiveStreamOptions& options, const LayerConsumer& on_layer,
           const TextConsumer& on_text)
      : chunks_(chunks),
        options_(options),
        on_layer_(on_layer),
        on_text_(on_text),
        meter_(options.meter != nullptr ? *options.meter : own_meter_) {
    for (const LevelledChunk& chunk : chunks) choices_.push_back(chunk.options());
  }

  Result<AdaptiveStreamReport> run(const CancelToken& cancel) {
    for (size_t i = 0; i < chunks_.size(); ++i) {
      if (cancel.cancelled()) return cancelled();
      MNEME_RETURN_IF_ERROR(bring(static_cast<int>(i), choose(i)));
    }
    report_.seconds = elapsed();
    report_.in_time = report_.seconds <= options_.goal.seconds;
    return std::move(report_);
  }

 private:
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  StreamForm choose(size_t next) const {
    if (options_.fixed) {
      const bool stored = options_.fixed->is_text() || choices_[next].level_bytes[level_index(*options_.fixed)] > 0;
      return stored ? *options_.fixed : StreamForm{};
    }
    const double now = elapsed();
    const StreamState state{now, now, now, meter_.bytes_per_second()};
    return plan_stream(std::span(choices_).subspan(next), state, options_.goal).forms.front();
  }

  static size_t level_index(StreamForm form) { return static_cast<size_t>(*form.level); }

  Status bring(int chunk, StreamForm form) {
    const trace::Span span(form.is_text() ? "chunk from text" : "chunk from store", "kv", chunk);
    if (!form.is_text()) {
      const Status status = load(chunk, form);
      if (status.ok()) {
        report_.forms.push_back(form);
        report_.loss += choices_[static_cast<size_t>(chunk)].n_tokens * options_.goal.loss[level_index(form)];
        return {};
      }
      report_.failed.push_back(chunk);  // damaged or gone: the text is always there
    }
    report_.forms.push_back({});
    return on_text_(chunk);
  }

  Status load(int chunk, StreamForm form) {
    const size_t level = level_index(form);
    const auto& stored = chunks_[static_cast<size_t>(chunk)].stored[level];
    const engine::KvCodec* const codec = options_.codecs[level];
    if (codec == nullptr) return usage_error("a stored KV level has no codec");
    storage::ChunkStreamOptions stream_options;
    stream_options.meter = &meter_;
    stream_options.direct_io = options_.direct_io;
    if (options_.throttle != nullptr) {
      stream_options.bandwidth = options_.throttle->as_function(options_.throttle_start + elapsed());
    }
    MNEME_ASSIGN_OR_RETURN(const auto stream, storage::ChunkStream::start({stored}, stream_options));
    const int n_tokens = static_cast<int>(stored->info().token_ids.size());
    const size_t elements = static_cast<size_t>(n_tokens) * static_cast<size_t>(codec->shape().kv_dim());
    keys_.resize(elements);
    values_.resize(elements);
    for (int layer = 0; layer < stored->n_layers(); ++layer) {
      MNEME_RETURN_IF_ERROR(stream->fetch(0, layer, encoded_));
      report_.bytes_read += encoded_.size();
      const trace::Span span("decode", "kv", layer);
      MNEME_RETURN_IF_ERROR(codec->decode_layer(layer, n_tokens, encoded_, keys_, values_));
      on_layer_(chunk, layer, keys_, values_);
    }
    return {};
  }

  const std::span<const LevelledChunk> chunks_;
  const AdaptiveStreamOptions& options_;
  const LayerConsumer& on_layer_;
  const TextConsumer& on_text_;
  storage::ThroughputMeter own_meter_;
  storage::ThroughputMeter& meter_;
  std::vector<StreamChunk> choices_;
  const Clock::time_point began_ = Clock::now();
  AdaptiveStreamReport report_;
  std::vector<std::byte> encoded_;
  std::vector<f16> keys_, values_;
};

}  // namespace

StreamChunk LevelledChunk::options() const {
  StreamChunk chunk;
  chunk.decode_seconds = decode_seconds;
  chunk.recompute_seconds = recompute_seconds;
  for (size_t level = 0; level < stored.size(); ++level) {
    if (stored[level] == nullptr) continue;
    chunk.n_tokens = static_cast<int>(stored[level]->info().token_ids.size());
    for (const storage::LayerSegment& layer : stored[level]->header().layers) {
      chunk.level_bytes[level] += layer.size_bytes;
    }
  }
  return chunk;
}

Result<AdaptiveStreamReport> stream_adaptively(std::span<const LevelledChunk> chunks,
                                               const AdaptiveStreamOptions& options, const LayerConsumer& on_layer,
                                               const TextConsumer& on_text, const CancelToken& cancel) {
  return Streamer(chunks, options, on_layer, on_text).run(cancel);
}

}  // namespace mneme::rag
