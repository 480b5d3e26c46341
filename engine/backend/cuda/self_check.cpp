#include "engine/backend/cuda/self_check.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "base/f16.h"
#include "base/random.h"
#include "engine/gguf/dequantize.h"
#include "engine/gguf/quantize.h"

namespace mneme::engine::cuda {
namespace {

constexpr int kRows = 12;  // more than are multiplied one by one
constexpr int kHeads = 2;
constexpr int kHeadDim = 128;
constexpr int kWidth = kHeads * kHeadDim;
constexpr int kOutputs = 40;
constexpr int kKeys = 70;  // more than one tile
// What rounding to int8 or f16 may cost, of the sum of absolute terms; a wrong index costs far more.
constexpr double kTolerance = 0.01;
// Of outputs of size one that are computed in two ways: keys and values may be rounded to f16 the other way.
constexpr double kSameTolerance = 1e-3;

std::vector<float> random_values(size_t n, Random& random) {
  std::vector<float> values(n);
  for (float& x : values) x = random.gaussian();
  return values;
}

// The rows that all checks start from, as embeddings of a table.
struct Rows {
  std::vector<float> values;
  std::unique_ptr<Activations> x;
};

Result<Rows> make_rows(Backend& backend, Random& random) {
  Rows rows;
  rows.values = random_values(kRows * kWidth, random);
  const TensorView view{.name = "self check",
                        .n_out = kRows,
                        .n_in = kWidth,
                        .bytes = std::as_bytes(std::span(rows.values)),
                        .use = MatrixUse::kLookup};
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Matrix> table, backend.load_matrix(view));
  MNEME_ASSIGN_OR_RETURN(rows.x, backend.make_activations(kRows, kWidth));
  std::vector<TokenId> ids(kRows);
  std::iota(ids.begin(), ids.end(), 0);
  backend.embed(*table, ids, 1.0f, *rows.x);
  MNEME_RETURN_IF_ERROR(backend.synchronize());
  return rows;
}

Status wrong(const Backend& backend, const std::string& what) {
  return unsupported("cannot use the GPU " + std::string(backend.name()) + " (" + backend.description() +
                     "): its results are wrong (" + what + "); update its driver or use --device cpu");
}

// Products of `n_rows` rows with a matrix of this type.
Status check_product(Backend& backend, const Rows& rows, gguf::TensorType type, int n_rows, Random& random) {
  const std::vector<float> source = random_values(kOutputs * kWidth, random);
  const std::vector<std::byte> bytes = gguf::quantize(type, source.data(), kOutputs, kWidth);
  const TensorView view{.name = "self check", .type = type, .n_out = kOutputs, .n_in = kWidth, .bytes = bytes};
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Matrix> matrix, backend.load_matrix(view));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Activations> out, backend.make_activations(n_rows, kOutputs));
  ModelConfig config;
  config.dim = kWidth;
  std::vector<int> chosen(static_cast<size_t>(n_rows));
  std::iota(chosen.begin(), chosen.end(), 0);
  backend.logits(config, {}, *matrix, chosen, *rows.x, *out);
  std::vector<float> got(static_cast<size_t>(n_rows) * kOutputs);
  MNEME_RETURN_IF_ERROR(backend.read(*out, n_rows, got));

  std::vector<float> weights(kWidth);
  const int64_t row_bytes = gguf::row_bytes(type, kWidth);
  for (int output = 0; output < kOutputs; ++output) {
    gguf::dequantize_row(type, bytes.data() + output * row_bytes, kWidth, weights.data());
    for (int row = 0; row < n_rows; ++row) {
      double expected = 0;
      double size = 0;
      for (size_t i = 0; i < kWidth; ++i) {
        const double term = double{weights[i]} * rows.values[static_cast<size_t>(row) * kWidth + i];
        expected += term;
        size += std::abs(term);
      }
      // Written so that NaN is wrong too.
      if (!(std::abs(got[static_cast<size_t>(row) * kOutputs + static_cast<size_t>(output)] - expected) <=
            kTolerance * size))
        return wrong(backend, "products with " + std::string(gguf::tensor_type_info(type)->name));
    }
  }
  return {};
}

