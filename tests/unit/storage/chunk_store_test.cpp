// What is put into the store is found there or nowhere: damage, eviction, quotas, several folders, faults.
#include "storage/chunks/chunk_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/random.h"
#include "chunk_bed.h"
#include "encrypted_disk.h"
#include "storage/chunks/chunk_index.h"
#include "storage/chunks/chunk_stream.h"
#include "storage/env/faulty_env.h"
#include "storage/env/memory_env.h"

namespace mneme::storage {
namespace {

TEST_F(ChunkStoreTest, KeepsWhatItWasGiven) {
  const auto store = open();
  put(*store, 1);
  EXPECT_TRUE(reads_back(*open(), 1));
  const auto chunk = store->find(make_info(1).key, make_info(1).token_ids);
  ASSERT_TRUE(chunk.ok());
  EXPECT_EQ((*chunk)->info().calibration_id, 5u);
  EXPECT_EQ((*chunk)->info().text_hash, make_info(1).text_hash);
  EXPECT_EQ((*chunk)->info().layer_bytes, (std::vector<uint64_t>{1000, 1017, 1034}));
  EXPECT_FALSE(has(*store, 2));
  const auto counters = store->take_counters();
  EXPECT_EQ(counters.hits, 1);
  EXPECT_EQ(counters.misses, 1);
  EXPECT_EQ(store->take_counters().hits, 0);
  EXPECT_EQ(store->meter()->chunks, 1);
  EXPECT_EQ(store->meter()->bytes, std::filesystem::file_size(file_of(1)));
  EXPECT_EQ(std::filesystem::status(file_of(1)).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(ChunkStoreTest, OddShapes) {
  const auto store = open();
  ChunkFileInfo info = make_info(1, 1);
  const Layers layers = {{}, {std::byte{1}}};
  ASSERT_TRUE(store->put(info, spans_of(layers)).ok());
  const auto chunk = store->find(info.key, info.token_ids);
  ASSERT_TRUE(chunk.ok()) << chunk.status().message();
  std::vector<std::byte> payload(5);
  ASSERT_TRUE((*chunk)->read_layer(0, payload).ok());
  EXPECT_TRUE(payload.empty());
  EXPECT_EQ((*chunk)->read_layer(2, payload).code(), StatusCode::kUsage);
  info.token_ids.clear();
  EXPECT_EQ(store->put(info, spans_of(layers)).code(), StatusCode::kUsage);
  EXPECT_EQ(store->put(make_info(2), {}).code(), StatusCode::kUsage);
  const ChunkFileInfo large = make_info(3, 100'000);  // its header does not fit the first read
  ASSERT_TRUE(store->put(large, spans_of(layers)).ok());
  EXPECT_TRUE(store->find(large.key, large.token_ids).ok());
}

TEST_F(ChunkStoreTest, OtherTokensAreAMiss) {
  const auto store = open();
  put(*store, 1);
  std::vector<int32_t> other = make_info(1).token_ids;
  other.back() += 1;
  EXPECT_EQ(store->find(make_info(1).key, other).status().code(), StatusCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(file_of(1))) << "it would never be of use";
}

TEST_F(ChunkStoreTest, AFileUnderAnotherNameIsNotUsed) {
  const auto store = open();
  put(*store, 1);
  std::filesystem::create_directories(std::filesystem::path(file_of(2)).parent_path());
  std::filesystem::copy_file(file_of(1), file_of(2));
  EXPECT_EQ(store->verify(false)->problems.size(), 1u);
  EXPECT_FALSE(has(*store, 2));
  EXPECT_TRUE(reads_back(*store, 1));
}

TEST_F(ChunkStoreTest, EveryFlippedBitIsFound) {
  const auto store = open();
  put(*store, 1, 2, 40);
  std::string bytes;
  {
    std::ifstream file(file_of(1), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  Random random(3);
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.below(8)));
    std::filesystem::create_directories(std::filesystem::path(file_of(1)).parent_path());
    std::ofstream(file_of(1), std::ios::binary | std::ios::trunc) << damaged;
    EXPECT_FALSE(reads_back(*store, 1, 2, 40)) << "byte " << at;
  }
}

TEST_F(ChunkStoreTest, EveryTruncationIsFound) {
  const auto store = open();
  put(*store, 1, 2, 40);
  std::string bytes;
  {
    std::ifstream file(file_of(1), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  for (size_t length = 0; length < bytes.size(); ++length) {
    std::ofstream(file_of(1), std::ios::binary | std::ios::trunc) << bytes.substr(0, length);
    EXPECT_FALSE(has(*store, 1)) << length;
  }
  std::ofstream(file_of(1), std::ios::binary | std::ios::trunc) << bytes << "x";
  EXPECT_FALSE(has(*store, 1));
}

TEST_F(ChunkStoreTest, AnotherVersionIsAMissAndStays) {
  const auto store = open();
  put(*store, 1);
  std::fstream file(file_of(1), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(8);
  file.put(9);
  file.close();
  EXPECT_FALSE(has(*store, 1));
  EXPECT_TRUE(std::filesystem::exists(file_of(1)));
}

TEST_F(ChunkStoreTest, RandomBytesNeverParse) {
  Random random(11);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::byte> bytes(random.below(400));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
    if (i % 2 == 0 && bytes.size() >= 16) {
      std::memcpy(bytes.data(), "MNEMEKV\0\1\0\0\0", 12);
    }
    uint64_t more = 0;
    EXPECT_FALSE(parse_chunk_header(bytes, bytes.size(), more).ok());
  }
}

TEST_F(ChunkStoreTest, EvictsTheLeastRecentlyUsedAndNoMore) {
  for (uint64_t i = 0; i < 5; ++i) {
    put(*open(), i);
    used_minutes_ago(i, 10 - static_cast<int>(i));
  }
  const auto store = open();
  const uint64_t each = store->meter()->bytes / 5;
  EXPECT_TRUE(has(*store, 0));  // used again: 1 is now the oldest
  store->set_quota(each * 5 + each / 2);
  put(*store, 5);
  EXPECT_LE(store->meter()->bytes, each * 5 + each / 2);
  for (uint64_t i = 0; i < 6; ++i) EXPECT_EQ(store->contains(make_info(i).key), i != 1) << i;
  EXPECT_EQ(store->take_counters().evictions, 1);
  store->set_quota(each);
  ASSERT_TRUE(store->enforce_quota().ok());
  EXPECT_EQ(store->meter()->chunks, 1);
  EXPECT_TRUE(store->contains(make_info(5).key));
}

// The file tells of it.
TEST_F(ChunkStoreTest, AnotherProcessSeesWhatWasUsed) {
  for (const uint64_t i : {0, 1}) {
    put(*open(), i);
    used_minutes_ago(i, 10 - static_cast<int>(i));
  }
  EXPECT_TRUE(has(*open(), 0));
  const auto store = open();
  store->set_quota(store->meter()->bytes - 1);
  ASSERT_TRUE(store->enforce_quota().ok());
  EXPECT_TRUE(store->contains(make_info(0).key));
  EXPECT_FALSE(store->contains(make_info(1).key));
}

TEST_F(ChunkStoreTest, WhatIsReplacedCountsOnce) {
  const auto store = open();
  for (const size_t bytes : {1000, 3000, 10}) {
    put(*store, 1, 3, bytes);
    EXPECT_EQ(store->meter()->bytes, std::filesystem::file_size(file_of(1)));
    EXPECT_EQ(store->meter()->chunks, 1);
  }
  EXPECT_TRUE(reads_back(*store, 1, 3, 10));
}

// A chunk that takes the whole quota fits it.
TEST_F(ChunkStoreTest, TheQuotaMayBeFilledToTheLastByte) {
  put(*open(), 1);
  const uint64_t bytes = open()->meter()->bytes;
  const auto store = open(bytes);
  put(*store, 2);
  EXPECT_FALSE(store->contains(make_info(1).key));
  EXPECT_TRUE(has(*store, 2));
  store->set_quota(bytes - 1);
  const Layers layers = make_layers(3, 3, 1000);
  EXPECT_EQ(store->put(make_info(3), spans_of(layers)).code(), StatusCode::kNoSpace);
  EXPECT_TRUE(has(*store, 2)) << "the store stays as it was";
}

// A clock that was wrong for a while would keep them for ever.
TEST_F(ChunkStoreTest, WhatWasUsedInTheFutureIsEvictedFirst) {
  {
    const auto store = open();
    for (uint64_t i = 0; i < 3; ++i) put(*store, i);
    const auto now = std::filesystem::last_write_time(file_of(1));
    std::filesystem::last_write_time(file_of(1), now + std::chrono::hours(24 * 365));
    std::filesystem::last_write_time(file_of(0), now - std::chrono::hours(1));
  }
  const auto store = open();
  store->set_quota(store->meter()->bytes - 1);
  ASSERT_TRUE(store->enforce_quota().ok());
  EXPECT_FALSE(store->contains(make_info(1).key));
  EXPECT_TRUE(store->contains(make_info(0).key));
}

TEST_F(ChunkStoreTest, WhatIsReadIsNotEvicted) {
  const auto store = open();
  put(*store, 0);
  put(*store, 1);
  const auto pinned = store->find(make_info(0).key, make_info(0).token_ids);
  store->set_quota(1);
  ASSERT_TRUE(store->enforce_quota().ok());
  EXPECT_TRUE(store->contains(make_info(0).key));
  EXPECT_FALSE(store->contains(make_info(1).key));
}

TEST_F(ChunkStoreTest, WhatWasReadByTwoIsEvictedOnceBothAreDone) {
  const auto store = open();
  put(*store, 0);
  auto first = *store->find(make_info(0).key, make_info(0).token_ids);
  auto second = *store->find(make_info(0).key, make_info(0).token_ids);
  store->set_quota(1);
  for (auto* reader : {&first, &second}) {
    ASSERT_TRUE(store->enforce_quota().ok());
    EXPECT_TRUE(store->contains(make_info(0).key));
    reader->reset();
  }
  ASSERT_TRUE(store->enforce_quota().ok());
  EXPECT_FALSE(store->contains(make_info(0).key));
}

TEST(ChunkNames, AreThirtyTwoHexDigits) {
  const std::string digits = "0123456789abcdef0123456789abcdef";
  EXPECT_EQ(chunk_key_of(digits + ".kv"), digits);
  for (const std::string& other :
       {digits, digits + ".kw", digits + "0.kv", digits.substr(1) + ".kv", digits.substr(1) + "g.kv",
        digits + ".kv.tmp-1-1", digits.substr(1) + "F.kv", std::string()}) {
    EXPECT_EQ(chunk_key_of(other), "") << other;
  }
}

TEST_F(ChunkStoreTest, AQuotaSmallerThanOneChunkRefusesPolitely) {
  const auto store = open(100);
  const Layers layers = make_layers(1, 3, 1000);
  EXPECT_EQ(store->put(make_info(1), spans_of(layers)).code(), StatusCode::kNoSpace);
  EXPECT_EQ(store->meter()->chunks, 0);
}

TEST_F(ChunkStoreTest, AFileRemovedWhileReadIsReadOn) {
  const auto store = open();
  put(*store, 1);
  const auto chunk = store->find(make_info(1).key, make_info(1).token_ids);
  const auto other_process = open();
  ASSERT_TRUE(other_process->remove(make_info(1).key).ok());
  std::vector<std::byte> payload;
  ASSERT_TRUE((*chunk)->read_layer(2, payload).ok());
  EXPECT_EQ(payload, make_layers(1, 3, 1000)[2]);
}

TEST_F(ChunkStoreTest, CollectsWhatNobodyWants) {
  const auto store = open();
  for (uint64_t i = 0; i < 4; ++i) put(*store, i);
  const auto freed =
      store->remove_unless([](const ChunkFileInfo& info) { return info.text_hash == make_info(2).text_hash; });
  ASSERT_TRUE(freed.ok());
  EXPECT_GT(*freed, 3000u);
  EXPECT_EQ(store->meter()->chunks, 1);
  EXPECT_TRUE(has(*store, 2));
}

// A second name of a file shows what is left of it on the disk.
TEST_F(ChunkStoreTest, WhatIsErasedIsOverwrittenAndWhatIsKeptIsNot) {
  const auto store = open();
  put(*store, 1);
  put(*store, 2);
  const std::string gone = home_.path() + "/gone";
  const std::string kept = home_.path() + "/kept";
  std::filesystem::create_hard_link(file_of(1), gone);
  std::filesystem::create_hard_link(file_of(2), kept);
  const auto is_second = [](const ChunkFileInfo& info) { return info.text_hash == make_info(2).text_hash; };
  ASSERT_TRUE(store->remove_unless(is_second, Removal::kErase).ok());
  EXPECT_FALSE(std::filesystem::exists(file_of(1)));
  const auto bytes = read_whole(FileEnv::posix(), gone, 1 << 20);
  ASSERT_TRUE(bytes.ok());
  EXPECT_GT(bytes->size(), 3000u);
  EXPECT_TRUE(std::all_of(bytes->begin(), bytes->end(), [](std::byte b) { return b == std::byte{0}; }));
  EXPECT_EQ(*read_whole(FileEnv::posix(), kept, 1 << 20), *read_whole(FileEnv::posix(), file_of(2), 1 << 20));
  EXPECT_TRUE(has(*store, 2));
}

// Also what a killed writer left, what is damaged and what is of another version; others are not opened.
TEST_F(ChunkStoreTest, ErasingByNameTakesWhatBeginsSo) {
  const auto store = open();
  for (uint64_t i = 0; i < 3; ++i) put(*store, i);
  std::filesystem::resize_file(file_of(2), 20);
  const std::string digits = make_info(1).key.hex().substr(0, 16);
  const std::string folder = root() + "/" + digits.substr(0, 2) + "/";
  const std::string dead = file_of(1) + ".tmp-2000000000-1";
  const std::string damaged = folder + digits + "0000000000000000.kv";
  for (const std::string& path : {dead, damaged}) std::ofstream(path) << "tokens";
  const auto nobody = [](const ChunkFileInfo&) { return false; };
  ASSERT_TRUE(store->erase_named(digits, nobody).ok());
  EXPECT_TRUE(std::filesystem::exists(file_of(1)));
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_FALSE(std::filesystem::exists(damaged));
  const auto first = [](const ChunkFileInfo& info) { return info.text_hash == make_info(1).text_hash; };
  ASSERT_TRUE(store->erase_named(digits, first).ok());
  EXPECT_FALSE(std::filesystem::exists(file_of(1)));
  EXPECT_TRUE(has(*store, 0));
  EXPECT_TRUE(std::filesystem::exists(file_of(2))) << "damaged, and not looked at";
  EXPECT_TRUE(store->erase_named("ffffffffffffffff", first).ok());
}

// What is being written holds the text's tokens as well. No process has the number of the first one: it is beyond the
// highest that Linux gives.
TEST_F(ChunkStoreTest, ErasingTakesWhatKilledWritersLeft) {
  const auto store = open();
  put(*store, 1);
  const std::string dead = file_of(1) + ".tmp-2000000000-1";
  const std::string living = file_of(1) + ".tmp-" + std::to_string(::getpid()) + "-99";
  for (const std::string& path : {dead, living}) std::ofstream(path) << "tokens";
  const auto keep_all = [](const ChunkFileInfo&) { return true; };
  ASSERT_TRUE(store->remove_unless(keep_all).ok());
  EXPECT_TRUE(std::filesystem::exists(dead));
  ASSERT_TRUE(store->remove_unless(keep_all, Removal::kErase).ok());
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_TRUE(std::filesystem::exists(living));
  EXPECT_TRUE(has(*store, 1));
}

TEST_F(ChunkStoreTest, WhatWasAbandonedIsErasedAfterAnHour) {
  const auto store = open();
  put(*store, 1);
  const std::string old = file_of(1) + ".tmp-2000000000-1";
  const std::string young = file_of(1) + ".tmp-2000000000-2";
  const std::string of_a_wrong_clock = file_of(1) + ".tmp-2000000000-3";
  for (const std::string& path : {old, young, of_a_wrong_clock}) std::ofstream(path) << "tokens";
  std::filesystem::last_write_time(of_a_wrong_clock,
                                   std::filesystem::last_write_time(young) + std::chrono::hours(24 * 365));
  for (const std::string& path : {old, file_of(1)}) {
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) - std::chrono::hours(2));
  }
  ASSERT_TRUE(store->erase_abandoned().ok());
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_FALSE(std::filesystem::exists(of_a_wrong_clock));
  EXPECT_TRUE(std::filesystem::exists(young));
  EXPECT_TRUE(has(*store, 1));
}

TEST_F(ChunkStoreTest, WhoHasItToHimselfErasesWhatIsBeingWrittenAsWell) {
  const auto store = open();
  put(*store, 1);
  const std::string living = file_of(2) + ".tmp-" + std::to_string(::getpid()) + "-99";
  std::filesystem::create_directories(std::filesystem::path(living).parent_path());
  std::ofstream(living) << "tokens";
  const std::string of_others = std::filesystem::path(file_of(1)).parent_path() / "letter.txt";
  std::ofstream(of_others) << "of somebody";
  ASSERT_TRUE(store->erase_all().ok());
  EXPECT_FALSE(std::filesystem::exists(file_of(1)));
  EXPECT_FALSE(std::filesystem::exists(living));
  EXPECT_TRUE(std::filesystem::exists(of_others));
  EXPECT_EQ(store->meter()->chunks, 0);
}

// Encryption puts a beginning of its own before the format's.
class EncryptedChunkStoreTest : public ::testing::Test {
 protected:
  EncryptedChunkStoreTest() : disk_(DiskKind::kEncrypted) {
    store_ = std::move(ChunkStore::open({.roots = {"/home/kv"}, .quota_bytes = 1u << 30, .env = &disk_.env()})).value();
    const Layers layers = make_layers(1, 3, 1000);
    EXPECT_TRUE(store_->put(make_info(1), spans_of(layers)).ok());
    const std::string hex = make_info(1).key.hex();
    path_ = "/home/kv/" + hex.substr(0, 2) + "/" + hex + ".kv";
  }
  void damage(size_t at) {
    auto bytes = read_whole(disk_.below(), path_, 1 << 20);
    ASSERT_TRUE(bytes.ok());
    (*bytes)[at] ^= std::byte{1};
    ASSERT_TRUE(write_atomically(disk_.below(), path_, *bytes).ok());
  }
  bool is_there() { return disk_.below().stat(path_).ok(); }

  TestDisk disk_;
  std::unique_ptr<ChunkStore> store_;
  std::string path_;
};

TEST_F(EncryptedChunkStoreTest, ADamagedBeginningIsAMissAndGoes) {
  damage(33);
  const ChunkFileInfo info = make_info(1);
  EXPECT_EQ(store_->find(info.key, info.token_ids).status().code(), StatusCode::kNotFound);
  EXPECT_FALSE(is_there());
  const Layers layers = make_layers(1, 3, 1000);
  ASSERT_TRUE(store_->put(info, spans_of(layers)).ok());
  EXPECT_TRUE(store_->find(info.key, info.token_ids).ok());
}

TEST_F(EncryptedChunkStoreTest, WhatIsDamagedIsNeitherKeptNorTakenForWanted) {
  damage(0);
  const auto keep_all = [](const ChunkFileInfo&) { return true; };
  const auto found = store_->verify(false);
  ASSERT_EQ(found->problems.size(), 1u);
  EXPECT_NE(found->problems[0].detail.find("it is computed again"), std::string::npos) << found->problems[0].detail;
  EXPECT_GT(*store_->remove_unless(keep_all), 0u);
  EXPECT_FALSE(is_there());
}

// What another version wrote may hold the text; nobody can tell.
TEST_F(ChunkStoreTest, ErasingTakesWhatIsOfAnotherVersion) {
  const auto store = open();
  put(*store, 1);
  put(*store, 2);
  {
    std::fstream file(file_of(1), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(8);  // chunk_file_format.md: the version
    file.put('\x63');
  }
  const auto keep_all = [](const ChunkFileInfo&) { return true; };
  ASSERT_TRUE(store->remove_unless(keep_all).ok());
  EXPECT_TRUE(std::filesystem::exists(file_of(1)));
  ASSERT_TRUE(store->remove_unless(keep_all, Removal::kErase).ok());
  EXPECT_FALSE(std::filesystem::exists(file_of(1)));
  EXPECT_TRUE(has(*store, 2));
}

// What another user keeps from this one, as after a command with the rights of root.
class UnreadableEnv final : public FaultyEnv {
 public:
  explicit UnreadableEnv(FaultPlan& plan) : FaultyEnv(FileEnv::posix(), plan) {}
  Result<std::vector<std::string>> list(const std::string& directory) override {
    return directory == unreadable ? refuse(directory) : FaultyEnv::list(directory);
  }
  Result<std::unique_ptr<ReadableFile>> open_readable(const std::string& path) override {
    return path == unreadable ? refuse(path) : FaultyEnv::open_readable(path);
  }
  std::string unreadable;

 private:
  static Status refuse(const std::string& path) { return errno_error("open", path, EACCES); }
};

TEST_F(ChunkStoreTest, ErasingTellsOfWhatCannotBeListedAndGoesOn) {
  FaultPlan plan;
  UnreadableEnv env(plan);
  const auto store = open(1u << 30, &env);
  put(*store, 1);
  put(*store, 2);
  env.unreadable = std::filesystem::path(file_of(1)).parent_path();
  const auto nobody = [](const ChunkFileInfo&) { return false; };
  for (const Status& status : {store->remove_unless(nobody, Removal::kErase).status(), store->erase_all()}) {
    EXPECT_EQ(status.code(), StatusCode::kIo);
    EXPECT_NE(status.message().find("may hold what is to be erased"), std::string::npos) << status.message();
  }
  EXPECT_FALSE(std::filesystem::exists(file_of(2)));
  const auto found = store->verify(false);
  ASSERT_EQ(found->problems.size(), 1u);
  EXPECT_NE(found->problems[0].detail.find(env.unreadable), std::string::npos) << found->problems[0].detail;
  put(*store, 3);
  EXPECT_TRUE(has(*store, 3)) << "what only uses the store goes on without";
  env.unreadable.clear();
  EXPECT_TRUE(store->remove_unless(nobody, Removal::kErase).ok());
  EXPECT_FALSE(std::filesystem::exists(file_of(1)));
}

TEST_F(ChunkStoreTest, ErasingTakesWhatCannotBeRead) {
  FaultPlan plan;
  UnreadableEnv env(plan);
  const auto store = open(1u << 30, &env);
  put(*store, 1);
  put(*store, 2);
  env.unreadable = file_of(1);
  const auto keep_all = [](const ChunkFileInfo&) { return true; };
  ASSERT_TRUE(store->remove_unless(keep_all).ok());
  EXPECT_TRUE(std::filesystem::exists(file_of(1)));
  ASSERT_TRUE(store->remove_unless(keep_all, Removal::kErase).ok());
  EXPECT_FALSE(std::filesystem::exists(file_of(1)));
  EXPECT_TRUE(has(*store, 2));
}

TEST_F(ChunkStoreTest, VerifyFindsAndRemovesDamage) {
  const auto store = open();
  for (uint64_t i = 0; i < 3; ++i) put(*store, i);
  std::fstream file(file_of(1), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(-1, std::ios::end);
  file.put('\0');
  file.seekp(-2, std::ios::end);
  file.put('\0');
  file.close();
  for (uint64_t i = 0; i < 3; ++i) {  // others' files are passed over
    for (const char* name : {"/0", "/letter.txt"})
      std::ofstream(std::filesystem::path(file_of(i)).parent_path().string() + name) << "of somebody";
  }
  const auto found = store->verify(false);
  EXPECT_EQ(found->files, 3);
  ASSERT_EQ(found->problems.size(), 1u);
  EXPECT_FALSE(found->problems[0].repaired);
  EXPECT_TRUE(store->verify(true)->problems[0].repaired);
  EXPECT_TRUE(store->verify(false)->problems.empty());
  EXPECT_EQ(store->meter()->chunks, 2);
}

TEST_F(ChunkStoreTest, WhoIsCancelledHasRemovedNothing) {
  const auto store = open();
  for (uint64_t i = 0; i < 3; ++i) put(*store, i);
  std::filesystem::resize_file(file_of(1), 20);
  CancelToken cancelled;
  cancelled.cancel();
  const auto nobody = [](const ChunkFileInfo&) { return false; };
  for (const Removal how : {Removal::kRemove, Removal::kErase})
    EXPECT_EQ(store->remove_unless(nobody, how, cancelled).status().code(), StatusCode::kCancelled);
  EXPECT_EQ(store->verify(true, cancelled).status().code(), StatusCode::kCancelled);
  for (uint64_t i = 0; i < 3; ++i) EXPECT_TRUE(std::filesystem::exists(file_of(i))) << i;
}

TEST_F(ChunkStoreTest, APreferredRootTakesTheFile) {
  auto store = ChunkStore::open({.roots = {root(), home_.path() + "/cheap"}, .quota_bytes = 1u << 30});
  ASSERT_TRUE(store.ok());
  const Layers layers = make_layers(1, 2, 500);
  for (const size_t preferred : {size_t{0}, size_t{1}}) {
    const ChunkFileInfo info = make_info(preferred);
    ASSERT_TRUE((*store)->put(info, spans_of(layers), preferred).ok());
    const auto found = (*store)->find(info.key, info.token_ids);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ((*found)->path().starts_with((*store)->roots()[preferred]), true);
  }
}

// Disks of which each says how much room it has, or that it cannot say.
class RoomyEnv final : public FaultyEnv {
 public:
  explicit RoomyEnv(FaultPlan& plan) : FaultyEnv(FileEnv::posix(), plan) {}
  Result<uint64_t> free_bytes(const std::string& path) override {
    const auto found = room.find(path);
    return found != room.end() ? Result<uint64_t>(found->second) : errno_error("look at", path, EIO);
  }
  std::map<std::string, uint64_t> room;
};

TEST_F(ChunkStoreTest, ADiskWithoutRoomLeavesTheFileToTheNext) {
  FaultPlan plan;
  RoomyEnv env(plan);
  const std::string second = home_.path() + "/second";
  auto store = ChunkStore::open({.roots = {root(), second}, .quota_bytes = 1u << 30, .env = &env});
  ASSERT_TRUE(store.ok());
  const Layers layers = make_layers(1, 2, 500);
  const auto folder_of = [&](uint64_t number, size_t first_root) {
    const ChunkFileInfo info = make_info(number);
    EXPECT_TRUE((*store)->put(info, spans_of(layers), first_root).ok()) << number;
    const auto found = (*store)->find(info.key, info.token_ids);
    if (!found.ok()) return found.status().message();
    return (*found)->path().substr(0, (*found)->path().size() - info.key.hex().size() - 7);
  };
  constexpr uint64_t kFull = 1000;
  constexpr uint64_t kEmpty = 1u << 30;
  env.room = {{root(), kFull}, {second, kEmpty}};
  EXPECT_EQ(folder_of(1, 0), second);
  EXPECT_EQ(folder_of(2, 1), second);
  env.room = {{root(), kEmpty}, {second, kFull}};
  EXPECT_EQ(folder_of(3, 1), root());
  env.room = {{second, kEmpty}};  // the first cannot say: writing will tell
  EXPECT_EQ(folder_of(4, 0), root());
  env.room = {{root(), kFull}, {second, kFull}};
  EXPECT_EQ((*store)->put(make_info(5), spans_of(layers)).code(), StatusCode::kNoSpace);
  EXPECT_EQ((*store)->meter()->chunks, 4);
}

TEST_F(ChunkStoreTest, WithoutAQuotaItIsATenthOfWhatIsFreeOr20GB) {
  FaultPlan plan;
  RoomyEnv env(plan);
  constexpr uint64_t kGb = 1'000'000'000;
  for (const auto& [free, quota] : {std::pair{0 * kGb, 0 * kGb}, std::pair{10 * kGb, kGb},
                                    std::pair{199 * kGb, 199 * kGb / 10}, std::pair{5000 * kGb, 20 * kGb}}) {
    env.room = {{root(), free}};
    EXPECT_EQ(*default_quota_bytes(env, root()), quota) << free;
  }
  env.room.clear();
  EXPECT_FALSE(default_quota_bytes(env, root()).ok());
}

TEST_F(ChunkStoreTest, AnErasedKeyIsOverwrittenInEveryFolder) {
  const std::vector<std::string> roots = {root(), home_.path() + "/second"};
  const auto store = std::move(ChunkStore::open({.roots = roots, .quota_bytes = 1u << 30})).value();
  const Layers layers = make_layers(1, 3, 1000);
  const std::string below = file_of(1).substr(root().size());
  for (const size_t i : {0, 1}) {
    ASSERT_TRUE(store->put(make_info(1), spans_of(layers), i).ok());
    std::filesystem::create_hard_link(roots[i] + below, home_.path() + "/gone" + std::to_string(i));
  }
  put(*store, 2);
  ASSERT_TRUE(store->erase(make_info(1).key).ok());
  for (const size_t i : {0, 1}) {
    EXPECT_FALSE(std::filesystem::exists(roots[i] + below));
    const auto left = read_whole(FileEnv::posix(), home_.path() + "/gone" + std::to_string(i), 1 << 20);
    ASSERT_TRUE(left.ok());
    EXPECT_TRUE(std::all_of(left->begin(), left->end(), [](std::byte b) { return b == std::byte{0}; })) << i;
  }
  EXPECT_EQ(store->meter()->chunks, 1);
  EXPECT_TRUE(has(*store, 2));
  EXPECT_TRUE(store->erase(make_info(1).key).ok()) << "there is none any more";
}

TEST_F(ChunkStoreTest, SeveralRoots) {
  auto store = ChunkStore::open({.roots = {root(), home_.path() + "/kv2"}, .quota_bytes = 1u << 30});
  put(**store, 1);
  std::filesystem::rename(root() + "/" + make_info(1).key.hex().substr(0, 2),
                          home_.path() + "/kv2/" + make_info(1).key.hex().substr(0, 2));
  EXPECT_TRUE(reads_back(**store, 1));
}

TEST_F(ChunkStoreTest, EveryRootHasItsOwnThroughput) {
  auto store = ChunkStore::open({.roots = {root(), home_.path() + "/second"}, .quota_bytes = 1u << 30});
  ASSERT_TRUE(store.ok());
  put(**store, 1);
  const std::string name = make_info(2).key.hex();
  put(**store, 2);
  // The second chunk is moved by hand, as somebody who adds a disk would.
  const std::string below = "/" + name.substr(0, 2);
  std::filesystem::create_directories(home_.path() + "/second" + below);
  std::filesystem::rename(root() + below + "/" + name + ".kv", home_.path() + "/second" + below + "/" + name + ".kv");
  std::vector<std::shared_ptr<const StoredChunk>> chunks;
  for (const uint64_t number : {1, 2}) {
    auto chunk = (*store)->find(make_info(number).key, make_info(number).token_ids);
    ASSERT_TRUE(chunk.ok()) << number;
    chunks.push_back(*chunk);
  }
  EXPECT_EQ(chunks[0]->throughput(), &(*store)->throughput(0));
  EXPECT_EQ(chunks[1]->throughput(), &(*store)->throughput(1));
  {
    auto stream = ChunkStream::start({chunks[1]}, {});
    ASSERT_TRUE(stream.ok());
    std::vector<std::byte> out;
    for (int layer = 0; layer < 3; ++layer) ASSERT_TRUE((*stream)->fetch(0, layer, out).ok());
  }
  EXPECT_EQ((*store)->throughput(0).samples(), 0);
  EXPECT_EQ((*store)->throughput(1).samples(), 3);
  EXPECT_GT((*store)->throughput(1).bytes_per_second(), 0);
}

TEST_F(ChunkStoreTest, OneQuotaHoldsOverAllRoots) {
  auto store = ChunkStore::open({.roots = {root(), home_.path() + "/second"}, .quota_bytes = 1u << 30});
  ASSERT_TRUE(store.ok());
  put(**store, 1);
  put(**store, 2);
  const std::string name = make_info(1).key.hex();
  const std::string below = "/" + name.substr(0, 2);
  std::filesystem::create_directories(home_.path() + "/second" + below);
  std::filesystem::rename(root() + below + "/" + name + ".kv", home_.path() + "/second" + below + "/" + name + ".kv");
  auto again = ChunkStore::open({.roots = {root(), home_.path() + "/second"}, .quota_bytes = 1});
  ASSERT_TRUE(again.ok());
  EXPECT_EQ((*again)->meter()->chunks, 2);
  ASSERT_TRUE((*again)->enforce_quota().ok());
  EXPECT_EQ((*again)->meter()->chunks, 0);
}

// Every change of the disk may fail or be the last: the store then has the whole chunk or none of it.
TEST_F(ChunkStoreTest, FaultsWhileWriting) {
  for (const FaultKind kind : {FaultKind::kIoError, FaultKind::kNoSpace, FaultKind::kShortWrite, FaultKind::kCrash}) {
    for (int64_t operation = 0; operation < 12; ++operation) {
      FaultPlan plan;
      FaultyEnv env(FileEnv::posix(), plan);
      const auto store = open(1u << 30, &env);
      (void)store->remove(make_info(1).key);
      plan.arm(kind, operation);
      const Layers layers = make_layers(1, 3, 1000);
      const Status status = store->put(make_info(1), spans_of(layers));
      EXPECT_TRUE(plan.fired() || status.ok());
      plan.clear();
      const auto reopened = open();
      EXPECT_TRUE(reopened->verify(false)->problems.empty());
      EXPECT_TRUE(reads_back(*reopened, 1) || !status.ok());
    }
  }
}

TEST(ChunkStorePowerLossTest, ARenamedFileIsWholeOrDamagedButNeverWrong) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    FaultPlan plan;
    MemoryEnv env(&plan);
    const Layers layers = make_layers(1, 3, 1000);
    {
      auto store = ChunkStore::open({.roots = {"/kv"}, .quota_bytes = 1u << 30, .env = &env});
      plan.arm(FaultKind::kCrash, static_cast<int64_t>(seed % 9));
      (void)(*store)->put(make_info(1), spans_of(layers));
    }
    plan.clear();
    env.crash(seed);
    auto store = ChunkStore::open({.roots = {"/kv"}, .quota_bytes = 1u << 30, .env = &env});
    const auto chunk = (*store)->find(make_info(1).key, make_info(1).token_ids);
    if (!chunk.ok()) continue;
    for (int layer = 0; layer < 3; ++layer) {
      std::vector<std::byte> payload;
      ASSERT_TRUE((*chunk)->read_layer(layer, payload).ok()) << "synced before the rename, so it must be whole";
      EXPECT_EQ(payload, layers[static_cast<size_t>(layer)]);
    }
  }
}

}  // namespace
}  // namespace mneme::storage
