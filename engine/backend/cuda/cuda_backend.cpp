#include "engine/backend/cuda/cuda_backend.h"

#include <cassert>
#include <cstdlib>
#include <string>
#include <utility>

#include "engine/backend/cuda/attention_kernels.h"
#include "engine/backend/cuda/cuda_kv_cache.h"
#include "engine/backend/cuda/cuda_objects.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/expert_tables.h"
#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/products.h"
#include "engine/backend/cuda/rope_angles.h"
#include "engine/backend/cuda/row_kernels.h"
#include "engine/backend/cuda/step_rows.h"

namespace mneme::engine::cuda {
namespace {

const CudaMatrix& cast(const Matrix& matrix) {
  return static_cast<const CudaMatrix&>(matrix);
}
const CudaMatrix* cast(const Matrix* matrix) {
  return static_cast<const CudaMatrix*>(matrix);
}
float* data_of(const Activations& x) {
  return static_cast<const CudaActivations&>(x).data();
}
const float* data_or_null(const Activations* x) {
  return x != nullptr ? data_of(*x) : nullptr;
}

NormRef norm_ref(const ModelConfig& config, const NormWeights& norm) {
  return {data_or_null(norm.weight), data_or_null(norm.bias), config.norm, config.norm_epsilon};
}

constexpr int kTensorCoreMajor = 8;  // compute capability with the instructions of tensor_core.cuh

class CudaBackend final : public Backend {
 public:
  CudaBackend(std::unique_ptr<Device> device, std::unique_ptr<Blas> blas, bool exact)
      : device_(std::move(device)),
        name_("cuda:" + std::to_string(device_->index())),
        products_(*device_, std::move(blas), exact),
        ropes_(*device_),
        staging_(*device_),
        step_rows_(*device_, !exact && device_->info().major >= kTensorCoreMajor),
        experts_(*device_) {}

  std::string_view name() const override { return name_; }
  std::string description() const override;

  Result<std::unique_ptr<Matrix>> load_matrix(const TensorView& tensor) override;
  Result<std::unique_ptr<Activations>> load_vector(const TensorView& tensor) override;
  Result<std::unique_ptr<Activations>> make_activations(int max_rows, int width) override;
  Result<std::unique_ptr<KvCache>> make_kv_cache(const KvCacheOptions& options) override;

  void embed(const Matrix& table, std::span<const TokenId> ids, float scale, Activations& x) override;
  void add_rows(const Matrix& table, std::span<const TokenId> ids, Activations& x) override;
  void normalise(const ModelConfig& config, const NormWeights& norm, int n_rows, Activations& x) override;
  void project_qkv(const ModelConfig& config, int layer, const AttentionWeights& weights, const RowSet& rows,
                   const Activations& x, Activations& q) override;
  void attend(const ModelConfig& config, int layer, const RowSet& rows, const Activations& q,
              Activations& out) override;
  void project_output(const ModelConfig& config, const LayerWeights& weights, int n_rows, const Activations& attended,
                      Activations& x) override;
  void feed_forward(const ModelConfig& config, const LayerWeights& weights, int n_rows, Activations& x) override;
  void keep_rows(std::span<const int> keep, Activations& x) override;
  void logits(const ModelConfig& config, const NormWeights& norm, const Matrix& output, std::span<const int> rows,
              const Activations& x, Activations& logits) override;
  Status read(const Activations& x, int n_rows, std::span<float> out) override;
  Status synchronize() override { return device_->synchronize(); }
  int64_t free_memory_bytes() const override { return device_->memory().free_bytes(); }

  void write(std::span<const float> rows, Activations& x) {
    if (device_->begin())
      device_->upload(std::as_bytes(rows), reinterpret_cast<std::byte*>(data_of(x)), device_->stream());
  }

