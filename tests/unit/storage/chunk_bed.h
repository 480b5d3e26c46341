// A store of chunks in a folder of its own, and chunks made from a seed, for the tests of what is stored and read.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/random.h"
#include "storage/chunks/chunk_store.h"
#include "temporary_home.h"

namespace mneme::storage {

using Layers = std::vector<std::vector<std::byte>>;

inline Layers make_layers(uint64_t seed, int n_layers, size_t bytes) {
  Random random(seed);
  Layers layers;
  for (int i = 0; i < n_layers; ++i) {
    auto& layer = layers.emplace_back(bytes + static_cast<size_t>(i) * 17);
    for (std::byte& byte : layer) byte = static_cast<std::byte>(random.below(256));
  }
  return layers;
}

inline std::vector<ByteSpan> spans_of(const Layers& layers) {
  return {layers.begin(), layers.end()};
}

inline ChunkFileInfo make_info(uint64_t number, int n_tokens = 5) {
  ChunkFileInfo info;
  info.key = xxh3_128(as_bytes("key " + std::to_string(number)));
  info.text_hash = xxh3_128(as_bytes("text " + std::to_string(number)));
  info.model_id = {1, 2};
  info.codec = 3;
  info.codec_version = 4;
  info.calibration_id = 5;
  for (int i = 0; i < n_tokens; ++i) info.token_ids.push_back(static_cast<int32_t>(number) * 100 + i);
  return info;
}

class ChunkStoreTest : public ::testing::Test {
 protected:
  std::unique_ptr<ChunkStore> open(uint64_t quota = 1u << 30, FileEnv* env = nullptr) {
    auto store = ChunkStore::open({.roots = {root()}, .quota_bytes = quota, .env = env});
    EXPECT_TRUE(store.ok()) << store.status().message();
    return std::move(store).value();
  }
  std::string root() const { return home_.path() + "/kv"; }
  static void put(ChunkStore& store, uint64_t number, int n_layers = 3, size_t bytes = 1000) {
    const Layers layers = make_layers(number, n_layers, bytes);
    const Status status = store.put(make_info(number), spans_of(layers));
    ASSERT_TRUE(status.ok()) << status.message();
  }
  static bool has(ChunkStore& store, uint64_t number) {
    const ChunkFileInfo info = make_info(number);
    return store.find(info.key, info.token_ids).ok();
  }
  // The chunk comes back whole or not at all.
  static bool reads_back(ChunkStore& store, uint64_t number, int n_layers = 3, size_t bytes = 1000) {
    const ChunkFileInfo info = make_info(number);
    const auto chunk = store.find(info.key, info.token_ids);
    if (!chunk.ok()) return false;
    const Layers expected = make_layers(number, n_layers, bytes);
    EXPECT_EQ((*chunk)->n_layers(), n_layers);
    for (int layer = 0; layer < n_layers; ++layer) {
      std::vector<std::byte> payload;
      if (!(*chunk)->read_layer(layer, payload).ok()) {
        store.discard(**chunk);
        return false;
      }
      EXPECT_EQ(payload, expected[static_cast<size_t>(layer)]);
    }
    return true;
  }
  std::string file_of(uint64_t number) const {
    const std::string hex = make_info(number).key.hex();
    return root() + "/" + hex.substr(0, 2) + "/" + hex + ".kv";
  }
  // As another process sees it; a store that is open keeps what it knows.
  void used_minutes_ago(uint64_t number, int minutes) const {
    std::filesystem::last_write_time(file_of(number),
                                     std::filesystem::last_write_time(file_of(number)) - std::chrono::minutes(minutes));
  }

  TemporaryHome home_;
};

}  // namespace mneme::storage
