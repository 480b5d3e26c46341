// The kernels that decode stored KV against the processor's decoder: the same halves, bit for bit, and a word about
// streams that are damaged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/backend/cuda/codec_rans.h"
#include "engine/backend/cuda/codec_synthesis.h"
#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/launch_overlap.h"
#include "engine/codec/codec_list.h"
#include "engine/codec/codec_transform.h"
#include "tests/support/simt/simt.h"
#include "tests/unit/cuda/codec_bed.h"

namespace mneme::engine::cuda {
namespace {

struct Decoded {
  std::vector<f16> keys, values;
  int damaged = 0;
};

// One layer's payload through both kernels, its streams changed by `change` before.
class DeviceDecoder {
 public:
  struct alignas(16) Vector {
    std::byte bytes[16];
  };
  using PackedTables = std::vector<Vector>;

  explicit DeviceDecoder(const TransformCodec& codec, bool resident_tables = false)
      : codec_(codec), resident_tables_(resident_tables) {}

  // placing: where the numbers go; those that are given back are then of no meaning. null: nowhere.
  Decoded decode(int n_tokens, ByteSpan payload, int damaged_word = -1, const SynthesisPlacing* placing = nullptr) {
    const TransformPlan& plan = codec_.plan(0);
    const int kv_dim = codec_.shape().kv_dim();
    const int group_dim = codec_.profile()->group_dim;
    Decoded out{std::vector<f16>(static_cast<size_t>(n_tokens) * static_cast<size_t>(kv_dim)), {}, 0};
    out.values = out.keys;
    const auto parsed = parse_transform_payload(payload, n_tokens, plan.row);
    EXPECT_TRUE(parsed.ok()) << parsed.status().message();
    const auto n_streams = static_cast<int>(parsed->streams.size());
    std::vector<uint8_t> tables(plan.table.begin(), plan.table.end());
    tables.push_back(static_cast<uint8_t>(codec_.padding_table()));
    std::vector<uint32_t> stretches;
    stretches.reserve(tables.size());
    for (const uint32_t table : plan.table) stretches.push_back(rans_stretch(table, 1));
    stretches.push_back(rans_stretch(codec_.padding_table(), 0));
    const std::vector<GroupRef> groups = groups_of(plan, group_dim);
    PackedTables all_packed(static_cast<size_t>(codec_.tables().size()) * kPackedRansBytes / 16);
    auto* const packed = simt::machine().major >= 8 ? all_packed.front().bytes : nullptr;
    pack_rans_tables(codec_.tables(), all_packed.front().bytes);
    std::vector<RansJob> rans(static_cast<size_t>(n_streams));
    std::vector<SynthesisJob> synthesis(static_cast<size_t>(n_streams));
    std::vector<SynthesisTile> tiles;
    std::vector<std::vector<uint32_t>> words(static_cast<size_t>(n_streams)), begins(words.size());
    std::vector<std::vector<uint8_t>> symbols(words.size());
    std::vector<std::vector<ComponentRepair>> repairs(words.size());
    for (int s = 0; s < n_streams; ++s) {
      const auto i = static_cast<size_t>(s);
      const TransformStream at = transform_stream_at(n_tokens, n_streams, s, plan.row);
      const ByteSpan bytes = parsed->streams[i];
      words[i].resize((bytes.size() + 3) / 4);
      std::memcpy(words[i].data(), bytes.data(), bytes.size());
      if (damaged_word >= 0) words[i][static_cast<size_t>(damaged_word) % words[i].size()] ^= 0x10001u;
      symbols[i].resize(plan.symbols(at.n_tokens));
      rans[i] = {codec_.tables().entries(),
                 tables.data(),
                 words[i].data(),
                 symbols[i].data(),
                 &out.damaged,
                 static_cast<uint32_t>((bytes.size() - sizeof(uint32_t) * kRansLanes) / 2),
                 static_cast<uint32_t>(symbols[i].size() / kRansLanes),
                 static_cast<uint32_t>(plan.row),
                 static_cast<uint32_t>(at.n_tokens),
                 packed,
                 stretches.data()};
      sort_repairs(plan, at, parsed->exceptions, repairs[i], begins[i]);
      const auto first = static_cast<size_t>(at.first_token) * static_cast<size_t>(kv_dim);
      synthesis[i] = {symbols[i].data(),         groups.data(),    plan.reach.data(),  plan.shrink.data(),
                      repairs[i].data(),         begins[i].data(), &out.damaged,       out.keys.data() + first,
                      out.values.data() + first, at.n_tokens,      parsed->step_scale, at.first_token};
      for (int token = 0; token < at.n_tokens; token += kSynthesisTokens) tiles.push_back({s, token});
    }
    decode_symbols(rans, packed);
    const SynthesisShape shape{static_cast<int>(groups.size()), group_dim, kv_dim, simt::machine().major >= 8};
    const auto n_tiles = static_cast<int>(tiles.size());
    if (placing == nullptr) {
      EXPECT_EQ(synthesise_kv(nullptr, shape, synthesis.data(), tiles.data(), n_tiles), cudaSuccess);
    } else {
      EXPECT_TRUE(synthesis_places(shape, *placing));
      EXPECT_EQ(synthesise_and_place_kv(nullptr, shape, synthesis.data(), tiles.data(), n_tiles, *placing),
                cudaSuccess);
    }
    return out;
  }

