#include "engine/codec/codec_transform.h"

#include <algorithm>
#include <string>

#include "engine/codec/codec_list.h"

namespace mneme::engine {

Status TransformCodec::prepare() {
  for (const KvCodingClass& coding_class : coding().classes) {
    auto table = tables_.add(coding_class.frequencies);
    if (!table.ok()) return table.status();
    for (const uint16_t frequency : coding_class.frequencies)
      costs_.push_back(frequency > 0 ? rans_cost(frequency) : 0);
  }
  RansFrequencies only_zero(256, 0);
  only_zero[0] = kRansTotal;  // costs no bits
  MNEME_ASSIGN_OR_RETURN(const int padding, tables_.add(only_zero));
  padding_table_ = static_cast<uint32_t>(padding);
  for (int layer = 0; layer < shape().n_layers; ++layer) {
    plans_.push_back(make_transform_plan(*profile_, coding(), layer));
    const auto& bases = profile_->bases[layer];
    std::array<std::vector<int>, 2> counts;
    for (const CodedGroup& group : plans_.back().groups) counts[static_cast<size_t>(group.part)].push_back(group.count);
    forward_.push_back({KvForwardTransform(bases[0], shape().kv_dim(), profile_->group_dim, counts[0]),
                        KvForwardTransform(bases[1], shape().kv_dim(), profile_->group_dim, counts[1])});
  }
  return {};
}

Status TransformCodec::check_arguments(int layer, int n_tokens, size_t keys, size_t values) const {
  const size_t expected = static_cast<size_t>(std::max(n_tokens, 0)) * shape().kv_dim();
  if (layer < 0 || layer >= shape().n_layers || n_tokens < 0 || keys != expected || values != expected) {
    return usage_error("KV of layer " + std::to_string(layer) + " with " + std::to_string(n_tokens) +
                       " tokens does not fit the codec's shape().");
  }
  return {};
}

double TransformCodec::decode_operations() const {
  double components = 0;
  for (const TransformPlan& plan : plans_) components += plan.row;
  // Every component of a group goes to all of its channels.
  return components * profile_->group_dim / (2.0 * shape().kv_dim() * static_cast<double>(plans_.size()));
}

Result<std::unique_ptr<KvCodec>> make_transform_codec(std::shared_ptr<const KvProfile> profile, KvLevel level) {
  if (profile == nullptr || level == KvLevel::kExact) {
    return usage_error("this KV level needs the model's calibration profile; calibrate the model first.");
  }
  auto codec = std::make_unique<TransformCodec>(std::move(profile), level);
  MNEME_RETURN_IF_ERROR(codec->prepare());
  return std::unique_ptr<KvCodec>(std::move(codec));
}

}  // namespace mneme::engine