 private:
  cudaStream_t stream() const { return device_->stream(); }
  void check(cudaError_t error, std::string_view doing) { device_->check(error, doing); }
  // Room in a buffer that lives from one operation to the next; null when there is none.
  float* scratch(DeviceBuffer& buffer, int64_t n_floats);
  const int* upload_ints(std::span<const int> values, DeviceBuffer& buffer);
  void embed_ids(const Matrix& table, std::span<const TokenId> ids, float scale, bool add, Activations& x);
  void multiply_qkv(const ModelConfig& config, const AttentionWeights& weights, int n_rows, const Activations& x,
                    float* qkv);
  void add_product(const ModelConfig& config, const LayerWeights& weights, const NormWeights& norm,
                   const Activations* bias, const RoundedRows& rows, int n_rows, Activations& x);
  void activate(const ModelConfig& config, const GatedRows& in, const RoundedRows& rows, int n_rows);
  RoundedRows dense_hidden(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows,
                           const Activations& x);
  bool expert_feed_forward(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows,
                           const Activations& x);
  struct ExpertStep;
  void run_pairs(const ExpertStep& step);
  void run_groups(const ExpertStep& step);

  std::unique_ptr<Device> device_;
  const std::string name_;
  Products products_;
  RopeAngles ropes_;
  LayerStaging staging_;
  StepRows step_rows_;
  ExpertTables experts_;
  DeviceBuffer ids_, chosen_rows_;
  DeviceBuffer qkv_;       // (rows, q + k + v)
  DeviceBuffer hidden_;    // (rows, gate + up)
  DeviceBuffer block_;     // (rows, dim): what a block adds
  DeviceBuffer partials_;  // of attention
  DeviceBuffer moved_;     // rows on their way
  DeviceBuffer router_, expert_choice_, expert_weights_, expert_places_, expert_out_;
};

std::string CudaBackend::description() const {
  const GpuInfo& gpu = device_->info();
  std::string text = gpu.name + ", compute capability " + std::to_string(gpu.major) + "." + std::to_string(gpu.minor) +
                     ", " + std::to_string(gpu.memory_bytes >> 20) + " MiB";
  if (products_.is_exact()) text += ", exact";
  return text + (products_.uses_blas() ? ", cuBLAS" : ", without cuBLAS");
}

Result<std::unique_ptr<Matrix>> CudaBackend::load_matrix(const TensorView& tensor) {
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<CudaMatrix> matrix, load_cuda_matrix(*device_, tensor));
  return std::unique_ptr<Matrix>(std::move(matrix));
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
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<CudaKvCache> cache, CudaKvCache::make(options, *device_, ropes_, staging_));
  return std::unique_ptr<KvCache>(std::move(cache));
}

float* CudaBackend::scratch(DeviceBuffer& buffer, int64_t n_floats) {
  return device_->grow(buffer, static_cast<size_t>(n_floats) * sizeof(float), "activations") ? buffer.as<float>()
                                                                                             : nullptr;
}

const int* CudaBackend::upload_ints(std::span<const int> values, DeviceBuffer& buffer) {
  if (device_->grow(buffer, values.size_bytes(), "a step's rows"))
    device_->upload(std::as_bytes(values), buffer.as(), stream());
  return buffer.as<int>();
}

void CudaBackend::embed_ids(const Matrix& table, std::span<const TokenId> ids, float scale, bool add, Activations& x) {
  if (!device_->begin()) return;
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
  if (!device_->begin()) return;
  RoundedRows in_place;
  in_place.width = x.width;
  in_place.values = data_of(x);
  check(norm_rows(stream(), data_of(x), nullptr, n_rows, norm_ref(config, norm), in_place), "normalising");
}

void CudaBackend::multiply_qkv(const ModelConfig& config, const AttentionWeights& weights, int n_rows,
                               const Activations& x, float* qkv) {
  const int q_dim = config.n_heads * config.head_dim;
  const int width = q_dim + 2 * config.kv_dim();
  const RoundedRows rows = products_.rows_for({cast(weights.qkv), cast(weights.q), cast(weights.k), cast(weights.v)},
                                              n_rows, config.dim, false);
  if (!device_->ok()) return;
  check(norm_rows(stream(), data_of(x), nullptr, n_rows, norm_ref(config, weights.input_norm), rows), "normalising");
  if (weights.qkv != nullptr) return products_.multiply(cast(*weights.qkv), rows, n_rows, {qkv, width});
  products_.multiply(cast(*weights.q), rows, n_rows, {qkv, width});
  products_.multiply(cast(*weights.k), rows, n_rows, {qkv + q_dim, width});
  products_.multiply(cast(*weights.v), rows, n_rows, {qkv + q_dim + config.kv_dim(), width});
}

