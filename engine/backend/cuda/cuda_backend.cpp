#include "engine/backend/cuda/cuda_backend.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/memory_limit.h"
#include "engine/backend/cuda/attention_kernels.h"
#include "engine/backend/cuda/cuda_casts.h"
#include "engine/backend/cuda/cuda_experts.h"
#include "engine/backend/cuda/cuda_feed_forward.h"
#include "engine/backend/cuda/cuda_kv_cache.h"
#include "engine/backend/cuda/cuda_latent.h"
#include "engine/backend/cuda/cuda_objects.h"
#include "engine/backend/cuda/cuda_retrieval.h"
#include "engine/backend/cuda/cuda_states.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/head_numbers.h"
#include "engine/backend/cuda/kv_decoder.h"
#include "engine/backend/cuda/layer_input_kernels.h"
#include "engine/backend/cuda/likeliest_reader.h"
#include "engine/backend/cuda/look_scores.h"
#include "engine/backend/cuda/products.h"
#include "engine/backend/cuda/recurrence_kernels.h"
#include "engine/backend/cuda/rope_angles.h"
#include "engine/backend/cuda/row_kernels.h"
#include "engine/backend/cuda/step_rows.h"

namespace mneme::engine::cuda {
namespace {

// GPUs that take larger steps, by their memory.
constexpr int64_t kLargeMemory = int64_t{20} << 30;
constexpr int kStepRowsOfLarge = 2048;
constexpr int64_t kHugeMemory = int64_t{60} << 30;
constexpr int kStepRowsOfHuge = 4096;
constexpr int kTensorCoreMajor = 8;  // compute capability with the instructions of tensor_core.cuh

CudaKvCache& cache_of(const RowGroup& group) {
  return static_cast<CudaKvCache&>(*group.cache);
}
std::span<const TokenPos> positions_of(const RowSet& rows, const RowGroup& group) {
  return rows.positions.subspan(static_cast<size_t>(group.first_row), static_cast<size_t>(group.n_rows));
}
bool any_in_host_memory(const RowSet& rows) {
  return std::any_of(rows.groups.begin(), rows.groups.end(),
                     [](const RowGroup& group) { return group.cache->in_host_memory(); });
}

class CudaBackend final : public Backend {
 public:
  CudaBackend(std::unique_ptr<Device> device, std::unique_ptr<Blas> blas, const CudaOptions& options)
      : device_(std::move(device)),
        reads_early_(options.reads_early),
        kv_home_(options.kv_in_host_memory ? KvHome::kHost : KvHome::kWhereItFits),
        name_("cuda:" + std::to_string(device_->index())),
        products_(*device_, std::move(blas),
                  {.exact = options.exact,
                   .joins = options.joins,
                   .norms_within = options.norms_within,
                   .gates_within = options.gates_within,
                   .rings = options.rings}),
        ropes_(*device_),
        head_numbers_(*device_),
        staging_(*device_),
        decoder_(*device_, {.resident_tables = options.resident_tables, .places_within = options.places_within}),
        encoder_(*device_),
        look_scores_(*device_),
        step_rows_(*device_, !options.exact && device_->info().major >= kTensorCoreMajor),
        states_(*device_, products_, step_rows_),
        latent_(*device_, products_),
        feed_forward_(*device_, products_),
        experts_(*device_, products_, feed_forward_),
        likeliest_(*device_) {}

  std::string_view name() const override { return name_; }
  std::string description() const override;
  int most_step_rows() const override;
  int gpu_layers(int n_layers) const override { return n_layers; }
  bool mixes_states() const override { return true; }

  Result<std::unique_ptr<Matrix>> load_matrix(const TensorView& tensor) override;
  Result<std::vector<std::unique_ptr<Matrix>>> load_matrices(std::span<const TensorView> tensors) override {
    return load_cuda_matrices(*device_, tensors);
  }
  Result<std::unique_ptr<Activations>> load_vector(const TensorView& tensor) override;
  Result<std::unique_ptr<Activations>> make_activations(int max_rows, int width) override;
  Result<std::unique_ptr<KvCache>> make_kv_cache(const KvCacheOptions& options) override;

