// What is forgotten stands in no byte of the files any more, whatever SQLite did with the pages before; and the file in
// which a catalogue is put together anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "catalogue_bed.h"
#include "encrypted_disk.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/unused_bytes.h"
#include "storage/catalogue/vacuum_file.h"
#include "storage/env/faulty_env.h"
#include "storage/env/temporary_file.h"

namespace mneme::storage {
namespace {

using ::testing::IsEmpty;

constexpr const char* kPath = "/home/catalog.db";
constexpr const char* kSecret = "quincunx";

std::vector<std::string> files_that_hold(FileEnv& env, const std::string& folder, std::string_view word) {
  std::vector<std::string> found;
  const std::vector<std::string> names = std::move(env.list(folder)).value();
  for (const std::string& name : names) {
    const auto bytes = read_whole(env, folder + "/" + name, uint64_t{1} << 30);
    EXPECT_TRUE(bytes.ok()) << bytes.status().message();
    if (bytes.ok() && as_text(*bytes).find(word) != std::string_view::npos) found.push_back(name);
  }
  return found;
}

// Documents of all lengths, put, replaced and removed in any order, so that pages are split, joined and moved.
class ForgottenBytesTest : public ::testing::TestWithParam<DiskKind> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(disk_.env().make_directories("/home").ok());
    open();
  }
  void open() {
    catalogue_.reset();
    auto opened = Catalogue::open({.path = kPath, .env = &disk_.env(), .busy_timeout_ms = 100});
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    catalogue_ = std::move(opened).value();
    collection_ = *catalogue_->ensure_collection("default");
  }
  void put(bool secret, Random& random) {
    const std::string number = std::to_string(random.below(60));
    NewDocument document;
    document.record.collection = collection_;
    document.record.path = secret ? std::string("/secret/") + kSecret + number : "/keep/note" + number;
    document.record.title = document.record.path;
    for (uint64_t i = 0, n = 1 + random.below(4); i < n; ++i) {
      NewChunk chunk;
      const std::string word = (secret ? kSecret : "ordinary") + std::string(" ") + std::to_string(random.below(1000));
      for (uint64_t k = 0, n_words = 1 + random.below(random.below(10) == 0 ? 3000 : 60); k < n_words; ++k) {
        chunk.text += word + " ";
      }
      chunk.heading_path = word;
      document.chunks.push_back(chunk);
    }
    const auto id = catalogue_->put_document(document);
    ASSERT_TRUE(id.ok()) << id.status().message();
    documents_.push_back(*id);
  }
  void remove_one(Random& random) {
    if (documents_.empty()) return;
    const size_t i = random.below(documents_.size());
    (void)catalogue_->remove_document(documents_[i]);  // it may be gone, or be another by now
    documents_.erase(documents_.begin() + static_cast<ptrdiff_t>(i));
  }
  void live(int n_steps, int secrets_in_ten, Random& random) {
    for (int i = 0; i < n_steps; ++i) {
      if (random.below(4) == 0) {
        remove_one(random);
      } else {
        put(static_cast<int>(random.below(10)) < secrets_in_ten, random);
      }
    }
  }
  std::vector<std::string> telling_files() { return files_that_hold(disk_.env(), "/home", kSecret); }

  TestDisk disk_{GetParam()};
  std::unique_ptr<Catalogue> catalogue_;
  CollectionId collection_{};
  std::vector<DocumentId> documents_;
};
INSTANTIATE_TEST_SUITE_P(Disks, ForgottenBytesTest, ::testing::Values(DiskKind::kPlain, DiskKind::kEncrypted),
                         [](const auto& info) { return name_of(info.param); });

TEST_P(ForgottenBytesTest, NoneIsLeftWhateverHappenedBefore) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    Random random(seed);
    live(200, 2, random);  // few enough that pages are kept
    ASSERT_THAT(telling_files(), ::testing::Not(IsEmpty()));
    ASSERT_TRUE(catalogue_->forget("/secret").ok());
    EXPECT_THAT(telling_files(), IsEmpty()) << seed;
    // Pages that were in memory are not written as they were.
    for (int i = 0; i < 20; ++i) {
      live(3, 0, random);
      EXPECT_THAT(telling_files(), IsEmpty()) << seed << ", later " << i;
    }
    const auto check = catalogue_->check(false);
    ASSERT_TRUE(check.ok()) << check.status().message();
    EXPECT_TRUE(check->problems.empty()) << seed << ": " << check->problems.front().detail;
  }
}