void CudaBackend::project_qkv(const ModelConfig& config, int layer, const AttentionWeights& weights, const RowSet& rows,
                              const Activations& x, Activations& q) {
  if (rows.n_rows() == 0 || !device_->begin()) return;
  const int q_dim = config.n_heads * config.head_dim;
  float* qkv = scratch(qkv_, int64_t{rows.n_rows()} * (q_dim + 2 * config.kv_dim()));
  if (qkv == nullptr) return;
  multiply_qkv(config, weights, rows.n_rows(), x, qkv);

  const LayerConfig& layer_config = config.layers[static_cast<size_t>(layer)];
  const RowsView& view = step_rows_.view(rows);
  const bool fused = weights.qkv != nullptr;
  const float* bias = data_or_null(weights.qkv_bias);
  HeadsIn in;
  in.qkv = qkv;
  in.q_bias = fused ? bias : data_or_null(weights.q_bias);
  in.k_bias = fused ? (bias != nullptr ? bias + q_dim : nullptr) : data_or_null(weights.k_bias);
  in.v_bias = fused ? (bias != nullptr ? bias + q_dim + config.kv_dim() : nullptr) : data_or_null(weights.v_bias);
  in.q_norm = data_or_null(weights.q_norm);
  in.k_norm = data_or_null(weights.k_norm);
  in.epsilon = config.norm_epsilon;
  in.n_heads = config.n_heads;
  in.n_kv_heads = config.n_kv_heads;
  in.head_dim = config.head_dim;
  if (layer_config.uses_rope)
    in.rotation =
        ropes_.angles(config.ropes[static_cast<size_t>(layer_config.rope_index)], view.positions, 0, view.n_rows);
  if (device_->ok()) check(finish_heads(stream(), in, view, layer, data_of(q)), "rotating heads");
}

void CudaBackend::attend(const ModelConfig& config, int layer, const RowSet& rows, const Activations& q,
                         Activations& out) {
  if (rows.n_rows() == 0 || !device_->begin()) return;
  AttentionCall call;
  call.shape = {.n_heads = config.n_heads,
                .n_kv_heads = config.n_kv_heads,
                .head_dim = config.head_dim,
                .scale = config.attention_scale,
                .softcap = config.attention_softcap,
                .window = config.layers[static_cast<size_t>(layer)].sliding_window,
                .causal = config.causal};
  call.layer = layer;
  call.rows = step_rows_.view(rows);
  const StepRows::Tiles tiles = step_rows_.tiles(call.shape);
  call.plan = tiles.plan;
  call.tiles = tiles.tiles;
  call.n_tiles = tiles.n_tiles;
  call.q = data_of(q);
  call.out = data_of(out);
  const int64_t n_partial = partial_floats(call.shape, call.plan, call.n_tiles);
  if (n_partial > 0) call.partials = scratch(partials_, n_partial);
  if (device_->ok()) check(cuda::attend(stream(), call), "computing attention");
}

// x += norm(W rows + bias), or as post-norm encoders have it.
void CudaBackend::add_product(const ModelConfig& config, const LayerWeights& weights, const NormWeights& norm,
                              const Activations* bias, const RoundedRows& rows, int n_rows, Activations& x) {
  BlockOut block;
  block.product = block_.as<float>();
  block.row_scales = rows.row_scales;
  block.bias = data_or_null(bias);
  block.norm = norm_ref(config, norm);
  block.after_residual = weights.norm_after_residual;
  if (device_->ok()) check(add_block(stream(), block, n_rows, config.dim, data_of(x)), "adding a block");
}