  void embed(const Matrix& table, std::span<const TokenId> ids, float scale, Activations& x) override;
  void add_rows(const Matrix& table, std::span<const TokenId> ids, Activations& x) override;
  void make_layer_inputs(const ModelConfig& config, const LayerInputSource& source, std::span<const TokenId> ids,
                         const Activations& x, Activations& inputs) override;
  void normalise(const ModelConfig& config, const NormWeights& norm, int n_rows, Activations& x) override;
  void project_qkv(const ModelConfig& config, int layer, const AttentionWeights& weights, const RowSet& rows,
                   const Activations& x, Activations& q) override;
  void attend(const ModelConfig& config, int layer, const RowSet& rows, const Activations& q,
              Activations& out) override;
  void project_and_attend(const ModelConfig& config, int layer, const AttentionWeights& weights, const RowSet& rows,
                          const Activations& x, Activations& q, Activations& out) override;
  void mix_state(const ModelConfig& config, int layer, const LayerWeights& weights, const RowSet& rows,
                 const Activations& x, Activations& out) override;
  void project_mixed(const ModelConfig& config, const LayerWeights& weights, int n_rows, const Activations& mixed,
                     Activations& x) override;
  void project_output(const ModelConfig& config, const LayerWeights& weights, int n_rows, const Activations& attended,
                      Activations& x) override;
  void feed_forward(const ModelConfig& config, const LayerWeights& weights, int n_rows, Activations& x) override;
  void finish_layer(const ModelConfig& config, int layer, const LayerWeights& weights, int n_rows,
                    const Activations* inputs, Activations& x) override;
  void keep_rows(std::span<const int> keep, Activations& x) override;
  void logits(const ModelConfig& config, const NormWeights& norm, const Matrix& output, std::span<const int> rows,
              const Activations& x, Activations& logits) override;
  std::unique_ptr<AttentionSums> sum_attention(int n_tokens) override {
    return make_attention_sums(look_scores_, n_tokens);
  }
  Status read(const Activations& x, int n_rows, std::span<float> out) override;
  bool finds_likeliest() const override { return true; }
  Result<LikeliestTokens> likeliest(const Activations& logits, int row, float temperature) override {
    return likeliest_.read(data_of(logits) + int64_t{row} * logits.width, logits.width, temperature);
  }
  Status synchronize() override { return device_->synchronize(); }
  int64_t free_memory_bytes() const override { return device_->memory().free_bytes(); }
  int64_t host_kv_bytes() const override { return static_cast<int64_t>(available_memory_bytes()); }

  const StepGraphReport& graph_report() const { return device_->graph_report(); }
  void write(std::span<const float> rows, Activations& x) {
    if (device_->begin())
      device_->upload(std::as_bytes(rows), reinterpret_cast<std::byte*>(data_of(x)), device_->stream());
  }

 private:
  cudaStream_t stream() const { return device_->stream(); }
  void check(cudaError_t error, std::string_view doing) { device_->check(error, doing); }
  const int* upload_ints(std::span<const int> values, DeviceBuffer& buffer);
  void embed_ids(const Matrix& table, std::span<const TokenId> ids, float scale, bool add, Activations& x);
  // Rows as kernels see them whose layers are those with the heads of this one.
  RowsView view_of(const ModelConfig& config, int layer, const RowSet& rows) {
    return step_rows_.view(rows, place_of(config, layer, rows).kind);
  }
  static CudaKvCache::LayerPlace place_of(const ModelConfig& config, int layer, const RowSet& rows) {
    return cache_of(rows.groups.front()).place_of(config.kv_layer(layer));
  }
  void add_layer_input(const ModelConfig& config, int layer, const LayerWeights& weights, int n_rows,
                       const Activations& inputs, Activations& x);
  float* multiply_qkv(const ModelConfig& config, int layer, const AttentionWeights& weights, const RowSet& rows,
                      const Activations& x);
  HeadsIn heads_in(const ModelConfig& config, int layer, const AttentionWeights& weights, const RowSet& rows);
  bool attends_to_single_rows(const ModelConfig& config, int layer, const RowSet& rows);
  AttentionShape attention_shape(const ModelConfig& config, int layer);
  const float* without_gates(const ModelConfig& config, const RowSet& rows, const Activations& q);
  struct Queries;
  void attend_in_full(const ModelConfig& config, int layer, const RowSet& rows, const Queries& queries,
                      Activations& out);
  int* zeroed_counters(int n);
  struct BlockEnd;
  void add_product(const BlockEnd& end, const RoundedRows& rows, int n_rows, Activations& x);
  void add_block_rows(const BlockEnd& end, const float* row_scales, int n_rows, Activations& x);

