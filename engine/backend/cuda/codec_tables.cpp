#include "engine/backend/cuda/codec_tables.h"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/backend/cuda/codec_rans.h"
#include "engine/backend/cuda/twin_memory.h"

namespace mneme::engine::cuda {
namespace {

size_t n_entries(const TransformCodec& codec) {
  return static_cast<size_t>(codec.tables().size()) * kRansTotal;
}

size_t packed_bytes(const TransformCodec& codec) {
  return static_cast<size_t>(codec.tables().size()) * kPackedRansBytes;
}

// Neighbouring components of a group have alike variances, so some three of them have one table.
std::vector<uint32_t> stretches_of(const TransformPlan& plan, uint32_t padding_table) {
  std::vector<uint32_t> stretches;
  const std::vector<uint32_t>& tables = plan.table;
  for (auto first = tables.begin(); first != tables.end();) {
    const auto end = std::find_if(first, tables.end(), [&](uint32_t table) { return table != *first; });
    stretches.push_back(rans_stretch(*first, static_cast<uint32_t>(end - first)));
    first = end;
  }
  stretches.push_back(rans_stretch(padding_table, 0));
  return stretches;
}

size_t layer_bytes(const TransformPlan& plan) {
  const auto row = static_cast<size_t>(plan.row);
  size_t n_bytes = TwinMemory::bytes_of<GroupRef>(plan.groups.size()) + TwinMemory::bytes_of<uint8_t>(row + 1) +
                   TwinMemory::bytes_of<uint32_t>(stretches_of(plan, 0).size()) +
                   2 * TwinMemory::bytes_of<int16_t>(row);
  for (const CodedGroup& group : plan.groups) {
    n_bytes +=
        TwinMemory::bytes_of<uint32_t>(group.basis.size() / 2) + 2 * TwinMemory::bytes_of<float>(group.scale.size());
  }
  return n_bytes;
}

// Writes one group's numbers; what refers to them on the device.
GroupRef write_group(const CodedGroup& group, const KvBasis& basis, TwinMemory& memory) {
  const auto words = memory.take<uint32_t>(group.basis.size() / 2);
  for (size_t i = 0; i < group.basis.size() / 2; ++i)
    words.host[i] = basis_word(group.basis[2 * i], group.basis[2 * i + 1]);
  const auto scale = memory.take<float>(group.scale.size());
  std::copy(group.scale.begin(), group.scale.end(), scale.host);
  const auto mean = memory.take<float>(group.scale.size());
  std::copy_n(basis.mean.begin() + group.first_channel, group.scale.size(), mean.host);
  return {words.device, scale.device, mean.device, group.part, group.first_channel, group.first, group.count};
}

CodecTables::Layer write_layer(const TransformCodec& codec, int layer, TwinMemory& memory) {
  const TransformPlan& plan = codec.plan(layer);
  const auto groups = memory.take<GroupRef>(plan.groups.size());
  for (size_t g = 0; g < plan.groups.size(); ++g) {
    const CodedGroup& group = plan.groups[g];
    groups.host[g] =
        write_group(group, codec.profile()->bases[static_cast<size_t>(layer)][static_cast<size_t>(group.part)], memory);
  }
  const auto row = static_cast<size_t>(plan.row);
  const auto tables = memory.take<uint8_t>(row + 1);
  std::transform(plan.table.begin(), plan.table.end(), tables.host,
                 [](uint32_t table) { return static_cast<uint8_t>(table); });
  tables.host[row] = static_cast<uint8_t>(codec.padding_table());
  const std::vector<uint32_t> all_stretches = stretches_of(plan, codec.padding_table());
  const auto stretches = memory.take<uint32_t>(all_stretches.size());
  std::copy(all_stretches.begin(), all_stretches.end(), stretches.host);
  const auto reach = memory.take<int16_t>(row);
  std::copy(plan.reach.begin(), plan.reach.end(), reach.host);
  const auto shrink = memory.take<int16_t>(row);
  std::copy(plan.shrink.begin(), plan.shrink.end(), shrink.host);
  return {groups.device, tables.device, stretches.device, reach.device, shrink.device};
}

}  // namespace

Result<std::unique_ptr<CodecTables>> CodecTables::make(Device& device, const TransformCodec& codec) {
  const int n_layers = codec.shape().n_layers;
  size_t n_bytes =
      TwinMemory::bytes_of<uint32_t>(n_entries(codec)) + TwinMemory::bytes_of<std::byte>(packed_bytes(codec));
  for (int layer = 0; layer < n_layers; ++layer) n_bytes += layer_bytes(codec.plan(layer));
  MNEME_ASSIGN_OR_RETURN(DeviceBuffer buffer, device.memory().allocate(n_bytes, "the tables of a KV codec"));
  std::unique_ptr<CodecTables> tables(new CodecTables(codec, std::move(buffer)));

  std::vector<std::byte> host(n_bytes);
  TwinMemory memory(host.data(), tables->memory_.as());
  const auto entries = memory.take<uint32_t>(n_entries(codec));
  std::copy_n(codec.tables().entries(), n_entries(codec), entries.host);
  tables->entries_ = entries.device;
  const auto packed = memory.take<std::byte>(packed_bytes(codec));
  pack_rans_tables(codec.tables(), packed.host);
  if (device.info().major >= 8) tables->packed_ = packed.device;
  for (int layer = 0; layer < n_layers; ++layer) tables->layers_.push_back(write_layer(codec, layer, memory));
  device.upload(host, tables->memory_.as(), device.copy_stream());
  return tables;
}

}  // namespace mneme::engine::cuda
