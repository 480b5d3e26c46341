// What a file system refuses of a catalogue is said in words that help: SQLite has but one for all of it.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>

#include "storage/catalogue/sqlite_database.h"
#include "storage/env/read_only_layer.h"
#include "storage/env/sqlite_layer.h"
#include "tests/unit/storage/temporary_home.h"

namespace mneme::storage {
namespace {

struct Refusal {
  int code = SQLITE_OK;  // SQLite's; of opening or mapping shared memory, or of writing
  int error = 0;         // the system's
};

class RefusingFile final : public ForwardingSqliteFile {
 public:
  RefusingFile(sqlite3_file* below, const Refusal& refusal) : ForwardingSqliteFile(below), refusal_(refusal) {}
  int shm_map(int region, int size, int extend, void volatile** out) override {
    const bool refuses = refusal_.code == SQLITE_IOERR_SHMMAP || refusal_.code == SQLITE_IOERR_SHMOPEN;
    return refuses ? refuse() : ForwardingSqliteFile::shm_map(region, size, extend, out);
  }
  int write(const void* data, int size, sqlite3_int64 offset) override {
    return refusal_.code == SQLITE_IOERR_WRITE ? refuse() : ForwardingSqliteFile::write(data, size, offset);
  }

 private:
  int refuse() const {
    errno = refusal_.error;
    return refusal_.code;
  }
  const Refusal& refusal_;
};

class RefusingLayer final : public SqliteLayer {
 public:
  RefusingLayer(sqlite3_vfs* below, const Refusal& refusal) : SqliteLayer("test-refusing", below), refusal_(refusal) {}
  int open(const char* name, sqlite3_file* room, int flags, int* out_flags) override {
    return open_over(std::make_unique<RefusingFile>(room_below(room), refusal_), name, room, flags, out_flags);
  }

 private:
  const Refusal& refusal_;
};

// What making a table in a new database with a write-ahead log fails with.
Status failure_where(const Refusal& refusal) {
  const TemporaryHome home;
  const auto layer =
      offer_layer(nullptr, [&](sqlite3_vfs* below) { return std::make_unique<RefusingLayer>(below, refusal); });
  if (!layer.ok()) return layer.status();
  const auto database = Database::open(home.path() + "/a.db", {.vfs = (*layer)->name()});
  if (!database.ok()) return database.status();
  return (*database)->execute("PRAGMA journal_mode=WAL; CREATE TABLE t(x)");
}

TEST(FileSystemLimitsTest, WithoutSharedMemoryTheHomeBelongsElsewhere) {
  for (const int error : {ENODEV, EINVAL, EPERM}) {
    const Status status = failure_where({SQLITE_IOERR_SHMMAP, error});
    EXPECT_EQ(status.code(), StatusCode::kIo);
    EXPECT_NE(status.message().find("keep the home on another one, with --home DIR"), std::string::npos)
        << status.message();
  }
}

TEST(FileSystemLimitsTest, AQuotaThatIsUsedUpIsWantOfSpace) {
  const Status status = failure_where({SQLITE_IOERR_WRITE, EDQUOT});
  EXPECT_EQ(status.code(), StatusCode::kNoSpace);
  EXPECT_NE(status.message().find("quota"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("free some space"), std::string::npos) << status.message();
}

// Not even the file of the shared memory can be made then.
TEST(FileSystemLimitsTest, WhereAQuotaIsUsedUpADatabaseIsRead) {
  const TemporaryHome home;
  const std::string path = home.path() + "/a.db";
  const auto writer = Database::open(path, {});
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE((*writer)->execute("PRAGMA journal_mode=WAL; CREATE TABLE t(x); INSERT INTO t VALUES(7)").ok());
  // As a killed program leaves it: what was written stands in the log.
  const std::string left = home.path() + "/left.db";
  for (const char* ending : {"", "-wal"}) std::filesystem::copy_file(path + ending, left + ending);
  const Refusal refusal{SQLITE_IOERR_SHMOPEN, EDQUOT};
  const auto full =
      offer_layer(nullptr, [&](sqlite3_vfs* below) { return std::make_unique<RefusingLayer>(below, refusal); });
  const auto reading = read_only_layer((*full)->name());
  ASSERT_TRUE(reading.ok());
  const auto database = Database::open(left, {.create = false, .read_only = true, .vfs = (*reading)->name()});
  ASSERT_TRUE(database.ok()) << database.status().message();
  const auto read = (*database)->query_integer("SELECT x FROM t");
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(*read, 7);
}

TEST(FileSystemLimitsTest, TheSystemsReasonIsTold) {
  const Status opened = failure_where({SQLITE_IOERR_WRITE, EIO});
  EXPECT_EQ(opened.code(), StatusCode::kIo);
  EXPECT_NE(opened.message().find("(Input/output error)"), std::string::npos) << opened.message();
  EXPECT_NE(failure_where({SQLITE_IOERR_WRITE, EMFILE}).message().find("allow more open files"), std::string::npos);
  EXPECT_NE(failure_where({SQLITE_IOERR_WRITE, EFBIG}).message().find("larger files"), std::string::npos);
  EXPECT_EQ(failure_where({SQLITE_IOERR_SHMMAP, ENOMEM}).code(), StatusCode::kResource);
  // What an earlier call may have left says nothing.
  EXPECT_EQ(failure_where({SQLITE_IOERR_WRITE, ENOENT}).message().find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace mneme::storage