  std::unique_ptr<Device> device_;
  const bool reads_early_;
  const KvHome kv_home_;
  const std::string name_;
  Products products_;
  RopeAngles ropes_;
  HeadNumbers head_numbers_;
  LayerStaging staging_;
  KvDecoder decoder_;
  KvEncoder encoder_;
  LookScores look_scores_;
  StepRows step_rows_;
  StateMixer states_;
  LatentProducts latent_;
  FeedForward feed_forward_;
  Experts experts_;
  LikeliestReader likeliest_;
  // What multiplies the rows that the next attention makes; null: not known.
  const CudaMatrix* attended_by_ = nullptr;
  DeviceBuffer ids_, chosen_rows_, unwritten_;
  DeviceBuffer qkv_;                  // (rows, q + k + v)
  DeviceBuffer block_;                // (rows, dim): what a block adds
  DeviceBuffer gated_;                // (rows, layer_input_dim)
  DeviceBuffer partials_, counters_;  // of attention
  DeviceBuffer moved_;                // rows on their way
};

std::string CudaBackend::description() const {
  const GpuInfo& gpu = device_->info();
  std::string text = gpu.name + ", compute capability " + std::to_string(gpu.major) + "." + std::to_string(gpu.minor) +
                     ", " + std::to_string(gpu.memory_bytes >> 20) + " MiB";
  if (products_.is_exact()) text += ", exact";
  return text + (products_.uses_blas() ? ", cuBLAS" : ", without cuBLAS");
}

// 512 rows are too few blocks for the processors of a large GPU, but their activations suffice for a small one's
// memory. With 2048 a product of a thousand outputs, as keys and values have, still leaves half of 132 processors idle.
int CudaBackend::most_step_rows() const {
  const int64_t memory_bytes = device_->info().memory_bytes;
  if (memory_bytes >= kHugeMemory) return kStepRowsOfHuge;
  return memory_bytes >= kLargeMemory ? kStepRowsOfLarge : Backend::most_step_rows();
}

Result<std::unique_ptr<Matrix>> CudaBackend::load_matrix(const TensorView& tensor) {
  MNEME_ASSIGN_OR_RETURN(std::vector<std::unique_ptr<Matrix>> matrices, load_matrices({&tensor, 1}));
  return std::move(matrices.front());
}

Result<std::unique_ptr<Activations>> CudaBackend::load_vector(const TensorView& tensor) {
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<CudaActivations> vector, load_cuda_vector(*device_, tensor));
  return std::unique_ptr<Activations>(std::move(vector));
}

Result<std::unique_ptr<Activations>> CudaBackend::make_activations(int max_rows, int width) {
  const auto n_bytes = static_cast<size_t>(max_rows) * static_cast<size_t>(width) * sizeof(float);
  MNEME_ASSIGN_OR_RETURN(DeviceBuffer buffer, device_->memory().allocate(n_bytes, "activations"));
  return std::unique_ptr<Activations>(std::make_unique<CudaActivations>(*device_, std::move(buffer), max_rows, width));
}

Result<std::unique_ptr<KvCache>> CudaBackend::make_kv_cache(const KvCacheOptions& options) {
  const SharedByCaches shared{*device_, ropes_, staging_, decoder_, encoder_};
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<CudaKvCache> cache, CudaKvCache::make(options, kv_home_, shared));
  return std::unique_ptr<KvCache>(std::move(cache));
}

const int* CudaBackend::upload_ints(std::span<const int> values, DeviceBuffer& buffer) {
  if (device_->grow(buffer, values.size_bytes(), "a step's rows"))
    device_->upload(std::as_bytes(values), buffer.as(), stream());
  return buffer.as<int>();
}

void CudaBackend::embed_ids(const Matrix& table, std::span<const TokenId> ids, float scale, bool add, Activations& x) {
  // A step begins with its embeddings.
  const bool ready =
      add ? device_->begin_step()
          : device_->begin_first_of_step({static_cast<int>(ids.size()), data_of(x), cast(table).ref().data});
  if (!ready) return;
  if (!add) step_rows_.forget();
  const int* device_ids = upload_ints(ids, ids_);
  if (device_->ok())
    check(embed_rows(stream(), cast(table).ref(), device_ids, static_cast<int>(ids.size()), scale, add, data_of(x)),
          "embedding");
}

void CudaBackend::embed(const Matrix& table, std::span<const TokenId> ids, float scale, Activations& x) {
  embed_ids(table, ids, scale, false, x);
}

