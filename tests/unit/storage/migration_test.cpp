// Catalogues of every released schema, as their programs wrote them, opened by this one: migrated with a backup, or
// refused untouched; and a migration cut off at any moment leaves the old catalogue or the new one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/migrations.h"
#include "storage/catalogue/page_checksums.h"
#include "storage/env/faulty_env.h"
#include "storage/env/memory_env.h"
#include "storage/salvage/catalogue_repair.h"
#include "temporary_home.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::storage {
namespace {

using ::testing::HasSubstr;

constexpr const char* kPath = "/home/catalog.db";

std::vector<std::byte> fixture(int version) {
  const std::string name = checkout::test_data("catalogues/schema-") + std::to_string(version) + ".db.zst";
  std::ifstream stream(name, std::ios::binary);
  const std::string packed{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_FALSE(packed.empty()) << name;
  std::vector<std::byte> bytes(ZSTD_getFrameContentSize(packed.data(), packed.size()));
  EXPECT_EQ(ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size()), bytes.size());
  return bytes;
}

void lay(MemoryEnv& env, ByteSpan bytes) {
  ASSERT_TRUE(env.make_directories("/home").ok());
  ASSERT_TRUE(write_atomically(env, kPath, bytes).ok());
}

// What every fixture holds: two documents, a chat of one question, a model.
void expect_content(Catalogue& catalogue, const std::string& when) {
  const auto check = catalogue.check(false);
  ASSERT_TRUE(check.ok()) << when << check.status().message();
  for (const auto& problem : check->problems) ADD_FAILURE() << when << problem.path << ": " << problem.detail;
  EXPECT_EQ(check->documents, 2) << when;
  const auto hits = catalogue.search_lexical("ferry winter", {}, 5);
  ASSERT_TRUE(hits.ok()) << when;
  EXPECT_EQ(hits->size(), 1u) << when;
  const auto chats = catalogue.list_chats();
  ASSERT_TRUE(chats.ok() && chats->size() == 1) << when;
  EXPECT_EQ(catalogue.messages(chats->front().id)->size(), 2u) << when;
  EXPECT_TRUE(catalogue.find_model("small")->has_value()) << when;
}

int version_of(FileEnv& env, const std::string& path) {
  const auto bytes = read_whole(env, path, 1 << 24);
  EXPECT_TRUE(bytes.ok()) << path << bytes.status().message();
  return bytes.ok() ? static_cast<int>((*bytes)[63]) : -1;
}

// What tables, indexes and views are made by, as plain SQLite reads it from a copy of the file.
std::vector<std::string> schema_of(FileEnv& env) {
  auto bytes = read_whole(env, kPath, 1 << 24);
  if (!bytes.ok() || bytes->size() < 100) return {"no catalogue"};
  (*bytes)[18] = (*bytes)[19] = std::byte{1};  // the versions of a file without a log, which memory cannot have
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(":memory:", &database), SQLITE_OK);
  const auto size = static_cast<sqlite3_int64>(bytes->size());
  EXPECT_EQ(sqlite3_deserialize(database, "main", reinterpret_cast<unsigned char*>(bytes->data()), size, size,
                                SQLITE_DESERIALIZE_READONLY),
            SQLITE_OK);
  std::vector<std::string> statements;
  const auto add = [](void* all, int, char** columns, char**) {
    static_cast<std::vector<std::string>*>(all)->emplace_back(columns[0]);
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(database, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name", add,
                         &statements, nullptr),
            SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
  return statements;
}

// The schema of a catalogue that this program makes.
std::vector<std::string> newest_schema() {
  MemoryEnv env;
  EXPECT_TRUE(env.make_directories("/home").ok());
  EXPECT_TRUE(Catalogue::open({.path = kPath, .env = &env}).ok());
  return schema_of(env);
}

class MigrationTest : public ::testing::TestWithParam<int> {};

TEST_P(MigrationTest, KeepsEverythingAndABackup) {
  MemoryEnv env;
  lay(env, fixture(GetParam()));
  {
    const auto catalogue = Catalogue::open({.path = kPath, .env = &env});
    ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
    expect_content(**catalogue, "");
  }
  EXPECT_EQ(version_of(env, kPath), kSchemaVersion);
  EXPECT_EQ(schema_of(env), newest_schema());
  const std::string backup = std::string(kPath) + ".v" + std::to_string(GetParam()) + ".bak";
  EXPECT_EQ(version_of(env, backup), GetParam());
  // The backup is a catalogue: put in place, it migrates again.
  const auto bytes = read_whole(env, backup, 1 << 24);
  MemoryEnv other;
  lay(other, *bytes);
  const auto again = Catalogue::open({.path = kPath, .env = &other});
  ASSERT_TRUE(again.ok()) << again.status().message();
  expect_content(**again, "backup: ");
}

// Rows of older schemas have fewer columns, and the oldest one's pages no checksums.
TEST_P(MigrationTest, ADamagedOneIsRepairedIntoTheNewest) {
  MemoryEnv env;
  std::vector<std::byte> bytes = fixture(GetParam());
  bytes[45] ^= std::byte{1};  // in the first page, which has a checksum from the second schema on
  lay(env, bytes);
  const auto repaired = repair_catalogue(env, Home{"/home"}, 0, never_cancelled());
  ASSERT_TRUE(repaired.ok()) << repaired.status().message();
  EXPECT_EQ(repaired->damage.damaged_pages, GetParam() >= kFirstSchemaWithChecksums ? 1 : 0);
  const auto catalogue = Catalogue::open({.path = kPath, .env = &env});
  ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
  expect_content(**catalogue, "");
  EXPECT_EQ(version_of(env, kPath), kSchemaVersion);
  EXPECT_EQ(version_of(env, repaired->kept_as), GetParam());
}

// Another program begins, after the update, at the moment when this one is about to write its backup.
class AnotherProgramEnv final : public FaultyEnv {
 public:
  AnotherProgramEnv(FileEnv& inner, FaultPlan& plan) : FaultyEnv(inner, plan), disk_(inner) {}
  Status create_if_missing(const std::string& path) override {
    if (path.ends_with(".bak")) (void)Catalogue::open({.path = kPath, .env = &disk_, .busy_timeout_ms = 50});
    return FaultyEnv::create_if_missing(path);
  }

