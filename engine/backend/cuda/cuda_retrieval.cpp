#include "engine/backend/cuda/cuda_retrieval.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <string>

#include "base/stopwatch.h"
#include "base/trace.h"
#include "engine/backend/cuda/cuda_kv_cache.h"
#include "engine/backend/cuda/rounded_reach.h"
#include "engine/backend/kv_memory.h"

namespace mneme::engine::cuda {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPrepareEvery = 16;  // tokens that leave the window together
constexpr std::string_view kChoosing = "choosing keys";

const CudaKvCache& cache_of(const RowGroup& group) {
  return static_cast<const CudaKvCache&>(*group.cache);
}

// The retrieval of a group's only row; null: it attends to everything.
CudaRetrieval* retrieval_of(int layer, const RowSet& rows, const RowGroup& group) {
  CudaRetrieval* retrieval = cache_of(group).retrieval();
  if (group.n_rows != 1 || retrieval == nullptr) return nullptr;
  const TokenPos position = rows.positions[static_cast<size_t>(group.first_row)];
  return retrieval->budget(layer, position + 1).everything ? nullptr : retrieval;
}

}  // namespace

Status CudaRetrieval::check(const RetrievalOptions& options, const KvCacheOptions& kv, const ModelConfig& config) {
  MNEME_RETURN_IF_ERROR(check_retrieval_fits(config));
  MNEME_RETURN_IF_ERROR(check_retrieval_options(options, kv.head_dim));
  const auto refuse = [](const std::string& what) {
    return unsupported(what + " not on a GPU; use --device cpu or --attention full");
  };
  if (options.method != RetrievalMethod::kPq && options.method != RetrievalMethod::kSinkWindow)
    return refuse("the retrieval method " + std::string(retrieval_method_name(options.method)) + " is");
  if (options.method == RetrievalMethod::kPq && !ranks_by_cells(options))
    return refuse("retrieval with " + std::to_string(options.n_parts) + " parts of " + std::to_string(options.n_bits) +
                  " bits is");
  if (options.budget.mass > 0) return refuse("retrieval by a share of the attention (mass) is");
  if (options.rerank > 1) return refuse("choosing again by exact keys (rerank) is");
  if (!config.causal || !choice_fits(kv.n_kv_heads, config.n_heads / kv.n_kv_heads, kv.head_dim))
    return refuse("retrieval for a model with such heads is");
  return {};
}

CudaRetrieval::CudaRetrieval(Device& device, const RetrievalOptions& options, const KvCacheOptions& kv,
                             const ModelConfig& config, cudaStream_t far_stream)
    : device_(device),
      options_(options),
      kv_(kv),
      config_(config),
      far_stream_(far_stream),
      index_(device, options, kv, config),
      numbers_(static_cast<size_t>(kv.n_layers)) {
  while (first_layer_ < kv.n_layers && !retrieves_in(first_layer_)) ++first_layer_;
  start_anew(options);
}

// Its memory may be given to others at once, so nothing may still use it.
CudaRetrieval::~CudaRetrieval() {
  device_.settle();
  cudaStreamSynchronize(device_.stream());
}

void CudaRetrieval::start_anew(const RetrievalOptions& options) {
  const bool same_blocks =
      options.block_cache_tokens == options_.block_cache_tokens && options.eviction == options_.eviction;
  if (!same_blocks) {
    blocks_.reset();
    asked_for_blocks_ = false;
  }
  if (blocks_ != nullptr) blocks_->count_anew();
  options_ = options;
  counts_ = {};
  shared_ = {};
  told_ = {};
}

StepBudget CudaRetrieval::budget(int layer, int n_tokens) const {
  if (!retrieves_in(layer)) return {};
  const bool needs_codes = options_.method == RetrievalMethod::kPq;
  return step_budget(options_, n_tokens, needs_codes ? std::min(n_prepared_, index_.n_coded(layer)) : n_prepared_);
}