void CudaBackend::add_rows(const Matrix& table, std::span<const TokenId> ids, Activations& x) {
  embed_ids(table, ids, 1.0f, true, x);
}

void CudaBackend::normalise(const ModelConfig& config, const NormWeights& norm, int n_rows, Activations& x) {
  if (!device_->begin_step()) return;
  RoundedRows in_place;
  in_place.width = x.width;
  in_place.values = data_of(x);
  check(norm_rows(stream(), data_of(x), nullptr, n_rows, norm_ref(config, norm), in_place), "normalising");
}

void CudaBackend::make_layer_inputs(const ModelConfig& config, const LayerInputSource& source,
                                    std::span<const TokenId> ids, const Activations& x, Activations& inputs) {
  if (ids.empty() || !device_->begin_step()) return;
  const auto n_rows = static_cast<int>(ids.size());
  const CudaMatrix& projection = cast(*source.projection);
  const RoundedRows rows = products_.round({&projection}, data_of(x), n_rows, config.dim, true);
  products_.multiply(projection, rows, n_rows, {data_of(inputs), inputs.width});
  LayerInputMix mix;
  mix.table = cast(*source.table).ref();
  mix.ids = upload_ints(ids, ids_);
  mix.row_scales = rows.row_scales;
  mix.projection_scale = 1.0f / std::sqrt(static_cast<float>(config.dim));
  mix.norm_weight = data_or_null(source.norm.weight);
  mix.epsilon = config.norm_epsilon;
  mix.n_layers = config.n_layers;
  mix.width = config.layer_input_dim;
  if (device_->ok()) check(mix_layer_inputs(stream(), mix, n_rows, data_of(inputs)), "making the layers' inputs");
}

// (rows, q + k + v), or null: it failed.
float* CudaBackend::multiply_qkv(const ModelConfig& config, int layer, const AttentionWeights& weights,
                                 const RowSet& row_set, const Activations& x) {
  const int n_rows = row_set.n_rows();
  const LayerHeads heads = config.heads(layer);
  const int q_dim = config.query_width(layer);
  const int width = q_dim + (config.has_kv(layer) ? 2 * heads.kv_dim() : 0);
  float* qkv = device_->grow_floats(qkv_, int64_t{n_rows} * width);
  if (qkv == nullptr) return nullptr;
  if (config.is_latent()) {
    attended_by_ = nullptr;
    latent_.make_heads(config, weights, n_rows, x, qkv);
    return device_->ok() ? qkv : nullptr;
  }
  const RoundedRows rows = products_.norm(
      {cast(weights.qkv), cast(weights.q), cast(weights.k), cast(weights.v)},
      {.x = data_of(x), .n_rows = n_rows, .width = config.dim, .norm = norm_ref(config, weights.input_norm)});
  if (!device_->ok()) return nullptr;
  attended_by_ = cast(weights.output);
  if (weights.qkv != nullptr) {
    products_.multiply(cast(*weights.qkv), rows, n_rows, {qkv, width});
    return qkv;
  }
  const Products::Part parts[] = {
      {cast(weights.q), qkv}, {cast(weights.k), qkv + q_dim}, {cast(weights.v), qkv + q_dim + heads.kv_dim()}};
  products_.multiply(parts, rows, n_rows, width);
  return qkv;
}

void CudaBackend::project_qkv(const ModelConfig& config, int layer, const AttentionWeights& weights, const RowSet& rows,
                              const Activations& x, Activations& q) {
  // KV in the host's memory is no part of a graph: copies and their events are enqueued beside it.
  if (rows.n_rows() == 0 || !(any_in_host_memory(rows) ? device_->begin() : device_->begin_step())) return;
  const float* qkv = multiply_qkv(config, layer, weights, rows, x);
  if (qkv == nullptr) return;
  const bool has_kv = config.has_kv(layer);
  for (const RowGroup& group : rows.groups)
    if (has_kv) cache_of(group).begin_rows(layer, positions_of(rows, group));
  HeadsIn in = heads_in(config, layer, weights, rows);
  in.qkv = qkv;
  if (device_->ok())
    check(finish_heads(stream(), in, view_of(config, layer, rows), place_of(config, layer, rows).index, data_of(q)),
          "rotating heads");
  for (const RowGroup& group : rows.groups)
    if (has_kv && device_->ok()) cache_of(group).end_rows(layer, positions_of(rows, group));
}

