#include "engine/backend/cuda/cuda_latent.h"

#include "engine/backend/cuda/cuda_casts.h"

namespace mneme::engine::cuda {
namespace {

constexpr const char* kPlacing = "placing latent heads";

LatentShape shape_of(const ModelConfig& config) {
  return {.n_heads = config.n_heads,
          .n_rot = config.head_dim - config.latent.rank,
          .rank = config.latent.rank,
          .plain_dim = config.latent.plain_dim};
}

}  // namespace

MadeRows LatentProducts::multiply(const ModelConfig& config, const AttentionWeights& weights, int n_rows,
                                  const Activations& x) {
  const LatentWeights& latent = weights.latent;
  const int query_dim = config.n_heads * config.made_query_dim();
  const int query_rank = config.latent.query_rank;
  float* const queries = device_.grow_floats(queries_, int64_t{n_rows} * query_dim);
  float* const kv = device_.grow_floats(kv_, int64_t{n_rows} * config.head_dim);
  float* const low = query_rank > 0 ? device_.grow_floats(query_latents_, int64_t{n_rows} * query_rank) : nullptr;
  if (!device_.ok()) return {};
  const CudaMatrix* const first = cast(low != nullptr ? latent.q_down : latent.q_up);
  const RoundedRows rows = products_.norm(
      {first, cast(latent.kv_down)},
      {.x = data_of(x), .n_rows = n_rows, .width = config.dim, .norm = norm_ref(config, weights.input_norm)});
  products_.multiply(cast(*latent.kv_down), rows, n_rows, {kv, config.head_dim});
  products_.multiply(*first, rows, n_rows,
                     low != nullptr ? ProductOut{low, query_rank} : ProductOut{queries, query_dim});
  if (low != nullptr && device_.ok()) {
    const NormRef norm{.weight = data_or_null(latent.q_norm), .epsilon = config.norm_epsilon};
    const RoundedRows of_low =
        products_.norm({cast(latent.q_up)}, {.x = low, .n_rows = n_rows, .width = query_rank, .norm = norm});
    products_.multiply(cast(*latent.q_up), of_low, n_rows, {queries, query_dim});
  }
  return {.queries = queries, .kv = kv, .kv_norm = data_or_null(latent.kv_norm), .epsilon = config.norm_epsilon};
}

// Each head's rows (n_rows, n_in), one head's behind the other's, with its own matrix.
void LatentProducts::multiply_heads(const std::vector<const Matrix*>& matrices, const float* x, int n_rows,
                                    ProductOut first, int64_t from_head_to_head) {
  for (const Matrix* matrix : matrices) {
    if (!device_.ok()) return;
    const auto width = static_cast<int>(matrix->n_in);
    const RoundedRows rows = products_.round({cast(matrix)}, x, n_rows, width, false);
    products_.multiply(cast(*matrix), rows, n_rows, first);
    x += int64_t{n_rows} * width;
    first.y += from_head_to_head;
  }
}

void LatentProducts::make_heads(const ModelConfig& config, const AttentionWeights& weights, int n_rows,
                                const Activations& x, float* heads) {
  const LatentShape shape = shape_of(config);
  const MadeRows made = multiply(config, weights, n_rows, x);
  float* const plain = device_.grow_floats(plain_, int64_t{n_rows} * config.n_heads * shape.plain_dim);
  if (!device_.ok()) return;
  device_.check(place_latent_parts(device_.stream(), shape, made, n_rows, plain, heads), kPlacing);
  multiply_heads(weights.latent.to_latent, plain, n_rows,
                 {heads + shape.n_rot, int64_t{config.n_heads + 2} * config.head_dim}, config.head_dim);
}

const float* LatentProducts::take_back(const ModelConfig& config, const LatentWeights& weights, int n_rows,
                                       const Activations& attended) {
  const LatentShape shape = shape_of(config);
  const int64_t width = int64_t{config.n_heads} * config.latent.value_dim;
  float* const latents = device_.grow_floats(latents_, int64_t{n_rows} * config.n_heads * shape.rank);
  float* const outputs = device_.grow_floats(outputs_, n_rows * width);
  if (!device_.ok()) return nullptr;
  device_.check(gather_latents(device_.stream(), shape, data_of(attended), n_rows, latents), kPlacing);
  multiply_heads(weights.from_latent, latents, n_rows, {outputs, width}, config.latent.value_dim);
  return device_.ok() ? outputs : nullptr;
}

}  // namespace mneme::engine::cuda
