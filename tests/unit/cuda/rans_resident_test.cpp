// Entropy decoding with all tables in shared memory, by itself: streams of any runs and of several codecs beside each
// other give their symbols back, and damaged ones say so without harming their neighbours.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/backend/cuda/codec_rans.h"
#include "engine/codec/rans.h"
#include "tests/support/simt/simt.h"

namespace mneme::engine::cuda {
namespace {

struct alignas(16) Vector {
  std::byte bytes[16];
};

// A codec's tables, as the device has them.
struct Codec {
  RansTables tables;
  std::vector<Vector> packed;
};
std::unique_ptr<Codec> make_tables(int n_tables, Random& random) {
  auto codec = std::make_unique<Codec>();
  for (int table = 0; table < n_tables; ++table) {
    std::vector<uint64_t> counts(1 + random.below(table % 3 == 0 ? 3 : 256));
    for (uint64_t& count : counts) count = 1 + random.below(1000) * random.below(50);
    EXPECT_TRUE(codec->tables.add(make_rans_frequencies(counts)).ok());
  }
  codec->packed.resize(static_cast<size_t>(n_tables) * kPackedRansBytes / sizeof(Vector));
  pack_rans_tables(codec->tables, codec->packed.front().bytes);
  return codec;
}

// `row` components of `run` symbols each, the last step filled up.
struct Stream {
  const Codec* codec = nullptr;
  uint32_t run = 0;
  std::vector<uint8_t> tables;  // of components, then padding's
  std::vector<uint32_t> stretches;
  std::vector<uint8_t> symbols, decoded;
  std::vector<uint32_t> words;
  uint32_t n_words = 0;
  int damaged = 0;
};
Stream make_stream(const Codec& codec, uint32_t row, uint32_t run, Random& random) {
  Stream stream;
  stream.codec = &codec;
  stream.run = run;
  RansRuns runs;
  const auto n_tables = static_cast<uint64_t>(codec.tables.size());
  for (uint32_t component = 0; component < row; ++component) {
    // Neighbours often have the same table.
    const bool goes_on = component > 0 && random.below(3) != 0;
    const auto table = goes_on ? stream.tables.back() : static_cast<uint8_t>(random.below(n_tables));
    stream.tables.push_back(table);
    if (goes_on) {
      ++stream.stretches.back();
    } else {
      stream.stretches.push_back(rans_stretch(table, 1));
    }
    runs.push_back({table, run});
  }
  const size_t padding = (kRansLanes - row * run % kRansLanes) % kRansLanes;
  stream.tables.push_back(static_cast<uint8_t>(n_tables - 1));
  stream.stretches.push_back(rans_stretch(stream.tables.back(), 0));
  if (padding > 0) runs.push_back({stream.tables.back(), padding});
  for (const RansRun& own : runs) {
    for (size_t i = 0; i < own.count; ++i) {
      uint64_t symbol = random.below(kRansSymbols);
      while (codec.tables.frequency(static_cast<int>(own.table), static_cast<int>(symbol)) == 0) symbol /= 2;
      stream.symbols.push_back(static_cast<uint8_t>(symbol));
    }
  }
  std::vector<std::byte> bytes;
  rans_encode(codec.tables, runs, stream.symbols, bytes);
  stream.n_words = static_cast<uint32_t>((bytes.size() - kRansLanes * sizeof(uint32_t)) / sizeof(uint16_t));
  stream.words.resize((bytes.size() + 3) / 4);
  std::memcpy(stream.words.data(), bytes.data(), bytes.size());
  stream.decoded.resize(stream.symbols.size());
  return stream;
}

// Streams of a codec beside each other share blocks.
void decode(std::vector<Stream>& streams) {
  std::vector<RansJob> jobs;
  std::vector<RansBlock> blocks;
  int n_tables = 0;
  for (Stream& stream : streams) {
    const std::byte* const packed = stream.codec->packed.front().bytes;
    if (blocks.empty() || blocks.back().packed != packed || blocks.back().n_jobs == kRansBlockStreams)
      blocks.push_back({packed, stream.codec->tables.size(), static_cast<int>(jobs.size()), 0});
    ++blocks.back().n_jobs;
    n_tables = std::max(n_tables, stream.codec->tables.size());
    jobs.push_back({.tables = stream.tables.data(),
                    .stream = stream.words.data(),
                    .symbols = stream.decoded.data(),
                    .damaged = &stream.damaged,
                    .n_words = stream.n_words,
                    .n_steps = static_cast<uint32_t>(stream.symbols.size() / kRansLanes),
                    .n_tables = static_cast<uint32_t>(stream.tables.size() - 1),
                    .run = stream.run,
                    .packed = packed,
                    .stretches = stream.stretches.data()});
  }
  ASSERT_LE(n_tables, most_resident_rans_tables());
  EXPECT_EQ(decode_rans_resident(nullptr, jobs.data(), blocks.data(), static_cast<int>(blocks.size()), n_tables),
            cudaSuccess);
}

class ResidentTables : public ::testing::Test {
 protected:
  void SetUp() override { simt::machine().major = 9; }
  void TearDown() override { simt::machine() = {}; }
};

TEST_F(ResidentTables, GiveTheSymbolsOfAnyRunsBack) {
  Random random(11);
  const auto few = make_tables(3, random);
  const auto many = make_tables(33, random);
  for (const auto order : {simt::ThreadOrder::kAscending, simt::ThreadOrder::kDescending}) {
    simt::machine().order = order;
    std::vector<Stream> streams;
    // More of a codec than a block takes, few of the other, and the first again.
    for (const auto& [codec, n] : {std::pair(many.get(), kRansBlockStreams + 3), {few.get(), 2}, {many.get(), 1}}) {
      for (int i = 0; i < n; ++i) {
        const uint32_t runs[] = {1, 7, 31, 32, 33, 64, 170};
        streams.push_back(
            make_stream(*codec, 1 + static_cast<uint32_t>(random.below(60)), runs[random.below(7)], random));
      }
    }
    decode(streams);
    for (size_t i = 0; i < streams.size(); ++i) {
      EXPECT_EQ(streams[i].damaged, 0) << i;
      EXPECT_EQ(streams[i].decoded, streams[i].symbols) << "stream " << i << " of runs of " << streams[i].run;
    }
  }
}

TEST_F(ResidentTables, DamagedStreamsSaySoAndTheirNeighboursDoNot) {
  Random random(12);
  const auto codec = make_tables(20, random);
  for (int round = 0; round < 40; ++round) {
    std::vector<Stream> streams;
    streams.reserve(3);
    for (int i = 0; i < 3; ++i) streams.push_back(make_stream(*codec, 20, round % 2 == 0 ? 40 : 9, random));
    Stream& hurt = streams[1];
    const auto kind = random.below(3);
    if (kind == 0) {
      hurt.n_words -= 1 + static_cast<uint32_t>(random.below(hurt.n_words));
    } else if (kind == 1) {
      hurt.words[random.below(hurt.words.size() - 1)] ^= 1u << random.below(32);  // half of the last may be unused
    } else {
      for (uint32_t& word : hurt.words) word = static_cast<uint32_t>(random.next());
    }
    decode(streams);
    EXPECT_EQ(hurt.damaged, 1) << "round " << round << ", kind " << kind;
    for (const size_t other : {size_t{0}, size_t{2}}) {
      EXPECT_EQ(streams[other].damaged, 0);
      EXPECT_EQ(streams[other].decoded, streams[other].symbols);
    }
  }
}

// Devices with less shared memory hold fewer, older ones none.
TEST_F(ResidentTables, AreAsManyAsTheDeviceHolds) {
  EXPECT_EQ(most_resident_rans_tables(), 75);
  simt::machine().major = 8;
  EXPECT_EQ(most_resident_rans_tables(), 33);
}

}  // namespace
}  // namespace mneme::engine::cuda