// All but the products' outputs.
HeadsIn CudaBackend::heads_in(const ModelConfig& config, int layer, const AttentionWeights& weights,
                              const RowSet& rows) {
  const LayerHeads heads = config.heads(layer);
  const int q_dim = config.query_width(layer);
  const LayerConfig& layer_config = config.layers[static_cast<size_t>(layer)];
  const RowsView view = view_of(config, layer, rows);
  const bool fused = weights.qkv != nullptr;
  const float* bias = data_or_null(weights.qkv_bias);
  HeadsIn in;
  in.q_bias = fused ? bias : data_or_null(weights.q_bias);
  in.k_bias = fused ? (bias != nullptr ? bias + q_dim : nullptr) : data_or_null(weights.k_bias);
  in.v_bias = fused ? (bias != nullptr ? bias + q_dim + heads.kv_dim() : nullptr) : data_or_null(weights.v_bias);
  in.q_norm = data_or_null(weights.q_norm);
  in.k_norm = data_or_null(weights.k_norm);
  in.q_gain = data_or_null(weights.q_gain);
  in.whole_norm = config.whole_qk_norm;
  in.value_norm = config.value_norm;
  in.query_growth = config.query_growth;
  in.epsilon = config.norm_epsilon;
  in.n_heads = config.n_heads;
  in.n_kv_heads = config.has_kv(layer) ? heads.n_kv_heads : 0;
  in.head_dim = heads.head_dim;
  in.gated = config.gated_attention;
  if (layer_config.uses_rope)
    in.rotation = ropes_.of_step(config.ropes[static_cast<size_t>(layer_config.rope_index)], view);
  return in;
}

// What attention makes its queries of: them, or the products' outputs.
struct CudaBackend::Queries {
  const float* q = nullptr;
  HeadsIn heads = {};
};

void CudaBackend::attend(const ModelConfig& config, int layer, const RowSet& rows, const Activations& q,
                         Activations& out) {
  if (rows.n_rows() == 0) return;
  const bool apart = any_in_host_memory(rows);
  if (!(apart ? device_->begin() : device_->begin_step())) return;
  // Rows that retrieve are made behind the others, so nothing is made of these for the product.
  if (apart || config.gated_attention || any_row_retrieves(layer, rows)) attended_by_ = nullptr;
  const float* queries = config.gated_attention ? without_gates(config, rows, q) : data_of(q);
  if (queries == nullptr) return;
  if (!all_rows_retrieve(layer, rows)) attend_in_full(config, layer, rows, {.q = queries}, out);
  attended_by_ = nullptr;
  if (config.gated_attention) {
    if (device_->ok())
      check(gate_rows(stream(), data_of(q), rows.n_rows(), config.n_heads * config.head_dim, data_of(out)),
            "gating attention");
    return;
  }
  attend_by_retrieval(config, layer, rows, {head_numbers_.sinks(config, layer), data_of(q), data_of(out)});
}

// The queries of rows that have gates behind them, or null: it failed.
const float* CudaBackend::without_gates(const ModelConfig& config, const RowSet& rows, const Activations& q) {
  const int width = config.n_heads * config.head_dim;
  float* queries = device_->grow_floats(moved_, int64_t{rows.n_rows()} * width);
  if (queries != nullptr) check(take_queries(stream(), data_of(q), rows.n_rows(), width, queries), "taking queries");
  return device_->ok() ? queries : nullptr;
}

// A decoding step's attention rotates its heads itself: a launch less in each layer.
void CudaBackend::project_and_attend(const ModelConfig& config, int layer, const AttentionWeights& weights,
                                     const RowSet& rows, const Activations& x, Activations& q, Activations& out) {
  if (rows.n_rows() == 0) return;
  const bool apart =
      config.gated_attention || any_row_retrieves(layer, rows) || any_in_host_memory(rows) || !config.has_kv(layer);
  if (apart || rows.n_rows() > kFewRows || !device_->begin_step() || !attends_to_single_rows(config, layer, rows)) {
    project_qkv(config, layer, weights, rows, x, q);
    return attend(config, layer, rows, q, out);
  }
  // Rotations are computed ahead of the product, so that attention may read them before this has ended.
  HeadsIn heads = heads_in(config, layer, weights, rows);
  heads.qkv = multiply_qkv(config, layer, weights, rows, x);
  if (heads.qkv == nullptr) return;
  for (const RowGroup& group : rows.groups) cache_of(group).begin_rows(layer, positions_of(rows, group));
  attend_in_full(config, layer, rows, {.heads = heads}, out);
  attended_by_ = nullptr;
}

