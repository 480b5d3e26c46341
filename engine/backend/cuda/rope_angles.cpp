#include "engine/backend/cuda/rope_angles.h"

#include <algorithm>
#include <span>

namespace mneme::engine::cuda {
namespace {

bool same(const RopeConfig& a, const RopeConfig& b) {
  return a.n_rot == b.n_rot && a.layout == b.layout && a.attention_factor == b.attention_factor &&
         a.inverse_frequencies == b.inverse_frequencies;
}

}  // namespace

RopeAngles::Rope* RopeAngles::find(const RopeConfig& config) {
  const auto found = std::find_if(ropes_.begin(), ropes_.end(), [&](const auto& r) { return same(r->config, config); });
  if (found != ropes_.end()) return found->get();
  auto rope = std::make_unique<Rope>();
  rope->config = config;
  const auto bytes = std::as_bytes(std::span(config.inverse_frequencies));
  if (!device_.grow(rope->frequencies, bytes.size(), "rotation frequencies")) return nullptr;
  device_.upload(bytes, rope->frequencies.as(), device_.stream());
  return ropes_.emplace_back(std::move(rope)).get();
}

RotationRef RopeAngles::compute(const Rope& rope, const AngleRows& rows, DeviceBuffer& angles) {
  const int n_pairs = rope.config.n_rot / 2;
  const size_t n_bytes = static_cast<size_t>(rows.n_rows) * static_cast<size_t>(n_pairs) * sizeof(float2);
  if (!device_.grow(angles, n_bytes, "rotation angles")) return {};
  device_.check(rope_angles(device_.stream(), rope.frequencies.as<float>(), n_pairs, rope.config.attention_factor, rows,
                            angles.as<float2>()),
                "computing rotations");
  return {angles.as<float2>(), rope.config.n_rot, rope.config.layout};
}

RotationRef RopeAngles::of_step(const RopeConfig& config, const RowsView& rows) {
  Rope* rope = find(config);
  if (rope == nullptr) return {};
  if (rope->step == rows.step) return {rope->angles.as<float2>(), config.n_rot, config.layout};
  const RotationRef made = compute(*rope, {.positions = rows.positions, .n_rows = rows.n_rows}, rope->angles);
  rope->step = device_.ok() ? rows.step : 0;
  return made;
}

RotationRef RopeAngles::of_range(const RopeConfig& config, int first, int n_rows) {
  return of_positions(config, {.first = first, .n_rows = n_rows}, range_angles_);
}

RotationRef RopeAngles::of_positions(const RopeConfig& config, const AngleRows& rows, DeviceBuffer& angles) {
  const Rope* rope = find(config);
  return rope == nullptr ? RotationRef{} : compute(*rope, rows, angles);
}

}  // namespace mneme::engine::cuda
