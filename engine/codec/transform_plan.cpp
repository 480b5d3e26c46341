#include "engine/codec/transform_plan.h"

#include <algorithm>
#include <cmath>

#include "engine/codec/codec_kernels.h"

namespace mneme::engine {

namespace {

constexpr float kBasisLimit = 2047.0f;  // 128 products with components of 11 bits stay within 31 bits

// Twelve bits per entry, one scale per channel: the rounding is far below what quantising the components costs, and
// integer products are exact everywhere and twice as fast as floats.
void quantise_basis(const KvBasis& basis, int group_dim, float step, CodedGroup& group) {
  group.basis.assign(static_cast<size_t>(std::max(group.n_pairs(), 1)) * group_dim * 2, 0);
  group.scale.assign(group_dim, 0.0f);
  const size_t first_row = static_cast<size_t>(group.first_channel);  // groups are square: rows as channels
  for (int c = 0; c < group_dim; ++c) {
    const auto entry = [&](int j) {
      const float direction = to_f32(basis.vectors[(first_row + j) * group_dim + c]);
      return direction / basis.weight[group.first_channel + c] * step;
    };
    float largest = 0;
    for (int j = 0; j < group.count; ++j) largest = std::max(largest, std::fabs(entry(j)));
    if (!(largest > 0) || !std::isfinite(largest)) continue;
    const float unit = largest / kBasisLimit;
    group.scale[c] = unit / static_cast<float>(kComponentUnit);
    for (int j = 0; j < group.count; ++j) {
      const float rounded = std::clamp(std::nearbyint(entry(j) / unit), -kBasisLimit, kBasisLimit);
      group.basis[(static_cast<size_t>(j / 2) * group_dim + c) * 2 + j % 2] = static_cast<int16_t>(rounded);
    }
  }
}

void add_component(const KvPartLevel& part, const KvCodingClass& coding_class, uint8_t number, TransformPlan& plan) {
  plan.table.push_back(number);
  plan.reach.push_back(coding_class.reach);
  plan.shrink.push_back(static_cast<int16_t>(std::clamp(std::lround(coding_class.shrink * kComponentUnit), -16l, 16l)));
  plan.step.push_back(part.step);
  ++plan.row;
}

}  // namespace

TransformPlan make_transform_plan(const KvProfile& profile, const KvLevelProfile& level, int layer) {
  TransformPlan plan;
  const int group_dim = profile.group_dim;
  for (int part = 0; part < 2; ++part) {
    const KvPartLevel& own = level.layers[layer][part];
    for (int g = 0; g < profile.n_groups(); ++g) {
      CodedGroup group;
      group.part = part;
      group.first_channel = g * group_dim;
      group.first = plan.row;
      while (group.count < group_dim && own.classes[group.first_channel + group.count] != KvPartLevel::kDropped) {
        const uint8_t number = own.classes[group.first_channel + group.count++];
        add_component(own, level.classes[number], number, plan);
      }
      quantise_basis(profile.bases[layer][part], group_dim, own.step, group);
      plan.groups.push_back(std::move(group));
    }
  }
  return plan;
}

RansRuns TransformPlan::runs(int n_tokens, uint32_t padding_table) const {
  RansRuns runs;
  for (const uint32_t own : table) {
    if (runs.empty() || runs.back().table != own) runs.push_back({own, 0});
    runs.back().count += static_cast<size_t>(n_tokens);
  }
  const size_t padding = symbols(n_tokens) - static_cast<size_t>(n_tokens) * row;
  if (padding > 0) runs.push_back({padding_table, padding});
  return runs;
}

size_t TransformPlan::symbols(int n_tokens) const {
  const size_t count = static_cast<size_t>(n_tokens) * row;
  return (count + kRansLanes - 1) / kRansLanes * kRansLanes;
}

}  // namespace mneme::engine
