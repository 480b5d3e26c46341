// A home made encrypted and back: nothing is lost, nothing readable stays, and cut off at any moment it is one or the
// other.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/copy_database.h"
#include "storage/catalogue/page_checksums.h"
#include "storage/catalogue/sqlite_database.h"
#include "storage/encryption/encrypted_env.h"
#include "storage/env/memory_env.h"
#include "storage/env/temporary_file.h"
#include "storage/home_conversion.h"
#include "temporary_home.h"

namespace mneme::storage {
namespace {

constexpr const char* kRoot = "/home";
const PassphraseCost kCheap{.memory_kib = 8, .passes = 1, .lanes = 1};

ByteSpan passphrase() {
  return as_bytes("open sesame");
}

void fill(FileEnv& env) {
  const auto home = open_home(env, kRoot);
  ASSERT_TRUE(home.ok()) << home.status().message();
  const auto catalogue = Catalogue::open({.path = home->catalogue(), .env = &env});
  ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
  const auto chat = (*catalogue)->create_chat("talk");
  ASSERT_TRUE((*catalogue)->append_message({.chat = *chat, .role = "user", .text = "the quincunx"}).ok());
  ASSERT_TRUE(write_atomically(env, home->models_folder() + "/m.kvprofile", as_bytes("of a model")).ok());
  ASSERT_TRUE(write_atomically(env, home->models_folder() + "/m.gguf", as_bytes("a model")).ok());
  ASSERT_TRUE(write_atomically(env, home->index_folder() + "/default.hnsw", as_bytes("quincunx vectors")).ok());
  ASSERT_TRUE(write_atomically(env, home->root + "/window.json", as_bytes("quincunx draft")).ok());
  ASSERT_TRUE(write_atomically(env, home->config(), as_bytes("threads = 1")).ok());
}

// The catalogue and its log, as a program leaves them that is killed.
void leave_log(FileEnv& env, std::string_view words) {
  const Home home{kRoot};
  MemoryEnv elsewhere;
  fill(elsewhere);
  const auto catalogue = Catalogue::open({.path = home.catalogue(), .env = &elsewhere});
  const ChatId chat = (*catalogue)->list_chats()->front().id;
  ASSERT_TRUE((*catalogue)->append_message({.chat = chat, .role = "user", .text = std::string(words)}).ok());
  for (const std::string& path : {home.catalogue(), home.catalogue() + "-wal"}) {
    const auto bytes = read_whole(elsewhere, path, 1 << 26);
    ASSERT_TRUE(bytes.ok()) << bytes.status().message();
    ASSERT_TRUE(write_atomically(env, path, *bytes).ok());
  }
}

// What writers left that were killed, if by their numbers they might still be at work.
void leave_temporaries(FileEnv& env) {
  const Home home{kRoot};
  const std::string mark = std::string(kTemporaryMark) + std::to_string(::getpid()) + "-987654";
  const std::string kv = home.kv_folder() + "/ab";
  ASSERT_TRUE(env.make_directories(kv).ok());
  for (const std::string& path : {home.root + "/window.json", home.catalogue() + "-wal", home.catalogue() + ".v1.bak",
                                  home.index_folder() + "/default.hnsw", kv + "/ab" + std::string(30, '0') + ".kv"}) {
    ASSERT_TRUE(write_atomically(env, path + mark, as_bytes("half of the quincunx")).ok());
  }
}

ConvertedHome converted(FileEnv& env) {
  return {.home = {kRoot}, .env = &env, .busy_timeout_ms = 50};
}

// The home through its key where it has one.
struct Opened {
  std::unique_ptr<EncryptedEnv> encrypted;
  FileEnv* env = nullptr;
};
Opened open_files(MemoryEnv& disk) {
  Opened opened{nullptr, &disk};
  const Home home{kRoot};
  if (!*is_encrypted(disk, home)) return opened;
  const auto key = open_home_key(disk, home.key(), passphrase());
  EXPECT_TRUE(key.ok()) << key.status().message();
  opened.encrypted = std::move(EncryptedEnv::make(disk, *key, {kRoot})).value();
  opened.env = opened.encrypted.get();
  return opened;
}

std::vector<std::string> names_in(MemoryEnv& disk, const std::string& folder) {
  return disk.list(folder).value();
}

void expect_all_there(MemoryEnv& disk, const std::string& when) {
  const Opened files = open_files(disk);
  const auto home = open_home(*files.env, kRoot);
  ASSERT_TRUE(home.ok()) << when << home.status().message();
  const auto catalogue = Catalogue::open({.path = home->catalogue(), .env = files.env});
  ASSERT_TRUE(catalogue.ok()) << when << catalogue.status().message();
  const auto chats = (*catalogue)->list_chats();
  ASSERT_TRUE(chats.ok()) << when << chats.status().message();
  ASSERT_EQ(chats->size(), 1u) << when;
  EXPECT_EQ((*catalogue)->messages(chats->front().id)->front().text, "the quincunx") << when;
  EXPECT_TRUE((*catalogue)->check(false)->problems.empty()) << when;
  const auto profile = read_whole(*files.env, home->models_folder() + "/m.kvprofile", 1000);
  ASSERT_TRUE(profile.ok()) << when << profile.status().message();
  EXPECT_EQ(as_text(*profile), "of a model") << when;
  const auto model = read_whole(*files.env, home->models_folder() + "/m.gguf", 1000);
  EXPECT_EQ(as_text(*model), "a model") << when;
  for (const std::string& name : names_in(disk, home->root)) {
    EXPECT_FALSE(name.find(".encrypted") != std::string::npos || name.find(".decrypted") != std::string::npos ||
                 name.ends_with(".replaced"))
        << when << name;
  }
}

// Every byte of every file.
bool stands_on_the_disk(MemoryEnv& disk, const std::string& folder, std::string_view word) {
  for (const std::string& name : names_in(disk, folder)) {
    const std::string path = folder + "/" + name;
    const auto stat = disk.stat(path);
    if (stat->kind == FileKind::kDirectory) {
      if (stands_on_the_disk(disk, path, word)) return true;
    } else if (as_text(*read_whole(disk, path, 1 << 26)).find(word) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

TEST(HomeConversionTest, ThereAndBack) {
  MemoryEnv disk;
  fill(disk);
  ASSERT_TRUE(stands_on_the_disk(disk, kRoot, "quincunx"));
  Status done = encrypt_home(converted(disk), passphrase(), kCheap);
  ASSERT_TRUE(done.ok()) << done.message();
  EXPECT_FALSE(stands_on_the_disk(disk, kRoot, "quincunx"));
  EXPECT_FALSE(stands_on_the_disk(disk, kRoot, "SQLite format"));
  expect_all_there(disk, "encrypted: ");
  EXPECT_EQ(as_text(*read_whole(disk, Home{kRoot}.config(), 1000)), "threads = 1");
  EXPECT_EQ(encrypt_home(converted(disk), passphrase(), kCheap).code(), StatusCode::kUsage);

  done = decrypt_home(converted(disk), *open_home_key(disk, Home{kRoot}.key(), passphrase()));
  ASSERT_TRUE(done.ok()) << done.message();
  EXPECT_FALSE(*is_encrypted(disk, Home{kRoot}));
  EXPECT_TRUE(stands_on_the_disk(disk, kRoot, "quincunx"));
  expect_all_there(disk, "decrypted: ");
}

// More than SQLite keeps in memory: pages are written before the first one, which says that they have checksums.
TEST(HomeConversionTest, EveryPageOfALargeCatalogueKeepsItsChecksum) {
  MemoryEnv disk;
  fill(disk);
  {
    const auto catalogue = Catalogue::open({.path = Home{kRoot}.catalogue(), .env = &disk});
    const auto chat = (*catalogue)->list_chats()->front().id;
    for (int i = 0; i < 12; ++i) {
      const std::string text(500'000, static_cast<char>('a' + i));
      ASSERT_TRUE((*catalogue)->append_message({.chat = chat, .role = "user", .text = text}).ok());
    }
  }
  ASSERT_TRUE(encrypt_home(converted(disk), passphrase(), kCheap).ok());
  expect_all_there(disk, "encrypted: ");
  ASSERT_TRUE(decrypt_home(converted(disk), *open_home_key(disk, Home{kRoot}.key(), passphrase())).ok());
  expect_all_there(disk, "decrypted: ");
}

// A home may be any folder.
TEST(HomeConversionTest, FilesOfOthersStayAsTheyAre) {
  MemoryEnv disk;
  fill(disk);
  const Home home{kRoot};
  const std::vector<std::string> others = {home.root + "/notes.txt", home.index_folder() + "/letters.txt",
                                           home.log_folder() + "/today.txt", home.models_folder() + "/model.bin"};
  for (const std::string& path : others) ASSERT_TRUE(write_atomically(disk, path, as_bytes("of somebody")).ok());
  const auto expect_as_it_was = [&](const std::string& when) {
    for (const std::string& path : others) {
      const auto bytes = read_whole(disk, path, 1000);
      ASSERT_TRUE(bytes.ok()) << when << bytes.status().message();
      EXPECT_EQ(as_text(*bytes), "of somebody") << when << path;
    }
  };
  ASSERT_TRUE(encrypt_home(converted(disk), passphrase(), kCheap).ok());
  expect_as_it_was("encrypted: ");
  ASSERT_TRUE(decrypt_home(converted(disk), *open_home_key(disk, home.key(), passphrase())).ok());
  expect_as_it_was("decrypted: ");
}

TEST(HomeConversionTest, WhatKilledWritersLeftGoes) {
  MemoryEnv disk;
  fill(disk);
  const Home home{kRoot};
  for (const std::string& path : {home.root + "/window.json", home.index_folder() + "/default.hnsw"}) {
    const std::string left = path + std::string(kTemporaryMark) + "2000000000-1";
    ASSERT_TRUE(write_atomically(disk, left, as_bytes("half of the quincunx")).ok());
  }
  leave_temporaries(disk);
  const std::string others = home.root + "/letter.txt" + std::string(kTemporaryMark) + "2000000000-1";
  ASSERT_TRUE(write_atomically(disk, others, as_bytes("of somebody")).ok());
  ASSERT_TRUE(encrypt_home(converted(disk), passphrase(), kCheap).ok());
  EXPECT_FALSE(stands_on_the_disk(disk, kRoot, "quincunx"));
  EXPECT_TRUE(disk.stat(others).ok());
}

// Of a home that was encrypted by an earlier version, say.
TEST(HomeConversionTest, OpeningTakesWhatWasAbandonedInTheRoot) {
  const TemporaryHome folder;
  FileEnv& disk = FileEnv::posix();
  const std::string mark = std::string(kTemporaryMark) + "2000000000-1";
  const auto leave = [&](const std::string& name) {
    std::string path = folder.path() + "/" + name + mark;
    EXPECT_TRUE(write_atomically(disk, path, as_bytes("quincunx")).ok());
    return path;
  };
  const std::string old = leave("catalog.db-wal");
  const std::string of_others = leave("letter.txt");
  for (const std::string& path : {old, of_others}) {
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) - std::chrono::hours(2));
  }
  const std::string young = leave("window.json");
  ASSERT_TRUE(open_home(disk, folder.path()).ok());
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(of_others));
  EXPECT_TRUE(std::filesystem::exists(young));
}

// SQLite would only remove its log.
TEST(HomeConversionTest, TheLogIsOverwritten) {
  const TemporaryHome folder;
  FileEnv& disk = FileEnv::posix();
  const Home home{folder.path() + "/copy"};
  ASSERT_TRUE(open_home(disk, home.root).ok());
  {
    const auto catalogue = Catalogue::open({.path = folder.path() + "/catalog.db"});
    ASSERT_TRUE((*catalogue)->create_chat("talk of the quincunx").ok());
    // As a program leaves them that is killed.
    for (const char* suffix : {"", "-wal"}) {
      std::filesystem::copy_file(folder.path() + "/catalog.db" + suffix, home.catalogue() + suffix);
    }
  }
  const std::string second = folder.path() + "/second";  // shows what is left on the disk
  std::filesystem::create_hard_link(home.catalogue() + "-wal", second);
  ASSERT_NE(as_text(*read_whole(disk, second, 1 << 26)).find("quincunx"), std::string_view::npos);
  const Status done = encrypt_home({.home = home, .env = &disk}, passphrase(), kCheap);
  ASSERT_TRUE(done.ok()) << done.message();
  EXPECT_FALSE(std::filesystem::exists(home.catalogue() + "-wal"));
  EXPECT_EQ(as_text(*read_whole(disk, second, 1 << 26)).find("quincunx"), std::string_view::npos);
}

// A home with `n` chats, all of them in its log alone, as a program leaves it that is killed.
Home make_home_with_log(const TemporaryHome& folder, int n) {
  FileEnv& disk = FileEnv::posix();
  const Home home{folder.path() + "/home"};
  EXPECT_TRUE(open_home(disk, home.root).ok());
  const auto catalogue = Catalogue::open({.path = folder.path() + "/catalog.db"});
  for (int i = 0; i < n; ++i) {
    const auto chat = (*catalogue)->create_chat("talk " + std::to_string(i));
    const std::string text(2000, static_cast<char>('a' + i % 26));
    EXPECT_TRUE((*catalogue)->append_message({.chat = *chat, .role = "user", .text = text}).ok());
  }
  for (const char* suffix : {"", "-wal"}) {
    std::filesystem::copy_file(folder.path() + "/catalog.db" + suffix, home.catalogue() + suffix,
                               std::filesystem::copy_options::overwrite_existing);
  }
  return home;
}

void expect_sound_with_chats(FileEnv& env, const Home& home, size_t n) {
  ASSERT_TRUE(open_home(env, home.root).ok());
  const auto catalogue = Catalogue::open({.path = home.catalogue(), .env = &env});
  ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
  EXPECT_EQ((*catalogue)->list_chats()->size(), n);
  const auto check = (*catalogue)->check(false);
  ASSERT_TRUE(check.ok()) << check.status().message();
  EXPECT_TRUE(check->problems.empty()) << check->problems.front().detail;
}

TEST(HomeConversionTest, WhatOnlyTheLogHoldsIsConverted) {
  const TemporaryHome folder;
  FileEnv& disk = FileEnv::posix();
  const Home home = make_home_with_log(folder, 60);
  Status done = encrypt_home({.home = home, .env = &disk}, passphrase(), kCheap);
  ASSERT_TRUE(done.ok()) << done.message();
  const auto key = *open_home_key(disk, home.key(), passphrase());
  const auto encrypted = EncryptedEnv::make(disk, key, {home.root});
  expect_sound_with_chats(**encrypted, home, 60);

  // And back: what the encrypted log holds.
  const std::string kept = folder.path() + "/kept";
  {
    const auto catalogue = Catalogue::open({.path = home.catalogue(), .env = encrypted->get()});
    for (int i = 0; i < 20; ++i) ASSERT_TRUE((*catalogue)->create_chat("more").ok());
    std::filesystem::create_directory(kept);
    for (const char* name : {"/catalog.db", "/catalog.db-wal"}) {
      std::filesystem::copy_file(home.root + name, kept + name);
    }
  }
  for (const char* name : {"/catalog.db", "/catalog.db-wal"}) {
    std::filesystem::copy_file(kept + name, home.root + name, std::filesystem::copy_options::overwrite_existing);
  }
  done = decrypt_home({.home = home, .env = &disk}, key);
  ASSERT_TRUE(done.ok()) << done.message();
  expect_sound_with_chats(disk, home, 80);
}

// The first thing that is done with it.
TEST(HomeConversionTest, ANewHomeIsEncrypted) {
  const TemporaryHome folder;
  FileEnv& disk = FileEnv::posix();
  const Home home{folder.path() + "/home"};
  const Status done = encrypt_home({.home = home, .env = &disk}, passphrase(), kCheap);
  ASSERT_TRUE(done.ok()) << done.message();
  const auto encrypted = EncryptedEnv::make(disk, *open_home_key(disk, home.key(), passphrase()), {home.root});
  expect_sound_with_chats(**encrypted, home, 0);
}

// The copy is read back before what it replaces is overwritten.
TEST(HomeConversionTest, ACopyThatDiffersIsFoundOut) {
  const TemporaryHome folder;
  FileEnv& disk = FileEnv::posix();
  const std::string path = folder.path() + "/one.db";
  const std::string copy = folder.path() + "/copy.db";
  const auto checksums = PageChecksums::over(disk.sqlite_vfs());
  const auto source = Database::open(path, {.vfs = (*checksums)->vfs()});
  ASSERT_TRUE(
      (*source)->execute("PRAGMA page_size=8192; CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(50000))").ok());
  ASSERT_TRUE(copy_database(**source, copy, (*checksums)->vfs(), disk).ok());
  EXPECT_TRUE(check_copy(**source, copy, (*checksums)->vfs()).ok());
  std::fstream file(copy, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(3 * 8192 + 100);
  file.put('x');
  file.close();
  const Status found = check_copy(**source, copy, (*checksums)->vfs());
  EXPECT_EQ(found.code(), StatusCode::kCorruption);
  EXPECT_NE(found.message().find("page 4"), std::string::npos) << found.message();
  ASSERT_TRUE(copy_database(**source, copy, (*checksums)->vfs(), disk).ok());
  ASSERT_TRUE((*source)->execute("INSERT INTO t VALUES(zeroblob(50000))").ok());
  EXPECT_EQ(check_copy(**source, copy, (*checksums)->vfs()).code(), StatusCode::kCorruption);
}

// The copy would take the link's place, and what it leads to stay as it is.
TEST(HomeConversionTest, ACatalogueThatIsALinkIsRefused) {
  const TemporaryHome folder;
  FileEnv& disk = FileEnv::posix();
  const Home home{folder.path() + "/home"};
  ASSERT_TRUE(open_home(disk, home.root).ok());
  const std::string elsewhere = folder.path() + "/elsewhere.db";
  ASSERT_TRUE(Catalogue::open({.path = elsewhere}).ok());
  std::filesystem::create_symlink(elsewhere, home.catalogue());
  const Status refused = encrypt_home({.home = home, .env = &disk}, passphrase(), kCheap);
  EXPECT_EQ(refused.code(), StatusCode::kUsage);
  for (const std::string& path : {home.catalogue(), elsewhere}) {
    EXPECT_NE(refused.message().find(path), std::string::npos) << refused.message();
  }
  EXPECT_FALSE(*is_encrypted(disk, home));
  EXPECT_TRUE(std::filesystem::is_symlink(home.catalogue()));
}

TEST(HomeConversionTest, WithoutTheKeyItDoesNotOpen) {
  MemoryEnv disk;
  fill(disk);
  ASSERT_TRUE(encrypt_home(converted(disk), passphrase(), kCheap).ok());
  const auto opened = open_home(disk, kRoot);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.status().code(), StatusCode::kUsage);
  EXPECT_NE(opened.status().message().find("is encrypted"), std::string::npos);
}

TEST(HomeConversionTest, WhileAnotherHasItOpenItStaysAsItIs) {
  MemoryEnv disk;
  fill(disk);
  {
    const auto other = Catalogue::open({.path = Home{kRoot}.catalogue(), .env = &disk});
    const auto chats = (*other)->list_chats();
    ASSERT_TRUE(chats.ok());
    EXPECT_EQ(encrypt_home(converted(disk), passphrase(), kCheap).code(), StatusCode::kBusy);
  }
  {
    const auto indexing = disk.try_lock(Home{kRoot}.indexing_lock());
    EXPECT_EQ(encrypt_home(converted(disk), passphrase(), kCheap).code(), StatusCode::kBusy);
  }
  EXPECT_FALSE(*is_encrypted(disk, Home{kRoot}));
  expect_all_there(disk, "refused: ");
}

TEST(HomeConversionTest, WhoOpensItMeanwhileDoesNotTouchTheCopies) {
  MemoryEnv disk;
  fill(disk);
  const Home home{kRoot};
  const auto converting = disk.try_lock(home.indexing_lock());
  ASSERT_TRUE(write_atomically(disk, home.catalogue() + ".encrypted", as_bytes("a copy")).ok());
  EXPECT_TRUE(settle_conversion(disk, home, false).ok());
  EXPECT_TRUE(disk.stat(home.catalogue() + ".encrypted").ok());
  EXPECT_EQ(settle_conversion(disk, home, true).code(), StatusCode::kBusy);
}

// Killed behind the moment that counts, while another program had looked before it.
TEST(HomeConversionTest, WhoLookedTooEarlyDoesNotTouchTheCopyThatCounts) {
  MemoryEnv disk;
  fill(disk);
  const Home home{kRoot};
  ASSERT_TRUE(write_home_key(disk, home.key(), **new_home_key(), passphrase(), kCheap).ok());
  ASSERT_TRUE(write_atomically(disk, home.catalogue() + ".encrypted", as_bytes("the copy")).ok());
  ASSERT_TRUE(disk.rename(home.catalogue(), home.catalogue() + ".replaced").ok());
  EXPECT_EQ(settle_conversion(disk, home, false).code(), StatusCode::kBusy);
  EXPECT_TRUE(disk.stat(home.catalogue() + ".encrypted").ok());
  EXPECT_TRUE(disk.stat(home.catalogue() + ".replaced").ok());
  // And without the file of its key it is not thrown away.
  ASSERT_TRUE(disk.remove(home.key()).ok());
  EXPECT_EQ(settle_conversion(disk, home, false).code(), StatusCode::kCorruption);
  EXPECT_TRUE(disk.stat(home.catalogue() + ".encrypted").ok());
}

TEST(HomeConversionTest, APassphraseIsGivenToAnEncryptedHomeAlone) {
  MemoryEnv disk;
  fill(disk);
  const Home home{kRoot};
  const auto key = *new_home_key();
  EXPECT_EQ(change_passphrase(disk, home, *key, passphrase()).code(), StatusCode::kBusy);
  EXPECT_FALSE(*is_encrypted(disk, home));
  const auto converting = disk.try_lock(home.key_lock());
  EXPECT_EQ(encrypt_home(converted(disk), passphrase(), kCheap).code(), StatusCode::kBusy);
}

enum class Way { kEncrypt, kDecrypt };

Status go(MemoryEnv& disk, Way way) {
  if (way == Way::kEncrypt) return encrypt_home(converted(disk), passphrase(), kCheap);
  MNEME_ASSIGN_OR_RETURN(const auto key, open_home_key(disk, Home{kRoot}.key(), passphrase()));
  return decrypt_home(converted(disk), key);
}

class ConversionFaults : public ::testing::TestWithParam<std::tuple<Way, FaultKind>> {
 protected:
  static void prepare(MemoryEnv& disk, Way way) {
    fill(disk);
    if (way == Way::kEncrypt) {
      leave_log(disk, "more of the quincunx");
      return leave_temporaries(disk);
    }
    ASSERT_TRUE(encrypt_home(converted(disk), passphrase(), kCheap).ok());
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, ConversionFaults,
                         ::testing::Combine(::testing::Values(Way::kEncrypt, Way::kDecrypt),
                                            ::testing::Values(FaultKind::kIoError, FaultKind::kNoSpace,
                                                              FaultKind::kShortWrite, FaultKind::kCrash)));

TEST_P(ConversionFaults, CutOffAtAnyMomentItIsOneOrTheOther) {
  const auto [way, fault] = GetParam();
  int64_t n = 0;
  {
    FaultPlan plan;
    MemoryEnv disk(&plan);
    prepare(disk, way);
    plan.clear();
    ASSERT_TRUE(go(disk, way).ok());
    n = plan.operations();
  }
  ASSERT_GT(n, 20);
  for (int64_t operation = 0; operation < n; ++operation) {
    FaultPlan plan;
    MemoryEnv disk(&plan);
    prepare(disk, way);
    plan.arm(fault, operation);
    (void)go(disk, way);
    plan.clear();
    if (fault == FaultKind::kCrash) disk.crash(static_cast<uint64_t>(operation) * 3 + 1);
    const std::string when = "operation " + std::to_string(operation) + " of " + std::to_string(n) + ": ";
    expect_all_there(disk, when);
    const bool encrypted = *is_encrypted(disk, Home{kRoot});
    EXPECT_FALSE(encrypted && stands_on_the_disk(disk, kRoot, "quincunx")) << when;
    // And it can be done again.
    if (encrypted == (way == Way::kDecrypt)) {
      const Status again = go(disk, way);
      EXPECT_TRUE(again.ok()) << when << again.message();
      expect_all_there(disk, when + "again: ");
      EXPECT_FALSE(way == Way::kEncrypt && stands_on_the_disk(disk, kRoot, "quincunx")) << when;
    }
  }
}

}  // namespace
}  // namespace mneme::storage
