#include "engine/backend/cuda/head_numbers.h"

#include <algorithm>

namespace mneme::engine::cuda {

const float* HeadNumbers::slopes(const ModelConfig& config) {
  if (config.distance_bias <= 0) return nullptr;
  std::vector<float> slopes;
  slopes.reserve(static_cast<size_t>(config.n_heads));
  for (int head = 0; head < config.n_heads; ++head) slopes.push_back(config.slope_of(head));
  return find(slopes);
}

const float* HeadNumbers::find(std::span<const float> values) {
  if (values.empty()) return nullptr;
  const auto found =
      std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return std::ranges::equal(k.values, values); });
  if (found != known_.end()) return found->on_device.as<float>();
  Known known{{values.begin(), values.end()}, {}};
  const auto bytes = std::as_bytes(values);
  if (!device_.grow(known.on_device, bytes.size(), "numbers of heads")) return nullptr;
  device_.upload(bytes, known.on_device.as(), device_.stream());
  if (!device_.ok()) return nullptr;
  return known_.emplace_back(std::move(known)).on_device.as<float>();
}

}  // namespace mneme::engine::cuda