TEST_P(ForgottenBytesTest, CutOffAnywhereForgettingOnceMoreEndsIt) {
  Random random(7);
  for (const FaultKind fault : {FaultKind::kCrash, FaultKind::kNoSpace, FaultKind::kShortWrite}) {
    for (int64_t operation = 0;; operation += 1 + static_cast<int64_t>(random.below(9))) {
      const std::string when = "operation " + std::to_string(operation) + ", fault " + std::to_string(int(fault));
      open();
      live(12, 5, random);
      put(true, random);
      put(false, random);
      disk_.plan().arm(fault, operation);
      const Status first = catalogue_->forget("/secret").status();
      const bool fired = disk_.plan().fired();
      if (fault == FaultKind::kCrash) catalogue_.reset();
      disk_.plan().clear();
      open();
      const auto again = catalogue_->forget("/secret");
      ASSERT_TRUE(again.ok()) << when << ": " << again.status().message();
      EXPECT_THAT(telling_files(), IsEmpty()) << when;
      const auto check = catalogue_->check(false);
      ASSERT_TRUE(check.ok()) << when << ": " << check.status().message();
      EXPECT_TRUE(check->problems.empty()) << when << ": " << check->problems.front().detail;
      ASSERT_TRUE(catalogue_->note_overwritten(*again).ok());
      if (!fired) {
        EXPECT_TRUE(first.ok()) << first.message();
        break;
      }
    }
  }
}

// As programs before this one, and other SQLites, leave them.
TEST_F(CatalogueTest, ForgettingTakesWhatAnOlderProgramLeftBetweenCells) {
  put("/keep/a.txt", {"ordinary words"});
  put("/secret/a.txt", {kSecret});
  catalogue_.reset();
  constexpr size_t kPage = 8192;
  std::string file = file_content(database_path());
  int n_written = 0;
  for (size_t at = kPage; at < file.size(); at += kPage) {
    if (file[at] != 13 || file[at + 1] != 0 || file[at + 2] != 0) continue;  // a leaf of a table, without freed blocks
    const std::string other = std::string("moved ") + kSecret;
    std::copy(other.begin(), other.end(), file.begin() + static_cast<ptrdiff_t>(at + 1000));  // far below the cells
    std::fill_n(file.begin() + static_cast<ptrdiff_t>(at + kPage - kPageChecksumBytes), kPageChecksumBytes, '\0');
    ++n_written;
  }
  ASSERT_GT(n_written, 3);
  std::ofstream(database_path(), std::ios::binary) << file;
  open();
  ASSERT_TRUE(catalogue_->forget("/secret").ok());
  EXPECT_THAT(files_that_hold(FileEnv::posix(), home_.path(), kSecret), IsEmpty());
  EXPECT_EQ(found("ordinary").size(), 1u);
  open();  // what was met without a checksum is forgotten with who met it
  expect_clean();
}

// It may be as much as the catalogue.
TEST_F(CatalogueTest, WhatAKilledCompactionLeftGoesWithTheNext) {
  const std::string dead = database_path() + ".tmp-2000000000-1";
  const std::string others = home_.path() + "/letter.tmp-2000000000-1";
  for (const std::string& path : {dead, others}) std::ofstream(path) << "pages";
  ASSERT_TRUE(catalogue_->discard_old_backups().ok());
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_TRUE(std::filesystem::exists(others));
}

