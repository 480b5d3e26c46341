#include "engine/fusion/fusion_attempt.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "base/trace.h"
#include "engine/backend/attention_precision.h"
#include "engine/fusion/row_scores.h"
#include "engine/fusion/word_starts.h"

namespace mneme::engine {
namespace {

// The source restricted to the chunks a layout uses, in its order: repeats and reordering cost nothing.
class PlacedSource final : public KvSource {
 public:
  PlacedSource(KvSource& source, const std::vector<PlacedChunk>& chunks) : source_(source), chunks_(chunks) {}
  int n_chunks() const override { return static_cast<int>(chunks_.size()); }
  ChunkKvInfo chunk(int chunk) const override { return source_.chunk(at(chunk)); }
  Status fetch_layer(int chunk, int layer, std::vector<std::byte>& out) override {
    return source_.fetch_layer(at(chunk), layer, out);
  }
  bool is_ready(int chunk, int layer) const override { return source_.is_ready(at(chunk), layer); }

 private:
  int at(int chunk) const { return chunks_[static_cast<size_t>(chunk)].source; }
  KvSource& source_;
  const std::vector<PlacedChunk>& chunks_;
};

}  // namespace

FusionAttempt::FusionAttempt(LanguageModel& model, Sequence& sequence, const FusionRows& layout, KvSource& source,
                             std::span<const KvCodec* const> codecs, const FuseOptions& options,
                             const CancelToken& cancel)
    : model_(model),
      config_(model.config()),
      sequence_(sequence),
      layout_(layout),
      options_(options),
      cancel_(cancel),
      n_layers_(config_.n_kv_layers()),
      n_full_layers_(std::clamp(options.n_full_layers, 0, n_layers_)),
      shares_(layer_shares(options.selector, n_layers_, options.ratio, n_full_layers_)),
      placed_(std::make_unique<PlacedSource>(source, layout.chunks)) {
  for (const PlacedChunk& chunk : layout.chunks) codecs_.push_back(codecs[static_cast<size_t>(chunk.source)]);
}

// Attention multiplies no finer than what it reads was stored.
bool FusionAttempt::may_be_coarse() const {
  return options_.ratio < 1.0 && !is_all_computed() &&
         std::all_of(
             codecs_.begin(), codecs_.end(), [](const KvCodec* codec) { return codec->level() >= KvLevel::kMedium; });
}

bool FusionAttempt::must_look() const {
  return looks_first(options_.selector, options_.ratio) && layout_.n_chunk_rows > 0;
}

std::vector<int> FusionAttempt::all_rows() const {
  std::vector<int> all(layout_.rows.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

int FusionAttempt::n_current_chunk_rows() const {
  return static_cast<int>(std::count_if(current_.begin(), current_.end(),
                                        [&](int row) { return layout_.rows[static_cast<size_t>(row)].chunk >= 0; }));
}

std::vector<Candidate> FusionAttempt::scored_candidates(const std::vector<int>& among) const {
  std::vector<Candidate> candidates = candidates_of(layout_, among);
  for (Candidate& c : candidates) c.score = scores_[static_cast<size_t>(among[static_cast<size_t>(c.row)])];
  return candidates;
}

// What is known of the rows before any of them is computed.
Status FusionAttempt::score_rows(FuseReport& report) {
  scores_.assign(layout_.rows.size(), 0.0f);
  if (must_look()) return look(report);
  if (options_.selector.rank != RankBy::kRandom) return {};
  Random random(options_.seed);
  for (size_t row = 0; row < scores_.size(); ++row) {
    if (layout_.rows[row].chunk >= 0) scores_[row] = static_cast<float>(random.uniform());
  }
  return {};
}

void FusionAttempt::start_loading() {
  // Where every row of the first layer is computed and nothing is compared with it, its stored KV is never read.
  const bool first_is_fresh = options_.ratio < 1.0 && shares_.front() >= 1.0 && !must_look();
  first_loaded_layer_ = std::max(n_full_layers_, first_is_fresh ? 1 : 0);
  ThreadPool* const pool = options_.decode_beside ? nullptr : model_.backend().host_threads();
  if (pool != nullptr) {
    placer_ = std::make_unique<LayerPlacer>(*placed_, codecs_, n_layers_, first_loaded_layer_, *pool,
                                            [this](int layer, int chunk, std::span<const f16> keys,
                                                   std::span<const f16> values) { place(layer, chunk, keys, values); });
    return;
  }
  LayerLoaderOptions options{
      .n_threads = options_.n_loader_threads, .depth = options_.read_ahead_layers, .first_layer = first_loaded_layer_};
  encoded_placer_ = sequence_.kv().place_encoded(0);
  if (encoded_placer_ != nullptr) {
    options.leaves_encoded = [&placer = *encoded_placer_](int layer, const KvCodec& codec) {
      return placer.takes(layer, codec);
    };
  }
  loader_ = std::make_unique<LayerLoader>(*placed_, codecs_, n_layers_, options);
}

Status FusionAttempt::begin(std::vector<int> current) {
  current_ = std::move(current);
  std::vector<TokenPos> positions;
  std::vector<TokenId> ids;
  for (const int row : current_) {
    positions.push_back(layout_.rows[static_cast<size_t>(row)].position);
    ids.push_back(layout_.rows[static_cast<size_t>(row)].id);
  }
  const RowGroup group{&sequence_.kv(), 0, static_cast<int>(current_.size())};
  return pass_->begin(RowSet{positions, std::span(&group, 1)}, ids);
}

void FusionAttempt::keep(const std::vector<int>& kept) {
  if (kept.size() == current_.size()) return;
  std::vector<int> remaining;
  remaining.reserve(kept.size());
  for (const int i : kept) remaining.push_back(current_[static_cast<size_t>(i)]);
  current_ = std::move(remaining);
  pass_->keep_rows(kept);
}

const RopeConfig* FusionAttempt::rope_of(int layer) const {
  const LayerConfig& layer_config = config_.layers[static_cast<size_t>(layer)];
  const bool rotates = layer_config.uses_rope && !config_.ropes.empty();
  return rotates ? &config_.ropes[static_cast<size_t>(layer_config.rope_index)] : nullptr;
}

void FusionAttempt::place(int layer, int chunk, std::span<const f16> keys, std::span<const f16> values) {
  const PlacedChunk& placed = layout_.chunks[static_cast<size_t>(chunk)];
  sequence_.kv().place(layer, placed.first, placed.n_tokens, keys, values, rope_of(layer));
}

Status FusionAttempt::fail(size_t chunk, const Status& status) {
  failure_ = ChunkFailure{layout_.chunks[chunk].source, status};
  return status;
}

Status FusionAttempt::place_layer(int layer) {
  if (placer_) {
    const std::span<const Status> statuses = placer_->place(layer, cancel_);
    if (statuses.empty()) return cancelled();
    for (size_t c = 0; c < statuses.size(); ++c) {
      if (!statuses[c].ok()) return fail(c, statuses[c]);
    }
    return {};
  }
  const std::span<const ChunkLayer> chunks = loader_->acquire(layer, cancel_);
  if (chunks.empty()) return cancelled();
  trace::Span span("place", "kv", layer);
  for (size_t c = 0; c < chunks.size(); ++c) {
    if (!chunks[c].status.ok()) return fail(c, chunks[c].status);
    if (!chunks[c].is_encoded()) place(layer, static_cast<int>(c), chunks[c].keys, chunks[c].values);
  }
  MNEME_RETURN_IF_ERROR(place_encoded(layer, chunks));
  loader_->release(layer);
  return {};
}

// What the device decodes, all of a layer at once.
Status FusionAttempt::place_encoded(int layer, std::span<const ChunkLayer> chunks) {
  std::vector<EncodedChunk> encoded;
  std::vector<size_t> numbers;
  for (size_t c = 0; c < chunks.size(); ++c) {
    if (!chunks[c].is_encoded()) continue;
    encoded.push_back({chunks[c].coded, layout_.chunks[c].first, layout_.chunks[c].n_tokens});
    numbers.push_back(c);
  }
  if (encoded.empty()) return {};
  trace::Span span("decode on the device", "kv", layer);
  const std::vector<Status> statuses = encoded_placer_->place(layer, encoded, rope_of(layer));
  for (size_t i = 0; i < statuses.size(); ++i) {
    if (!statuses[i].ok()) return fail(numbers[i], statuses[i]);
  }
  return {};
}

// What only decoding could find out: with checksums that hold, nothing.
Status FusionAttempt::finish_decoding(FuseReport& report) {
  if (encoded_placer_ == nullptr) return {};
  MNEME_ASSIGN_OR_RETURN(const DeviceDecoding decoding, encoded_placer_->finish());
  report.bytes_decoded += decoding.bytes_decoded;
  report.bytes_decoded_on_device += decoding.bytes_decoded;
  report.decode_ms += decoding.decode_ms;
  for (const TokenPos first : decoding.damaged) {
    for (size_t c = 0; c < layout_.chunks.size(); ++c) {
      if (layout_.chunks[c].first == first) return fail(c, corruption("an encoded KV layer is damaged"));
    }
  }
  return {};
}

// Compares the stored KV, placed before, with the fresh KV that project() writes over it, and keeps the rows that
// differ most.
Status FusionAttempt::project_and_narrow(int layer, int budget) {
  const KvCache& cache = sequence_.kv();
  MNEME_ASSIGN_OR_RETURN(const LayerSnapshot stored, snapshot_layer(config_, cache, layer, first_position(), n_rows()));
  pass_->project(layer);
  MNEME_RETURN_IF_ERROR(model_.backend().synchronize());
  MNEME_ASSIGN_OR_RETURN(const LayerSnapshot fresh, snapshot_layer(config_, cache, layer, first_position(), n_rows()));
  const std::vector<float> deviation = kv_deviation(stored, fresh, n_rows());
  std::vector<Candidate> candidates = candidates_of(layout_, current_);
  for (Candidate& c : candidates) {
    c.score = deviation[static_cast<size_t>(current_[static_cast<size_t>(c.row)])];
  }
  keep(rows_to_keep(layout_, current_, options_.selector, candidates, budget, options_.ratio));
  return {};
}

// Summed with the prefix: what a head pays to that says nothing about the chunks.
Status FusionAttempt::add_question_scores(int layer) {
  const std::vector<int> looking = looking_rows(layout_, current_, options_.selector);
  if (sums_ != nullptr) {
    const Status on_device = sums_->add(config_, layer, pass_->rows(), looking, pass_->queries());
    if (on_device.code() != StatusCode::kUnsupported) return on_device;
  }
  std::vector<float> mass(static_cast<size_t>(first_position() + n_rows()));
  MNEME_RETURN_IF_ERROR(add_mass_on_host(layer, looking, mass));
  add_to_scores(mass);
  return {};
}

Status FusionAttempt::take_question_scores() {
  const std::unique_ptr<AttentionSums> sums = std::move(sums_);
  if (sums == nullptr) return {};
  std::vector<float> mass(static_cast<size_t>(first_position() + n_rows()));
  MNEME_RETURN_IF_ERROR(sums->take(mass));
  add_to_scores(mass);
  return {};
}

void FusionAttempt::add_to_scores(std::span<const float> mass) {
  const std::span<const float> of_rows = mass.subspan(static_cast<size_t>(first_position()));
  for (size_t row = 0; row < scores_.size(); ++row) scores_[row] += of_rows[row];
}

Status FusionAttempt::add_mass_on_host(int layer, std::span<const int> looking, std::span<float> mass) {
  const auto width = static_cast<size_t>(config_.heads(layer).q_dim());
  std::vector<float> all(current_.size() * width);
  MNEME_RETURN_IF_ERROR(model_.backend().read(pass_->queries(), static_cast<int>(current_.size()), all));
  std::vector<float> queries;
  std::vector<int> positions;
  for (const int row : looking) {
    const auto i = static_cast<size_t>(row);
    positions.push_back(layout_.rows[static_cast<size_t>(current_[i])].position);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(i * width);
    queries.insert(queries.end(), first, first + static_cast<std::ptrdiff_t>(width));
  }
  MNEME_ASSIGN_OR_RETURN(const LayerSnapshot keys,
                         snapshot_keys(config_, sequence_.kv(), layer, 0, static_cast<int>(mass.size())));
  add_attention_mass(config_, queries, positions, keys, config_.layers[static_cast<size_t>(layer)].sliding_window,
                     mass);
  return {};
}

void FusionAttempt::count_rows(FuseReport& report) const {
  report.row_layers += static_cast<int64_t>(current_.size());
  for (const TokenPos position : pass_->rows().positions) report.key_layers += position + 1;
}

// The first layers of all that is always computed, over the stored KV: whom does the question attend to? What is placed
// stays; what is computed here is computed again, over the repaired rows. Where the first layers were computed for all
// rows, it reads there what they are, and on as many layers in all as otherwise: its attention counts where it reads
// facts off the passages, and that is the same depth. All rows wait for it meanwhile, in their own pass.
Status FusionAttempt::look(FuseReport& report) {
  std::vector<int> waiting = current_;
  if (look_pass_ != nullptr) std::swap(pass_, look_pass_);
  MNEME_RETURN_IF_ERROR(begin(rows_to_keep(layout_, all_rows(), options_.selector, {}, 0, 0.0)));
  if (options_.selector.whole_words) find_words();  // the first layer is still being read
  sums_ = model_.backend().sum_attention(first_position() + n_rows());
  const LookLayers looked = look_layers(options_.selector, n_layers_);
  MNEME_RETURN_IF_ERROR(look_through_layers(looked, report));
  n_placed_layers_ = looked.end;
  MNEME_RETURN_IF_ERROR(take_question_scores());
  for (const PlacedChunk& chunk : layout_.chunks) widen_scores(chunk);
  if (look_pass_ != nullptr) std::swap(pass_, look_pass_);
  current_ = std::move(waiting);
  return {};
}

Status FusionAttempt::look_through_layers(const LookLayers& looked, FuseReport& report) {
  for (int layer = 0; layer < looked.end; ++layer) {
    if (cancel_.cancelled()) return cancelled();
    // Of rows that no chunk has, so that it can be done before the chunks are there: the first ones are still being
    // read.
    pass_->project(layer);
    if (layer >= first_loaded_layer_) MNEME_RETURN_IF_ERROR(place_layer(layer));
    trace::Span span("look", "layer", layer);
    if (layer >= looked.first_scored) MNEME_RETURN_IF_ERROR(add_question_scores(layer));
    if (layer + 1 == looked.end) break;
    count_rows(report);
    pass_->finish(layer);
  }
  return {};
}

void FusionAttempt::find_words() {
  word_starts_.assign(layout_.rows.size(), 0);
  for (const PlacedChunk& chunk : layout_.chunks) {
    const auto first = static_cast<size_t>(chunk.first - first_position());
    const auto n = static_cast<size_t>(chunk.n_tokens);
    std::vector<TokenId> ids;
    ids.reserve(n);
    for (const auto& row : std::span(layout_.rows).subspan(first, n)) ids.push_back(row.id);
    const std::vector<uint8_t> starts = word_starts(model_.tokenizer(), ids);
    std::copy(starts.begin(), starts.end(), word_starts_.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

// What is looked at, with what belongs to it.
void FusionAttempt::widen_scores(const PlacedChunk& chunk) {
  const auto first = static_cast<size_t>(chunk.first - first_position());
  const auto n = static_cast<size_t>(chunk.n_tokens);
  std::span<const uint8_t> starts;
  if (options_.selector.whole_words) starts = std::span(word_starts_).subspan(first, n);
  mneme::engine::widen_scores(options_.selector, starts, std::span(scores_).subspan(first, n));
}

Status FusionAttempt::run_layer(int layer, FuseReport& report) {
  if (cancel_.cancelled()) return cancelled();
  trace::Span span("compute", "layer", layer);
  const int n_before = n_current_chunk_rows();
  report.recomputed_pairs += n_before;
  count_rows(report);
  for (const int row : current_) ++report.layers_computed[static_cast<size_t>(row)];
  const bool last = layer + 1 == n_layers_;
  const int n_after = last ? n_before : budget(shares_[static_cast<size_t>(layer) + 1]);
  if (n_after >= n_before || layer < first_loaded_layer_) {  // what is not loaded cannot be compared with
    pass_->project(layer);
  } else if (options_.selector.rank == RankBy::kDeviation) {
    MNEME_RETURN_IF_ERROR(project_and_narrow(layer, n_after));
  } else {
    pass_->project(layer);
    keep(rows_to_keep(layout_, current_, options_.selector, scored_candidates(current_), n_after, options_.ratio));
  }
  // Behind the last keys and values only the last row is asked for.
  if (last) keep({static_cast<int>(current_.size()) - 1});
  pass_->finish(layer);
  return {};
}

Status FusionAttempt::run_layers(int first_layer, FuseReport& report) {
  const int first_to_place = std::max(first_loaded_layer_, n_placed_layers_);
  for (int layer = first_layer; layer < n_layers_; ++layer) {
    if (loads() && layer >= first_to_place) MNEME_RETURN_IF_ERROR(place_layer(layer));
    MNEME_RETURN_IF_ERROR(run_layer(layer, report));
  }
  MNEME_RETURN_IF_ERROR(run_last_row());
  if (loads()) count_loading(report);
  return {};
}

// Through the layers that read the keys and values of others. One row is not worth counting.
Status FusionAttempt::run_last_row() {
  for (int layer = n_layers_; layer < config_.n_layers; ++layer) {
    if (cancel_.cancelled()) return cancelled();
    pass_->run_layer(layer);
  }
  return {};
}

void FusionAttempt::count_loading(FuseReport& report) const {
  const LoadingStats stats = placer_ ? placer_->stats() : loader_->stats();
  report.bytes_read += stats.bytes_read;
  report.bytes_decoded += stats.bytes_decoded;
  report.decode_ms += stats.decode_ms;
  report.wait_ms += stats.wait_ms;
  if (loader_) report.beside_ms += std::max(stats.decode_ms - stats.wait_ms, 0.0);
}

// What runs at once: the first layer has the largest share, and a look has none of the chunks' rows.
int FusionAttempt::most_rows() const {
  if (is_all_computed()) return std::min(n_rows(), model_.backend().most_step_rows());
  return n_rows() - layout_.n_chunk_rows + std::min(layout_.n_chunk_rows, budget(shares_.front()));
}

// Where nothing is loaded, a plain prefill: a long prompt all at once would take memory for all of its rows.
Status FusionAttempt::run_in_steps(FuseReport& report) {
  for (int first = 0; first < n_rows(); first += most_rows()) {
    std::vector<int> rows(static_cast<size_t>(std::min(most_rows(), n_rows() - first)));
    std::iota(rows.begin(), rows.end(), first);
    MNEME_RETURN_IF_ERROR(begin(std::move(rows)));
    MNEME_RETURN_IF_ERROR(run_layers(0, report));
  }
  return {};
}

// Before anything is read or computed, so that neither waits for it.
Status FusionAttempt::make_room_for_look() {
  if (n_full_layers_ == 0 || !must_look()) return {};
  MNEME_ASSIGN_OR_RETURN(look_pass_, pass_->beside(n_rows() - layout_.n_chunk_rows));
  return {};
}

// The first layers of all rows, while what is stored of the others is read. Of the last of them only K and V are needed
// of all rows: those that are not chosen end there. Exact, whatever is stored.
Status FusionAttempt::run_full_layers(FuseReport& report) {
  const int last = n_full_layers_ - 1;
  MNEME_RETURN_IF_ERROR(begin(all_rows()));
  for (int layer = 0; layer < n_full_layers_; ++layer) {
    if (cancel_.cancelled()) return cancelled();
    trace::Span span("compute", "layer", layer);
    report.recomputed_pairs += layout_.n_chunk_rows;
    for (int& depth : report.layers_computed) ++depth;
    pass_->project(layer);
    if (layer == last) break;
    count_rows(report);
    pass_->finish(layer);
  }
  report.row_layers += std::lround(kProjectionShare * n_rows());
  return {};
}

// Over stored KV: chosen rows and all that no chunk has.
Status FusionAttempt::run_chosen(FuseReport& report) {
  MNEME_RETURN_IF_ERROR(make_room_for_look());
  start_loading();
  if (n_full_layers_ > 0) MNEME_RETURN_IF_ERROR(run_full_layers(report));
  {
    const CoarseAttention precision(may_be_coarse());
    MNEME_RETURN_IF_ERROR(score_rows(report));
  }
  const std::vector<int> all = all_rows();
  const std::vector<int> chosen = rows_to_keep(layout_, all, options_.selector, scored_candidates(all),
                                               budget(shares_[static_cast<size_t>(n_full_layers_)]), options_.ratio);
  if (n_full_layers_ == 0) {
    MNEME_RETURN_IF_ERROR(begin(chosen));
  } else {
    keep(chosen);
    count_rows(report);
    pass_->finish(n_full_layers_ - 1);
  }
  const CoarseAttention precision(may_be_coarse());
  return run_layers(n_full_layers_, report);
}

Status FusionAttempt::run(FuseReport& report, std::vector<float>& logits) {
  MNEME_ASSIGN_OR_RETURN(pass_, model_.forward_pass(most_rows()));
  MNEME_RETURN_IF_ERROR(sequence_.kv().reserve(first_position() + n_rows()));
  report.layers_computed.assign(layout_.rows.size(), 0);
  report.full_layers = codecs_.empty() ? 0 : n_full_layers_;
  MNEME_RETURN_IF_ERROR(is_all_computed() ? run_in_steps(report) : run_chosen(report));
  const int last = static_cast<int>(current_.size()) - 1;
  MNEME_RETURN_IF_ERROR(pass_->logits(std::span(&last, 1), logits));
  return finish_decoding(report);
}

}  // namespace mneme::engine