// One head's attention of one row to keys [0, n_keys), in double.
std::vector<double> attention(const float* query, const std::vector<f16>& keys, const std::vector<f16>& values,
                              int head, int n_keys) {
  std::vector<double> out(kHeadDim);
  double sum = 0;
  for (int key = 0; key < n_keys; ++key) {
    const size_t at = (static_cast<size_t>(key) * kHeads + static_cast<size_t>(head)) * kHeadDim;
    double score = 0;
    for (size_t d = 0; d < kHeadDim; ++d) score += double{query[d]} * to_f32(keys[at + d]);
    const double weight = std::exp(score / std::sqrt(double{kHeadDim}));
    sum += weight;
    for (size_t d = 0; d < kHeadDim; ++d) out[d] += weight * to_f32(values[at + d]);
  }
  for (double& x : out) x /= sum;
  return out;
}

ModelConfig attention_config() {
  ModelConfig config;
  config.n_heads = kHeads;
  config.n_kv_heads = kHeads;
  config.head_dim = kHeadDim;
  config.attention_scale = 1.0f / std::sqrt(static_cast<float>(kHeadDim));
  config.layers.resize(1);
  return config;
}

// A cache of random keys and values, which it gives as well.
Result<std::unique_ptr<KvCache>> make_cache(Backend& backend, Random& random, std::vector<f16>& keys,
                                            std::vector<f16>& values) {
  MNEME_ASSIGN_OR_RETURN(
      std::unique_ptr<KvCache> cache,
      backend.make_kv_cache({.n_layers = 1, .n_kv_heads = kHeads, .head_dim = kHeadDim, .max_tokens = kKeys}));
  MNEME_RETURN_IF_ERROR(cache->reserve(kKeys));
  keys.resize(kKeys * kWidth);
  values.resize(kKeys * kWidth);
  for (f16& x : keys) x = to_f16(random.gaussian());
  for (f16& x : values) x = to_f16(random.gaussian());
  cache->place(0, 0, kKeys, keys, values, nullptr);
  return cache;
}

// Attention of the last n_rows rows to all keys before them.
Status check_attention(Backend& backend, const Rows& rows, int n_rows, Random& random) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Activations> out, backend.make_activations(n_rows, kWidth));
  std::vector<f16> keys, values;
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<KvCache> cache, make_cache(backend, random, keys, values));
  const ModelConfig config = attention_config();
  std::vector<TokenPos> positions(static_cast<size_t>(n_rows));
  std::iota(positions.begin(), positions.end(), kKeys - n_rows);
  const RowGroup group{cache.get(), 0, n_rows};
  backend.attend(config, 0, {positions, {&group, 1}}, *rows.x, *out);
  std::vector<float> got(static_cast<size_t>(n_rows) * kWidth);
  MNEME_RETURN_IF_ERROR(backend.read(*out, n_rows, got));
  for (int row = 0; row < n_rows; ++row)
    for (int head = 0; head < kHeads; ++head) {
      const size_t at = static_cast<size_t>(row) * kWidth + static_cast<size_t>(head) * kHeadDim;
      const auto expected = attention(rows.values.data() + at, keys, values, head, kKeys - n_rows + row + 1);
      for (size_t d = 0; d < kHeadDim; ++d)
        if (!(std::abs(got[at + d] - expected[d]) <= kTolerance)) return wrong(backend, "attention");
    }
  return {};
}

Result<std::unique_ptr<Matrix>> random_matrix(Backend& backend, gguf::TensorType type, int n_out, int n_in,
                                              Random& random) {
  const std::vector<float> source = random_values(static_cast<size_t>(n_out) * static_cast<size_t>(n_in), random);
  const std::vector<std::byte> bytes = gguf::quantize(type, source.data(), n_out, n_in);
  return backend.load_matrix({.name = "self check", .type = type, .n_out = n_out, .n_in = n_in, .bytes = bytes});
}
Result<std::unique_ptr<Matrix>> random_square(Backend& backend, Random& random) {
  return random_matrix(backend, gguf::TensorType::kF16, kWidth, kWidth, random);
}

// A norm that gives heads of size one.
Result<std::unique_ptr<Activations>> small_norm(Backend& backend) {
  const std::vector<float> weights(kWidth, 1.0f / std::sqrt(static_cast<float>(kWidth)));
  return backend.load_vector(
      {.name = "self check", .n_out = 1, .n_in = kWidth, .bytes = std::as_bytes(std::span(weights))});
}