TEST_F(CatalogueTest, WhatForgettingEmptiesIsGivenBackWhereItIsMuch) {
  for (int i = 0; i < 20; ++i) put("/keep/" + std::to_string(i), {std::string(20'000, 'k') + std::to_string(i)});
  for (int i = 0; i < 40; ++i) put("/most/" + std::to_string(i), {std::string(20'000, 'm') + std::to_string(i)});
  ASSERT_TRUE(catalogue_->forget("/keep/0").ok());
  const uint64_t before = *catalogue_->file_bytes();
  ASSERT_TRUE(catalogue_->forget("/keep/1").ok());
  EXPECT_EQ(*catalogue_->file_bytes(), before) << "little is kept for what comes";
  ASSERT_TRUE(catalogue_->forget("/most").ok());
  EXPECT_LT(*catalogue_->file_bytes(), before / 2);
  expect_clean();
}

// ---- Pages

class PlainDatabase {
 public:
  explicit PlainDatabase(const std::string& path) : path_(path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &handle_), SQLITE_OK);
    run("PRAGMA page_size=1024; PRAGMA secure_delete=ON; PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY; CREATE "
        "TABLE t(id INTEGER PRIMARY KEY, text TEXT);"
        "CREATE INDEX by_text ON t(text)");
  }
  ~PlainDatabase() { sqlite3_close(handle_); }
  void run(const std::string& sql) {
    EXPECT_EQ(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle_);
  }
  std::vector<std::byte> bytes() const { return std::move(read_whole(FileEnv::posix(), path_, 1 << 30)).value(); }

 private:
  std::string path_;
  sqlite3* handle_ = nullptr;
};

int count_leftovers(ByteSpan file, size_t page_size) {
  int n = 0;
  for (size_t at = 0; at < file.size(); at += page_size) {
    n += holds_leftovers(file.subspan(at, page_size), at == 0 ? 100 : 0) ? 1 : 0;
  }
  return n;
}

TEST(UnusedBytes, WhatSqliteLeavesOfMovedCellsIsFoundAndClearedAndNothingElse) {
  const TemporaryHome home;
  const std::string path = home.path() + "/a.db";
  Random random(3);
  std::vector<std::byte> bytes;
  {
    PlainDatabase database(path);
    for (int i = 0; i < 600; ++i) {
      const std::string text = std::string(random.below(random.below(8) == 0 ? 4000 : 200), 'a' + char(i % 26));
      const std::string id = std::to_string(random.below(300));
      database.run("INSERT OR REPLACE INTO t VALUES(" + id + ", '" + text + "')");
      if (i % 3 == 0) database.run("DELETE FROM t WHERE id=" + std::to_string(random.below(300)));
    }
    bytes = database.bytes();
  }
  constexpr size_t kPage = 1024;
  ASSERT_GT(count_leftovers(bytes, kPage), 0) << "SQLite overwrites them itself now";
  for (size_t at = 0; at < bytes.size(); at += kPage) {
    clear_gap(MutableByteSpan(bytes).subspan(at, kPage), at == 0 ? 100 : 0);
  }
  EXPECT_EQ(count_leftovers(bytes, kPage), 0);
  std::ofstream(path, std::ios::binary) << as_text(bytes);
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  std::string verdict;
  sqlite3_exec(
      handle, "PRAGMA integrity_check",
      [](void* out, int, char** row, char**) {
        *static_cast<std::string*>(out) += row[0];
        return 0;
      },
      &verdict, nullptr);
  EXPECT_EQ(verdict, "ok");
  sqlite3_close(handle);
}

TEST(UnusedBytes, PagesThatContradictThemselvesAreLeftAlone) {
  Random random(5);
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::byte> page(512);
    for (std::byte& byte : page) byte = static_cast<std::byte>(random.below(256));
    constexpr std::byte kKinds[] = {std::byte{2}, std::byte{5}, std::byte{10}, std::byte{13}, std::byte{0}};
    page[0] = kKinds[random.below(5)];
    if (i % 2 == 0) page[3] = std::byte{0};  // few cells
    const std::vector<std::byte> before = page;
    (void)holds_leftovers(page, 0);
    clear_gap(page, 0);
    const size_t n_cells = std::to_integer<size_t>(before[3]) << 8 | std::to_integer<size_t>(before[4]);
    const size_t list = before[0] == std::byte{2} || before[0] == std::byte{5} ? 12 : 8;
    for (size_t k = 0; k < page.size(); ++k) {
      if (page[k] == before[k]) continue;
      ASSERT_GE(k, list + 2 * n_cells);
      ASSERT_LT(k, std::to_integer<size_t>(before[5]) << 8 | std::to_integer<size_t>(before[6]));
    }
    clear_gap(page, 500);  // no room for a header
  }
}

// ---- The file of VACUUM

// A database whose page cache holds next to nothing of it.
Result<std::unique_ptr<Database>> open_small(const char* vfs, const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Database> database, Database::open(path, {.vfs = vfs}));
  MNEME_RETURN_IF_ERROR(
      database->execute("PRAGMA cache_size=12; PRAGMA journal_mode=WAL; PRAGMA secure_delete=ON;"
                        "PRAGMA temp_store=MEMORY"));
  return database;
}

Status fill(Database& database) {
  return database.execute(
      "BEGIN; CREATE TABLE t(id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX by_text ON t(text);"
      "CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL);"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<600) "
      "INSERT INTO t SELECT i, 'a quincunx of '||i||hex(zeroblob(300)) FROM n; DELETE FROM t WHERE id%9=0; COMMIT");
}

class EraseCounter final : public FileEnv {
 public:
  explicit EraseCounter(FileEnv& below) : below_(below) {}
  Status erase(const std::string& path) override {
    erased_.emplace_back(path, files_that_hold(below_, path.substr(0, path.rfind('/')), kSecret));
    return below_.erase(path);
  }
  const auto& erased() const { return erased_; }

  Result<std::unique_ptr<ReadableFile>> open_readable(const std::string& path) override {
    return below_.open_readable(path);
  }
  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override { return below_.create(path); }
  Status create_if_missing(const std::string& path) override { return below_.create_if_missing(path); }
  Result<FileStat> stat(const std::string& path) override { return below_.stat(path); }
  Result<std::vector<std::string>> list(const std::string& path) override { return below_.list(path); }
  Status make_directories(const std::string& path) override { return below_.make_directories(path); }
  Status rename(const std::string& from, const std::string& to) override { return below_.rename(from, to); }
  Status remove(const std::string& path) override { return below_.remove(path); }
  Status touch(const std::string& path) override { return below_.touch(path); }
  Status sync_directory(const std::string& path) override { return below_.sync_directory(path); }
  Result<uint64_t> free_bytes(const std::string& path) override { return below_.free_bytes(path); }
  Result<std::unique_ptr<FileLock>> try_lock(const std::string& path) override { return below_.try_lock(path); }
  Result<std::unique_ptr<FileLock>> try_lock_number(const std::string& path, uint64_t number) override {
    return below_.try_lock_number(path, number);
  }
  Result<bool> locked(const std::string& path) override { return below_.locked(path); }

 private:
  FileEnv& below_;
  std::vector<std::pair<std::string, std::vector<std::string>>> erased_;
};

TEST(VacuumFile, LiesBesideTheDatabaseForItsUserAloneAndIsErased) {
  const TemporaryHome home;
  EraseCounter env(FileEnv::posix());
  const std::string path = home.path() + "/catalog.db";
  const auto layer = std::move(vacuum_file_layer(nullptr, env, path)).value();
  const auto database = std::move(open_small(layer->name(), path)).value();
  ASSERT_TRUE(fill(*database).ok());
  ASSERT_TRUE(env.erased().empty());
  const Status status = vacuum(*database);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(env.erased().size(), 1u) << "nothing else is temporary";
  const auto& [erased, told] = env.erased().front();
  EXPECT_TRUE(is_temporary(erased));
  EXPECT_TRUE(erased.starts_with(path));
  EXPECT_THAT(told, ::testing::Contains(erased.substr(home.path().size() + 1)));
  EXPECT_FALSE(std::filesystem::exists(erased));
  EXPECT_EQ(*database->query_integer("SELECT count(*) FROM t"), 534);
  EXPECT_EQ(*database->query_integer("PRAGMA temp_store"), 2) << "in memory";
}

TEST(VacuumFile, OfAnEncryptedDatabaseIsEncrypted) {
  const TemporaryHome home;
  const auto key = std::make_shared<Secret>("thirty-two bytes that are a key.");
  const auto encrypted = std::move(EncryptedEnv::make(FileEnv::posix(), key, {home.path()})).value();
  EraseCounter env(FileEnv::posix());
  const std::string path = home.path() + "/catalog.db";
  const auto layer = std::move(vacuum_file_layer(encrypted->sqlite_vfs(), env, path)).value();
  const auto database = std::move(open_small(layer->name(), path)).value();
  ASSERT_TRUE(fill(*database).ok());
  ASSERT_TRUE(vacuum(*database).ok());
  ASSERT_EQ(env.erased().size(), 1u);
  EXPECT_THAT(env.erased().front().second, IsEmpty()) << "read without the key";
}

class VacuumFaults : public ::testing::TestWithParam<FaultKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, VacuumFaults,
                         ::testing::Values(FaultKind::kIoError, FaultKind::kNoSpace, FaultKind::kShortWrite,
                                           FaultKind::kCrash));

