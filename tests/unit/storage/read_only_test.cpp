// A catalogue and a KV store where nothing can be written are read as they are, and say why they do not change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "catalogue_bed.h"
#include "storage/chunks/chunk_store.h"
#include "storage/home.h"
#include "tests/support/read_only_env.h"

namespace mneme::storage {
namespace {

using ::testing::HasSubstr;

class ReadOnlyCatalogueTest : public CatalogueTest {
 protected:
  void open_read_only() {
    catalogue_.reset();
    auto opened = Catalogue::open({.path = database_path(), .env = &env_});
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    catalogue_ = std::move(opened).value();
  }
  ReadOnlyEnv env_;
};

TEST_F(ReadOnlyCatalogueTest, IsSearchedAndNotChanged) {
  const DocumentId id = put("/docs/a.txt", {"the marsh owl lays seven eggs"});
  EXPECT_TRUE(catalogue_->writable().ok());
  open_read_only();
  EXPECT_EQ(found("owl").size(), 1u);
  EXPECT_EQ(catalogue_->list_documents(collection_)->size(), 1u);
  EXPECT_TRUE(catalogue_->data_version().ok());
  EXPECT_EQ(catalogue_->writable().code(), StatusCode::kIo);
  EXPECT_THAT(catalogue_->writable().message(), HasSubstr("--home"));
  const std::string why = catalogue_->writable().message();
  EXPECT_EQ(catalogue_->remove_document(id).message(), why);
  EXPECT_EQ(catalogue_->forget("/docs").status().message(), why);
  EXPECT_EQ(catalogue_->compact().message(), why);
  EXPECT_EQ(catalogue_->put_setting("a", "1").message(), why);
  EXPECT_EQ(catalogue_->check(true).status().message(), why);
}

// All but the comparison of the lexical index with the texts, which SQLite does by writing.
TEST_F(ReadOnlyCatalogueTest, IsChecked) {
  put("/docs/a.txt", {"the marsh owl lays seven eggs"});
  open_read_only();
  const auto check = catalogue_->check(false);
  ASSERT_TRUE(check.ok()) << check.status().message();
  EXPECT_TRUE(check->problems.empty());
  EXPECT_EQ(check->documents, 1);
  EXPECT_FALSE(check->lexical_compared);
}

// What lies in the log of a program that was killed is read, with and without the memory that it shared.
TEST_F(ReadOnlyCatalogueTest, ReadsWhatAKilledProgramLeftInItsLog) {
  put("/docs/a.txt", {"the marsh owl lays seven eggs"});
  const std::string copy = home_.path() + "/copy";
  std::filesystem::create_directories(copy);
  for (const char* suffix : {"", "-wal"}) {
    std::filesystem::copy_file(database_path() + suffix, copy + "/catalog.db" + suffix);
  }
  ASSERT_GT(std::filesystem::file_size(copy + "/catalog.db-wal"), 0u);
  auto opened = Catalogue::open({.path = copy + "/catalog.db", .env = &env_});
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  EXPECT_EQ((*opened)->search_lexical("owl", {}, 10)->size(), 1u);
}

TEST_F(ReadOnlyCatalogueTest, ThatHasToBeBroughtUpToDateSaysSo) {
  ASSERT_TRUE(catalogue_->put_setting("lexical.version", "0").ok());
  catalogue_.reset();
  const auto opened = Catalogue::open({.path = database_path(), .env = &env_});
  EXPECT_EQ(opened.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(opened.status().message(), HasSubstr("older mneme"));
}

// A disk that is full until it is said to have room.
class FullDisk final : public SqliteLayer {
 public:
  FullDisk() : SqliteLayer("test-full", sqlite3_vfs_find(nullptr)) { offer(); }
  int open(const char* name, sqlite3_file* room, int flags, int* out_flags) override {
    room->pMethods = nullptr;
    if (full && !std::filesystem::exists(name)) return failure;
    return open_over(std::make_unique<File>(room_below(room), *this), name, room, flags, out_flags);
  }
  bool full = true;
  int failure = SQLITE_FULL;  // what it is said to be

 private:
  class File final : public ForwardingSqliteFile {
   public:
    File(sqlite3_file* below, const FullDisk& disk) : ForwardingSqliteFile(below), disk_(disk) {}
    int write(const void* data, int size, sqlite3_int64 offset) override {
      return disk_.full ? disk_.failure : ForwardingSqliteFile::write(data, size, offset);
    }
    int shm_map(int region, int size, int extend, void volatile** out) override {
      return disk_.full && extend != 0 ? disk_.failure : ForwardingSqliteFile::shm_map(region, size, extend, out);
    }

   private:
    const FullDisk& disk_;
  };
};

class FullDiskTest : public CatalogueTest {
 protected:
  // As a process finds it that starts when the disk is full.
  void open_on_full_disk() {
    catalogue_.reset();
    auto opened = Catalogue::open({.path = database_path(), .env = &env_});
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    catalogue_ = std::move(opened).value();
    ASSERT_EQ(catalogue_->writable().code(), StatusCode::kNoSpace);
  }
  void TearDown() override { catalogue_.reset(); }  // before its disk goes

  class Env final : public FaultyEnv {
   public:
    Env() : FaultyEnv(FileEnv::posix(), plan_) {}
    const char* sqlite_vfs() override { return disk.name(); }
    Result<uint64_t> free_bytes(const std::string& path) override {
      return disk.full ? Result<uint64_t>(0) : FaultyEnv::free_bytes(path);
    }
    FullDisk disk;

   private:
    FaultPlan plan_;
  };
  Env env_;
};

// What reads and what writes go on where there is room again, and so does who waits for changes.
TEST_F(FullDiskTest, IsWrittenToWhenItHasRoomAgain) {
  const DocumentId id = put("/docs/a.txt", {"the marsh owl lays seven eggs"});
  open_on_full_disk();
  EXPECT_EQ(catalogue_->put_setting("a", "1").code(), StatusCode::kNoSpace);
  EXPECT_EQ(found("owl").size(), 1u);
  const auto version_before = catalogue_->data_version();
  ASSERT_TRUE(version_before.ok());

  env_.disk.full = false;
  EXPECT_TRUE(catalogue_->put_setting("a", "1").ok());
  EXPECT_TRUE(catalogue_->writable().ok());
  EXPECT_NE(*catalogue_->data_version(), *version_before);
  EXPECT_EQ(found("owl").size(), 1u);
  EXPECT_TRUE(catalogue_->remove_document(id).ok());
  EXPECT_EQ(found("owl").size(), 0u);
}

// They are what makes room.
TEST_F(FullDiskTest, OldBackupsAndCachesMayGo) {
  put("/docs/a.txt", {"the marsh owl lays seven eggs"});
  open_on_full_disk();
  const std::string backup = database_path() + ".v2.bak";
  std::filesystem::copy_file(database_path(), backup);
  const auto now = std::filesystem::file_time_type::clock::now();
  std::filesystem::last_write_time(backup, now - std::chrono::days(Catalogue::kBackupDays + 1));
  const auto freed = catalogue_->discard_old_backups();
  ASSERT_TRUE(freed.ok()) << freed.status().message();
  EXPECT_GT(*freed, 0u);
  EXPECT_FALSE(std::filesystem::exists(backup));
  const auto store = ChunkStore::open(
      {.roots = {home_.path() + "/kv"}, .quota_bytes = 1000, .writable = [&] { return catalogue_->writable(); }});
  ASSERT_TRUE(store.ok()) << store.status().message();
  EXPECT_TRUE((*store)->remove_unless([](const ChunkFileInfo&) { return false; }).ok());
  EXPECT_TRUE((*store)->enforce_quota().ok());
  EXPECT_EQ((*store)->put({}, {}).code(), StatusCode::kNoSpace);
}

// Whatever SQLite calls it.
TEST_F(FullDiskTest, AHomeThatIsNewSaysThatTheDiskIsFull) {
  for (const int failure : {SQLITE_FULL, SQLITE_IOERR_SHMSIZE}) {
    env_.disk.failure = failure;
    const auto opened = Catalogue::open({.path = home_.path() + "/new.db", .env = &env_});
    EXPECT_EQ(opened.status().code(), StatusCode::kNoSpace) << failure;
    EXPECT_THAT(opened.status().message(), HasSubstr("full; free some space"));
  }
}

// A reader that is under way has no lock that a writer would see.
TEST_F(FullDiskTest, IsNotWrittenToUnderAReader) {
  put("/docs/a.txt", {"the marsh owl lays seven eggs"});
  open_on_full_disk();
  env_.disk.full = false;
  int visited = 0;
  const Status walked = catalogue_->for_each_chunk(collection_, ChunkId{0}, [&](const ChunkRecord&) {
    ++visited;
    EXPECT_EQ(catalogue_->writable().code(), StatusCode::kNoSpace);
    return true;
  });
  EXPECT_TRUE(walked.ok()) << walked.message();
  EXPECT_EQ(visited, 1);
  EXPECT_TRUE(catalogue_->writable().ok());
}

TEST(ReadOnlyHome, OpensWithoutItsCaches) {
  const TemporaryHome folder;
  ReadOnlyEnv env;
  const auto home = open_home(env, folder.path());
  ASSERT_TRUE(home.ok()) << home.status().message();
  EXPECT_FALSE(std::filesystem::exists(home->kv_folder()));
}

TEST(ReadOnlyChunkStore, IsReadAndNotChanged) {
  const TemporaryHome folder;
  ReadOnlyEnv env;
  const Status why = io_error("read-only");
  const auto store = ChunkStore::open({{folder.path() + "/kv"}, 1000, &env, [&] { return Status(why); }});
  ASSERT_TRUE(store.ok()) << store.status().message();
  EXPECT_EQ((*store)->meter()->chunks, 0);
  EXPECT_EQ((*store)->put({}, {}).message(), why.message());
  EXPECT_EQ((*store)->enforce_quota().message(), why.message());
  EXPECT_EQ((*store)->remove_unless([](const ChunkFileInfo&) { return false; }, Removal::kErase).status().message(),
            why.message());
}

}  // namespace
}  // namespace mneme::storage