 private:
  void decode_symbols(const std::vector<RansJob>& jobs, const std::byte* packed) const {
    const auto n_jobs = static_cast<int>(jobs.size());
    if (!resident_tables_) {
      EXPECT_EQ(decode_rans(nullptr, jobs.data(), n_jobs, packed != nullptr), cudaSuccess);
      return;
    }
    const int n_tables = codec_.tables().size();
    ASSERT_LE(n_tables, most_resident_rans_tables());
    std::vector<RansBlock> blocks;
    for (int first = 0; first < n_jobs; first += kRansBlockStreams)
      blocks.push_back({packed, n_tables, first, std::min(kRansBlockStreams, n_jobs - first)});
    EXPECT_EQ(decode_rans_resident(nullptr, jobs.data(), blocks.data(), static_cast<int>(blocks.size()), n_tables),
              cudaSuccess);
  }

  // Kept until the decoder goes; sixteen bytes are read at a time.
  uint32_t* new_words(size_t n) { return bases_.emplace_back(new (std::align_val_t(16)) uint32_t[n]).get(); }

  std::vector<GroupRef> groups_of(const TransformPlan& plan, int group_dim) {
    std::vector<GroupRef> groups;
    bases_.clear();
    for (const CodedGroup& group : plan.groups) {
      uint32_t* const basis = new_words(kSynthesisPairs * kSynthesisChannels);
      for (size_t i = 0; i < group.basis.size() / 2; ++i)
        basis[i] = basis_word(group.basis[2 * i], group.basis[2 * i + 1]);
      auto* const scale = reinterpret_cast<float*>(new_words(2 * kSynthesisChannels));
      auto* mean = scale + kSynthesisChannels;
      std::memcpy(scale, group.scale.data(), sizeof(float) * static_cast<size_t>(group_dim));
      std::memcpy(mean, codec_.profile()->bases[0][static_cast<size_t>(group.part)].mean.data() + group.first_channel,
                  sizeof(float) * static_cast<size_t>(group_dim));
      groups.push_back({basis, scale, mean, group.part, group.first_channel, group.first, group.count});
    }
    return groups;
  }

  static void sort_repairs(const TransformPlan& plan, const TransformStream& at,
                           const std::vector<TransformException>& exceptions, std::vector<ComponentRepair>& repairs,
                           std::vector<uint32_t>& begin) {
    const auto n = static_cast<size_t>(at.n_tokens);
    for (const CodedGroup& group : plan.groups) {
      begin.push_back(static_cast<uint32_t>(repairs.size()));
      for (const TransformException& exception : exceptions) {
        if (exception.index < at.first_symbol || n == 0) continue;
        const size_t local = exception.index - at.first_symbol;
        const auto place = static_cast<int>(local / n);
        if (place < group.first || place >= group.first + group.count || local >= n * static_cast<size_t>(plan.row))
          continue;
        repairs.push_back({static_cast<int>(local % n), static_cast<int16_t>(place - group.first), exception.value});
      }
    }
    begin.push_back(static_cast<uint32_t>(repairs.size()));
  }

  struct Aligned {
    void operator()(uint32_t* memory) const { ::operator delete[](memory, std::align_val_t(16)); }
  };
  const TransformCodec& codec_;
  const bool resident_tables_;
  std::vector<std::unique_ptr<uint32_t[], Aligned>> bases_;
};

void expect_same(const std::vector<f16>& got, const std::vector<f16>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i].bits, expected[i].bits) << i;
}

class CodecKernels : public ::testing::Test {
 protected:
  void TearDown() override { simt::machine() = {}; }
};

