#include "engine/backend/cuda/encoding_tables.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "engine/backend/cuda/twin_memory.h"

namespace mneme::engine::cuda {
namespace {

constexpr size_t kSymbols = 256;  // of a coding table

const KvForwardTransform& forward_of(const TransformCodec& codec, int layer, const CodedGroup& group) {
  return codec.forward(layer, group.part);
}

int number_in_part(const TransformCodec& codec, const CodedGroup& group) {
  return group.first_channel / codec.profile()->group_dim;
}

size_t layer_bytes(const TransformCodec& codec, int layer) {
  const TransformPlan& plan = codec.plan(layer);
  const auto row = static_cast<size_t>(plan.row);
  const auto group_dim = static_cast<size_t>(codec.profile()->group_dim);
  size_t n_bytes = TwinMemory::bytes_of<AnalysisGroup>(plan.groups.size()) + TwinMemory::bytes_of<float>(row) +
                   TwinMemory::bytes_of<int16_t>(row) + TwinMemory::bytes_of<uint8_t>(row + 1);
  for (const CodedGroup& group : plan.groups) {
    const auto width = static_cast<size_t>(forward_of(codec, layer, group).width(number_in_part(codec, group)));
    n_bytes += TwinMemory::bytes_of<float>(group_dim * width) + TwinMemory::bytes_of<float>(group_dim);
  }
  return n_bytes;
}

// Writes one group's numbers; what refers to them on the device.
AnalysisGroup write_group(const TransformCodec& codec, int layer, const CodedGroup& group, TwinMemory& memory) {
  const KvForwardTransform& forward = forward_of(codec, layer, group);
  const int number = number_in_part(codec, group);
  const std::span<const float> entries = forward.matrix(number);
  const auto matrix = memory.take<float>(entries.size());
  std::copy(entries.begin(), entries.end(), matrix.host);
  const auto group_dim = static_cast<size_t>(codec.profile()->group_dim);
  const auto mean = memory.take<float>(group_dim);
  std::copy_n(forward.mean().begin() + group.first_channel, group_dim, mean.host);
  return {matrix.device, mean.device, group.part, group.first_channel, group.first, group.count, forward.width(number)};
}

EncodingTables::Layer write_layer(const TransformCodec& codec, int layer, TwinMemory& memory) {
  const TransformPlan& plan = codec.plan(layer);
  const auto groups = memory.take<AnalysisGroup>(plan.groups.size());
  for (size_t g = 0; g < plan.groups.size(); ++g) groups.host[g] = write_group(codec, layer, plan.groups[g], memory);
  const auto row = static_cast<size_t>(plan.row);
  const auto steps = memory.take<float>(row);
  std::copy(plan.step.begin(), plan.step.end(), steps.host);
  const auto reach = memory.take<int16_t>(row);
  std::copy(plan.reach.begin(), plan.reach.end(), reach.host);
  const auto tables = memory.take<uint8_t>(row + 1);
  std::transform(plan.table.begin(), plan.table.end(), tables.host,
                 [](uint32_t table) { return static_cast<uint8_t>(table); });
  tables.host[row] = static_cast<uint8_t>(codec.padding_table());
  return {groups.device, steps.device, reach.device, tables.device};
}

}  // namespace

Result<std::unique_ptr<EncodingTables>> EncodingTables::make(Device& device, const TransformCodec& codec) {
  const int n_layers = codec.shape().n_layers;
  const auto n_tables = static_cast<size_t>(codec.tables().size());
  size_t n_bytes = TwinMemory::bytes_of<RansTables::Step>(n_tables * kSymbols) +
                   TwinMemory::bytes_of<uint32_t>(codec.costs().size()) + TwinMemory::bytes_of<float>(kTransformScales);
  for (int layer = 0; layer < n_layers; ++layer) n_bytes += layer_bytes(codec, layer);
  MNEME_ASSIGN_OR_RETURN(DeviceBuffer buffer, device.memory().allocate(n_bytes, "the tables of a KV codec"));
  std::unique_ptr<EncodingTables> tables(new EncodingTables(codec.profile(), codec.level(), std::move(buffer)));

  std::vector<std::byte> host(n_bytes);
  TwinMemory memory(host.data(), tables->memory_.as());
  const auto steps = memory.take<RansTables::Step>(n_tables * kSymbols);
  std::memcpy(steps.host, codec.tables().steps(0), n_tables * kSymbols * sizeof(RansTables::Step));
  tables->steps_ = steps.device;
  const auto costs = memory.take<uint32_t>(codec.costs().size());
  std::copy(codec.costs().begin(), codec.costs().end(), costs.host);
  tables->costs_ = costs.device;
  const auto scales = memory.take<float>(kTransformScales);
  for (int n = 0; n < kTransformScales; ++n) scales.host[n] = transform_step_scale(n);
  tables->step_scales_ = scales.device;
  for (int layer = 0; layer < n_layers; ++layer) tables->layers_.push_back(write_layer(codec, layer, memory));
  device.upload(host, tables->memory_.as(), device.stream());
  return tables;
}

}  // namespace mneme::engine::cuda
