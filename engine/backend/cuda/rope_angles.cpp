#include "engine/backend/cuda/rope_angles.h"

#include <algorithm>
#include <span>

namespace mneme::engine::cuda {
namespace {

bool same(const RopeConfig& a, const RopeConfig& b) {
  return a.n_rot == b.n_rot && a.inverse_frequencies == b.inverse_frequencies;
}

}  // namespace

const RopeAngles::Rope* RopeAngles::find(const RopeConfig& config) {
  const auto found = std::find_if(ropes_.begin(), ropes_.end(), [&](const auto& r) { return same(r->config, config); });
  if (found != ropes_.end()) return found->get();
  auto rope = std::make_unique<Rope>();
  rope->config = config;
  const auto bytes = std::as_bytes(std::span(config.inverse_frequencies));
  if (!device_.grow(rope->frequencies, bytes.size(), "rotation frequencies")) return nullptr;
  device_.upload(bytes, rope->frequencies.as(), device_.stream());
  return ropes_.emplace_back(std::move(rope)).get();
}

RotationRef RopeAngles::angles(const RopeConfig& config, const int* positions, int first, int n_rows) {
  const Rope* rope = find(config);
  const int n_pairs = config.n_rot / 2;
  const size_t n_bytes = static_cast<size_t>(n_rows) * static_cast<size_t>(n_pairs) * sizeof(float2);
  if (rope == nullptr || !device_.grow(angles_, n_bytes, "rotation angles")) return {};
  device_.check(rope_angles(device_.stream(), rope->frequencies.as<float>(), n_pairs, config.attention_factor,
                            {positions, first, n_rows}, angles_.as<float2>()),
                "computing rotations");
  return {angles_.as<float2>(), config.n_rot, config.layout};
}

}  // namespace mneme::engine::cuda