TEST_P(VacuumFaults, TheDatabaseIsAsItWasOrPutTogetherAnew) {
  Random random(11);
  for (int64_t operation = 0;; operation += 1 + static_cast<int64_t>(random.below(40))) {
    const std::string when = "operation " + std::to_string(operation);
    TestDisk disk(DiskKind::kPlain);
    ASSERT_TRUE(disk.env().make_directories("/home").ok());
    const auto layer = std::move(vacuum_file_layer(disk.env().sqlite_vfs(), disk.env(), kPath)).value();
    auto database = std::move(open_small(layer->name(), kPath)).value();
    ASSERT_TRUE(fill(*database).ok());
    disk.plan().arm(GetParam(), operation);
    const Status status = vacuum(*database);
    const bool fired = disk.plan().fired();
    database.reset();
    disk.plan().clear();
    database = std::move(open_small(layer->name(), kPath)).value();
    EXPECT_EQ(*database->query_integer("SELECT count(*) FROM t"), 534) << when;
    EXPECT_EQ(*database->query_integer("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check='ok'"), 1);
    const std::vector<std::string> names = std::move(disk.env().list("/home")).value();
    for (const std::string& name : names) {
      EXPECT_TRUE(name.starts_with("catalog.db")) << name << ": " << when << ": nothing finds it";
    }
    if (!fired) {
      EXPECT_TRUE(status.ok()) << status.message();
      break;
    }
  }
}