Status CudaRetrieval::prepare(const ViewOf& view_of, int n_tokens, const CancelToken& cancel) {
  if (!worthwhile(n_tokens + 1) || n_tokens < n_prepared_ + kPrepareEvery) return {};
  const trace::Span span("prepare retrieval", "engine", n_tokens);
  told_ = {};
  const Clock::time_point start = Clock::now();
  bool trained = false;
  for (int layer = 0; layer < kv_.n_layers && options_.method == RetrievalMethod::kPq; ++layer) {
    if (cancel.cancelled()) return cancelled();
    if (!retrieves_in(layer) || !device_.begin()) continue;
    const Reach reach = index_.trains_at(layer, n_tokens) ? Reach::kAll : Reach::kLatest;
    trained |= index_.update(view_of(layer, reach), layer, n_tokens);
  }
  if (device_.begin()) open();
  if (trained || !device_.ok()) {
    MNEME_RETURN_IF_ERROR(device_.synchronize());
    index_.end_training();
  }
  n_prepared_ = n_tokens;
  counts_.prepare_seconds += seconds_since(start);
  return {};
}

void CudaRetrieval::forget(int n_tokens) {
  index_.forget(n_tokens);
  if (blocks_ != nullptr) blocks_->forget(n_tokens);
  n_prepared_ = std::min(n_prepared_, n_tokens);
  shared_ = {};
  told_ = {};
}

// The working memory of a choice, once, for as many tokens as the sequence may ever hold: graphs go on as long as it
// does not move.
bool CudaRetrieval::open() {
  if (choice_memory_.size() > 0) return device_.ok();
  const int64_t heads = config_.n_heads;
  const int64_t kv_heads = kv_.n_kv_heads;
  const int64_t n_positions = (int64_t{kv_.max_tokens} + kKeyCodes - 1) / kKeyCodes * kKeyCodes;
  const auto lay = [&](std::byte* base) {
    int64_t used = 0;
    const auto take = [&](auto*& piece, int64_t n) {
      using T = std::remove_reference_t<decltype(*piece)>;
      piece = reinterpret_cast<T*>(base + used);
      constexpr int64_t kAlignment = 256;
      used += (n * static_cast<int64_t>(sizeof(T)) + kAlignment - 1) / kAlignment * kAlignment;
    };
    take(choice_.weights, heads * kKeyParts * kKeyCodes);
    take(choice_.left_out, heads);
    take(choice_.factors, heads);
    take(choice_.scores, kv_heads * kCells);
    take(choice_.reaching, kv_heads * kOctaves);
    take(choice_.taken, kv_heads * (kCells / 32));
    take(choice_.heads, kv_heads);
    take(choice_.chunk_counts, kv_heads * n_chunks(kv_.max_tokens) * 2);
    take(choice_.positions, kv_heads * n_positions);
    take(choice_.tail_values, heads * kv_.head_dim);
    take(choice_.tail_sums, heads);
    take(none_, kv_heads);
    take(device_numbers_, kv_.n_layers);
    return used;
  };
  std::byte nothing{};
  choice_.position_stride = n_positions;
  const int64_t n_bytes = lay(&nothing);
  if (!device_.grow(choice_memory_, static_cast<size_t>(n_bytes), "choosing keys")) return false;
  lay(choice_memory_.as());
  device_.check(cudaMemsetAsync(none_, 0, sizeof(HeadChoice) * static_cast<size_t>(kv_heads), device_.stream()),
                kChoosing);
  return device_.ok();
}

// Once: where there is no memory for one, rows are read from the host without, which the report tells.
void CudaRetrieval::open_block_cache(const KvView& kv) {
  if (!kv.far || far_stream_ == nullptr || options_.block_cache_tokens <= 0 || asked_for_blocks_) return;
  asked_for_blocks_ = true;
  KvBlockCache::Shape shape;
  for (int layer = 0; layer < kv_.n_layers; ++layer) shape.layers.push_back(retrieves_in(layer));
  shape.max_tokens = kv_.max_tokens;
  shape.least_tokens = options_.block_cache_tokens;
  shape.eviction = options_.eviction;
  blocks_ = KvBlockCache::make(device_, far_stream_, kv, shape);
}

