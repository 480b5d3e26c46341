#include "engine/backend/cuda/kv_encoder.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/backend/cuda/twin_memory.h"

namespace mneme::engine::cuda {
namespace {

constexpr std::string_view kDoing = "encoding keys and values";
constexpr size_t kStateBytes = kRansLanes * sizeof(uint32_t);
// Of calibrated models one number in some thousand is an exception, of KV unlike what was calibrated with some more.
constexpr int kNumbersOfException = 16;
constexpr int kLeastExceptions = 256;

struct LayerResult {
  int scale = 0;
  int n_exceptions = 0;
  int is_not_finite = 0;
};

}  // namespace

// Some layers of a chunk, on their way.
class KvEncoder::Batch {
 public:
  // As many layers from `begin` on as the working memory takes, one at least.
  Batch(const TransformCodec& codec, const EncodingTables& tables, const EncodedRange& range, int begin,
        size_t most_scratch_bytes)
      : codec_(codec), tables_(tables), range_(range), begin_(begin), end_(begin) {
    while (end_ < codec.shape().n_layers && (end_ == begin_ || scratch_bytes_ + bytes_of(end_) <= most_scratch_bytes))
      add_layer(end_++);
  }

  int end() const { return end_; }
  int n_layers() const { return end_ - begin_; }
  int layer(int i) const { return begin_ + i; }
  int n_streams() const { return static_cast<int>(streams_.size()); }
  size_t uploaded_bytes() const {
    return TwinMemory::bytes_of<AnalysisJob>(layers_.size()) + TwinMemory::bytes_of<QuantisedStream>(streams_.size()) +
           TwinMemory::bytes_of<RansEncodeJob>(streams_.size());
  }
  size_t scratch_bytes() const { return scratch_bytes_; }
  size_t result_bytes() const {
    return TwinMemory::bytes_of<LayerResult>(layers_.size()) + TwinMemory::bytes_of<uint32_t>(streams_.size());
  }

  // Lays out everything; `uploaded`: what is to be copied up.
  void lay_out(std::byte* uploaded_device, std::byte* scratch, std::byte* results, std::vector<std::byte>& uploaded);
  AnalysisCall analysis() const;
  const RansEncodeJob* rans_jobs() const { return rans_.device; }
  std::span<std::byte> results() { return results_; }
  // What is known once the results are there.
  bool has_room_for_exceptions() const;
  bool is_finite() const;
  // Exceptions, states and words of all layers, in the order in which write_payload() takes them.
  std::vector<GatheredPiece> pieces() const;
  // Takes a layer's pieces from the front of `gathered`.
  // False, and nothing written, where a number is beyond what the codec can say.
  bool write_payload(int i, ByteSpan& gathered, std::vector<std::byte>& payload) const;

 private:
  struct Layer {
    int first_stream = 0;
    int n_streams = 0;
    int most_exceptions = 0;
  };
  struct Stream {
    TransformStream at;
    int layer = 0;  // of the batch
    size_t n_symbols = 0;
  };

  const TransformPlan& plan(int layer) const { return codec_.plan(layer); }
  size_t numbers_of(int layer) const {
    return static_cast<size_t>(plan(layer).row) * static_cast<size_t>(range_.n_tokens);
  }
  int most_exceptions_of(int layer) const {
    return kLeastExceptions + static_cast<int>(numbers_of(layer) / kNumbersOfException);
  }
  int streams_of(int layer) const { return transform_stream_count(range_.n_tokens, plan(layer).row); }
  size_t bytes_of(int layer) const;
  void add_layer(int layer);
  void lay_out_layer(int i, TwinMemory& scratch);
  void lay_out_stream(int s, TwinMemory& scratch);

