// Stored KV that is damaged, foreign, gone or could not be written: the answer is the one that computing gives.
#include "rag/kv_reuse/kv_codecs.h"
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
}

TEST_F(KvDamageTest, OneTokenChunksAreStoredAndUsed) {
  store_all();
  EXPECT_EQ(answer(*library_).report.cache.hits, 3);  // chunk 1 has one token
  EXPECT_EQ(library_->compute({{}, {}}, engine::KvLevel::kExact, never_cancelled()).code(), StatusCode::kUsage);
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
