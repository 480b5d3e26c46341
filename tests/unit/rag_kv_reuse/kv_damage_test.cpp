// Stored KV that is damaged, foreign, gone or could not be written, and passages that are odd: the answer is the one
// that computing gives.
#include <algorithm>
#include <cstring>
#include <thread>

#include "engine/gguf/gguf_file.h"
#include "rag/kv_reuse/chunk_encoder.h"
#include "rag/kv_reuse/kv_codecs.h"
#include "rag/kv_reuse/speed_profile.h"
#include "storage/chunks/chunk_file.h"
#include "storage/env/faulty_env.h"
#include "tests/unit/rag_kv_reuse/kv_home.h"

namespace mneme::rag {
namespace {

namespace fs = std::filesystem;

std::vector<char> bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
void write(const std::string& path, const std::vector<char>& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Multiplies a tensor of f32 numbers in place.
void scale_tensor(std::vector<std::byte>& model, const std::string& name, float factor) {
  const auto file = gguf::GgufFile::parse(model, "scaled");
  ASSERT_TRUE(file.ok()) << file.status().message();
  const gguf::TensorInfo* const tensor = file->find_tensor(name);
  ASSERT_NE(tensor, nullptr);
  std::byte* const data = model.data() + (tensor->bytes.data() - file->bytes().data());
  for (uint64_t i = 0; i < tensor->n_elements(); ++i) {
    float value = 0;
    std::memcpy(&value, data + i * sizeof value, sizeof value);
    value *= factor;
    std::memcpy(data + i * sizeof value, &value, sizeof value);
  }
}

bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

class KvDamageTest : public KvHomeTest {
 protected:
  // The answer with nothing stored, and with one chunk's file spoilt: both compute that chunk.
  void expect_recomputed_after(const std::string& what, const std::function<void(const std::string& path)>& spoil) {
    fs::remove_all(folder_ + "/kv");
    library_ = open_library();
    store_all();
    const std::string path = file_of(0);
    const std::vector<char> good = bytes_of(path);
    fs::remove(path);
    const Answer missing = answer(*library_);
    EXPECT_EQ(missing.report.cache.hits, 2) << what;
    if (!fs::exists(path)) write(path, good);
    spoil(path);
    const Answer spoilt = answer(*library_);
    EXPECT_EQ(spoilt.report.cache.hits, 2) << what;
    SCOPED_TRACE(what);
    expect_same(spoilt.logits, missing.logits);
  }

  // What computing everything answers; nothing is stored before or after it.
  Answer answer_of_nothing_stored() {
    const Answer computed = answer(*library_);
    EXPECT_EQ(computed.report.cache.hits, 0);
    for (const std::string& path : files()) fs::remove(path);  // what the background got done
    return computed;
  }

  std::string file_of(size_t chunk) {
    auto stored = library_->find(chunks_[chunk], engine::KvLevel::kExact);
    EXPECT_TRUE(stored.ok());
    return stored.ok() ? (*stored)->path() : "";
  }
};

TEST_F(KvDamageTest, TruncatedFiles) {
  for (const double share : {0.0, 0.01, 0.3, 0.7, 0.999}) {
    expect_recomputed_after("cut to " + std::to_string(share), [&](const std::string& path) {
      fs::resize_file(path, static_cast<uintmax_t>(share * static_cast<double>(fs::file_size(path))));
    });
  }
}

TEST_F(KvDamageTest, AFlippedBitInEveryPartOfTheFile) {
  store_all();
  auto stored = library_->find(chunks_[0], engine::KvLevel::kExact);
  ASSERT_TRUE(stored.ok());
  std::vector<std::pair<std::string, uint64_t>> places = {{"magic", 0},   {"version", 8},     {"sizes", 16},
                                                          {"key", 24},    {"model", 56},      {"codec", 72},
                                                          {"counts", 88}, {"token ids", 112}, {"segments", 112 + 160}};
  const auto& layers = (*stored)->header().layers;
  places.emplace_back("header checksum", layers.front().offset - 4);
  for (size_t layer = 0; layer < layers.size(); ++layer) {
    places.emplace_back("layer " + std::to_string(layer) + " begin", layers[layer].offset);
    places.emplace_back("layer " + std::to_string(layer) + " end", layers[layer].offset + layers[layer].size_bytes - 1);
  }
  stored = not_found("closed");
  for (const auto& [name, offset] : places) {
    expect_recomputed_after(name, [offset = offset](const std::string& path) {
      std::vector<char> bytes = bytes_of(path);
      bytes.at(offset) = static_cast<char>(bytes.at(offset) ^ 0x10);
      write(path, bytes);
    });
  }
}

TEST_F(KvDamageTest, AFileOfAnotherModelOrChunk) {
  expect_recomputed_after("another chunk's file", [&](const std::string& path) {
    fs::copy_file(file_of(2), path, fs::copy_options::overwrite_existing);
  });
}

// Its key and tokens are right, and its checksums hold.
TEST_F(KvDamageTest, AFileWithOtherLayersThanTheModel) {
  for (const int n_layers : {1, 2, 4}) {
    expect_recomputed_after(std::to_string(n_layers) + " layers", [&](const std::string& path) {
      auto stored = library_->find(chunks_[0], engine::KvLevel::kExact);
      ASSERT_TRUE(stored.ok());
      std::vector<std::vector<std::byte>> layers(static_cast<size_t>(n_layers));
      for (int layer = 0; layer < n_layers; ++layer)
        ASSERT_TRUE((*stored)->read_layer(std::min(layer, 2), layers[static_cast<size_t>(layer)]).ok());
      const std::vector<ByteSpan> payloads(layers.begin(), layers.end());
      const auto header = storage::encode_chunk_header((*stored)->info(), payloads);
      ASSERT_TRUE(header.ok());
      layers.insert(layers.begin(), *header);
      std::ofstream out(path, std::ios::binary | std::ios::trunc);
      for (const auto& bytes : layers)
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    });
  }
}

TEST_F(KvDamageTest, AFileOfAnotherVersion) {
  expect_recomputed_after("a later version of the format", [](const std::string& path) {
    std::vector<char> bytes = bytes_of(path);
    ++bytes.at(8);
    write(path, bytes);
  });
  EXPECT_EQ(files().size(), 3u) << "what a newer program wrote is not removed";
}

TEST_F(KvDamageTest, AFileDeletedBetweenFindingAndReading) {
  store_all();
  auto stored = library_->find(chunks_[0], engine::KvLevel::kExact);
  ASSERT_TRUE(stored.ok());
  const Answer whole = answer(*library_);
  fs::remove((*stored)->path());
  std::vector<std::byte> layer;
  EXPECT_TRUE((*stored)->read_layer(2, layer).ok());  // who has it open reads on
  stored = not_found("closed");
  const Answer without = answer(*library_);
  EXPECT_EQ(without.report.cache.hits, 2);
  EXPECT_EQ(whole.report.cache.hits, 3);
  expect_same(without.logits, whole.logits);  // the first chunk stands where it was computed
}

// Right behind the prefix, where it was computed, a loaded chunk answers as the computed one.
TEST_F(KvDamageTest, ChunksOfOneAndOfManyTokensAnswerAsComputedOnes) {
  const std::vector<ChunkTokens> all = chunks_;
  for (const ChunkTokens& chunk : all) {
    SCOPED_TRACE(chunk.ids.size());
    chunks_ = {chunk};
    const Answer computed = answer_of_nothing_stored();
    store_all();
    const Answer loaded = answer(*library_);
    EXPECT_EQ(loaded.report.cache.hits, 1);
    expect_same(loaded.logits, computed.logits);
    for (const std::string& path : files()) fs::remove(path);
  }
}

TEST_F(KvDamageTest, AChunkOfNoTokensIsNothing) {
  EXPECT_EQ(library_->compute({{}, {}}, engine::KvLevel::kExact, never_cancelled()).code(), StatusCode::kUsage);
  store_all();
  const ChunkTokens one = chunks_[1];
  chunks_.erase(chunks_.begin() + 1);
  const Answer without = answer(*library_);
  chunks_.insert(chunks_.begin() + 1, ChunkTokens{{}, one.text_hash});
  const Answer with = answer(*library_);
  EXPECT_EQ(with.report.cache.hits, 2);
  expect_same(with.logits, without.logits);
  EXPECT_EQ(files().size(), 3u) << "nothing is stored for it";
}

// Values beyond fp16 are infinite in the cache: lossless levels keep them, those that round must not make them
// ordinary.
TEST_F(KvDamageTest, InfinitiesAndNaNAreKeptOrNotStored) {
  mneme::testing::RandomModel shape;
  shape.n_layers = 3;
  shape.vocab_size = 320;
  shape.vocabulary = true;
  std::vector<std::byte> bytes = mneme::testing::random_gguf(shape);
  scale_tensor(bytes, "blk.2.attn_v.weight", 1e5f);
  library_.reset();
  auto opened = engine::LanguageModel::open(mneme::testing::write_temporary(bytes, "kv-overflow.gguf"),
                                            {.device = {.device = "cpu", .n_threads = 2}, .context_tokens = 0});
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  model_ = std::move(opened).value();
  library_ = open_library();
  const Answer computed = answer_of_nothing_stored();
  ASSERT_FALSE(all_finite(computed.logits)) << "the model does not overflow: the test shows nothing";
  const Status refused = library_->compute(chunks_[0], engine::KvLevel::kMedium, never_cancelled());
  EXPECT_EQ(refused.code(), StatusCode::kUnsupported) << refused.message();
  EXPECT_TRUE(files().empty());
  const Answer medium = answer(*library_, "medium");
  EXPECT_EQ(medium.report.cache.hits, 0);
  EXPECT_FALSE(all_finite(medium.logits));
  store_all();
  const Answer exact = answer(*library_);
  EXPECT_EQ(exact.report.cache.hits, 3);
  EXPECT_FALSE(all_finite(exact.logits)) << "an answer from numbers that the model does not have";
  // What the background found out is told once.
  KvBackground background(*library_, *catalogue_);
  background.compute(chunks_, engine::KvLevel::kMedium);
  while (background.pending() > 0) std::this_thread::yield();
  EXPECT_EQ(answer(*library_, "medium", &background).report.refused_cache, refused.message());
  EXPECT_TRUE(answer(*library_, "medium", &background).report.refused_cache.empty());

  // Asked again, it is not computed again: what is cancelled before it begins would be.
  CancelToken cancelled;
  cancelled.cancel();
  EXPECT_EQ(library_->compute(chunks_[0], engine::KvLevel::kMedium, cancelled).message(), refused.message());
  EXPECT_EQ(library_->compute(chunks_[1], engine::KvLevel::kHigh, cancelled).code(), StatusCode::kCancelled);
}

// One number far from the calibration's is enough: at a level that would cut it off the passage is not stored.
TEST_F(KvDamageTest, WhatALevelCannotSayIsNotStored) {
  SpeedBook speed(*catalogue_, *model_);
  ChunkEncoder encoder(*model_, speed);
  for (const engine::KvLevel level : {engine::KvLevel::kMedium, engine::KvLevel::kExact}) {
    const auto codec = library_->codec(level);
    ASSERT_TRUE(codec.ok()) << codec.status().message();
    auto computed = encoder.compute(library_->prefix(), chunks_[0].ids, std::span(&*codec, 1), never_cancelled());
    ASSERT_TRUE(computed.ok()) << computed.status().message();
    EXPECT_TRUE(encoder.layers_of(*computed, 0, **codec).ok());
    computed->kv.values[1][70] = to_f16(-60000.0f);
    const Status status = encoder.layers_of(*computed, 0, **codec).status();
    EXPECT_EQ(status.code(), level == engine::KvLevel::kExact ? StatusCode::kOk : StatusCode::kUnsupported);
    EXPECT_EQ(status.message().find("medium") != std::string::npos, level == engine::KvLevel::kMedium);
  }
}

TEST_F(KvDamageTest, TwoLibrariesOnOneStoreShareAndSurviveEachOther) {
  const std::unique_ptr<KvLibrary> other = open_library();
  const Answer computed = answer(*library_);
  EXPECT_EQ(computed.report.cache.hits, 0);
  store_all();
  const Answer first = answer(*library_);
  const Answer second = answer(*other);
  EXPECT_EQ(second.report.cache.hits, 3);
  expect_same(second.logits, first.logits);
  for (const std::string& path : files()) fs::remove(path);  // a third one evicts everything
  const Answer again = answer(*other);
  EXPECT_EQ(again.report.cache.hits, 0);
  expect_same(again.logits, computed.logits);
}

TEST_F(KvDamageTest, AFullDiskCostsTheCacheNotTheAnswer) {
  const Answer computed = answer_of_nothing_stored();
  storage::FaultPlan plan;
  storage::FaultyEnv env(storage::FileEnv::posix(), plan);
  const std::unique_ptr<KvLibrary> library = open_library(env);
  plan.arm(storage::FaultKind::kNoSpace, 0);
  EXPECT_FALSE(library->compute(chunks_[0], engine::KvLevel::kExact, never_cancelled()).ok());
  const Answer full = answer(*library);
  EXPECT_EQ(full.report.cache.hits, 0);
  expect_same(full.logits, computed.logits);
  EXPECT_TRUE(files().empty());
  plan.clear();
  EXPECT_TRUE(library->compute(chunks_[0], engine::KvLevel::kExact, never_cancelled()).ok());
}

TEST_F(KvDamageTest, AQuotaSmallerThanOneChunkCostsTheCacheNotTheAnswer) {
  const Answer computed = answer_of_nothing_stored();
  library_->store().set_quota(100);
  EXPECT_EQ(library_->compute(chunks_[0], engine::KvLevel::kExact, never_cancelled()).code(), StatusCode::kNoSpace);
  const Answer without = answer(*library_);
  EXPECT_EQ(without.report.cache.hits, 0);
  expect_same(without.logits, computed.logits);
}

TEST_F(KvDamageTest, ACalibrationThatCannotBeWrittenStillServes) {
  storage::FaultPlan plan;
  storage::FaultyEnv env(storage::FileEnv::posix(), plan);
  const std::unique_ptr<KvLibrary> library = open_library(env);
  plan.arm(storage::FaultKind::kNoSpace, 0);
  const auto codec = library->codec(engine::KvLevel::kMedium);
  ASSERT_TRUE(codec.ok()) << codec.status().message();
  const Answer lossy = answer(*library, "medium");
  EXPECT_EQ(lossy.report.cache.hits, 0);
  plan.clear();
}

TEST_F(KvDamageTest, ADamagedCalibrationIsMadeAgain) {
  store_all(engine::KvLevel::kMedium);
  const Answer before = answer(*library_, "medium");
  EXPECT_EQ(before.report.cache.hits, 3);
  for (const auto& entry : fs::directory_iterator(folder_ + "/models")) {
    std::vector<char> bytes = bytes_of(entry.path().string());
    bytes.resize(bytes.size() / 2);
    write(entry.path().string(), bytes);
  }
  library_ = open_library();
  const Answer after = answer(*library_, "medium");  // the same calibration again: the caches still fit
  EXPECT_EQ(after.report.cache.hits, 3);
  expect_same(after.logits, before.logits);
}

}  // namespace
}  // namespace mneme::rag