  const TransformCodec& codec_;
  const EncodingTables& tables_;
  const EncodedRange& range_;
  const int begin_;
  int end_;
  std::vector<Layer> layers_;
  std::vector<Stream> streams_;
  size_t scratch_bytes_ = 0;
  TwinMemory::Array<AnalysisJob> jobs_;
  TwinMemory::Array<QuantisedStream> quantised_;
  TwinMemory::Array<RansEncodeJob> rans_;
  std::vector<std::byte> results_;
  TwinMemory::Array<LayerResult> layer_results_;
  TwinMemory::Array<uint32_t> n_words_;
};

size_t KvEncoder::Batch::bytes_of(int layer) const {
  size_t n_bytes = TwinMemory::bytes_of<float>(numbers_of(layer)) +
                   TwinMemory::bytes_of<FoundException>(static_cast<size_t>(most_exceptions_of(layer)));
  const int n_streams = streams_of(layer);
  for (int s = 0; s < n_streams; ++s) {
    const int n_tokens = transform_stream_at(range_.n_tokens, n_streams, s, plan(layer).row).n_tokens;
    const size_t n_symbols = plan(layer).symbols(n_tokens);
    n_bytes += TwinMemory::bytes_of<uint8_t>(n_symbols) + TwinMemory::bytes_of<uint16_t>(n_symbols) +
               TwinMemory::bytes_of<uint32_t>(kRansLanes);
  }
  return n_bytes;
}

void KvEncoder::Batch::add_layer(int layer) {
  const int n_streams = streams_of(layer);
  scratch_bytes_ += bytes_of(layer);
  layers_.push_back({static_cast<int>(streams_.size()), n_streams, most_exceptions_of(layer)});
  for (int s = 0; s < n_streams; ++s) {
    const TransformStream at = transform_stream_at(range_.n_tokens, n_streams, s, plan(layer).row);
    streams_.push_back({at, layer - begin_, plan(layer).symbols(at.n_tokens)});
  }
}

void KvEncoder::Batch::lay_out_layer(int i, TwinMemory& scratch) {
  const EncodingTables::Layer& tables = tables_.layer(layer(i));
  const TransformCodec::Judging judging = codec_.judging(layer(i), range_.n_tokens);
  const Layer& own = layers_[static_cast<size_t>(i)];
  LayerResult* const result = layer_results_.device + i;
  jobs_.host[i] = {.groups = tables.groups,
                   .steps = tables.steps,
                   .reach = tables.reach,
                   .tables = tables.tables,
                   .components = scratch.take<float>(numbers_of(layer(i))).device,
                   .exceptions = scratch.take<FoundException>(static_cast<size_t>(own.most_exceptions)).device,
                   .n_exceptions = &result->n_exceptions,
                   .scale = &result->scale,
                   .is_not_finite = &result->is_not_finite,
                   .budget = judging.budget,
                   .stride = judging.stride,
                   .n_judging = judging.n_tokens,
                   .layer = layer(i),
                   .row = plan(layer(i)).row,
                   .most_exceptions = own.most_exceptions};
}

void KvEncoder::Batch::lay_out_stream(int s, TwinMemory& scratch) {
  const Stream& stream = streams_[static_cast<size_t>(s)];
  const int layer = begin_ + stream.layer;
  uint8_t* const symbols = scratch.take<uint8_t>(stream.n_symbols).device;
  quantised_.host[s] = {.symbols = symbols,
                        .n_symbols = static_cast<uint32_t>(stream.n_symbols),
                        .job = stream.layer,
                        .first_token = stream.at.first_token,
                        .n_tokens = stream.at.n_tokens};
  rans_.host[s] = {.steps = tables_.steps(),
                   .tables = tables_.layer(layer).tables,
                   .symbols = symbols,
                   .words = scratch.take<uint16_t>(stream.n_symbols).device,
                   .states = scratch.take<uint32_t>(kRansLanes).device,
                   .n_words = n_words_.device + s,
                   .n_steps = static_cast<uint32_t>(stream.n_symbols / kRansLanes),
                   .n_tables = static_cast<uint32_t>(plan(layer).row),
                   .run = static_cast<uint32_t>(stream.at.n_tokens)};
}

void KvEncoder::Batch::lay_out(std::byte* uploaded_device, std::byte* scratch, std::byte* results,
                               std::vector<std::byte>& uploaded) {
  uploaded.resize(uploaded_bytes());
  results_.resize(result_bytes());
  TwinMemory jobs(uploaded.data(), uploaded_device);
  jobs_ = jobs.take<AnalysisJob>(layers_.size());
  quantised_ = jobs.take<QuantisedStream>(streams_.size());
  rans_ = jobs.take<RansEncodeJob>(streams_.size());
  TwinMemory found(results_.data(), results);
  layer_results_ = found.take<LayerResult>(layers_.size());
  n_words_ = found.take<uint32_t>(streams_.size());
  TwinMemory working(scratch, scratch);  // the device's alone
  for (int i = 0; i < n_layers(); ++i) lay_out_layer(i, working);
  for (int s = 0; s < n_streams(); ++s) lay_out_stream(s, working);
}

AnalysisCall KvEncoder::Batch::analysis() const {
  AnalysisCall call{.kv = range_.view,
                    .first = range_.first,
                    .n_tokens = range_.n_tokens,
                    .n_groups = static_cast<int>(plan(begin_).groups.size()),
                    .group_dim = codec_.profile()->group_dim,
                    .jobs = jobs_.device,
                    .n_jobs = n_layers(),
                    .streams = quantised_.device,
                    .n_streams = n_streams(),
                    .step_scales = tables_.step_scales(),
                    .costs = tables_.costs()};
  for (int i = 0; i < n_layers(); ++i) call.widest_row = std::max(call.widest_row, plan(layer(i)).row);
  for (const Stream& stream : streams_) call.most_stream_tokens = std::max(call.most_stream_tokens, stream.at.n_tokens);
  return call;
}

bool KvEncoder::Batch::has_room_for_exceptions() const {
  for (int i = 0; i < n_layers(); ++i)
    if (layer_results_.host[i].n_exceptions > layers_[static_cast<size_t>(i)].most_exceptions) return false;
  return true;
}

bool KvEncoder::Batch::is_finite() const {
  return std::all_of(layer_results_.host, layer_results_.host + n_layers(),
                     [](const LayerResult& result) { return result.is_not_finite == 0; });
}

std::vector<GatheredPiece> KvEncoder::Batch::pieces() const {
  std::vector<GatheredPiece> pieces;
  const auto add = [&](const auto* from, size_t n) {
    const size_t n_halves = n * sizeof(*from) / sizeof(uint16_t);
    pieces.push_back({reinterpret_cast<const uint16_t*>(from), nullptr, static_cast<uint32_t>(n_halves)});
  };
  for (int i = 0; i < n_layers(); ++i) {
    add(jobs_.host[i].exceptions, static_cast<size_t>(layer_results_.host[i].n_exceptions));
    const Layer& own = layers_[static_cast<size_t>(i)];
    for (int s = own.first_stream; s < own.first_stream + own.n_streams; ++s) {
      const RansEncodeJob& job = rans_.host[s];
      const uint32_t n_words = n_words_.host[s];
      add(job.states, kRansLanes);
      add(job.words + (job.n_steps * kRansLanes - n_words), n_words);
    }
  }
  return pieces;
}

bool KvEncoder::Batch::write_payload(int i, ByteSpan& gathered, std::vector<std::byte>& payload) const {
  const auto take = [&](size_t n_bytes) {
    const ByteSpan taken = gathered.first(n_bytes);
    gathered = gathered.subspan(n_bytes);
    return taken;
  };
  const LayerResult& result = layer_results_.host[i];
  std::vector<FoundException> found(static_cast<size_t>(result.n_exceptions));
  const ByteSpan found_bytes = take(found.size() * sizeof(FoundException));
  std::copy(found_bytes.begin(), found_bytes.end(), std::as_writable_bytes(std::span(found)).begin());
  std::sort(found.begin(), found.end(),
            [](const FoundException& a, const FoundException& b) { return a.index < b.index; });
  std::vector<TransformException> exceptions;
  exceptions.reserve(found.size());
  for (const FoundException& one : found) exceptions.push_back({one.index, static_cast<int16_t>(one.value)});
  std::vector<ByteSpan> streams;
  const Layer& own = layers_[static_cast<size_t>(i)];
  for (int s = own.first_stream; s < own.first_stream + own.n_streams; ++s)
    streams.push_back(take(kStateBytes + n_words_.host[s] * sizeof(uint16_t)));
  if (!are_within_range(exceptions)) return false;
  write_transform_payload(result.scale, exceptions, streams, payload);
  return true;
}

const EncodingTables* KvEncoder::tables_of(const TransformCodec& codec) {
  constexpr size_t kMostTables = 3;  // a level, and those that are stored beside it
  for (const auto& tables : tables_)
    if (tables->is_of(codec)) return tables.get();
  if (tables_.size() == kMostTables) tables_.erase(tables_.begin());  // its memory was last used before a wait
  auto made = EncodingTables::make(device_, codec);
  if (!made.ok()) {
    device_.fail(made.status());
    return nullptr;
  }
  return tables_.emplace_back(std::move(*made)).get();
}

// In one piece down, from wherever they lie.
Status KvEncoder::gather(std::vector<GatheredPiece> pieces, std::vector<std::byte>& gathered) {
  const size_t n_jobs = TwinMemory::bytes_of<GatheredPiece>(pieces.size());
  size_t n_bytes = 0;
  for (const GatheredPiece& piece : pieces) n_bytes += piece.n_halves * sizeof(uint16_t);
  if (device_.grow(gathered_, n_jobs + n_bytes, kDoing)) {
    auto* to = reinterpret_cast<uint16_t*>(gathered_.as() + n_jobs);
    for (GatheredPiece& piece : pieces) piece.to = std::exchange(to, to + piece.n_halves);
    device_.upload(std::as_bytes(std::span(pieces)), gathered_.as(), device_.stream());
    device_.check(gather_pieces(device_.stream(), gathered_.as<GatheredPiece>(), static_cast<int>(pieces.size())),
                  kDoing);
  }
  gathered.resize(n_bytes);
  return device_.download(gathered_.as() + n_jobs, gathered, kDoing);
}

Status KvEncoder::run(Batch& batch, EncodedLayers& encoded) {
  const cudaStream_t stream = device_.stream();
  const bool has_memory = device_.grow(uploaded_, batch.uploaded_bytes(), kDoing) &&
                          device_.grow(scratch_, batch.scratch_bytes(), kDoing) &&
                          device_.grow(results_, batch.result_bytes(), kDoing);
  if (!has_memory) return device_.synchronize();
  std::vector<std::byte> jobs;
  batch.lay_out(uploaded_.as(), scratch_.as(), results_.as(), jobs);
  device_.check(cudaMemsetAsync(results_.as(), 0, batch.result_bytes(), stream), kDoing);
  device_.upload(jobs, uploaded_.as(), stream);
  const AnalysisCall call = batch.analysis();
  device_.check(analyse_kv(stream, call), kDoing);
  device_.check(choose_scales(stream, call), kDoing);
  device_.check(quantise_kv(stream, call), kDoing);
  device_.check(encode_rans(stream, batch.rans_jobs(), batch.n_streams()), kDoing);
  MNEME_RETURN_IF_ERROR(device_.download(results_.as(), batch.results(), kDoing));
  encoded.is_finite = encoded.is_finite && batch.is_finite();
  if (!batch.has_room_for_exceptions()) {
    encoded.layers.clear();
    return {};
  }
  std::vector<std::byte> bytes;
  MNEME_RETURN_IF_ERROR(gather(batch.pieces(), bytes));
  ByteSpan gathered(bytes);
  for (int i = 0; i < batch.n_layers(); ++i) {
    if (batch.write_payload(i, gathered, encoded.layers[static_cast<size_t>(batch.layer(i))])) continue;
    encoded.layers.clear();  // the codec says why, layer by layer
    return {};
  }
  return {};
}

Result<EncodedLayers> KvEncoder::encode(const TransformCodec& codec, const EncodedRange& range) {
  if (!device_.begin()) return device_.synchronize();
  const EncodingTables* const tables = tables_of(codec);
  if (tables == nullptr) return device_.synchronize();
  EncodedLayers encoded;
  encoded.layers.resize(static_cast<size_t>(codec.shape().n_layers));
  for (int layer = 0; layer < codec.shape().n_layers && !encoded.layers.empty();) {
    Batch batch(codec, *tables, range, layer, most_scratch_bytes_);
    MNEME_RETURN_IF_ERROR(run(batch, encoded));
    layer = batch.end();
  }
  return encoded;
}

}  // namespace mneme::engine::cuda