bool CudaBackend::attends_to_single_rows(const ModelConfig& config, int layer, const RowSet& rows) {
  view_of(config, layer, rows);
  return step_rows_.tiles(attention_shape(config, layer)).plan.single;
}

AttentionShape CudaBackend::attention_shape(const ModelConfig& config, int layer) {
  const LayerHeads heads = config.heads(layer);
  return {.n_heads = config.n_heads,
          .n_kv_heads = heads.n_kv_heads,
          .head_dim = heads.head_dim,
          .scale = config.attention_scale,
          .softcap = config.attention_softcap,
          .window = config.layers[static_cast<size_t>(layer)].sliding_window,
          .causal = config.causal,
          .sinks = head_numbers_.sinks(config, layer),
          .slopes = head_numbers_.slopes(config)};
}

void CudaBackend::attend_in_full(const ModelConfig& config, int layer, const RowSet& rows, const Queries& queries,
                                 Activations& out) {
  AttentionCall call;
  call.shape = attention_shape(config, layer);
  call.layer = place_of(config, layer, rows).index;
  call.rows = view_of(config, layer, rows);
  const StepRows::Tiles tiles = step_rows_.tiles(call.shape);
  call.plan = tiles.plan;
  call.tiles = tiles.tiles;
  call.n_tiles = tiles.n_tiles;
  call.is_q8 = tiles.is_q8;
  call.q = queries.q;
  call.heads = queries.heads;
  call.beside_rings = call.plan.single && attended_by_ != nullptr && products_.takes_ring(*attended_by_, rows.n_rows());
  call.reads_early = reads_early_ && queries.heads.qkv != nullptr;
  call.out = data_of(out);
  const int64_t n_partial = partial_floats(call.shape, call.plan, call.n_tiles);
  if (n_partial > 0) call.partials = device_->grow_floats(partials_, n_partial);
  if (call.plan.single && n_partial > 0) call.counters = zeroed_counters(call.n_tiles * config.n_heads);
  if (call.plan.single && attended_by_ != nullptr && call.shape.head_dim % kRoundBlock == 0)
    call.rounded = products_.codes_beside({attended_by_}, call.out, rows.n_rows(), out.width);
  if (call.plan.single) call.ahead = products_.next_weights({attended_by_}, rows.n_rows());
  if (device_->ok()) check(cuda::attend(stream(), call), "computing attention");
}

// Zero when they are made, and again behind every launch that counts with them.
int* CudaBackend::zeroed_counters(int n) {
  const size_t n_bytes = static_cast<size_t>(n) * sizeof(int);
  if (counters_.size() >= n_bytes) return counters_.as<int>();
  if (device_->grow(counters_, n_bytes, "attention"))
    check(cudaMemsetAsync(counters_.as(), 0, counters_.size(), stream()), "computing attention");
  return counters_.as<int>();
}

// What a block of a layer ends with: x += norm(W rows + bias), or as post-norm encoders have it.
struct CudaBackend::BlockEnd {
  const ModelConfig& config;
  const LayerWeights& weights;
  const NormWeights norm;
  const Matrix* matrix;  // null: experts have made the block's rows
  const Activations* bias;
};

void CudaBackend::add_product(const BlockEnd& end, const RoundedRows& rows, int n_rows, Activations& x) {
  const CudaMatrix& matrix = cast(*end.matrix);
  // Without a norm of its own the product itself adds to the residual stream.
  const bool plain = end.norm.weight == nullptr && !end.weights.norm_after_residual;
  if (plain && products_.multiply_and_add(matrix, rows, n_rows, data_or_null(end.bias), data_of(x))) return;
  float* block = device_->grow_floats(block_, int64_t{n_rows} * end.config.dim);
  products_.multiply(matrix, rows, n_rows, {block, end.config.dim});
  add_block_rows(end, rows.row_scales, n_rows, x);
}

// The same of a product, or of what experts made, that lies in block_.
void CudaBackend::add_block_rows(const BlockEnd& end, const float* row_scales, int n_rows, Activations& x) {
  BlockOut block;
  block.product = block_.as<float>();
  block.row_scales = row_scales;
  block.bias = data_or_null(end.bias);
  block.norm = norm_ref(end.config, end.norm);
  block.after_residual = end.weights.norm_after_residual;
  if (device_->ok()) check(add_block(stream(), block, n_rows, end.config.dim, data_of(x)), "adding a block");
}