TEST_F(CodecKernels, DecodeToTheProcessorsBits) {
  for (const KvShape& shape : {KvShape{1, 2, 64}, KvShape{1, 2, 48}, KvShape{1, 1, 16}}) {
    for (const KvLevel level : {KvLevel::kHigh, KvLevel::kMedium, KvLevel::kLow}) {
      const auto codec = make_codec(shape, level);
      const auto& transform = dynamic_cast<const TransformCodec&>(*codec);
      for (const int n_tokens : {1, 5, 31, 64, 65, 200}) {
        const auto keys = make_kv(30, n_tokens, shape.kv_dim(), 1.3f);
        const auto values = make_kv(31, n_tokens, shape.kv_dim(), 1.3f);
        std::vector<std::byte> payload;
        ASSERT_TRUE(codec->encode_layer(0, n_tokens, keys, values, payload).ok());
        std::vector<f16> expected_keys(keys.size()), expected_values(values.size());
        ASSERT_TRUE(codec->decode_layer(0, n_tokens, payload, expected_keys, expected_values).ok());
        // Without tensor cores, and with them.
        for (const auto& [order, major] : {std::pair(simt::ThreadOrder::kAscending, 7),
                                           {simt::ThreadOrder::kDescending, 7},
                                           {simt::ThreadOrder::kAscending, 9},
                                           {simt::ThreadOrder::kDescending, 9}}) {
          simt::machine().order = order;
          simt::machine().major = major;
          for (const bool resident : {false, true}) {
            if (resident && major < 8) continue;
            const Decoded got = DeviceDecoder(transform, resident).decode(n_tokens, payload);
            EXPECT_EQ(got.damaged, 0);
            expect_same(got.keys, expected_keys);
            expect_same(got.values, expected_values);
          }
        }
      }
    }
  }
}

// A cache of three pages of two layers.
class Pages {
 public:
  Pages(const KvShape& shape, bool keeps_unrotated) {
    view_ = {.head_bytes = int64_t{4} * kPageTokens * shape.head_dim,
             .n_kv_heads = shape.n_kv_heads,
             .head_dim = shape.head_dim,
             .keeps_unrotated = keeps_unrotated};
    view_.layer_bytes = view_.head_bytes * shape.n_kv_heads;
    if (keeps_unrotated) view_.layer_bytes += view_.layer_bytes / 2;
    for (auto& page : memory_) {
      page.resize(static_cast<size_t>(2 * view_.layer_bytes) / sizeof(Vector));
      pages_.push_back(page.front().bytes);
    }
    view_.pages = pages_.data();
  }
  const KvView& view() const { return view_; }
  bool holds_the_same_as(const Pages& other) const {
    for (size_t page = 0; page < pages_.size(); ++page)
      if (std::memcmp(pages_[page], other.pages_[page], static_cast<size_t>(2 * view_.layer_bytes)) != 0) return false;
    return true;
  }

 private:
  struct alignas(16) Vector {
    std::byte bytes[16] = {};
  };
  std::vector<Vector> memory_[3];
  std::vector<std::byte*> pages_;
  KvView view_;
};

