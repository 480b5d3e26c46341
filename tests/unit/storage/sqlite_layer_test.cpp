#include "storage/env/sqlite_layer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/unit/storage/temporary_home.h"

namespace mneme::storage {
namespace {

struct Calls {
  int opened = 0;
  int closed = 0;
  int read = 0;
  bool refuse_writes = false;
};

class CountedFile final : public ForwardingSqliteFile {
 public:
  CountedFile(sqlite3_file* below, Calls& calls) : ForwardingSqliteFile(below), calls_(calls) { ++calls_.opened; }
  ~CountedFile() override { ++calls_.closed; }
  int read(void* out, int size, sqlite3_int64 offset) override {
    ++calls_.read;
    return ForwardingSqliteFile::read(out, size, offset);
  }
  int write(const void* data, int size, sqlite3_int64 offset) override {
    return calls_.refuse_writes ? SQLITE_IOERR_WRITE : ForwardingSqliteFile::write(data, size, offset);
  }

 private:
  Calls& calls_;
};

// Every file is a counted one: databases, logs and journals.
class CountedLayer final : public SqliteLayer {
 public:
  explicit CountedLayer(Calls& calls) : SqliteLayer("test-counted", sqlite3_vfs_find(nullptr)), calls_(calls) {}
  int open(const char* name, sqlite3_file* room, int flags, int* out_flags) override {
    return open_over(std::make_unique<CountedFile>(room_below(room), calls_), name, room, flags, out_flags);
  }

 private:
  Calls& calls_;
};

class PlainLayer final : public SqliteLayer {
 public:
  PlainLayer() : SqliteLayer("test-plain", sqlite3_vfs_find(nullptr)) {}
};

class Connection {
 public:
  Connection(const std::string& path, const char* vfs) {
    EXPECT_EQ(sqlite3_open_v2(path.c_str(), &handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs), SQLITE_OK);
  }
  ~Connection() { sqlite3_close(handle_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  int run(const char* sql) { return sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr); }
  int64_t number(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(handle_, sql, -1, &statement, nullptr), SQLITE_OK) << sqlite3_errmsg(handle_);
    const bool row = sqlite3_step(statement) == SQLITE_ROW;
    const int64_t value = row ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    return value;
  }

 private:
  sqlite3* handle_ = nullptr;
};

// Write-ahead log, shared memory, locks between connections, a checkpoint, rollback journals, temporary files.
void use(const std::string& path, const char* vfs) {
  Connection one(path, vfs);
  ASSERT_EQ(one.run("PRAGMA journal_mode=WAL; PRAGMA cache_size=4; CREATE TABLE t(x); BEGIN;"
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 2000)"
                    "INSERT INTO t SELECT i FROM n; COMMIT;"),
            SQLITE_OK);
  Connection other(path, vfs);
  EXPECT_EQ(other.number("SELECT sum(x) FROM t"), 2001000);
  ASSERT_EQ(other.run("BEGIN IMMEDIATE"), SQLITE_OK);
  EXPECT_EQ(one.run("INSERT INTO t VALUES(1)"), SQLITE_BUSY);
  ASSERT_EQ(other.run("ROLLBACK"), SQLITE_OK);
  ASSERT_EQ(one.run("PRAGMA wal_checkpoint(TRUNCATE)"), SQLITE_OK);
  ASSERT_EQ(one.run("VACUUM"), SQLITE_OK);
  EXPECT_EQ(other.number("SELECT count(*) FROM t"), 2000);
  EXPECT_GT(one.number("SELECT julianday('now')"), 2400000);
}

TEST(SqliteLayerTest, WithoutAnswersOfItsOwnALayerIsTheOneUnderneath) {
  const TemporaryHome home;
  PlainLayer layer;
  ASSERT_EQ(layer.offer(), SQLITE_OK);
  use(home.path() + "/plain.db", layer.name());
  EXPECT_TRUE(std::filesystem::exists(home.path() + "/plain.db"));
  EXPECT_FALSE(std::filesystem::exists(home.path() + "/plain.db-wal"));
}

TEST(SqliteLayerTest, FilesAnswerWhatTheyWantToAndForwardTheRest) {
  const TemporaryHome home;
  const std::string path = home.path() + "/counted.db";
  Calls calls;
  CountedLayer layer(calls);
  ASSERT_EQ(layer.offer(), SQLITE_OK);
  use(path, layer.name());
  EXPECT_GT(calls.read, 0);
  EXPECT_GE(calls.opened, 4);
  EXPECT_EQ(calls.closed, calls.opened);

  Connection connection(path, layer.name());
  calls.refuse_writes = true;
  EXPECT_EQ(connection.run("INSERT INTO t VALUES(1)"), SQLITE_IOERR);
  calls.refuse_writes = false;
  EXPECT_EQ(connection.number("SELECT count(*) FROM t"), 2000);
}

TEST(SqliteLayerTest, AFileThatCannotBeOpenedIsNotClosed) {
  const TemporaryHome home;
  Calls calls;
  CountedLayer layer(calls);
  ASSERT_EQ(layer.offer(), SQLITE_OK);
  sqlite3* handle = nullptr;
  const std::string path = home.path() + "/absent/x.db";
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE, layer.name()), SQLITE_CANTOPEN);
  sqlite3_close(handle);
  EXPECT_EQ(calls.closed, calls.opened);
}

TEST(SqliteLayerTest, ANameEndsWithItsLayer) {
  std::string first;
  {
    PlainLayer layer;
    PlainLayer second;
    ASSERT_EQ(layer.offer(), SQLITE_OK);
    ASSERT_EQ(second.offer(), SQLITE_OK);
    first = layer.name();
    EXPECT_NE(first, second.name());
    EXPECT_NE(sqlite3_vfs_find(first.c_str()), nullptr);
  }
  EXPECT_EQ(sqlite3_vfs_find(first.c_str()), nullptr);
}

}  // namespace
}  // namespace mneme::storage
