// The catalogue as a file: its damage, its other versions, and several programs at once.
#include "storage/catalogue/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "catalogue_bed.h"
#include "storage/catalogue/fts_extension.h"
#include "storage/catalogue/page_checksums.h"
#include "storage/catalogue/sqlite_database.h"
#include "storage/encryption/encrypted_env.h"
#include "storage/encryption/secret.h"

namespace mneme::storage {
namespace {

using ::testing::HasSubstr;

// Another process that writes and does not come to an end is waited for, so long and no longer; when it is killed its
// lock goes with it.
TEST_F(CatalogueTest, AWriterThatHangsIsWaitedForAndNotOutlived) {
  catalogue_.reset();
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    sqlite3* raw = nullptr;
    const bool holds = sqlite3_open(database_path().c_str(), &raw) == SQLITE_OK &&
                       sqlite3_exec(raw, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK;
    const char told = holds ? 'y' : 'n';
    if (::write(ready[1], &told, 1) == 1) ::pause();
    ::_exit(1);
  }
  char told = 0;
  ASSERT_EQ(::read(ready[0], &told, 1), 1);
  EXPECT_EQ(told, 'y');
  const auto catalogue = Catalogue::open({.path = database_path(), .busy_timeout_ms = 100});
  ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
  const auto begin = std::chrono::steady_clock::now();
  const Status busy = (*catalogue)->put_setting("colour", "\"red\"");
  const auto waited = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(busy.code(), StatusCode::kBusy) << busy.message();
  EXPECT_THAT(busy.message(), HasSubstr("another mneme is writing"));
  EXPECT_GE(waited, std::chrono::milliseconds(90));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  const Status status = (*catalogue)->put_setting("colour", "\"red\"");
  EXPECT_TRUE(status.ok()) << status.message();
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(CatalogueTest, BackupsOfOlderSchemasGoWhenTheyAreOld) {
  const std::string backup = database_path() + ".v2.bak";
  std::filesystem::copy_file(database_path(), backup);
  EXPECT_EQ(*catalogue_->discard_old_backups(), 0u);
  EXPECT_TRUE(std::filesystem::exists(backup));
  const auto now = std::filesystem::file_time_type::clock::now();
  std::filesystem::last_write_time(backup, now - std::chrono::days(Catalogue::kBackupDays + 1));
  EXPECT_EQ(*catalogue_->discard_old_backups(), std::filesystem::file_size(database_path()));
  EXPECT_FALSE(std::filesystem::exists(backup));
  expect_clean();
}

// A catalogue that was put in another's place while somebody waited for its lock is not used with that one's log.
TEST_F(CatalogueTest, WhoOpenedTheFileThatWasReplacedDoesNotUseIt) {
  catalogue_.reset();
  const auto checksums = PageChecksums::over(nullptr);
  const auto late = Database::open(database_path(), {.create = false, .vfs = (*checksums)->vfs()});
  ASSERT_TRUE(late.ok());
  std::filesystem::rename(database_path(), database_path() + ".damaged");
  open();
  EXPECT_EQ((*late)->query_integer("SELECT count(*) FROM collections").status().code(), StatusCode::kBusy);
  expect_clean();
}

// What were written to a file without a name is lost when it is closed.
TEST_F(CatalogueTest, NothingIsWrittenToAFileThatWasDeletedOrReplaced) {
  ASSERT_TRUE(catalogue_->create_chat("kept").ok());
  std::filesystem::rename(database_path(), database_path() + ".away");
  const Status deleted = catalogue_->create_chat("lost").status();
  EXPECT_EQ(deleted.code(), StatusCode::kIo);
  EXPECT_NE(deleted.message().find("was deleted"), std::string::npos) << deleted.message();
  std::filesystem::copy_file(database_path() + ".away", database_path());
  EXPECT_FALSE(catalogue_->create_chat("lost").ok()) << "another file has its name";
  std::filesystem::rename(database_path() + ".away", database_path());
  EXPECT_TRUE(catalogue_->create_chat("kept again").ok()) << "it is there again";
}

// An encrypted one's lies under another layer of files.
TEST_F(CatalogueTest, NothingIsWrittenToAnEncryptedFileThatWasDeletedOrReplaced) {
  const auto key = std::make_shared<Secret>("thirty-two bytes that are a key.");
  const std::string home = std::filesystem::path(database_path()).parent_path().string() + "/secret";
  std::filesystem::create_directories(home);
  const auto env = std::move(EncryptedEnv::make(FileEnv::posix(), key, {home})).value();
  const std::string path = home + "/catalog.db";
  const auto opened = Catalogue::open({.path = path, .env = env.get()});
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  ASSERT_TRUE((*opened)->create_chat("kept").ok());
  std::filesystem::rename(path, path + ".away");
  const Status deleted = (*opened)->create_chat("lost").status();
  EXPECT_EQ(deleted.code(), StatusCode::kIo);
  EXPECT_NE(deleted.message().find("was deleted"), std::string::npos) << deleted.message();
  std::filesystem::copy_file(path + ".away", path);
  EXPECT_FALSE((*opened)->create_chat("lost").ok()) << "another file has its name";
  std::filesystem::rename(path + ".away", path);
  EXPECT_TRUE((*opened)->create_chat("kept again").ok()) << "it is there again";
}

// As one that compacts a large catalogue does.
class OtherWriter {
 public:
  explicit OtherWriter(const std::string& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &raw_), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(raw_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  }
  ~OtherWriter() { sqlite3_close(raw_); }
  void finish() { EXPECT_EQ(sqlite3_exec(raw_, "ROLLBACK", nullptr, nullptr, nullptr), SQLITE_OK); }

 private:
  sqlite3* raw_ = nullptr;
};

TEST_F(CatalogueTest, WhoIsPatientOutwaitsALongWriter) {
  const auto catalogue = Catalogue::open({.path = database_path(), .busy_timeout_ms = 10});
  ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
  OtherWriter other(database_path());
  CancelToken cancel;
  {
    const Catalogue::Patience patience(**catalogue, cancel);
    std::thread finishing([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      other.finish();
    });
    const Status status = (*catalogue)->put_setting("colour", "\"red\"");
    finishing.join();
    EXPECT_TRUE(status.ok()) << status.message();
  }
  OtherWriter another(database_path());
  EXPECT_EQ((*catalogue)->put_setting("colour", "\"blue\"").code(), StatusCode::kBusy) << "nobody waits any more";
}

TEST_F(CatalogueTest, WhoWaitsForASecondIsToldAndToldWhenItIsOver) {
  const auto catalogue = Catalogue::open({.path = database_path(), .busy_timeout_ms = 10});
  ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
  CancelToken cancel;
  std::vector<bool> told;
  OtherWriter other(database_path());
  const Catalogue::Patience patience(**catalogue, cancel, [&](bool waits) {
    told.push_back(waits);
    if (waits) other.finish();
  });
  EXPECT_TRUE((*catalogue)->put_setting("colour", "\"red\"").ok());
  EXPECT_EQ(told, (std::vector<bool>{true, false}));
  EXPECT_TRUE((*catalogue)->put_setting("colour", "\"blue\"").ok());
  EXPECT_EQ(told.size(), 2u) << "nothing was waited for";
}

TEST_F(CatalogueTest, WhoWasPatientNeedNotWaitForACheck) {
  for (int i = 0; i < 40; ++i) put("/docs/" + std::to_string(i), {"words of " + std::to_string(i), "more of them"});
  CancelToken cancel;
  {
    const Catalogue::Patience patience(*catalogue_, cancel);
    EXPECT_TRUE(catalogue_->check(false).ok());
    cancel.cancel();
    EXPECT_EQ(catalogue_->check(false).status().code(), StatusCode::kCancelled);
  }
  const auto check = catalogue_->check(false);
  ASSERT_TRUE(check.ok()) << "nobody is left who wanted no more: " << check.status().message();
  EXPECT_TRUE(check->problems.empty());
  EXPECT_EQ(check->documents, 40);
}

TEST_F(CatalogueTest, WhoWasPatientMayGoAway) {
  const auto catalogue = Catalogue::open({.path = database_path(), .busy_timeout_ms = 10});
  ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
  const OtherWriter other(database_path());
  CancelToken cancel;
  const Catalogue::Patience patience(**catalogue, cancel);
  std::thread leaving([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    cancel.cancel();
  });
  const Status status = (*catalogue)->put_setting("colour", "\"red\"");
  leaving.join();
  EXPECT_EQ(status.code(), StatusCode::kCancelled) << status.message();
}

TEST_F(CatalogueTest, FilesArePrivate) {
  put("/a", {"x"});
  for (const char* suffix : {"", "-wal", "-shm"}) {
    struct stat info{};
    ASSERT_EQ(::stat((database_path() + suffix).c_str(), &info), 0) << suffix;
    EXPECT_EQ(info.st_mode & 0777, 0600u) << suffix;
  }
}

TEST_F(CatalogueTest, ANewerOrForeignDatabaseIsLeftUntouched) {
  catalogue_.reset();
  sqlite3* raw = nullptr;
  ASSERT_EQ(sqlite3_open(database_path().c_str(), &raw), SQLITE_OK);
  sqlite3_exec(raw, "PRAGMA user_version=999", nullptr, nullptr, nullptr);
  sqlite3_close(raw);
  const std::string before = file_content(database_path());
  const auto opened = Catalogue::open({.path = database_path()});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(opened.status().message(), HasSubstr("newer"));
  EXPECT_EQ(file_content(database_path()), before);

  const std::string foreign = home_.path() + "/foreign.db";
  ASSERT_EQ(sqlite3_open(foreign.c_str(), &raw), SQLITE_OK);
  sqlite3_exec(raw, "CREATE TABLE t(x)", nullptr, nullptr, nullptr);
  sqlite3_close(raw);
  EXPECT_EQ(Catalogue::open({.path = foreign}).status().code(), StatusCode::kUnsupported);

  const std::string garbage = home_.path() + "/garbage.db";
  std::ofstream(garbage) << std::string(5000, 'x');
  EXPECT_EQ(Catalogue::open({.path = garbage}).status().code(), StatusCode::kCorruption);
  EXPECT_EQ(Catalogue::open({.path = home_.path() + "/none.db", .must_exist = true}).status().code(),
            StatusCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(home_.path() + "/none.db"));
}

TEST_F(CatalogueTest, CheckFindsAndRepairsDamage) {
  put("/a", {"first", "second"});
  put("/b", {"third"});
  put("/c", {"sound"});
  catalogue_.reset();
  sqlite3* raw = nullptr;
  // Damage that pages with right checksums hold: a fault of the program, not of the disk.
  const auto checksums = PageChecksums::over(nullptr);
  ASSERT_EQ(sqlite3_open_v2(database_path().c_str(), &raw, SQLITE_OPEN_READWRITE, (*checksums)->vfs()), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(raw,
                         "UPDATE chunk_texts SET text='seconds' WHERE chunk=2; UPDATE embeddings SET vector=x'00' "
                         "WHERE chunk=1; UPDATE documents SET n_chunks=7 WHERE path='/b'",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(raw);
  open();
  // The file whose text is damaged looks changed once that is repaired, so that the next run reads it again.
  const auto read_again = [&] {
    std::string paths;
    const auto states = catalogue_->document_states(collection_);
    for (const DocumentState& state : *states)
      if (state.file.mtime_ns == -1 && state.content_hash == Hash128{}) paths += state.path;
    return paths;
  };
  EXPECT_FALSE(catalogue_->check(false)->problems.empty());
  EXPECT_EQ(read_again(), "") << "looking changes nothing";
  const auto repaired = catalogue_->check(true);
  ASSERT_TRUE(repaired.ok());
  for (const auto& problem : repaired->problems) EXPECT_TRUE(problem.repaired) << problem.detail;
  EXPECT_EQ(read_again(), "/a");
  put("/a", {"first", "second"});
  put("/b", {"third"});
  expect_clean();
}

// A fault of the program: the index does not hold what the passages say.
TEST_F(CatalogueTest, AnIndexOfWordsThatLacksSomeIsMadeAnew) {
  put("/a", {"the zebra grazes", "second"});
  catalogue_.reset();
  {
    const auto checksums = PageChecksums::over(nullptr);
    const auto database = Database::open(database_path(), {.create = false, .vfs = (*checksums)->vfs()});
    ASSERT_TRUE(register_fts_extension(**database).ok());
    const Status damaged = (*database)->execute(
        "INSERT INTO lexical(lexical, rowid, title, heading, text) VALUES('delete', 1, 'Title of /a', 'Guide > "
        "Install', "
        "'the zebra grazes')");
    ASSERT_TRUE(damaged.ok()) << damaged.message();
  }
  open();
  EXPECT_TRUE(found("zebra").empty());
  const int64_t revision = catalogue_->find_collection("default")->revision;
  const auto looked = catalogue_->check(false);
  ASSERT_EQ(looked->problems.size(), 1u);
  EXPECT_EQ(looked->problems[0].kind, "lexical");
  EXPECT_FALSE(looked->problems[0].repaired);
  EXPECT_TRUE(found("zebra").empty());
  const auto repaired = catalogue_->check(true);
  ASSERT_EQ(repaired->problems.size(), 1u);
  EXPECT_TRUE(repaired->problems[0].repaired);
  EXPECT_EQ(found("zebra").size(), 1u);
  EXPECT_GT(catalogue_->find_collection("default")->revision, revision);
  expect_clean();
}

// A killed program leaves its log; whoever opens the file next moves it into the file. The shell of SQLite knows
// nothing of checksums: what it moved is read all the same, and told.
TEST_F(CatalogueTest, WhatAnotherProgramMovedOutOfTheLogIsReadAndSealedAgain) {
  put("/a", {"first", "second"});
  catalogue_.reset();
  open();
  // Pages that had a checksum are changed, others are new.
  put("/b", {std::string(30'000, 'x') + " third"});
  // Pages that were freed are zeros (secure_delete).
  ASSERT_TRUE(catalogue_->remove_document(put("/c", {std::string(90'000, 'y')})).ok());
  const std::string left = home_.path() + "/left.db";
  for (const char* suffix : {"", "-wal"}) std::filesystem::copy_file(database_path() + suffix, left + suffix);
  sqlite3* raw = nullptr;
  ASSERT_EQ(sqlite3_open(left.c_str(), &raw), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(raw, "SELECT count(*) FROM documents", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(raw);
  ASSERT_FALSE(std::filesystem::exists(left + "-wal"));

  for (const bool sealed : {false, true}) {
    const auto catalogue = Catalogue::open({.path = left});
    ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
    EXPECT_EQ((*catalogue)->list_documents(collection_)->size(), 2u);
    EXPECT_EQ((*catalogue)->search_lexical("third", {}, 5)->size(), 1u);
    const auto check = (*catalogue)->check(false);
    ASSERT_TRUE(check.ok()) << check.status().message();
    ASSERT_EQ(check->problems.size(), sealed ? 0u : 1u);
    if (sealed) continue;
    EXPECT_THAT(check->problems[0].detail, HasSubstr("another program"));
    EXPECT_TRUE(check->problems[0].repaired);
  }
}

// A page that the disk has lost is no sound page without a checksum.
TEST_F(CatalogueTest, APageOfZerosIsDamage) {
  put("/a", {"first", "second"});
  catalogue_.reset();
  {
    std::fstream file(database_path(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(16);
    const int page_bytes = (file.get() << 8) + file.get();
    file.seekp(page_bytes);
    file << std::string(static_cast<size_t>(page_bytes), '\0');
  }
  const auto catalogue = Catalogue::open({.path = database_path()});
  const auto code = catalogue.ok() ? (*catalogue)->check(false).status().code() : catalogue.status().code();
  EXPECT_EQ(code, StatusCode::kCorruption);
}

// SQLite fills it up with zeros: a text would lose its end.
TEST_F(CatalogueTest, ALastPageThatWasCutOffIsDamage) {
  put("/a", {std::string(30'000, 'x')});
  catalogue_.reset();
  const uintmax_t whole = std::filesystem::file_size(database_path());
  const std::string cut = home_.path() + "/cut.db";
  for (const uintmax_t lost : {1, 8, 9, 3000, 8191}) {
    std::filesystem::copy_file(database_path(), cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut, whole - lost);
    const auto catalogue = Catalogue::open({.path = cut});
    const auto code = catalogue.ok() ? (*catalogue)->check(false).status().code() : catalogue.status().code();
    EXPECT_EQ(code, StatusCode::kCorruption) << lost;
  }
}

// SQLite would begin a new one in its place.
TEST_F(CatalogueTest, AFileThatWasCutOffIsNotTakenForANewOne) {
  put("/docs/a.txt", {"zebras graze"});
  const std::string copy = home_.path() + "/copy.db";
  const auto expect_refused = [&](uintmax_t size) {
    std::filesystem::resize_file(copy, size);
    const std::string before = file_content(copy);
    EXPECT_EQ(Catalogue::open({.path = copy}).status().code(), StatusCode::kCorruption) << size;
    EXPECT_TRUE(file_content(copy) == before) << size;
  };
  std::filesystem::copy_file(database_path(), copy);
  for (const uintmax_t size : {8191, 511, 100, 2, 1}) expect_refused(size);
  std::filesystem::copy_file(database_path() + "-wal", copy + "-wal");
  const std::string log = file_content(copy + "-wal");
  ASSERT_FALSE(log.empty());
  expect_refused(0);
  EXPECT_TRUE(file_content(copy + "-wal") == log);
}

// By a program that was killed before it wrote anything.
TEST_F(CatalogueTest, AHomeThatHadJustBegunOpens) {
  const std::string begun = home_.path() + "/begun.db";
  std::ofstream(begun).flush();
  std::ofstream(begun + "-wal").flush();
  const auto opened = Catalogue::open({.path = begun});
  EXPECT_TRUE(opened.ok()) << opened.status().message();
}

TEST_F(CatalogueTest, SeveralOpenANewHomeAtOnce) {
  for (int round = 0; round < 10; ++round) {
    const std::string path = home_.path() + "/new" + std::to_string(round) + ".db";
    std::vector<std::thread> threads;
    threads.reserve(4);
    std::atomic<int> opened{0};
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        const auto catalogue = Catalogue::open({.path = path});
        EXPECT_TRUE(catalogue.ok()) << catalogue.status().message();
        if (!catalogue.ok()) return;
        const Status made = (*catalogue)->ensure_collection("default").status();
        EXPECT_TRUE(made.ok()) << made.message();
        if (made.ok()) ++opened;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(opened, 4);
  }
}

TEST_F(CatalogueTest, SeveralThreadsAndConnectionsAtOnce) {
  auto second = Catalogue::open({.path = database_path()});
  ASSERT_TRUE(second.ok());
  std::vector<std::thread> threads;
  threads.reserve(4);
  std::atomic<int> failures{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Catalogue& catalogue = t % 2 == 0 ? *catalogue_ : **second;
      for (int i = 0; i < 20; ++i) {
        const std::string path = "/t" + std::to_string(t) + "/" + std::to_string(i);
        if (!catalogue.put_document(make_document(collection_, path, {"words of thread " + path})).ok()) ++failures;
        if (!catalogue.search_lexical("words", {}, 5).ok()) ++failures;
        if (!catalogue.list_documents(collection_).ok()) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(catalogue_->list_documents(collection_)->size(), 80u);
  expect_clean();
}

}  // namespace
}  // namespace mneme::storage