void CudaBackend::mix_state(const ModelConfig& config, int layer, const LayerWeights& weights, const RowSet& rows,
                            const Activations& x, Activations& out) {
  if (rows.n_rows() == 0 || !device_->begin_step()) return;
  states_.mix(config, layer, weights, rows, x, out);
}

void CudaBackend::project_mixed(const ModelConfig& config, const LayerWeights& weights, int n_rows,
                                const Activations& mixed, Activations& x) {
  if (n_rows == 0 || !device_->begin_step()) return;
  const RoundedRows rows = products_.round({cast(weights.state.output)}, data_of(mixed), n_rows, mixed.width, true);
  add_product({config, weights, {}, weights.state.output, nullptr}, rows, n_rows, x);
}

void CudaBackend::project_output(const ModelConfig& config, const LayerWeights& weights, int n_rows,
                                 const Activations& attended, Activations& x) {
  if (n_rows == 0 || !device_->begin_step()) return;
  const AttentionWeights& attention = weights.attention;
  const float* heads = data_of(attended);
  if (config.is_latent()) heads = latent_.take_back(config, attention.latent, n_rows, attended);
  if (heads == nullptr) return;
  const RoundedRows rows =
      products_.round({&cast(*attention.output)}, heads, n_rows, static_cast<int>(attention.output->n_in), true);
  add_product({config, weights, attention.output_norm, attention.output, attention.output_bias}, rows, n_rows, x);
}

void CudaBackend::feed_forward(const ModelConfig& config, const LayerWeights& weights, int n_rows, Activations& x) {
  if (n_rows == 0 || !device_->begin_step()) return;
  const FeedForwardWeights& ffn = weights.feed_forward;
  const BlockEnd end{config, weights, ffn.output_norm, ffn.down, ffn.down_bias};
  if (ffn.experts.n_experts == 0) {
    const RoundedRows rows = feed_forward_.hidden_rows(config, ffn, n_rows, x);
    if (device_->ok()) add_product(end, rows, n_rows, x);
    return;
  }
  float* block = device_->grow_floats(block_, int64_t{n_rows} * config.dim);
  const bool made = ffn.experts.beside ? experts_.run_beside(config, ffn, n_rows, x, block)
                                       : experts_.run(config, ffn, n_rows, x, block);
  if (made) add_block_rows(end, nullptr, n_rows, x);
}

void CudaBackend::finish_layer(const ModelConfig& config, int layer, const LayerWeights& weights, int n_rows,
                               const Activations* inputs, Activations& x) {
  if (n_rows == 0 || !device_->begin_step()) return;
  if (inputs != nullptr && weights.layer_input.gate != nullptr)
    add_layer_input(config, layer, weights, n_rows, *inputs, x);
  const float scale = config.layers[static_cast<size_t>(layer)].output_scale;
  if (scale == 1.0f || !device_->ok()) return;
  check(finish_logits(stream(), scale, 0.0f, int64_t{n_rows} * x.width, data_of(x)), "scaling a layer's output");
}

void CudaBackend::add_layer_input(const ModelConfig& config, int layer, const LayerWeights& weights, int n_rows,
                                  const Activations& inputs, Activations& x) {
  const LayerInputWeights& own = weights.layer_input;
  const int width = config.layer_input_dim;
  float* gated = device_->grow_floats(gated_, int64_t{n_rows} * width);
  if (gated == nullptr) return;
  const RoundedRows rows = products_.round({&cast(*own.gate)}, data_of(x), n_rows, config.dim, true);
  products_.multiply(cast(*own.gate), rows, n_rows, {gated, width});
  const LayerInputGate gate{.activation = config.activation,
                            .row_scales = rows.row_scales,
                            .inputs = data_of(inputs) + int64_t{layer} * width,
                            .stride = inputs.width,
                            .width = width};
  if (device_->ok()) check(gate_layer_input(stream(), gate, n_rows, gated), "taking a layer's input");
  if (!device_->ok()) return;
  const RoundedRows taken = products_.round({&cast(*own.projection)}, gated, n_rows, width, true);
  add_product({config, weights, own.output_norm, own.projection, nullptr}, taken, n_rows, x);
}