void CudaBackend::project_output(const ModelConfig& config, const LayerWeights& weights, int n_rows,
                                 const Activations& attended, Activations& x) {
  if (n_rows == 0 || !device_->begin()) return;
  float* block = scratch(block_, int64_t{n_rows} * config.dim);
  const CudaMatrix& output = cast(*weights.attention.output);
  const RoundedRows rows =
      products_.round({&output}, data_of(attended), n_rows, config.n_heads * config.head_dim, true);
  products_.multiply(output, rows, n_rows, {block, config.dim});
  add_product(config, weights, weights.attention.output_norm, weights.attention.output_bias, rows, n_rows, x);
}

void CudaBackend::activate(const ModelConfig& config, const GatedRows& in, const RoundedRows& rows, int n_rows) {
  GatedRows gated = in;
  gated.activation = config.activation;
  RoundedRows first_pass = rows;
  if (rows.row_scales != nullptr) first_pass.halves = nullptr;  // their scale is known when the row is
  if (device_->ok()) check(activate_rows(stream(), gated, n_rows, first_pass), "computing activations");
  products_.finish_scaled(rows, n_rows);
}

// The activated rows, ready for the down product.
RoundedRows CudaBackend::dense_hidden(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows,
                                      const Activations& x) {
  const int ffn_dim = static_cast<int>(weights.down->n_in);
  const bool gated = weights.gate != nullptr || weights.gate_up != nullptr;
  const int width = gated ? 2 * ffn_dim : ffn_dim;
  float* hidden = scratch(hidden_, int64_t{n_rows} * width);
  const RoundedRows normed =
      products_.rows_for({cast(weights.gate_up), cast(weights.gate), cast(weights.up)}, n_rows, config.dim, false);
  if (!device_->ok()) return {};
  check(norm_rows(stream(), data_of(x), nullptr, n_rows, norm_ref(config, weights.input_norm), normed), "normalising");
  if (weights.gate_up != nullptr) {
    products_.multiply(cast(*weights.gate_up), normed, n_rows, {hidden, width});
  } else {
    products_.multiply(cast(*weights.up), normed, n_rows, {hidden + (gated ? ffn_dim : 0), width});
    if (gated) products_.multiply(cast(*weights.gate), normed, n_rows, {hidden, width});
  }
  const RoundedRows rows = products_.rows_for({cast(weights.down)}, n_rows, ffn_dim, true);
  activate(config,
           {.gate = gated ? hidden : nullptr,
            .up = hidden + (gated ? ffn_dim : 0),
            .stride = width,
            .up_bias = weights.gate_up != nullptr ? nullptr : data_or_null(weights.up_bias)},
           rows, n_rows);
  return rows;
}

void CudaBackend::feed_forward(const ModelConfig& config, const LayerWeights& weights, int n_rows, Activations& x) {
  if (n_rows == 0 || !device_->begin()) return;
  const FeedForwardWeights& ffn = weights.feed_forward;
  float* block = scratch(block_, int64_t{n_rows} * config.dim);
  RoundedRows rows;
  if (ffn.experts.n_experts > 0) {
    if (!expert_feed_forward(config, ffn, n_rows, x)) return;
  } else {
    rows = dense_hidden(config, ffn, n_rows, x);
    if (!device_->ok()) return;
    products_.multiply(cast(*ffn.down), rows, n_rows, {block, config.dim});
  }
  add_product(config, weights, ffn.output_norm, ffn.down_bias, rows, n_rows, x);
}

// One layer's experts on one step's rows.
struct CudaBackend::ExpertStep {
  const ModelConfig& config;
  const ExpertWeights& weights;
  ExpertTable table;
  int n_rows;
  int n_pairs;
  int ffn_dim;
  RoundedRows normed;
  float* hidden;           // (pairs, gate + up)
  float* out;              // (pairs, dim)
  const int* chosen;       // (rows, used)
  const float* weight_of;  // likewise
  float* block;            // (rows, dim)
};