 private:
  FileEnv& disk_;
};

TEST_P(MigrationTest, AProgramThatMigratesAtTheSameTimeLeavesTheBackup) {
  MemoryEnv disk;
  lay(disk, fixture(GetParam()));
  FaultPlan none;
  AnotherProgramEnv env(disk, none);
  {
    const auto catalogue = Catalogue::open({.path = kPath, .env = &env});
    ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
    expect_content(**catalogue, "");
  }
  EXPECT_EQ(version_of(disk, kPath), kSchemaVersion);
  EXPECT_EQ(version_of(disk, std::string(kPath) + ".v" + std::to_string(GetParam()) + ".bak"), GetParam());
}

TEST_P(MigrationTest, CutOffAtAnyMomentItIsTheOldOrTheNew) {
  const std::vector<std::byte> old = fixture(GetParam());
  int64_t n = 0;
  {
    FaultPlan plan;
    MemoryEnv env(&plan);
    lay(env, old);
    plan.clear();
    ASSERT_TRUE(Catalogue::open({.path = kPath, .env = &env}).ok());
    n = plan.operations();
  }
  ASSERT_GT(n, 10);
  // A prime stride: every kind of step is met, in seconds.
  constexpr int64_t kStride = 7;
  for (int64_t operation = 0; operation < n; operation += kStride) {
    for (const FaultKind kind : {FaultKind::kCrash, FaultKind::kIoError, FaultKind::kNoSpace}) {
      const std::string when = "operation " + std::to_string(operation) + " of " + std::to_string(n) + ", fault " +
                               std::to_string(static_cast<int>(kind)) + ": ";
      FaultPlan plan;
      MemoryEnv env(&plan);
      lay(env, old);
      plan.arm(kind, operation);
      const Status status = Catalogue::open({.path = kPath, .env = &env, .busy_timeout_ms = 0}).status();
      EXPECT_TRUE(status.ok() || !status.message().empty()) << when;
      plan.clear();
      if (kind == FaultKind::kCrash) env.crash(static_cast<uint64_t>(operation));
      const auto after = Catalogue::open({.path = kPath, .env = &env});
      ASSERT_TRUE(after.ok()) << when << after.status().message();
      expect_content(**after, when);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Released, MigrationTest, ::testing::Range(1, kSchemaVersion),
                         ::testing::PrintToStringParamName());

TEST(MigrationTest, EverySchemaHasAFixture) {
  for (int version = 1; version <= kSchemaVersion; ++version) {
    EXPECT_TRUE(
        std::filesystem::exists(checkout::test_data("catalogues/schema-") + std::to_string(version) + ".db.zst"));
  }
}

// Homes of today's schema are opened as they are. A statement that differs from their catalogues' is a change of the
// schema that nobody gave a version: they would never learn of it.
TEST(MigrationTest, TheNewestSchemaIsThatOfItsFixture) {
  MemoryEnv env;
  lay(env, fixture(kSchemaVersion));
  const std::vector<std::string> released = schema_of(env);
  EXPECT_GT(released.size(), 20u);
  EXPECT_EQ(released, newest_schema());
  {
    const auto catalogue = Catalogue::open({.path = kPath, .env = &env});
    ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
    expect_content(**catalogue, "");
  }
  EXPECT_EQ(schema_of(env), released);
  EXPECT_EQ(env.stat(backup_path(kPath, kSchemaVersion)).status().code(), StatusCode::kNotFound);
}

class PageChecksumTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(env_.make_directories("/home").ok());
    const auto catalogue = Catalogue::open({.path = kPath, .env = &env_});
    ASSERT_TRUE(catalogue.ok());
    const CollectionId collection = *(*catalogue)->ensure_collection("default");
    NewDocument document;
    document.record.collection = collection;
    document.record.path = "/long";
    document.record.title = "Long";
    for (int i = 0; i < 40; ++i)
      document.chunks.push_back({.text = std::string(3000, static_cast<char>('a' + i % 26))});
    document.embeddings = {"e", 4, std::vector<float>(160, 0.5f)};
    ASSERT_TRUE((*catalogue)->put_document(document).ok());
  }
  MemoryEnv env_;
};

TEST_F(PageChecksumTest, EveryPageOnDiskHasOne) {
  const auto bytes = read_whole(env_, kPath, 1 << 26);
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ((*bytes)[20], std::byte{kPageChecksumBytes});
  ASSERT_EQ(bytes->size() % 8192, 0u);
  ASSERT_GT(bytes->size() / 8192, 20u);
  // The same page elsewhere, or any byte of any page changed, is damage.
  for (size_t page = 0; page < bytes->size() / 8192; ++page) {
    std::vector<std::byte> damaged = *bytes;
    damaged[page * 8192 + (page * 977) % 8192] ^= std::byte{4};
    MemoryEnv env;
    lay(env, damaged);
    const auto catalogue = Catalogue::open({.path = kPath, .env = &env});
    if (!catalogue.ok()) {
      EXPECT_NE(catalogue.status().code(), StatusCode::kInternal) << page << catalogue.status().message();
      continue;
    }
    const auto check = (*catalogue)->check(false);
    EXPECT_TRUE(!check.ok() || !check->problems.empty()) << "page " << page + 1;
  }
}

TEST_F(PageChecksumTest, SaysWhatIsWrong) {
  auto bytes = *read_whole(env_, kPath, 1 << 26);
  for (size_t page = 1; page < bytes.size() / 8192; ++page) bytes[page * 8192 + 100] ^= std::byte{1};
  MemoryEnv env;
  lay(env, bytes);
  const auto catalogue = Catalogue::open({.path = kPath, .env = &env});
  ASSERT_FALSE(catalogue.ok());
  EXPECT_EQ(catalogue.status().code(), StatusCode::kCorruption);
  EXPECT_THAT(catalogue.status().message(), HasSubstr("checksum"));
}

}  // namespace
}  // namespace mneme::storage