// As a launch of its own places what was decoded: of components beyond what tensor cores take, and of damaged streams
// as well.
TEST_F(CodecKernels, PlaceWhatTheyDecode) {
  struct Case {
    KvShape shape;
    int n_rot;
    RopeLayout layout;
    bool keeps_unrotated;
    int damaged_word;
  };
  constexpr int kTokens = 150;
  Random random(5);
  std::vector<int> positions(3 * kPageTokens);
  std::iota(positions.begin(), positions.end(), 0);
  for (size_t i = 0; i < positions.size(); ++i) std::swap(positions[i], positions[random.below(positions.size())]);
  for (const Case& c : {Case{{1, 2, 64}, 64, RopeLayout::kSplitHalf, false, -1},
                        {{1, 2, 64}, 32, RopeLayout::kInterleaved, true, -1},
                        {{1, 2, 48}, 48, RopeLayout::kSplitHalf, true, -1},
                        {{1, 1, 16}, 16, RopeLayout::kInterleaved, false, -1},
                        {{1, 3, 128}, 0, RopeLayout::kSplitHalf, false, -1},
                        {{1, 2, 64}, 64, RopeLayout::kSplitHalf, false, 40}}) {
    const auto codec = make_codec(c.shape, KvLevel::kMedium);
    std::vector<std::byte> payload;
    ASSERT_TRUE(codec
                    ->encode_layer(0, kTokens, make_kv(30, kTokens, c.shape.kv_dim(), 1.3f),
                                   make_kv(31, kTokens, c.shape.kv_dim(), 1.3f), payload)
                    .ok());
    std::vector<float2> angles(static_cast<size_t>(kTokens * c.n_rot / 2));
    for (float2& angle : angles) angle = {random.gaussian(), random.gaussian()};
    for (const auto order : {simt::ThreadOrder::kAscending, simt::ThreadOrder::kDescending}) {
      simt::machine().order = order;
      simt::machine().major = 9;
      Pages expected(c.shape, c.keeps_unrotated);
      Pages got(c.shape, c.keeps_unrotated);
      const RotationRef rotation{c.n_rot == 0 ? nullptr : angles.data(), c.n_rot, c.layout};
      const SynthesisPlacing placing{got.view(), 1, positions.data(), rotation};
      DeviceDecoder decoder(dynamic_cast<const TransformCodec&>(*codec), true);
      const Decoded apart = decoder.decode(kTokens, payload, c.damaged_word);
      ASSERT_EQ(place_kv(nullptr, expected.view(), {1, 0, kTokens, positions.data()}, apart.keys.data(),
                         apart.values.data(), rotation),
                cudaSuccess);
      EXPECT_EQ(decoder.decode(kTokens, payload, c.damaged_word, &placing).damaged, c.damaged_word >= 0 ? 1 : 0);
      EXPECT_TRUE(got.holds_the_same_as(expected)) << "heads of " << c.shape.head_dim << ", " << c.n_rot << " rotated";
    }
  }
}

// What is not whole heads, not vectors or not on tensor cores is placed by a launch of its own.
TEST_F(CodecKernels, PlaceWholeHeadsOfVectorsOnTensorCoresAlone) {
  const SynthesisShape shape{2, 128, 256, true};
  SynthesisPlacing placing;
  placing.kv = {.n_kv_heads = 2, .head_dim = 128};
  EXPECT_TRUE(synthesis_places(shape, placing));
  EXPECT_FALSE(synthesis_places({2, 128, 256, false}, placing));
  placing.kv.head_dim = 256;
  EXPECT_FALSE(synthesis_places(shape, placing));
  placing.kv.head_dim = 8;
  EXPECT_FALSE(synthesis_places(shape, placing));
  placing.kv = {.n_kv_heads = 2, .head_dim = 128, .is_q8 = true};
  EXPECT_FALSE(synthesis_places(shape, placing));
}

// The stand-in ends the program where one begins before the one ahead of it has ended, and does not wait.
TEST_F(CodecKernels, WaitForTheKernelsAhead) {
  const KvShape shape{1, 2, 64};
  const auto codec = make_codec(shape, KvLevel::kMedium);
  std::vector<std::byte> payload;
  const auto kv = make_kv(30, 70, shape.kv_dim(), 1.0f);
  ASSERT_TRUE(codec->encode_layer(0, 70, kv, kv, payload).ok());
  simt::machine().major = 9;
  launches_overlap = true;
  const int64_t before = simt::counters().overlapped;
  EXPECT_EQ(DeviceDecoder(dynamic_cast<const TransformCodec&>(*codec)).decode(70, payload).damaged, 0);
  EXPECT_EQ(simt::counters().overlapped, before + 2);
  launches_overlap = false;
}

TEST_F(CodecKernels, DamagedStreamsAreSaidAndBecomeZeros) {
  const KvShape shape{1, 2, 64};
  const auto codec = make_codec(shape, KvLevel::kMedium);
  const auto& transform = dynamic_cast<const TransformCodec&>(*codec);
  const int n_tokens = 70;
  std::vector<std::byte> payload;
  ASSERT_TRUE(codec
                  ->encode_layer(0, n_tokens, make_kv(30, n_tokens, shape.kv_dim(), 1.0f),
                                 make_kv(31, n_tokens, shape.kv_dim(), 1.0f), payload)
                  .ok());
  for (const int major : {7, 9}) {
    simt::machine().major = major;
    for (const bool resident : {false, true}) {
      if (resident && major < 8) continue;
      for (const int word : {0, 5, 31, 40, 1000000007}) {
        const Decoded got = DeviceDecoder(transform, resident).decode(n_tokens, payload, word);
        EXPECT_EQ(got.damaged, 1) << word;
        for (const f16 value : got.keys) ASSERT_EQ(value.bits, 0);
        for (const f16 value : got.values) ASSERT_EQ(value.bits, 0);
      }
    }
  }
}

}  // namespace
}  // namespace mneme::engine::cuda