bool CudaRetrieval::shares_choice(int layer, int n_tokens, const StepBudget& budget) {
  const bool same =
      shared_.layer < layer && shared_.n_tokens == n_tokens && shared_.window_begin == budget.window_begin;
  if (!same || shared_.n_layers_left == 0) return false;
  --shared_.n_layers_left;
  return true;
}

PqNumbers CudaRetrieval::numbers(const RowAttention& call, int layer, int n_tokens) const {
  const StepBudget budget = this->budget(layer, n_tokens);
  if (budget.everything) return {};
  const int of_head = budget.sinks + budget.retrieved + n_tokens - budget.window_begin;
  return {.n_tokens = n_tokens,
          .begin = budget.sinks,
          .end = budget.window_begin,
          .scored_end = std::clamp(index_.n_coded(layer), budget.window_begin, n_tokens),
          .k = budget.retrieved,
          .edition = index_.edition(layer),
          .tokens_per_block = tokens_per_block(call, of_heads(of_head), device_.info().n_processors)};
}

void CudaRetrieval::begin_step(const KvView& kv, int n_tokens) {
  if (!open()) return;
  RowAttention call = row_attention(kv, 0);
  call.n_blocks = most_blocks(call, of_heads(kv_.max_tokens), device_.info().n_processors);
  if (device_.grow_floats(partials_, partial_floats(call)) == nullptr) return;
  for (int layer = 0; layer < kv_.n_layers; ++layer)
    numbers_[static_cast<size_t>(layer)] = numbers(call, layer, n_tokens);
  device_.upload(std::as_bytes(std::span(numbers_)), reinterpret_cast<std::byte*>(device_numbers_), device_.stream());
  told_ = device_.ok() ? Told{n_tokens, -1} : Told{};
}

void CudaRetrieval::attend(const KvView& kv, int layer, int n_tokens, const Heads& heads) {
  const StepBudget budget = this->budget(layer, n_tokens);
  // The layers of a step come in their order: one that does not is another step's.
  if (told_.n_tokens != n_tokens || told_.layer >= layer) begin_step(kv, n_tokens);
  if (!device_.ok()) return;
  told_.layer = layer;
  open_block_cache(kv);
  bool tail = false;
  if (!shares_choice(layer, n_tokens, budget)) {
    const bool chooses = options_.method == RetrievalMethod::kPq && budget.retrieved > 0;
    if (chooses) choose(kv, layer, budget, heads.q);
    chosen_ = chooses ? choice_.heads : none_;
    tail = chooses && step_.tail;
    shared_ = {layer, n_tokens, budget.window_begin, options_.shared_layers - 1};
  }
  attend_chosen(kv, layer, n_tokens, budget, tail, heads);
  if (layer == first_layer_) ++counts_.steps;
  counts_.budget_tokens = budget.sinks + budget.retrieved + n_tokens - budget.window_begin;
  counts_.attended_sum += counts_.budget_tokens;
  ++counts_.n_layers;
}

void CudaRetrieval::choose(const KvView& kv, int layer, const StepBudget& budget, const float* q) {
  index_.counts_to(layer, budget.window_begin);
  step_ = {.index = index_.view(layer),
           .choice = choice_,
           .kv = kv,
           .layer = layer,
           .q = q,
           .heads_per_kv = config_.n_heads / kv_.n_kv_heads,
           .scale = config_.attention_scale,
           .by_spread = options_.by_spread,
           .combine_max = options_.combine_max,
           .split = options_.split_heads,
           // The soft cap changes scores that an estimate has only as sums.
           .tail = options_.tail && index_.has_values(layer) && config_.attention_softcap <= 0,
           .n_chunks = std::min(n_chunks(rounded_reach(budget.window_begin)), n_chunks(kv_.max_tokens)),
           .numbers = device_numbers_ + layer};
  device_.check(weigh(device_.stream(), step_), kChoosing);
  device_.check(cuda::choose(device_.stream(), step_), kChoosing);
  device_.check(collect(device_.stream(), step_), kChoosing);
  counts_.lookups += static_cast<double>(budget.window_begin - budget.sinks) * config_.n_heads;
}