// Few rows: every (row, expert) pair by itself.
void CudaBackend::run_pairs(const ExpertStep& step) {
  const MatrixRef& in = cast(*step.weights.gate[0]).ref();
  const CudaMatrix& down = cast(*step.weights.down[0]);
  constexpr std::string_view kDoing = "multiplying with experts";
  ExpertPairs pairs{step.table.gate, step.chosen, step.n_pairs, step.weights.n_used};
  check(multiply_pairs(stream(), in, pairs, step.normed, {step.hidden, 2 * step.ffn_dim}), kDoing);
  pairs.matrices = step.table.up;
  check(multiply_pairs(stream(), in, pairs, step.normed, {step.hidden + step.ffn_dim, 2 * step.ffn_dim}), kDoing);
  const RoundedRows rows = products_.rows_for_experts(down, true, step.n_pairs, step.ffn_dim);
  activate(step.config, {.gate = step.hidden, .up = step.hidden + step.ffn_dim, .stride = 2 * step.ffn_dim}, rows,
           step.n_pairs);
  if (!device_->ok()) return;
  pairs.matrices = step.table.down;
  pairs.pairs_per_row = 1;
  check(multiply_pairs(stream(), down.ref(), pairs, rows, {step.out, step.config.dim}), kDoing);
  check(combine_experts(stream(), step.out, step.chosen, step.weight_of, nullptr, step.n_rows, step.weights.n_used,
                        step.config.dim, step.block),
        kDoing);
}

// Many rows: each expert's rows together.
void CudaBackend::run_groups(const ExpertStep& step) {
  const int n_experts = step.weights.n_experts;
  if (!device_->grow(expert_places_, static_cast<size_t>(n_experts + 1 + 2 * step.n_pairs) * sizeof(int), "experts"))
    return;
  auto* offsets = expert_places_.as<int>();
  int* rows_of = offsets + n_experts + 1;
  int* places = rows_of + step.n_pairs;
  constexpr std::string_view kDoing = "multiplying with experts";
  check(group_by_expert(stream(), step.chosen, step.n_rows, n_experts, step.weights.n_used, offsets, rows_of, places),
        kDoing);
  const MatrixRef& in = cast(*step.weights.gate[0]).ref();
  const CudaMatrix& down = cast(*step.weights.down[0]);
  ExpertGroups groups{step.table.gate, n_experts, offsets, rows_of};
  const float* x = step.normed.values;
  check(multiply_groups(stream(), in, groups, x, step.n_rows, {step.hidden, 2 * step.ffn_dim}), kDoing);
  groups.matrices = step.table.up;
  check(multiply_groups(stream(), in, groups, x, step.n_rows, {step.hidden + step.ffn_dim, 2 * step.ffn_dim}), kDoing);
  const RoundedRows rows = products_.rows_for_experts(down, false, step.n_pairs, step.ffn_dim);
  activate(step.config, {.gate = step.hidden, .up = step.hidden + step.ffn_dim, .stride = 2 * step.ffn_dim}, rows,
           step.n_pairs);
  if (!device_->ok()) return;
  groups.matrices = step.table.down;
  groups.rows = nullptr;
  check(multiply_groups(stream(), down.ref(), groups, rows.values, step.n_rows, {step.out, step.config.dim}), kDoing);
  check(combine_experts(stream(), step.out, step.chosen, step.weight_of, places, step.n_rows, step.weights.n_used,
                        step.config.dim, step.block),
        kDoing);
}

// block_ = the experts' mix of the normed rows; false after a failure.
bool CudaBackend::expert_feed_forward(const ModelConfig& config, const FeedForwardWeights& ffn, int n_rows,
                                      const Activations& x) {
  const ExpertWeights& weights = ffn.experts;
  const bool few = n_rows <= kFewRows && !products_.is_exact();
  const CudaMatrix& gate = cast(*weights.gate[0]);
  const int n_pairs = n_rows * weights.n_used;
  const int ffn_dim = static_cast<int>(weights.down[0]->n_in);

  // The router is small and decides much: always in f32.
  const RoundedRows normed = products_.rows_for_experts(gate, few, n_rows, config.dim);
  float* scores = scratch(router_, int64_t{n_rows} * weights.n_experts);
  float* weight_of = scratch(expert_weights_, n_pairs);
  float* hidden = scratch(hidden_, int64_t{n_pairs} * 2 * ffn_dim);
  float* out = scratch(expert_out_, int64_t{n_pairs} * config.dim);
  device_->grow(expert_choice_, static_cast<size_t>(n_pairs) * sizeof(int), "experts");
  if (!device_->ok()) return false;
  check(norm_rows(stream(), data_of(x), nullptr, n_rows, norm_ref(config, ffn.input_norm), normed), "normalising");
  check(multiply_tiled(stream(), cast(*weights.router).ref(), normed.values, n_rows, {scores, weights.n_experts}),
        "choosing experts");
  check(choose_experts(stream(), scores, n_rows, weights.n_experts, weights.n_used, weights.normalise,
                       expert_choice_.as<int>(), weight_of),
        "choosing experts");
  const ExpertStep step{config, weights, experts_.get(weights),    n_rows,    n_pairs,           ffn_dim, normed,
                        hidden, out,     expert_choice_.as<int>(), weight_of, block_.as<float>()};
  if (!device_->ok()) return false;
  few ? run_pairs(step) : run_groups(step);
  return device_->ok();
}