void CudaBackend::keep_rows(std::span<const int> keep, Activations& x) {
  if (keep.empty() || !device_->begin_step()) return;
  const int* rows = upload_ints(keep, chosen_rows_);
  const auto n_floats = static_cast<int64_t>(keep.size()) * x.width;
  float* moved = device_->grow_floats(moved_, n_floats);
  if (moved == nullptr) return;
  check(gather_rows(stream(), data_of(x), x.width, rows, static_cast<int>(keep.size()), moved), "keeping rows");
  if (device_->ok()) device_->copy(moved, n_floats, data_of(x), "keeping rows");
}

void CudaBackend::logits(const ModelConfig& config, const NormWeights& norm, const Matrix& output,
                         std::span<const int> rows, const Activations& x, Activations& logits) {
  if (rows.empty() || !device_->begin_step()) return;
  const auto n_rows = static_cast<int>(rows.size());
  const int* chosen = upload_ints(rows, chosen_rows_);
  const RoundedRows normed = products_.rows_for({&cast(output)}, n_rows, config.dim, false);
  if (!device_->ok()) return;
  const NextWeights ahead = products_.next_weights({&cast(output)}, n_rows);
  check(norm_rows(stream(), data_of(x), chosen, n_rows, norm_ref(config, norm), normed, ahead), "normalising");
  products_.multiply(cast(output), normed, n_rows, {data_of(logits), logits.width});
  if (device_->ok() && (config.logit_scale != 1.0f || config.logit_softcap > 0))
    check(finish_logits(stream(), config.logit_scale, config.logit_softcap, int64_t{n_rows} * logits.width,
                        data_of(logits)),
          "computing logits");
  if (!device_->ok() || config.unwritten_tokens.empty()) return;
  const int* tokens = upload_ints(config.unwritten_tokens, unwritten_);
  if (device_->ok())
    check(rule_out(stream(), tokens, static_cast<int>(config.unwritten_tokens.size()), n_rows, logits.width,
                   data_of(logits)),
          "computing logits");
}

Status CudaBackend::read(const Activations& x, int n_rows, std::span<float> out) {
  const size_t count = static_cast<size_t>(n_rows) * static_cast<size_t>(x.width);
  if (n_rows < 0 || n_rows > x.max_rows || out.size() < count) return usage_error("reading more rows than there are");
  return device_->download(reinterpret_cast<const std::byte*>(data_of(x)), std::as_writable_bytes(out.first(count)),
                           "reading results");
}

}  // namespace

Result<std::unique_ptr<Backend>> make_cuda_backend(const CudaOptions& options) {
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Device> device, Device::open(options.index));
  device->allow_overlap(options.overlap && !options.profile);
  if (options.graphs && !options.profile) device->allow_graphs();
  if (options.profile) device->time_launches();
  // Not before: the library takes a hundred megabytes and a third of a second, which nobody without a GPU should pay.
  const BlasTable* const table = options.blas != nullptr ? options.blas() : nullptr;
  std::unique_ptr<Blas> blas = table != nullptr ? Blas::open(*table, device->stream()) : nullptr;
  return std::unique_ptr<Backend>(std::make_unique<CudaBackend>(std::move(device), std::move(blas), options));
}

StepGraphReport graph_report(const Backend& backend) {
  return static_cast<const CudaBackend&>(backend).graph_report();
}

void write_activations(Backend& backend, std::span<const float> rows, Activations& x) {
  static_cast<CudaBackend&>(backend).write(rows, x);
}

CudaOptions default_cuda_options(int index) {
  const auto is_set = [](const char* name, std::string_view to) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return value != nullptr && value == to;
  };
  return {.index = index,
          .blas = find_blas,
          .exact = is_set("MNEME_CUDA_MATH", "exact"),
          .joins = !is_set("MNEME_CUDA_JOIN", "0"),
          .norms_within = !is_set("MNEME_CUDA_NORM", "0"),
          .gates_within = !is_set("MNEME_CUDA_GATE", "0"),
          .resident_tables = !is_set("MNEME_CUDA_TABLES", "0"),
          .places_within = !is_set("MNEME_CUDA_PLACING", "0"),
          .rings = !is_set("MNEME_CUDA_RING", "0"),
          .reads_early = !is_set("MNEME_CUDA_EARLY", "0"),
          .overlap = !is_set("MNEME_CUDA_OVERLAP", "0"),
          .graphs = !is_set("MNEME_CUDA_GRAPHS", "0"),
          .kv_in_host_memory = is_set("MNEME_CUDA_KV", "host"),
          .profile = is_set("MNEME_CUDA_PROFILE", "1")};
}

}  // namespace mneme::engine::cuda
