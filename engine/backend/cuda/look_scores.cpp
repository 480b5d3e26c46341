#include "engine/backend/cuda/look_scores.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "engine/backend/cuda/attention_mass.h"

namespace mneme::engine::cuda {
namespace {

constexpr std::string_view kDoing = "scoring tokens";

}  // namespace

Status LookScores::add(const ModelConfig& config, int layer, const KvView& kv, std::span<const int> rows,
                       std::span<const TokenPos> positions, const float* q, std::span<float> mass) {
  if (mass.empty() || rows.empty()) return {};
  if (!device_.begin()) return device_.synchronize();
  MassCall call;
  call.kv = kv;
  call.layer = layer;
  call.n_heads = config.n_heads;
  call.n_tokens = static_cast<int>(mass.size());
  call.window = config.layers[static_cast<size_t>(layer)].sliding_window;
  call.scale = config.attention_scale;
  call.q = q;

  std::vector<int> both;  // which rows, then where each of them stands
  for (const int row : rows) both.push_back(row);
  for (const int row : rows) both.push_back(positions[static_cast<size_t>(row)]);
  const auto bytes = std::as_bytes(std::span(both));
  if (!device_.grow(rows_, bytes.size(), "a step's rows")) return device_.synchronize();
  device_.upload(bytes, rows_.as(), device_.stream());
  const int n_queries = kMassRows * config.n_heads;
  call.scores = device_.grow_floats(scores_, int64_t{n_queries} * (int64_t{call.n_tokens} + 1));
  call.mass = device_.grow_floats(mass_, call.n_tokens);
  if (!device_.ok()) return device_.synchronize();
  call.factors = call.scores + int64_t{n_queries} * call.n_tokens;

  device_.check(cudaMemsetAsync(call.mass, 0, mass.size() * sizeof(float), device_.stream()), kDoing);
  const auto n_rows = static_cast<int>(rows.size());
  for (int first = 0; first < n_rows && device_.ok(); first += kMassRows) {
    call.rows = rows_.as<int>() + first;
    call.positions = rows_.as<int>() + n_rows + first;
    call.n_rows = std::min(kMassRows, n_rows - first);
    device_.check(add_attention_mass(device_.stream(), call), kDoing);
  }
  std::vector<float> added(mass.size());
  MNEME_RETURN_IF_ERROR(device_.download(mass_.as(), std::as_writable_bytes(std::span(added)), kDoing));
  for (size_t token = 0; token < mass.size(); ++token) mass[token] += added[token];
  return {};
}

}  // namespace mneme::engine::cuda
