#include "engine/backend/cpu/cpu_backend.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <new>
#include <string>

#include "base/memory_limit.h"
#include "base/thread_pool.h"
#include "engine/backend/cpu/cpu_attention.h"
#include "engine/backend/cpu/cpu_casts.h"
#include "engine/backend/cpu/cpu_delta_net.h"
#include "engine/backend/cpu/cpu_feed_forward.h"
#include "engine/backend/cpu/cpu_kv_cache.h"
#include "engine/backend/cpu/cpu_layer_inputs.h"
#include "engine/backend/cpu/cpu_mamba.h"
#include "engine/backend/cpu/cpu_matrix.h"
#include "engine/backend/cpu/cpu_short_convolution.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/latent_products.h"
#include "engine/backend/cpu/multiplier.h"
#include "engine/backend/cpu/page_pool.h"
#include "engine/backend/cpu/read_chain.h"
#include "engine/backend/cpu/retrieved_attention.h"
#include "engine/backend/cpu/rope_table.h"
#include "engine/backend/cpu/scratch_rows.h"
#include "engine/backend/kv_memory.h"
#include "engine/gguf/dequantize.h"

namespace mneme::engine {
namespace cpu {
namespace {

// Whether those of the matrices that are there are.
bool are_packed(std::initializer_list<const Matrix*> matrices) {
  return std::all_of(matrices.begin(), matrices.end(), [](const Matrix* w) { return !w || cast(*w).packed(); });
}

// KV memory of finished sequences kept for the next one.
constexpr size_t kKeptKvBytes = size_t{128} << 20;
// Keys of neighbouring tokens share cache lines: threads take this many tokens at a time.
constexpr size_t kRowsOfKeyLine = 32;
constexpr int kHeadsPerRead = 2;  // heads that take about as long as some lines of memory need to come
constexpr int kFewRows = 2;       // up to so many, operations between products are over before their memory has come

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(int n_threads)
      : kernels_(best_kernels()),
        pool_(n_threads > 0 ? n_threads : ThreadPool::physical_cores()),
        chain_(pool_),
        multiplier_(kernels_, pool_, chain_),
        feed_forward_(kernels_, pool_, multiplier_),
        layer_inputs_(kernels_, pool_, multiplier_),
        latent_(kernels_, pool_, multiplier_),
        delta_net_(kernels_, pool_, multiplier_),
        mamba_(kernels_, pool_, multiplier_),
        short_convolution_(kernels_, pool_, multiplier_),
        attention_(kernels_, pool_, chain_),
        retrieved_attention_(kernels_, pool_) {}

  std::string_view name() const override { return "cpu"; }
  int equal_step_rows() const override { return std::min({Attention::kFewRows, DeltaNet::kFewRows, Mamba::kFewRows}); }
  std::string description() const override {
    return std::string("CPU, ") + kernels_.name + ", " + std::to_string(pool_.n_threads()) + " threads";
  }

  ThreadPool* host_threads() override { return &pool_; }

  Result<std::unique_ptr<Matrix>> load_matrix(const TensorView& tensor) override;
  Result<std::unique_ptr<Activations>> load_vector(const TensorView& tensor) override;
  Result<std::unique_ptr<Activations>> make_activations(int max_rows, int width) override;
  Result<std::unique_ptr<KvCache>> make_kv_cache(const KvCacheOptions& options) override;