// What a decoding step leaves to fewer launches, the norm of its row, the rotation of its heads, its key and value to
// their places, gives what they give one by one.
Status check_decoding(Backend& backend, const Rows& rows, Random& random) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Matrix> q, random_square(backend, random));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Matrix> k, random_square(backend, random));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Matrix> v, random_square(backend, random));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Activations> norm, small_norm(backend));
  std::vector<f16> keys, values;
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<KvCache> cache, make_cache(backend, random, keys, values));
  ModelConfig config = attention_config();
  config.dim = kWidth;
  config.norm_epsilon = 1e-5f;
  config.layers[0].uses_rope = true;
  config.ropes.push_back({.n_rot = kHeadDim, .inverse_frequencies = std::vector<float>(kHeadDim / 2, 0.1f)});
  AttentionWeights weights;
  weights.input_norm.weight = norm.get();
  weights.q = q.get(), weights.k = k.get(), weights.v = v.get();
  const TokenPos position = kKeys - 1;
  const RowGroup group{cache.get(), 0, 1};
  const RowSet row{{&position, 1}, {&group, 1}};
  std::vector<float> together(kWidth), apart(kWidth);
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Activations> queries, backend.make_activations(1, kWidth));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Activations> out, backend.make_activations(1, kWidth));
  backend.project_and_attend(config, 0, weights, row, *rows.x, *queries, *out);
  MNEME_RETURN_IF_ERROR(backend.read(*out, 1, together));
  backend.project_qkv(config, 0, weights, row, *rows.x, *queries);
  backend.attend(config, 0, row, *queries, *out);
  MNEME_RETURN_IF_ERROR(backend.read(*out, 1, apart));
  for (size_t i = 0; i < kWidth; ++i)
    if (!(std::abs(together[i] - apart[i]) <= kSameTolerance)) return wrong(backend, "decoding");
  return {};
}

// A row whose products with quantised weights norm and round it themselves is what it is beside another row, when it is
// normed and rounded before.
Status check_feed_forward(Backend& backend) {
  constexpr int kNeurons = 64;
  Random random(2);
  const auto type = gguf::TensorType::kQ8_0;
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Matrix> gate, random_matrix(backend, type, kNeurons, kWidth, random));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Matrix> up, random_matrix(backend, type, kNeurons, kWidth, random));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Matrix> down, random_matrix(backend, type, kWidth, kNeurons, random));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Activations> norm, small_norm(backend));
  ModelConfig config;
  config.dim = kWidth;
  config.norm_epsilon = 1e-5f;
  LayerWeights weights;
  weights.feed_forward.input_norm.weight = norm.get();
  weights.feed_forward.gate = gate.get(), weights.feed_forward.up = up.get(), weights.feed_forward.down = down.get();
  std::vector<float> results[2];
  for (int n_rows = 1; n_rows <= 2; ++n_rows) {
    Random same(3);
    MNEME_ASSIGN_OR_RETURN(const Rows rows, make_rows(backend, same));
    backend.feed_forward(config, weights, n_rows, *rows.x);
    std::vector<float>& result = results[n_rows - 1];
    result.resize(kWidth);
    MNEME_RETURN_IF_ERROR(backend.read(*rows.x, 1, result));
  }
  for (size_t i = 0; i < kWidth; ++i)
    if (!(std::abs(results[0][i] - results[1][i]) <= kSameTolerance * (1.0f + std::abs(results[1][i]))))
      return wrong(backend, "feed-forward layers");
  return {};
}

}  // namespace

Status check_results(Backend& backend) {
  Random random(1);
  MNEME_ASSIGN_OR_RETURN(const Rows rows, make_rows(backend, random));
  for (const int n_rows : {1, kRows}) {
    for (const auto type : {gguf::TensorType::kF32, gguf::TensorType::kF16, gguf::TensorType::kBF16,
                            gguf::TensorType::kQ8_0, gguf::TensorType::kQ4_K, gguf::TensorType::kMXFP4})
      MNEME_RETURN_IF_ERROR(check_product(backend, rows, type, n_rows, random));
    MNEME_RETURN_IF_ERROR(check_attention(backend, rows, n_rows, random));
  }
  MNEME_RETURN_IF_ERROR(check_decoding(backend, rows, random));
  return check_feed_forward(backend);
}

}  // namespace mneme::engine::cuda
