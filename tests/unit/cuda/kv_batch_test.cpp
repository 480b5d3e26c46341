// Batches of stored KV as they are written for the device: exceptions against a plain sort of them, whatever the bytes,
// and bytes that several threads put in their places.
#include "engine/backend/cuda/kv_batch.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/stream_repairs.h"
#include "tests/unit/cuda/codec_bed.h"

namespace mneme::engine::cuda {
namespace {

using Exceptions = std::vector<TransformException>;

std::vector<std::byte> bytes_of(const Exceptions& exceptions) {
  std::vector<std::byte> out(exceptions.size() * kTransformExceptionBytes);
  for (size_t i = 0; i < exceptions.size(); ++i) {
    std::memcpy(&out[i * kTransformExceptionBytes], &exceptions[i].index, sizeof(uint32_t));
    std::memcpy(&out[i * kTransformExceptionBytes + sizeof(uint32_t)], &exceptions[i].value, sizeof(int16_t));
  }
  return out;
}

// Groups of these many components.
TransformPlan plan_of(const std::vector<int>& counts) {
  TransformPlan plan;
  for (const int count : counts) {
    CodedGroup& group = plan.groups.emplace_back();
    group.first = plan.row;
    group.count = count;
    plan.row += count;
  }
  return plan;
}

// What all streams of a layer make of its exceptions.
struct Repairs {
  bool is_right = true;
  std::vector<std::vector<uint32_t>> begins;  // of each stream
  std::vector<ComponentRepair> repairs;
};

constexpr size_t kFirst = 1000;  // of the layer's repairs, in a batch
constexpr uint32_t kNotWritten = 77;

Repairs written(const TransformPlan& plan, int n_tokens, int n_streams, const Exceptions& exceptions) {
  const std::vector<std::byte> bytes = bytes_of(exceptions);
  Repairs all;
  all.repairs.resize(exceptions.size());
  for (int s = n_streams - 1; s >= 0; --s) {  // in any order
    const StreamExceptions own{bytes, transform_stream_at(n_tokens, n_streams, s, plan.row), s == 0,
                               s + 1 == n_streams};
    std::vector<uint32_t> begin(plan.groups.size() + 1, kNotWritten);
    all.is_right &= write_stream_repairs(plan, own, kFirst, begin.data(), all.repairs.data());
    all.begins.insert(all.begins.begin(), std::move(begin));
  }
  return all;
}

bool are_in_place(const TransformPlan& plan, int n_tokens, const Exceptions& exceptions) {
  const size_t n_symbols = static_cast<size_t>(n_tokens) * static_cast<size_t>(plan.row);
  for (size_t i = 0; i < exceptions.size(); ++i) {
    if (exceptions[i].index >= n_symbols || (i > 0 && exceptions[i].index <= exceptions[i - 1].index)) return false;
  }
  return true;
}

// Exception by exception and group by group.
Repairs sorted(const TransformPlan& plan, int n_tokens, int n_streams, const Exceptions& exceptions) {
  Repairs all;
  for (int s = 0; s < n_streams; ++s) {
    const TransformStream at = transform_stream_at(n_tokens, n_streams, s, plan.row);
    std::vector<uint32_t> begin;
    for (const CodedGroup& group : plan.groups) {
      begin.push_back(static_cast<uint32_t>(kFirst + all.repairs.size()));
      for (const TransformException& exception : exceptions) {
        const int64_t local = int64_t{exception.index} - static_cast<int64_t>(at.first_symbol);
        const int64_t place = local < 0 ? -1 : local / at.n_tokens;
        if (place < group.first || place >= group.first + group.count) continue;
        all.repairs.push_back(
            {static_cast<int>(local % at.n_tokens), static_cast<int16_t>(place - group.first), exception.value});
      }
    }
    begin.push_back(static_cast<uint32_t>(kFirst + all.repairs.size()));
    all.begins.push_back(std::move(begin));
  }
  return all;
}

void expect_same(const Repairs& got, const Repairs& expected) {
  ASSERT_TRUE(got.is_right);
  EXPECT_EQ(got.begins, expected.begins);
  ASSERT_EQ(got.repairs.size(), expected.repairs.size());
  for (size_t i = 0; i < got.repairs.size(); ++i) {
    EXPECT_EQ(got.repairs[i].token, expected.repairs[i].token) << i;
    EXPECT_EQ(got.repairs[i].component, expected.repairs[i].component) << i;
    EXPECT_EQ(got.repairs[i].value, expected.repairs[i].value) << i;
  }
}

TEST(StreamRepairs, AreThoseOfAPlainSort) {
  Random random(3);
  // Groups without components ahead, between and behind; tokens that streams share unevenly.
  const std::vector<std::vector<int>> shapes = {{3, 5}, {0, 4, 0, 0, 7, 0}, {0, 0}, {1, 1, 1}};
  for (const std::vector<int>& counts : shapes) {
    const TransformPlan plan = plan_of(counts);
    for (const auto& [n_tokens, n_streams] : {std::pair(1, 1), {7, 1}, {7, 3}, {64, 5}}) {
      const auto n_symbols = static_cast<uint32_t>(n_tokens * plan.row);
      for (const uint64_t one_in : {1u, 2u, 9u, 1000u}) {
        Exceptions exceptions;
        for (uint32_t i = 0; i < n_symbols; ++i)
          if (random.below(one_in) == 0) exceptions.push_back({i, static_cast<int16_t>(random.below(1u << 16))});
        expect_same(written(plan, n_tokens, n_streams, exceptions), sorted(plan, n_tokens, n_streams, exceptions));
      }
    }
  }
}

TEST(StreamRepairs, AnyBytesAreRefusedWhereTheLayersParserRefusesThem) {
  Random random(4);
  const TransformPlan plan = plan_of({0, 4, 3, 0});
  const int n_tokens = 30;
  const auto n_symbols = static_cast<uint32_t>(n_tokens * plan.row);
  int n_right = 0;
  for (int round = 0; round < 4000; ++round) {
    Exceptions exceptions(random.below(7));
    for (TransformException& exception : exceptions)
      exception.index =
          static_cast<uint32_t>(random.below(20) == 0 ? random.below(1ull << 32) : random.below(n_symbols + 1));
    if (random.below(2) == 0)
      std::sort(exceptions.begin(), exceptions.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
    const int n_streams = 1 + static_cast<int>(random.below(5));
    const bool is_right = are_in_place(plan, n_tokens, exceptions);
    ASSERT_EQ(written(plan, n_tokens, n_streams, exceptions).is_right, is_right) << "round " << round;
    n_right += is_right ? 1 : 0;
  }
  EXPECT_GT(n_right, 500);
  EXPECT_LT(n_right, 3500);
}

// A batch of one codec's layers in memory of the host, which stands for the device's.
class KvBatchTest : public ::testing::Test {
 protected:
  static constexpr int kTokens = 300;
  void SetUp() override {
    for (const uint64_t seed : {30u, 40u}) {
      ASSERT_TRUE(codec_
                      ->encode_layer(0, kTokens, make_kv(seed, kTokens, kShape.kv_dim(), 1.2f),
                                     make_kv(seed + 1, kTokens, kShape.kv_dim(), 1.2f), payloads_.emplace_back())
                      .ok());
    }
  }
  EncodedPiece piece(size_t payload) const {
    auto frame = frame_transform_payload(payloads_[payload], kTokens, transform().plan(0).row);
    EXPECT_TRUE(frame.ok());
    return {.codec = &transform(), .layer = 0, .n_tokens = kTokens, .frame = *std::move(frame)};
  }
  const TransformCodec& transform() const { return dynamic_cast<const TransformCodec&>(*codec_); }

  std::optional<BatchJobs> write(std::span<EncodedPiece> pieces) {
    const BatchSizes sizes = batch_sizes(pieces);
    host_.assign(sizes.uploaded_bytes() / sizeof(Vector) + 1, {});
    symbols_.resize(sizes.symbol_bytes);
    keys_.resize(sizes.part_bytes / sizeof(f16));
    const std::vector<const CodecTables*> tables(pieces.size(), tables_.get());
    auto* const memory = host_.front().bytes;
    return writer_.write(pieces, tables, sizes, {memory, memory, symbols_.data(), keys_.data(), keys_.data()});
  }
  // Streams and exceptions of every piece are where its jobs say.
  void expect_written(std::span<const EncodedPiece> pieces, const BatchJobs& jobs) const {
    int job = 0;
    size_t n_repairs = 0;
    for (const EncodedPiece& piece : pieces) {
      for (const ByteSpan stream : piece.frame.streams) {
        const RansJob& rans = jobs.rans[job];
        ASSERT_EQ(std::memcmp(rans.stream, stream.data(), stream.size()), 0) << "stream " << job;
        ASSERT_EQ(kRansStateBytes + rans.n_words * sizeof(uint16_t), stream.size());
        const uint32_t* const begins = jobs.synthesis[job++].repairs_begin;
        ASSERT_EQ(begins[0], n_repairs);
        n_repairs = begins[piece.codec->plan(0).groups.size()];
      }
    }
    EXPECT_EQ(job, jobs.n_streams);
    size_t n_exceptions = 0;
    for (const EncodedPiece& piece : pieces) n_exceptions += piece.frame.n_exceptions();
    EXPECT_GT(n_exceptions, 0u);
    ASSERT_EQ(n_repairs, n_exceptions);
    const ComponentRepair* repair = jobs.synthesis->repairs;
    for (const EncodedPiece& piece : pieces)
      for (size_t i = 0; i < piece.frame.n_exceptions(); ++i, ++repair)
        ASSERT_EQ(repair->value, transform_exception_at(piece.frame.exceptions, i).value);
  }

  static constexpr KvShape kShape{1, 2, 64};
  struct alignas(16) Vector {
    std::byte bytes[16];
  };
  std::unique_ptr<KvCodec> codec_ = make_codec(kShape, KvLevel::kHigh);
  std::unique_ptr<Device> device_ = *Device::open(0);
  std::unique_ptr<CodecTables> tables_ = *CodecTables::make(*device_, transform());
  std::vector<std::vector<std::byte>> payloads_;
  BatchWriter writer_;
  std::vector<Vector> host_;
  std::vector<uint8_t> symbols_;
  std::vector<f16> keys_;
};

// So many pieces that several threads write them, and one.
TEST_F(KvBatchTest, BytesAndExceptionsAreWhereTheJobsSay) {
  for (const size_t n : {size_t{60}, size_t{1}, size_t{3}}) {
    std::vector<EncodedPiece> pieces;
    size_t n_bytes = 0;
    for (size_t i = 0; i < n; ++i) {
      pieces.push_back(piece(i % 2));
      n_bytes += payloads_[i % 2].size();
    }
    EXPECT_EQ(n_bytes > (size_t{512} << 10), n == 60) << n_bytes;
    const auto jobs = write(pieces);
    ASSERT_TRUE(jobs.has_value());
    EXPECT_EQ(jobs->n_bytes, batch_sizes(pieces).uploaded_bytes());
    expect_written(pieces, *jobs);
  }
}

TEST_F(KvBatchTest, CorruptPiecesSaySo) {
  std::vector<EncodedPiece> pieces;
  for (size_t i = 0; i < 60; ++i) pieces.push_back(piece(i % 2));
  const std::vector<std::byte> out_of_place = bytes_of({{5, 1}, {4, 1}});
  const std::vector<std::byte> beyond = bytes_of({{0xfffffff0u, 1}});
  pieces[7].frame.exceptions = out_of_place;
  pieces[59].frame.exceptions = beyond;
  EXPECT_FALSE(write(pieces).has_value());
  for (size_t i = 0; i < pieces.size(); ++i) EXPECT_EQ(pieces[i].is_corrupt, i == 7 || i == 59) << i;
}

}  // namespace
}  // namespace mneme::engine::cuda
