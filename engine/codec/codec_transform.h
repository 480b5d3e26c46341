// The codec of the lossy levels: a basis per layer, part and group of channels concentrates the KV in few components
// (in the manner of KVTC, 2511.01815), which are quantised with one step and coded with model-wide tables. Components
// are put back together in integers. Layout of the bytes: kv_payload_format.md.
// What both directions share; codec_transform_encode.cpp and codec_transform_decode.cpp have one each. Threads: const
// functions from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/codec/codec.h"
#include "engine/codec/codec_kernels.h"
#include "engine/codec/cpu_paths.h"
#include "engine/codec/kv_transform.h"
#include "engine/codec/rans.h"
#include "engine/codec/transform_payload.h"
#include "engine/codec/transform_plan.h"

namespace mneme::engine {

class TransformCodec final : public KvCodec {
 public:
  TransformCodec(std::shared_ptr<const KvProfile> profile, KvLevel level)
      : profile_(std::move(profile)), level_(level), kernels_(codec_kernels(best_codec_path())) {}

  Status prepare();

  std::string_view name() const override { return "transform"; }
  KvLevel level() const override { return level_; }
  uint32_t id() const override { return kTransformId + static_cast<uint32_t>(level_); }
  const KvShape& shape() const override { return profile_->shape; }
  double decode_operations() const override;

  Status encode_layer(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                      std::vector<std::byte>& out) const override;
  Status decode_layer(int layer, int n_tokens, ByteSpan payload, std::span<f16> keys,
                      std::span<f16> values) const override;

  // For decoders on other processors: what decode_layer() works with.
  const std::shared_ptr<const KvProfile>& profile() const { return profile_; }
  const TransformPlan& plan(int layer) const { return plans_[layer]; }
  const RansTables& tables() const { return tables_; }
  uint32_t padding_table() const { return padding_table_; }

  // For encoders there: what encode_layer() works with.
  const KvForwardTransform& forward(int layer, int part) const {
    return forward_[static_cast<size_t>(layer)][static_cast<size_t>(part)];
  }
  std::span<const uint32_t> costs() const { return costs_; }  // 256 per coding table, in 1/256 bits; padding's has none
  // A layer takes the finest scale at which every stride-th of its tokens, n_tokens in all, cost no more than `budget`,
  // in 1/256 bits; the last one whatever it costs.
  struct Judging {
    int stride = 1;
    int n_tokens = 0;
    uint64_t budget = 0;
  };
  Judging judging(int layer, int n_tokens) const;

 private:
  static constexpr int kScales = kTransformScales;
  static float step_scale(int n) { return transform_step_scale(n); }
  struct GroupScale;  // codec_transform_encode.cpp

  using Exception = TransformException;
  using Stream = TransformStream;
  // The same by what it changes.
  struct Repair {
    int token;      // in the stream
    int component;  // in the group
    int value;
  };
  // The exceptions of a stream by block of tokens and group: those of bucket b are items begin[b] .. begin[b + 1].
  struct Repairs {
    std::vector<uint32_t> begin;
    std::vector<Repair> items;
  };
  using PartComponents = std::array<std::vector<float>, 2>;

  Status check_arguments(int layer, int n_tokens, size_t keys, size_t values) const;

  static constexpr uint32_t kTransformId = 0x110;  // + level

  const KvLevelProfile& coding() const { return profile_->levels[static_cast<int>(level_) - 1]; }
  // Of as many tokens as there are numbers for.
  void analyse(int layer, std::span<const f16> keys, std::span<const f16> values, PartComponents& components) const;
  // The scale that every stride-th of the analysed tokens allow.
  int choose_scale(int layer, int stride, uint64_t budget, const PartComponents& components) const;
  uint64_t row_cost(const TransformPlan& plan, const CodedGroup& group, const GroupScale& quantiser,
                    const float* components) const;
  // components: of the stream's tokens alone.
  void quantise(const TransformPlan& plan, const Stream& stream, int scale, const PartComponents& components,
                std::vector<uint8_t>& symbols, std::vector<Exception>& exceptions) const;
  // Those of one token of a stream in a group; components: of that token and group.
  void add_exceptions(const TransformPlan& plan, const CodedGroup& group, const GroupScale& quantiser,
                      const Stream& stream, size_t token, const float* components,
                      std::vector<Exception>& exceptions) const;
  Repairs sort_by_block(const TransformPlan& plan, const Stream& stream, std::span<const Exception> exceptions) const;
  void synthesise(int layer, const Stream& stream, const std::vector<std::vector<float>>& scales,
                  const Repairs& repairs, const uint8_t* symbols, std::span<f16> keys, std::span<f16> values) const;
  // Some tokens of a stream in one group of channels, on their way back.
  struct GroupBlock {
    int layer;
    const CodedGroup& group;
    const std::vector<float>& scale;
    const Stream& stream;
    std::span<const Repair> repairs;
    const uint8_t* symbols;  // of the stream
  };
  void synthesise_wide_row(const GroupBlock& block, int token, f16* out) const;

  std::shared_ptr<const KvProfile> profile_;
  KvLevel level_;
  const CodecKernels& kernels_;
  RansTables tables_;
  uint32_t padding_table_ = 0;
  std::vector<uint32_t> costs_;  // 256 per table, in 1/256 bits
  std::vector<TransformPlan> plans_;
  std::vector<std::array<KvForwardTransform, 2>> forward_;
};

}  // namespace mneme::engine