void CudaBackend::keep_rows(std::span<const int> keep, Activations& x) {
  if (keep.empty() || !device_->begin()) return;
  const int* rows = upload_ints(keep, chosen_rows_);
  const auto n_floats = static_cast<int64_t>(keep.size()) * x.width;
  float* moved = scratch(moved_, n_floats);
  if (moved == nullptr) return;
  check(gather_rows(stream(), data_of(x), x.width, rows, static_cast<int>(keep.size()), moved), "keeping rows");
  check(cudaMemcpyAsync(data_of(x), moved, static_cast<size_t>(n_floats) * sizeof(float), cudaMemcpyDeviceToDevice,
                        stream()),
        "keeping rows");
}

void CudaBackend::logits(const ModelConfig& config, const NormWeights& norm, const Matrix& output,
                         std::span<const int> rows, const Activations& x, Activations& logits) {
  if (rows.empty() || !device_->begin()) return;
  const auto n_rows = static_cast<int>(rows.size());
  const int* chosen = upload_ints(rows, chosen_rows_);
  const RoundedRows normed = products_.rows_for({&cast(output)}, n_rows, config.dim, false);
  if (!device_->ok()) return;
  check(norm_rows(stream(), data_of(x), chosen, n_rows, norm_ref(config, norm), normed), "normalising");
  products_.multiply(cast(output), normed, n_rows, {data_of(logits), logits.width});
  if (!device_->ok() || (config.logit_scale == 1.0f && config.logit_softcap <= 0)) return;
  check(finish_logits(stream(), config.logit_scale, config.logit_softcap, int64_t{n_rows} * logits.width,
                      data_of(logits)),
        "computing logits");
}

Status CudaBackend::read(const Activations& x, int n_rows, std::span<float> out) {
  const size_t count = static_cast<size_t>(n_rows) * static_cast<size_t>(x.width);
  if (n_rows < 0 || n_rows > x.max_rows || out.size() < count) return usage_error("reading more rows than there are");
  if (device_->begin())
    check(cudaMemcpyAsync(out.data(), data_of(x), count * sizeof(float), cudaMemcpyDeviceToHost, stream()),
          "reading results");
  return device_->synchronize();
}

}  // namespace

Result<std::unique_ptr<Backend>> make_cuda_backend(const CudaOptions& options) {
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Device> device, Device::open(options.index));
  // Not before: the library takes a hundred megabytes and a third of a second, which nobody without a GPU should pay.
  const BlasTable* const table = options.blas != nullptr ? options.blas() : nullptr;
  std::unique_ptr<Blas> blas = table != nullptr ? Blas::open(*table, device->stream()) : nullptr;
  return std::unique_ptr<Backend>(std::make_unique<CudaBackend>(std::move(device), std::move(blas), options.exact));
}

void write_activations(Backend& backend, std::span<const float> rows, Activations& x) {
  static_cast<CudaBackend&>(backend).write(rows, x);
}

CudaOptions default_cuda_options(int index) {
  const char* math = std::getenv("MNEME_CUDA_MATH");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return {.index = index, .blas = find_blas, .exact = math != nullptr && std::string_view(math) == "exact"};
}

}  // namespace mneme::engine::cuda