RowAttention CudaRetrieval::row_attention(const KvView& kv, int layer) const {
  RowAttention call;
  call.shape = {.n_heads = config_.n_heads,
                .n_kv_heads = kv_.n_kv_heads,
                .head_dim = kv_.head_dim,
                .scale = config_.attention_scale,
                .softcap = config_.attention_softcap};
  call.kv = kv;
  call.layer = layer;
  call.tokens = {.numbers = device_numbers_ + layer,
                 .heads = chosen_,
                 .positions = choice_.positions,
                 .position_stride = choice_.position_stride};
  return call;
}

void CudaRetrieval::attend_chosen(const KvView& kv, int layer, int n_tokens, const StepBudget& budget, bool tail,
                                  const Heads& heads) {
  RowAttention call = row_attention(kv, layer);
  call.shape.sinks = heads.sinks;
  if (kv.far && blocks_ != nullptr) use_block_cache(call, n_tokens, budget);
  // The blocks of a few more tokens, which the next steps have.
  const int of_head = budget.sinks + budget.retrieved + n_tokens - budget.window_begin;
  call.n_blocks = most_blocks(call, of_heads(rounded_reach(of_head)), device_.info().n_processors);
  call.q = heads.q;
  call.partials = partials_.as<float>();
  call.out = heads.out;
  if (tail) {
    call.tail_values = choice_.tail_values;
    call.tail_sums = choice_.tail_sums;
    call.tail_maxima = choice_.left_out;
  }
  if (device_.ok()) device_.check(attend_rows(device_.stream(), call), "computing attention");
}

void CudaRetrieval::use_block_cache(RowAttention& call, int n_tokens, const StepBudget& budget) {
  if (options_.method != RetrievalMethod::kPq || budget.retrieved <= 0) return;
  call.blocks = blocks_->serve(call.layer, call.kv, choice_, n_tokens);
  call.blocks_stride = blocks_->places_stride();
}

RetrievalReport CudaRetrieval::report() const {
  RetrievalReport report;
  report.used = counts_.n_layers > 0;
  report.steps = counts_.steps;
  report.budget_tokens = counts_.budget_tokens;
  report.mean_attended = counts_.n_layers > 0 ? counts_.attended_sum / static_cast<double>(counts_.n_layers) : 0;
  report.prepare_seconds = counts_.prepare_seconds;
  report.lookups = counts_.lookups;
  report.index_bytes = index_.memory_bytes();
  for (int layer = 0; layer < kv_.n_layers; ++layer)
    if (retrieves_in(layer)) report.indexed_kv_bytes += int64_t{4} * kv_.n_kv_heads * kv_.head_dim * n_prepared_;
  report.iterations = index_.iterations();
  const KvBlockCache::Hits hits = blocks_ != nullptr ? blocks_->hits() : KvBlockCache::Hits();
  if (hits.asked > 0) report.block_cache_hit_rate = static_cast<double>(hits.served) / static_cast<double>(hits.asked);
  return report;
}

bool all_rows_retrieve(int layer, const RowSet& rows) {
  return std::all_of(rows.groups.begin(), rows.groups.end(), [&](const RowGroup& group) {
    return group.n_rows == 0 || retrieval_of(layer, rows, group) != nullptr;
  });
}

bool any_row_retrieves(int layer, const RowSet& rows) {
  return std::any_of(rows.groups.begin(), rows.groups.end(), [&](const RowGroup& group) {
    return group.n_rows == 1 && retrieval_of(layer, rows, group) != nullptr;
  });
}

void attend_by_retrieval(const ModelConfig& config, int layer, const RowSet& rows,
                         const CudaRetrieval::Heads& of_rows) {
  const int64_t width = int64_t{config.n_heads} * config.head_dim;
  for (const RowGroup& group : rows.groups) {
    CudaRetrieval* retrieval = group.n_rows == 1 ? retrieval_of(layer, rows, group) : nullptr;
    if (retrieval == nullptr) continue;
    const int n_tokens = rows.positions[static_cast<size_t>(group.first_row)] + 1;
    const int64_t at = group.first_row * width;
    retrieval->attend(cache_of(group).view(), layer, n_tokens, {of_rows.sinks, of_rows.q + at, of_rows.out + at});
  }
}

}  // namespace mneme::engine::cuda