  void embed(const Matrix& table, std::span<const TokenId> ids, float scale, Activations& x) override;
  void add_rows(const Matrix& table, std::span<const TokenId> ids, Activations& x) override;
  void make_layer_inputs(const ModelConfig& config, const LayerInputSource& source, std::span<const TokenId> ids,
                         const Activations& x, Activations& inputs) override {
    layer_inputs_.make(config, source, ids, cast(x), cast(inputs));
  }
  void normalise(const ModelConfig& config, const NormWeights& norm, int n_rows, Activations& x) override;
  void project_qkv(const ModelConfig& config, int layer, const AttentionWeights& weights, const RowSet& rows,
                   const Activations& x, Activations& q) override;
  void attend(const ModelConfig& config, int layer, const RowSet& rows, const Activations& q,
              Activations& out) override;
  bool mixes_states() const override { return true; }
  void mix_state(const ModelConfig& config, int layer, const LayerWeights& weights, const RowSet& rows,
                 const Activations& x, Activations& out) override;
  void project_mixed(const ModelConfig& config, const LayerWeights& weights, int n_rows, const Activations& mixed,
                     Activations& x) override;
  void project_output(const ModelConfig& config, const LayerWeights& weights, int n_rows, const Activations& attended,
                      Activations& x) override;
  void feed_forward(const ModelConfig& config, const LayerWeights& weights, int n_rows, Activations& x) override;
  void finish_layer(const ModelConfig& config, int layer, const LayerWeights& weights, int n_rows,
                    const Activations* inputs, Activations& x) override {
    layer_inputs_.finish(config, layer, weights.layer_input, n_rows, inputs ? &cast(*inputs) : nullptr, cast(x));
  }
  void keep_rows(std::span<const int> keep, Activations& x) override;
  void logits(const ModelConfig& config, const NormWeights& norm, const Matrix& output, std::span<const int> rows,
              const Activations& x, Activations& logits) override;
  Status read(const Activations& x, int n_rows, std::span<float> out) override;
  Status synchronize() override { return {}; }
  int64_t free_memory_bytes() const override;

