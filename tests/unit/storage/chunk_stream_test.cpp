// Layers of several chunks are read ahead, in any order, by every method, and as slowly as a link is said to be.
#include "storage/chunks/chunk_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>
#include <utility>

#include "chunk_bed.h"
#include "storage/chunks/bandwidth_trace.h"
#include "storage/chunks/throughput_meter.h"

namespace mneme::storage {
namespace {

struct Way {
  ReadMethod method;
  bool direct_io;
  int n_rings = 1;
};

class ChunkStreamTest : public ChunkStoreTest, public ::testing::WithParamInterface<Way> {
 protected:
  static ChunkStreamOptions options_of(const Way& way) {
    ChunkStreamOptions options;
    options.method = way.method;
    options.direct_io = way.direct_io;
    options.n_rings = way.n_rings;
    return options;
  }
  static constexpr int kLayers = 6;
  static constexpr size_t kBytes = 30'000;
};

TEST_P(ChunkStreamTest, GivesEveryLayerOfEveryChunkInAnyOrder) {
  const auto store = open();
  std::vector<std::shared_ptr<const StoredChunk>> chunks;
  for (uint64_t i = 0; i < 4; ++i) {
    put(*store, i, kLayers, kBytes);
    chunks.push_back(*store->find(make_info(i).key, make_info(i).token_ids));
  }
  chunks.insert(chunks.begin() + 2, nullptr);
  for (const uint64_t read_ahead : {uint64_t{1}, uint64_t{100'000}, uint64_t{1} << 30}) {
    ThroughputMeter meter;
    ChunkStreamOptions options = options_of(GetParam());
    options.read_ahead_bytes = read_ahead;
    options.first_layer = 1;
    options.meter = &meter;
    auto stream = ChunkStream::start(chunks, options);
    if (!stream.ok() && stream.status().code() == StatusCode::kUnsupported) GTEST_SKIP() << stream.status().message();
    ASSERT_TRUE(stream.ok()) << stream.status().message();
    std::vector<std::byte> payload;
    for (int layer = 0; layer < kLayers; ++layer) {
      for (int chunk = 4; chunk >= 0; --chunk) {
        if (chunk == 2) continue;
        const uint64_t number = static_cast<uint64_t>(chunk < 2 ? chunk : chunk - 1);
        const Status status = (*stream)->fetch(chunk, layer, payload);
        ASSERT_TRUE(status.ok()) << status.message();
        ASSERT_EQ(payload, make_layers(number, kLayers, kBytes)[static_cast<size_t>(layer)]);
      }
    }
    ASSERT_TRUE((*stream)->fetch(0, 1, payload).ok()) << "again, long after it was dropped";
    EXPECT_EQ((*stream)->fetch(2, 1, payload).code(), StatusCode::kUsage);
    EXPECT_EQ((*stream)->stats().segments, 4 * (kLayers - 1));
    EXPECT_GT(meter.bytes_per_second(), 0);
  }
}

TEST_P(ChunkStreamTest, ManyConsumersAndAnEarlyEnd) {
  const auto store = open();
  std::vector<std::shared_ptr<const StoredChunk>> chunks;
  for (uint64_t i = 0; i < 4; ++i) {
    put(*store, i, kLayers, kBytes);
    chunks.push_back(*store->find(make_info(i).key, make_info(i).token_ids));
  }
  ChunkStreamOptions options = options_of(GetParam());
  options.read_ahead_bytes = 50'000;
  auto stream = ChunkStream::start(chunks, options);
  if (!stream.ok() && stream.status().code() == StatusCode::kUnsupported) GTEST_SKIP() << stream.status().message();
  std::vector<std::thread> consumers;
  std::atomic<int> failures{0};
  for (int chunk = 0; chunk < 4; ++chunk) {
    consumers.emplace_back([&, chunk] {
      std::vector<std::byte> payload;
      for (int layer = 0; layer < kLayers; ++layer) {
        if (!(*stream)->fetch(chunk, layer, payload).ok()) ++failures;
      }
    });
  }
  for (std::thread& consumer : consumers) consumer.join();
  EXPECT_EQ(failures, 0);
  for (int i = 0; i < 20; ++i) {
    auto abandoned = ChunkStream::start(chunks, options);
    std::vector<std::byte> payload;
    if (i % 2 == 0) {
      EXPECT_TRUE((*abandoned)->fetch(i % 4, 0, payload).ok());
    }
  }
}

TEST_P(ChunkStreamTest, EveryLayerComesInTheFormThatIsChosen) {
  const auto store = open();
  // Two chunks, each in three forms of other sizes.
  std::vector<ChunkForms> chunks(2);
  for (uint64_t i = 0; i < 6; ++i) {
    put(*store, i, kLayers, kBytes / (1 + i / 2));
    chunks[i % 2].push_back(*store->find(make_info(i).key, make_info(i).token_ids));
  }
  const auto form_of = [](int chunk, int layer) { return static_cast<size_t>(chunk + 2 * layer) % 3; };
  ChunkStreamOptions options = options_of(GetParam());
  options.read_ahead_bytes = 50'000;
  options.choose = form_of;
  auto stream = ChunkStream::start(chunks, options);
  if (!stream.ok() && stream.status().code() == StatusCode::kUnsupported) GTEST_SKIP() << stream.status().message();
  ASSERT_TRUE(stream.ok()) << stream.status().message();
  std::vector<std::byte> payload;
  for (int layer = 0; layer < kLayers; ++layer) {
    for (int chunk = 0; chunk < 2; ++chunk) {
      size_t form = 9;
      ASSERT_TRUE((*stream)->fetch(chunk, layer, payload, &form).ok());
      EXPECT_EQ(form, form_of(chunk, layer));
      const auto number = static_cast<uint64_t>(chunk) + 2 * form;
      EXPECT_EQ(payload, make_layers(number, kLayers, kBytes / (1 + form))[static_cast<size_t>(layer)]);
      ASSERT_TRUE((*stream)->fetch(chunk, layer, payload, &form).ok()) << "again, by itself";
      EXPECT_EQ(form, form_of(chunk, layer));
    }
  }
  put(*store, 7, kLayers - 1, kBytes);
  chunks[0].push_back(*store->find(make_info(7).key, make_info(7).token_ids));
  EXPECT_EQ(ChunkStream::start(chunks, options).status().code(), StatusCode::kUsage);
}

// Beyond what somebody waits for, no more than the read-ahead allows is held; the rest comes as that is taken.
TEST_P(ChunkStreamTest, NoMoreThanTheReadAheadIsHeld) {
  const auto store = open();
  put(*store, 1, kLayers, kBytes);
  ChunkStreamOptions options = options_of(GetParam());
  options.read_ahead_bytes = 2 * kBytes + kBytes / 2;
  auto stream = ChunkStream::start({*store->find(make_info(1).key, make_info(1).token_ids)}, options);
  if (!stream.ok() && stream.status().code() == StatusCode::kUnsupported) GTEST_SKIP() << stream.status().message();
  ASSERT_TRUE(stream.ok()) << stream.status().message();
  std::vector<std::byte> payload;
  for (int taken = 0; taken < kLayers; ++taken) {
    const int most = std::min(taken + 2, kLayers);
    while ((*stream)->stats().segments < most) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // for a reader that would go on
    EXPECT_EQ((*stream)->stats().segments, most);
    ASSERT_TRUE((*stream)->fetch(0, taken, payload).ok());
  }
  uint64_t all = 0;
  for (const std::vector<std::byte>& layer : make_layers(1, kLayers, kBytes)) all += layer.size();
  EXPECT_EQ((*stream)->stats().bytes_read, all);
  EXPECT_EQ((*stream)->stats().waits, 0);
}

// Several threads may take layers that are all there in any order: none is thrown away and read again.
TEST_P(ChunkStreamTest, WhatIsThereStaysUntilSomebodyHasToWait) {
  const auto store = open();
  put(*store, 1, kLayers, kBytes);
  ChunkStreamOptions options = options_of(GetParam());
  options.first_layer = 2;
  const auto chunk = *store->find(make_info(1).key, make_info(1).token_ids);
  auto stream = ChunkStream::start({nullptr, chunk}, options);
  if (!stream.ok() && stream.status().code() == StatusCode::kUnsupported) GTEST_SKIP() << stream.status().message();
  for (int layer = 2; layer < kLayers; ++layer) {
    while (!(*stream)->ready(1, layer)) std::this_thread::yield();
  }
  // What is not read ahead never is.
  for (const auto& [other, layer] :
       {std::pair{0, 3}, std::pair{2, 3}, std::pair{-1, 3}, std::pair{1, 1}, std::pair{1, -1}, std::pair{1, +kLayers}})
    EXPECT_FALSE((*stream)->ready(other, layer)) << other << " " << layer;
  std::vector<std::byte> payload;
  for (int layer = kLayers - 1; layer >= 0; --layer) {
    EXPECT_EQ((*stream)->ready(1, layer), layer >= 2) << layer;
    ASSERT_TRUE((*stream)->fetch(1, layer, payload).ok());
    EXPECT_EQ(payload, make_layers(1, kLayers, kBytes)[static_cast<size_t>(layer)]);
    EXPECT_FALSE((*stream)->ready(1, layer)) << "taken";
  }
}

TEST_P(ChunkStreamTest, DamageIsToldToTheOneWhoFetchesIt) {
  const auto store = open();
  put(*store, 1, kLayers, kBytes);
  const auto chunk = *store->find(make_info(1).key, make_info(1).token_ids);
  std::fstream file(file_of(1), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(chunk->header().layers[3].offset));
  file.write("damaged", 7);
  file.close();
  ChunkStreamOptions options = options_of(GetParam());
  auto stream = ChunkStream::start({chunk}, options);
  if (!stream.ok() && stream.status().code() == StatusCode::kUnsupported) GTEST_SKIP() << stream.status().message();
  std::vector<std::byte> payload;
  for (int layer = 0; layer < kLayers; ++layer) {
    const Status status = (*stream)->fetch(0, layer, payload);
    EXPECT_EQ(status.code(), layer == 3 ? StatusCode::kCorruption : StatusCode::kOk) << status.message();
  }
  std::filesystem::resize_file(file_of(1), 5000);
  auto shortened = ChunkStream::start({chunk}, options);
  EXPECT_FALSE((*shortened)->fetch(0, 5, payload).ok());
}

INSTANTIATE_TEST_SUITE_P(Methods, ChunkStreamTest,
                         ::testing::Values(Way{ReadMethod::kThreads, false}, Way{ReadMethod::kThreads, true},
                                           Way{ReadMethod::kUring, false}, Way{ReadMethod::kUring, true},
                                           Way{ReadMethod::kUring, false, 3}, Way{ReadMethod::kUring, true, 2}));

TEST_F(ChunkStoreTest, ASimulatedLinkIsAsSlowAsItSays) {
  const auto store = open();
  put(*store, 1, 5, 20'000);
  ThroughputMeter meter;
  ChunkStreamOptions options;
  options.meter = &meter;
  options.bandwidth = [](double) { return 2e6; };  // 100 KB take 50 ms
  const auto from = std::chrono::steady_clock::now();
  auto stream = ChunkStream::start({*store->find(make_info(1).key, make_info(1).token_ids)}, options);
  std::vector<std::byte> payload;
  for (int layer = 0; layer < 5; ++layer) ASSERT_TRUE((*stream)->fetch(0, layer, payload).ok());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
  EXPECT_GE(seconds, 0.049);
  EXPECT_LE(meter.bytes_per_second(), 2.1e6);
  EXPECT_EQ((*stream)->method(), ReadMethod::kThreads);
}

// The reader that goals are tested with: a recorded or made-up trace decides when bytes are there, whatever the disk
// does.
TEST_F(ChunkStoreTest, AReplayedTraceLetsThroughWhatItSays) {
  constexpr int kLayers = 6;
  constexpr size_t kBytes = 10'000;
  const auto store = open();
  std::vector<std::shared_ptr<const StoredChunk>> chunks;
  for (uint64_t i = 0; i < 3; ++i) {
    put(*store, i, kLayers, kBytes);
    chunks.push_back(*store->find(make_info(i).key, make_info(i).token_ids));
  }
  for (const char* name : {"steady", "falling", "spiky"}) {
    SCOPED_TRACE(name);
    const auto trace = BandwidthTrace::make(name, {.low_bytes_per_s = 2e6, .high_bytes_per_s = 2e7, .seconds = 0.3});
    ASSERT_TRUE(trace.ok());
    constexpr double kStart = 0.1;  // in the middle of it
    ChunkStreamOptions options;
    options.bandwidth = trace->as_function(kStart);
    const auto from = std::chrono::steady_clock::now();
    auto stream = ChunkStream::start(chunks, options);
    ASSERT_TRUE(stream.ok()) << stream.status().message();
    std::vector<std::byte> payload;
    for (int layer = 0; layer < kLayers; ++layer) {
      for (int chunk = 0; chunk < 3; ++chunk) {
        ASSERT_TRUE((*stream)->fetch(chunk, layer, payload).ok());
        EXPECT_EQ(payload, make_layers(static_cast<uint64_t>(chunk), kLayers, kBytes)[static_cast<size_t>(layer)]);
      }
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
    // Never sooner; later as the machine likes.
    EXPECT_GE(seconds, 0.95 * (trace->finish(kStart, 3.0 * kLayers * kBytes) - kStart));
  }
}

TEST(ThroughputMeterTest, IsTheHarmonicMeanOfTheLastTwenty) {
  ThroughputMeter meter;
  EXPECT_EQ(meter.bytes_per_second(), 0);
  meter.add(100, 1);
  meter.add(300, 1);
  EXPECT_DOUBLE_EQ(meter.bytes_per_second(), 150);  // harmonic mean of 100 and 300
  for (int i = 0; i < 20; ++i) meter.add(1000, 0.5);
  EXPECT_NEAR(meter.bytes_per_second(), 2000, 1e-6);
}

}  // namespace
}  // namespace mneme::storage
