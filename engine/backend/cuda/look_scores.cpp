#include "engine/backend/cuda/look_scores.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/backend/cuda/attention_mass.h"
#include "engine/backend/cuda/cuda_casts.h"
#include "engine/backend/cuda/cuda_kv_cache.h"

namespace mneme::engine::cuda {
namespace {

constexpr std::string_view kDoing = "scoring tokens";

class CudaAttentionSums final : public AttentionSums {
 public:
  CudaAttentionSums(LookScores& scores, Status begun) : scores_(scores), begun_(std::move(begun)) {}

  Status add(const ModelConfig& config, int layer, const RowSet& rows, std::span<const int> looking,
             const Activations& q) override {
    MNEME_RETURN_IF_ERROR(begun_);
    const KvCache& cache = *rows.groups.front().cache;
    if (cache.in_host_memory()) return unsupported("keys in the host's memory are scored there");
    if (!config.has_equal_heads() || config.head_dim > kMaxHeadDim) return unsupported("the host scores such heads");
    const KvView kv = static_cast<const CudaKvCache&>(cache).view();
    return scores_.add(config, layer, kv, looking, rows.positions, data_of(q));
  }
  Status take(std::span<float> mass) override {
    MNEME_RETURN_IF_ERROR(begun_);
    return scores_.take(mass);
  }

 private:
  LookScores& scores_;
  const Status begun_;
};

}  // namespace

Status LookScores::begin(int n_tokens) {
  n_tokens_ = n_tokens;
  if (!device_.begin()) return device_.synchronize();
  float* const mass = device_.grow_floats(mass_, n_tokens);
  if (!device_.ok()) return device_.synchronize();
  device_.check(cudaMemsetAsync(mass, 0, static_cast<size_t>(n_tokens) * sizeof(float), device_.stream()), kDoing);
  return {};
}

Status LookScores::add(const ModelConfig& config, int layer, const KvView& kv, std::span<const int> rows,
                       std::span<const TokenPos> positions, const float* q) {
  if (n_tokens_ == 0 || rows.empty()) return {};
  if (!device_.begin()) return device_.synchronize();
  MassCall call;
  call.kv = kv;
  call.layer = layer;
  call.n_heads = config.n_heads;
  call.n_tokens = n_tokens_;
  call.window = config.layers[static_cast<size_t>(layer)].sliding_window;
  call.scale = config.attention_scale;
  call.q = q;
  call.mass = mass_.as<float>();

  std::vector<int> both;  // which rows, then where each of them stands
  for (const int row : rows) both.push_back(row);
  for (const int row : rows) both.push_back(positions[static_cast<size_t>(row)]);
  const auto bytes = std::as_bytes(std::span(both));
  if (!device_.grow(rows_, bytes.size(), "a step's rows")) return device_.synchronize();
  device_.upload(bytes, rows_.as(), device_.stream());
  const int n_queries = kMassRows * config.n_heads;
  call.scores = device_.grow_floats(scores_, int64_t{n_queries} * (int64_t{call.n_tokens} + 1));
  if (!device_.ok()) return device_.synchronize();
  call.factors = call.scores + int64_t{n_queries} * call.n_tokens;

  const auto n_rows = static_cast<int>(rows.size());
  for (int first = 0; first < n_rows && device_.ok(); first += kMassRows) {
    call.rows = rows_.as<int>() + first;
    call.positions = rows_.as<int>() + n_rows + first;
    call.n_rows = std::min(kMassRows, n_rows - first);
    device_.check(add_attention_mass(device_.stream(), call), kDoing);
  }
  return {};
}

Status LookScores::take(std::span<float> mass) {
  std::vector<float> sums(static_cast<size_t>(n_tokens_));
  MNEME_RETURN_IF_ERROR(device_.download(mass_.as(), std::as_writable_bytes(std::span(sums)), kDoing));
  for (size_t token = 0; token < std::min(sums.size(), mass.size()); ++token) mass[token] += sums[token];
  return {};
}

std::unique_ptr<AttentionSums> make_attention_sums(LookScores& scores, int n_tokens) {
  return std::make_unique<CudaAttentionSums>(scores, scores.begin(n_tokens));
}

}  // namespace mneme::engine::cuda