 private:
  // Calls body(row) for all rows on the pool.
  template <class Body>
  void for_rows(int n_rows, Body body, size_t grain = 4) {
    pool_.parallel_for(static_cast<size_t>(n_rows), grain, [&](int, size_t begin, size_t end) {
      for (size_t row = begin; row < end; ++row) body(static_cast<int>(row));
    });
  }
  void norm_row(const ModelConfig& config, const NormWeights& norm, int n, const float* x, float* out) const;
  // The norm of x's rows in normed_, or x itself where there is no norm; announced to the multiplier. Where all that
  // will multiply them is packed, they are rounded as they are made and the result is null.
  const float* begin_normed(const ModelConfig& config, const NormWeights& norm, int n_rows, const float* x,
                            bool all_packed);
  void begin(const float* data, int n_rows, int n_in) { multiplier_.begin({data, n_in, n_rows, n_in}); }
  void expect_tokens(int layer, const RowSet& rows) const;
  static void take_queries(const ModelConfig& config, int head_dim, const float* row, float* queries);
  void finish_heads(const ModelConfig& config, int layer, const AttentionWeights& weights, const RowSet& rows,
                    Activations& q);
  // The norms of a row's queries and of its keys, all heads of each together.
  void norm_whole(const ModelConfig& config, const LayerHeads& heads, const float* q_norm, const float* k_norm,
                  float* row) const;
  void add_block(const ModelConfig& config, const LayerWeights& weights, const NormWeights& norm, int n_rows,
                 CpuActivations& x);
  const Kernels& kernels_;
  ThreadPool pool_;
  ReadChain chain_;
  Multiplier multiplier_;
  FeedForward feed_forward_;
  LayerInputs layer_inputs_;
  LatentProducts latent_;
  DeltaNet delta_net_;
  Mamba mamba_;
  ShortConvolution short_convolution_;
  Attention attention_;
  RetrievedAttention retrieved_attention_;
  std::vector<RowGroup> full_groups_;  // of a step: those that attend to everything
  RopeTables ropes_;
  WeightArena weights_;
  std::shared_ptr<PagePool> pages_ = std::make_shared<PagePool>(kKeptKvBytes);
  ScratchRows normed_;  // (rows, dim)
  ScratchRows qkv_;     // (rows, q + k + v)
  ScratchRows block_;   // (rows, dim): what a block adds
};

constexpr int64_t kMaxRowElements = int64_t{1} << 24;

Status check_shape(const TensorView& tensor) {
  if (!gguf::tensor_type_info(tensor.type)) {
    return unsupported("tensor " + std::string(tensor.name) + " has an unknown type; supported are " +
                       std::string(gguf::supported_tensor_types()));
  }
  const int64_t row_bytes = gguf::row_bytes(tensor.type, tensor.n_in);
  if (row_bytes <= 0 || tensor.n_out <= 0 ||
      static_cast<uint64_t>(tensor.n_out) > tensor.bytes.size() / static_cast<uint64_t>(row_bytes)) {
    return corruption("tensor " + std::string(tensor.name) + " is shorter than its shape or has broken rows");
  }
  return {};
}

Result<std::unique_ptr<Matrix>> CpuBackend::load_matrix(const TensorView& tensor) {
  MNEME_RETURN_IF_ERROR(check_shape(tensor));
  if (tensor.n_in > kMaxRowElements) return unsupported("tensor " + std::string(tensor.name) + " has too long rows");
  auto matrix = std::make_unique<CpuMatrix>(tensor);
  const auto scale_place =
      kernels_.panels_in_order ? PackedMatrix::ScalePlace::kBetweenCodes : PackedMatrix::ScalePlace::kBehindCodes;
  MNEME_RETURN_IF_ERROR(matrix->pack(pool_, weights_, scale_place));
  return std::unique_ptr<Matrix>(std::move(matrix));
}

Result<std::unique_ptr<Activations>> CpuBackend::load_vector(const TensorView& tensor) {
  MNEME_RETURN_IF_ERROR(check_shape(tensor));
  auto vector = std::make_unique<CpuActivations>(1, static_cast<int>(tensor.n_in));
  gguf::dequantize_row(tensor.type, tensor.bytes.data(), tensor.n_in, vector->row(0));
  return std::unique_ptr<Activations>(std::move(vector));
}

Result<std::unique_ptr<Activations>> CpuBackend::make_activations(int max_rows, int width) {
  try {
    return std::unique_ptr<Activations>(std::make_unique<CpuActivations>(max_rows, width));
  } catch (const std::bad_alloc&) {
    return resource_error("no memory for " + std::to_string(max_rows) + " rows of " + std::to_string(width) +
                          " activations");
  }
}

Result<std::unique_ptr<KvCache>> CpuBackend::make_kv_cache(const KvCacheOptions& options) {
  if (options.head_dim > kWidestHead)
    return unsupported("heads wider than " + std::to_string(kWidestHead) + " are not supported on the CPU");
  MNEME_RETURN_IF_ERROR(check_kv_type(options, kKvBlock));
  return std::unique_ptr<KvCache>(std::make_unique<CpuKvCache>(options, kernels_, pool_, ropes_, pages_));
}

void CpuBackend::embed(const Matrix& table, std::span<const TokenId> ids, float scale, Activations& x) {
  for_rows(static_cast<int>(ids.size()), [&](int row) {
    float* out = cast(x).row(row);
    cast(table).read_row(ids[row], out);
    if (scale != 1.0f)
      for (int i = 0; i < x.width; ++i) out[i] *= scale;
  });
}

void CpuBackend::add_rows(const Matrix& table, std::span<const TokenId> ids, Activations& x) {
  normed_.shape(static_cast<int64_t>(ids.size()), x.width);
  for_rows(static_cast<int>(ids.size()), [&](int row) {
    cast(table).read_row(ids[row], normed_.row(row));
    kernels_.add(normed_.row(row), x.width, cast(x).row(row));
  });
}

void CpuBackend::norm_row(const ModelConfig& config, const NormWeights& norm, int n, const float* x, float* out) const {
  if (config.norm == NormKind::kRms) {
    kernels_.rms_norm(x, vector_or_null(norm.weight), config.norm_epsilon, n, out);
  } else {
    kernels_.layer_norm(x, vector_or_null(norm.weight), vector_or_null(norm.bias), config.norm_epsilon, n, out);
  }
}

void CpuBackend::normalise(const ModelConfig& config, const NormWeights& norm, int n_rows, Activations& x) {
  for_rows(n_rows, [&](int row) { norm_row(config, norm, x.width, cast(x).row(row), cast(x).row(row)); });
}

const float* CpuBackend::begin_normed(const ModelConfig& config, const NormWeights& norm, int n_rows, const float* x,
                                      bool all_packed) {
  if (norm.weight && all_packed) {
    multiplier_.begin_made(n_rows, config.dim, [&](int row, float* out) {
      norm_row(config, norm, config.dim, x + int64_t{row} * config.dim, out);
    });
    ThreadPool::read_some();
    return nullptr;
  }
  if (norm.weight) {
    normed_.shape(n_rows, config.dim);
    for_rows(n_rows,
             [&](int row) { norm_row(config, norm, config.dim, x + int64_t{row} * config.dim, normed_.row(row)); });
    x = normed_.row(0);
    ThreadPool::read_some();
  }
  begin(x, n_rows, config.dim);
  return x;
}

void CpuBackend::project_qkv(const ModelConfig& config, int layer, const AttentionWeights& weights, const RowSet& rows,
                             const Activations& x, Activations& q) {
  const LayerHeads heads = config.heads(layer);
  const int q_dim = config.query_width(layer);
  const int kv_dim = heads.kv_dim();
  const bool has_kv = config.has_kv(layer);
  qkv_.shape(rows.n_rows(), q_dim + (has_kv ? 2 * kv_dim : 0));
  if (has_kv) expect_tokens(layer, rows);
  const LatentWeights& latent = weights.latent;
  begin_normed(config, weights.input_norm, rows.n_rows(), cast(x).row(0),
               are_packed({weights.qkv, weights.q, weights.k, weights.v, latent.kv_down,
                           latent.q_down ? latent.q_down : latent.q_up}));
  if (config.is_latent()) {
    latent_.make_heads(config, latent, rows.n_rows(), qkv_);
  } else if (weights.qkv) {
    multiplier_.multiply(cast(*weights.qkv), vector_or_null(weights.qkv_bias), qkv_.row(0), qkv_.width);
  } else {
    const Product products[] = {
        {&cast(*weights.q), vector_or_null(weights.q_bias), qkv_.row(0)},
        {has_kv ? &cast(*weights.k) : nullptr, vector_or_null(weights.k_bias), qkv_.row(0) + q_dim},
        {has_kv ? &cast(*weights.v) : nullptr, vector_or_null(weights.v_bias), qkv_.row(0) + q_dim + kv_dim},
    };
    multiplier_.multiply(std::span(products, has_kv ? 3 : 1), qkv_.width);
  }
  finish_heads(config, layer, weights, rows, q);
}

// A single row's keys and values go to memory that is far: it is asked for before the products, used after them.
void CpuBackend::expect_tokens(int layer, const RowSet& rows) const {
  if (rows.n_rows() > kFewRows) return;
  for (const RowGroup& group : rows.groups)
    for (int row = group.first_row; row < group.first_row + group.n_rows; ++row)
      static_cast<const CpuKvCache&>(*group.cache).expect_token(layer, rows.positions[static_cast<size_t>(row)]);
}

void CpuBackend::norm_whole(const ModelConfig& config, const LayerHeads& heads, const float* q_norm,
                            const float* k_norm, float* row) const {
  const int q_dim = heads.q_dim();
  if (q_norm != nullptr) kernels_.rms_norm(row, q_norm, config.norm_epsilon, q_dim, row);
  if (k_norm != nullptr) kernels_.rms_norm(row + q_dim, k_norm, config.norm_epsilon, heads.kv_dim(), row + q_dim);
}

// Queries come first, then their gates, where a product has them head by head.
void CpuBackend::take_queries(const ModelConfig& config, int head_dim, const float* row, float* queries) {
  const auto head_bytes = sizeof(float) * static_cast<size_t>(head_dim);
  if (!config.gated_attention) {
    std::memcpy(queries, row, head_bytes * static_cast<size_t>(config.n_heads));
    return;
  }
  float* gates = queries + int64_t{config.n_heads} * head_dim;
  for (int head = 0; head < config.n_heads; ++head, queries += head_dim, gates += head_dim) {
    std::memcpy(queries, row + int64_t{2} * head * head_dim, head_bytes);
    std::memcpy(gates, row + (int64_t{2} * head + 1) * head_dim, head_bytes);
  }
}

// QK-norm, rotation, and the rows' keys and values into their caches.
void CpuBackend::finish_heads(const ModelConfig& config, int layer, const AttentionWeights& weights, const RowSet& rows,
                              Activations& q) {
  const LayerConfig& layer_config = config.layers[layer];
  const RopeTable* rope = nullptr;
  if (layer_config.uses_rope && rows.n_rows() > 0) {
    const TokenPos last = *std::max_element(rows.positions.begin(), rows.positions.end());
    rope = &ropes_.get(config.ropes[layer_config.rope_index], last);
  }
  const LayerHeads heads = config.heads(layer);
  const int head_dim = heads.head_dim;
  const int n_kv_heads = config.has_kv(layer) ? heads.n_kv_heads : 0;
  const float* q_norm = vector_or_null(weights.q_norm);
  const float* k_norm = vector_or_null(weights.k_norm);
  const float* q_gain = vector_or_null(weights.q_gain);
  for (const RowGroup& group : rows.groups) {
    auto& cache = static_cast<CpuKvCache&>(*group.cache);
    for_rows(
        group.n_rows,
        [&](int i) {
          const int row = group.first_row + i;
          const TokenPos position = rows.positions[row];
          float* head = qkv_.row(row);
          if (config.whole_qk_norm) norm_whole(config, heads, q_norm, k_norm, head);
          const float query_scale = config.query_growth.scale_at(position);
          for (int h = 0; h < config.n_heads + n_kv_heads; ++h) {
            const bool is_query = h < config.n_heads;
            if (const float* norm = config.whole_qk_norm ? nullptr : is_query ? q_norm : k_norm)
              kernels_.rms_norm(head, norm, config.norm_epsilon, head_dim, head);
            if (!is_query && cache.options().keep_unrotated_keys)
              cache.write_unrotated_key(layer, position, h - config.n_heads, head);
            if (rope) rope->rotate(kernels_, position, head);
            if (is_query && query_scale != 1.0f)
              for (int d = 0; d < head_dim; ++d) head[d] *= query_scale;
            if (is_query && q_gain != nullptr)
              for (int d = 0; d < head_dim; ++d) head[d] *= q_gain[d];
            if (!is_query) cache.write_key(layer, position, h - config.n_heads, head);
            if (h % kHeadsPerRead == 0) ThreadPool::read_some();
            head += is_query && config.gated_attention ? 2 * head_dim : head_dim;  // its gates follow a query
          }
          for (int h = 0; h < n_kv_heads; ++h, head += head_dim) {
            if (config.value_norm) kernels_.rms_norm(head, nullptr, config.norm_epsilon, head_dim, head);
            cache.write_value(layer, position, h, head);
          }
          take_queries(config, head_dim, qkv_.row(row), cast(q).row(row));
        },
        kRowsOfKeyLine);
  }
}

void CpuBackend::attend(const ModelConfig& config, int layer, const RowSet& rows, const Activations& q,
                        Activations& out) {
  full_groups_.clear();
  for (const RowGroup& group : rows.groups) {
    if (RetrievedAttention::applies(layer, rows, group)) {
      retrieved_attention_.run(config, layer, rows, group, cast(q), cast(out));
    } else {
      full_groups_.push_back(group);
    }
  }
  if (!full_groups_.empty()) attention_.run(config, layer, {rows.positions, full_groups_}, cast(q), cast(out));
  if (!config.gated_attention) return;
  const int width = config.n_heads * config.head_dim;
  for_rows(rows.n_rows(), [&](int row) {
    float* const attended = cast(out).row(row);
    kernels_.sigmoid(cast(q).row(row) + width, attended, width, attended);
  });
}

void CpuBackend::mix_state(const ModelConfig& config, int layer, const LayerWeights& weights, const RowSet& rows,
                           const Activations& x, Activations& out) {
  const StateWeights& state = weights.state;
  begin_normed(config, weights.attention.input_norm, rows.n_rows(), cast(x).row(0),
               are_packed({state.in, state.qkv, state.gate, state.beta, state.alpha, state.beta_alpha}));
  switch (config.state.kind) {
    case StateKind::kNone: break;
    case StateKind::kDeltaNet: return delta_net_.run(config, layer, state, rows, cast(out));
    case StateKind::kMamba: return mamba_.run(config, layer, state, rows, cast(out));
    case StateKind::kConvolution: return short_convolution_.run(config, layer, state, rows, cast(out));
  }
}

void CpuBackend::project_mixed(const ModelConfig& config, const LayerWeights& weights, int n_rows,
                               const Activations& mixed, Activations& x) {
  block_.shape(n_rows, config.dim);
  begin(cast(mixed).row(0), n_rows, mixed.width);
  multiplier_.multiply(cast(*weights.state.output), nullptr, block_.row(0), block_.width);
  add_block(config, weights, {}, n_rows, cast(x));
}

// x += norm(block_), or x = norm(x + block_) in post-norm encoders.
void CpuBackend::add_block(const ModelConfig& config, const LayerWeights& weights, const NormWeights& norm, int n_rows,
                           CpuActivations& x) {
  for_rows(n_rows, [&](int row) {
    float* block = block_.row(row);
    if (norm.weight && !weights.norm_after_residual) norm_row(config, norm, config.dim, block, block);
    kernels_.add(block, config.dim, x.row(row));
    if (norm.weight && weights.norm_after_residual) norm_row(config, norm, config.dim, x.row(row), x.row(row));
  });
  ThreadPool::read_some();
}

void CpuBackend::project_output(const ModelConfig& config, const LayerWeights& weights, int n_rows,
                                const Activations& attended, Activations& x) {
  block_.shape(n_rows, config.dim);
  const float* heads = cast(attended).row(0);
  if (config.is_latent()) heads = latent_.take_back(config, weights.attention.latent, n_rows, cast(attended));
  begin(heads, n_rows, static_cast<int>(weights.attention.output->n_in));
  multiplier_.multiply(cast(*weights.attention.output), vector_or_null(weights.attention.output_bias), block_.row(0),
                       block_.width);
  add_block(config, weights, weights.attention.output_norm, n_rows, cast(x));
}

void CpuBackend::feed_forward(const ModelConfig& config, const LayerWeights& weights, int n_rows, Activations& x) {
  const FeedForwardWeights& ffn = weights.feed_forward;
  block_.shape(n_rows, config.dim);
  if (ffn.experts.beside) {
    feed_forward_.run_beside(config, ffn, n_rows, cast(x), block_);
    return add_block(config, weights, ffn.output_norm, n_rows, cast(x));
  }
  const bool all_packed = ffn.experts.n_experts == 0 && are_packed({ffn.gate_up, ffn.gate, ffn.up});
  const float* normed = begin_normed(config, ffn.input_norm, n_rows, cast(x).row(0), all_packed);
  feed_forward_.run(config, ffn, n_rows, normed, block_);
  add_block(config, weights, ffn.output_norm, n_rows, cast(x));
}

void CpuBackend::keep_rows(std::span<const int> keep, Activations& x) {
  for (size_t i = 0; i < keep.size(); ++i) {
    assert(keep[i] >= static_cast<int>(i));
    if (keep[i] != static_cast<int>(i))
      std::memcpy(cast(x).row(static_cast<int64_t>(i)), cast(x).row(keep[i]), sizeof(float) * x.width);
  }
}

void CpuBackend::logits(const ModelConfig& config, const NormWeights& norm, const Matrix& output,
                        std::span<const int> rows, const Activations& x, Activations& logits) {
  const int n_rows = static_cast<int>(rows.size());
  normed_.shape(n_rows, config.dim);
  for_rows(n_rows, [&](int i) {
    const float* row = cast(x).row(rows[i]);
    if (norm.weight) {
      norm_row(config, norm, config.dim, row, normed_.row(i));
    } else {
      std::memcpy(normed_.row(i), row, sizeof(float) * config.dim);
    }
  });
  begin(normed_.row(0), n_rows, config.dim);
  multiplier_.multiply(cast(output), nullptr, cast(logits).row(0), logits.width);
  if (config.logit_scale == 1.0f && config.logit_softcap <= 0 && config.unwritten_tokens.empty()) return;
  for_rows(n_rows, [&](int i) {
    float* row = cast(logits).row(i);
    if (config.logit_scale != 1.0f)
      for (int j = 0; j < logits.width; ++j) row[j] *= config.logit_scale;
    if (config.logit_softcap > 0) kernels_.softcap(config.logit_softcap, logits.width, row);
    for (const int token : config.unwritten_tokens) row[token] = -std::numeric_limits<float>::infinity();
  });
}

Status CpuBackend::read(const Activations& x, int n_rows, std::span<float> out) {
  const size_t count = static_cast<size_t>(n_rows) * x.width;
  if (n_rows < 0 || n_rows > x.max_rows || out.size() < count) return usage_error("reading more rows than there are");
  if (count == 0) return {};
  std::memcpy(out.data(), cast(x).row(0), count * sizeof(float));
  return {};
}

int64_t CpuBackend::free_memory_bytes() const {
  return static_cast<int64_t>(available_memory_bytes());
}

}  // namespace
}  // namespace cpu

std::unique_ptr<Backend> make_cpu_backend(int n_threads) {
  return std::make_unique<cpu::CpuBackend>(n_threads);
}

}  // namespace mneme::engine