// ---- Whether all has to be written anew

class OverwriteRemovedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    checksums_ = std::move(PageChecksums::over(nullptr)).value();
    const std::string path = home_.path() + "/catalog.db";
    layer_ = std::move(vacuum_file_layer(checksums_->vfs(), FileEnv::posix(), path)).value();
    database_ = std::move(Database::open(path, {.vfs = layer_->name()})).value();
    ASSERT_TRUE(database_->execute("PRAGMA page_size=8192").ok());
    ASSERT_TRUE(reserve_page_checksums(*database_).ok());
    ASSERT_TRUE(database_->execute("PRAGMA journal_mode=WAL; PRAGMA secure_delete=ON; PRAGMA user_version=2").ok());
    ASSERT_TRUE(fill(*database_).ok());
    ASSERT_TRUE(database_->execute("DELETE FROM t WHERE id BETWEEN 100 AND 200").ok());
  }
  int64_t free_pages() { return *database_->query_integer("PRAGMA freelist_count"); }

  TemporaryHome home_;
  std::unique_ptr<PageChecksums> checksums_;
  std::unique_ptr<SqliteLayer> layer_;
  std::unique_ptr<Database> database_;
};

TEST_F(OverwriteRemovedTest, NothingIsRewrittenWhereNothingIsLeft) {
  ASSERT_GT(free_pages(), 0);
  const Status status = overwrite_removed(*database_, *other_programs_writes(*database_));
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_GT(free_pages(), 0);
  EXPECT_EQ(std::filesystem::file_size(home_.path() + "/catalog.db-wal"), 0u);
}

// It may have had pages in memory as they were.
TEST_F(OverwriteRemovedTest, AllIsRewrittenWhereAnotherProgramWroteMeanwhile) {
  const int64_t since = *other_programs_writes(*database_);
  {
    const auto other = std::move(Database::open(database_->path(), {.vfs = layer_->name()})).value();
    ASSERT_TRUE(other->execute("UPDATE t SET text='later' WHERE id=1").ok());
  }
  const Status status = overwrite_removed(*database_, since);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(free_pages(), 0);
}

TEST_F(OverwriteRemovedTest, WhoeverReadsIsInTheWayAndThatIsSaid) {
  const auto other =
      std::move(Database::open(database_->path(), {.vfs = layer_->name(), .busy_timeout_ms = 1})).value();
  ASSERT_TRUE(other->execute("BEGIN; SELECT count(*) FROM t").ok());
  sqlite3_busy_timeout(database_->handle(), 1);
  EXPECT_EQ(overwrite_removed(*database_, *other_programs_writes(*database_)).code(), StatusCode::kBusy);
  ASSERT_TRUE(other->execute("COMMIT").ok());
  EXPECT_TRUE(overwrite_removed(*database_, *other_programs_writes(*database_)).ok());
}

}  // namespace
}  // namespace mneme::storage
