// Damaged catalogues are repaired: what can be read is kept, what cannot is told, no document is there by half, and
// nothing comes back that was removed. On plain disks and encrypted ones.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "encrypted_disk.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/files_put_aside.h"
#include "storage/catalogue/page_checksums.h"
#include "storage/catalogue/sqlite_database.h"
#include "storage/encryption/encrypted_header.h"
#include "storage/home.h"
#include "storage/salvage/catalogue_repair.h"

namespace mneme::storage {
namespace {

using Bytes = std::vector<std::byte>;

constexpr const char* kPath = "/home/catalog.db";
const Home kHome{"/home"};
constexpr int kDocuments = 120;
constexpr int kChats = 30;
constexpr int kMessages = 8;  // of each chat

std::string text_of(int document, int passage) {
  // Some are longer than a page.
  return "document" + std::to_string(document) + " passage" + std::to_string(passage) + " " +
         std::string(document % 40 == 7 ? 20'000 : 500, 'x');
}

NewDocument make_document(CollectionId collection, int number) {
  NewDocument document;
  document.record.collection = collection;
  document.record.path = "/docs/" + std::to_string(number);
  document.record.title = "Title " + std::to_string(number);
  document.record.content_hash = xxh3_128(as_bytes(document.record.path));
  for (int i = 0; i < 4; ++i) {
    NewChunk chunk;
    // The last passage is the same in every third document.
    chunk.text = i == 3 && number % 3 == 0 ? "shared words" : text_of(number, i);
    document.chunks.push_back(chunk);
    document.embeddings.values.insert(document.embeddings.values.end(), {1, 2, 3, static_cast<float>(i)});
  }
  document.embeddings.embedder = "e";
  document.embeddings.dimensions = 4;
  if (number % 2 == 0) document.text = "whole text of " + std::to_string(number) + std::string(700, 'y');
  return document;
}

Result<std::unique_ptr<Catalogue>> open_catalogue(FileEnv& env) {
  MNEME_RETURN_IF_ERROR(open_home(env, kHome.root).status());
  return Catalogue::open({.path = kPath, .env = &env, .busy_timeout_ms = 100});
}

void fill(FileEnv& env) {
  auto catalogue = open_catalogue(env);
  ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
  const CollectionId collection = *(*catalogue)->ensure_collection("papers");
  ASSERT_TRUE((*catalogue)->add_root(collection, "/docs").ok());
  for (int i = 0; i < kDocuments; ++i) ASSERT_TRUE((*catalogue)->put_document(make_document(collection, i)).ok());
  for (int i = 0; i < kChats; ++i) {
    const ChatId chat = *(*catalogue)->create_chat("chat " + std::to_string(i));
    for (int k = 0; k < kMessages; ++k) {
      const std::string text = "said " + std::to_string(k) + std::string(i % 10 == 3 ? 9'000 : 300, 'z');
      ASSERT_TRUE(
          (*catalogue)->append_message({.chat = chat, .role = "user", .text = text, .details_json = "{}"}).ok());
    }
  }
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE((*catalogue)->put_setting("key" + std::to_string(i), "\"" + std::string(500, 'v') + "\"").ok());
  }
}

// Files as they lie on the disk underneath.
using Files = std::map<std::string, Bytes>;

Files files_of(TestDisk& disk) {
  Files files;
  const auto names = disk.below().list("/home");
  for (const std::string& name : *names) {
    const auto bytes = read_whole(disk.below(), "/home/" + name, 1 << 28);
    if (bytes.ok()) files[name] = *bytes;
  }
  return files;
}

void lay(TestDisk& disk, const Files& files) {
  ASSERT_TRUE(disk.below().make_directories("/home").ok());
  for (const auto& [name, bytes] : files) {
    ASSERT_TRUE(write_atomically(disk.below(), "/home/" + name, bytes).ok());
  }
}

Result<RepairedCatalogue> repair(FileEnv& env) {
  return repair_catalogue(env, kHome, 100, never_cancelled());
}

class RepairTest : public ::testing::TestWithParam<DiskKind> {
 protected:
  // Where a page begins in the file on the disk.
  static size_t place_of(uint32_t page) {
    const size_t head = GetParam() == DiskKind::kEncrypted ? kEncryptedHeaderBytes : 0;
    return head + size_t{page - 1} * kCataloguePageBytes;
  }
  static const Files& home() {
    static std::map<DiskKind, Files> homes;
    if (!homes.contains(GetParam())) {
      TestDisk disk(GetParam());
      fill(disk.env());
      homes[GetParam()] = files_of(disk);
    }
    return homes[GetParam()];
  }
  static uint32_t n_pages() {
    return static_cast<uint32_t>((home().at("catalog.db").size() - place_of(1)) / kCataloguePageBytes);
  }
  static Files damaged(const std::vector<uint32_t>& pages, size_t at = 4000) {
    Files files = home();
    for (const uint32_t page : pages) files["catalog.db"][place_of(page) + at] ^= std::byte{4};
    return files;
  }
  static uint32_t root_of(const std::string& table) {
    TestDisk disk(GetParam());
    lay(disk, home());
    const auto checksums = PageChecksums::over(disk.env().sqlite_vfs());
    const auto database = Database::open(kPath, {.create = false, .vfs = (*checksums)->vfs()});
    return static_cast<uint32_t>(
        *(*database)->query_integer(("SELECT rootpage FROM sqlite_schema WHERE name='" + table + "'").c_str()));
  }

  // What is there after a repair is sound and whole, and with what was told to be lost it is all there was.
  static void expect_repaired(FileEnv& env, const RepairedCatalogue& repaired, const std::string& when) {
    const auto opened = open_catalogue(env);
    ASSERT_TRUE(opened.ok()) << when << ": " << opened.status().message();
    Catalogue& catalogue = **opened;
    const auto check = catalogue.check(false);
    ASSERT_TRUE(check.ok()) << when << ": " << check.status().message();
    for (const auto& problem : check->problems) ADD_FAILURE() << when << ": " << problem.path << " " << problem.detail;
    const auto collections = catalogue.list_collections();
    ASSERT_EQ(collections->size(), 1u) << when;
    const auto documents = catalogue.list_documents(collections->front().id);
    EXPECT_EQ(static_cast<int64_t>(documents->size()), repaired.documents) << when;
    for (const DocumentRecord& document : *documents) expect_whole(catalogue, document, when);
    int64_t messages = 0;
    const auto chats = catalogue.list_chats();
    for (const ChatRecord& chat : *chats) {
      const auto said = catalogue.messages(chat.id);
      for (const MessageRecord& message : *said) EXPECT_TRUE(message.text.starts_with("said ")) << when;
      messages += static_cast<int64_t>(said->size());
    }
    EXPECT_EQ(messages, repaired.messages) << when;
    // ... and it goes on working.
    EXPECT_TRUE(catalogue.put_document(make_document(collections->front().id, 1)).ok()) << when;
  }
  static void expect_whole(Catalogue& catalogue, const DocumentRecord& document, const std::string& when) {
    const int number = std::stoi(document.path.substr(6));
    const NewDocument as_put = make_document(document.collection, number);
    const auto chunks = catalogue.document_chunks(document.id);
    ASSERT_EQ(chunks->size(), as_put.chunks.size()) << when;
    for (size_t i = 0; i < chunks->size(); ++i) EXPECT_EQ((*chunks)[i].text, as_put.chunks[i].text) << when;
    const bool is_read_again = document.file.mtime_ns == -1;
    EXPECT_TRUE(is_read_again || *catalogue.document_text(document.id) == as_put.text) << when << document.path;
  }
};
INSTANTIATE_TEST_SUITE_P(Disks, RepairTest, ::testing::Values(DiskKind::kPlain, DiskKind::kEncrypted),
                         [](const auto& info) { return name_of(info.param); });

TEST_P(RepairTest, AnyPageMayBeDamaged) {
  int64_t documents_kept = 0;
  for (uint32_t page = 1; page <= n_pages(); ++page) {
    const std::string when = "page " + std::to_string(page) + " of " + std::to_string(n_pages());
    TestDisk disk(GetParam());
    lay(disk, damaged({page}));
    const auto repaired = repair(disk.env());
    ASSERT_TRUE(repaired.ok()) << when << ": " << repaired.status().message();
    EXPECT_EQ(repaired->damage.damaged_pages, 1) << when;
    EXPECT_EQ(repaired->collections, 1) << when;
    // What is lost is told.
    const auto incomplete = [&](std::string_view part) {
      return std::find(repaired->incomplete.begin(), repaired->incomplete.end(), part) != repaired->incomplete.end();
    };
    EXPECT_GE(repaired->documents + repaired->documents_to_read_again, kDocuments) << when;
    EXPECT_TRUE(repaired->messages + repaired->lost_messages == kChats * kMessages) << when;
    EXPECT_EQ(repaired->chats, kChats) << when;
    EXPECT_TRUE(repaired->folders == 1 || incomplete("folders")) << when;
    documents_kept += repaired->documents;
    EXPECT_GE(repaired->messages, kChats * kMessages * 3 / 4) << when;
    expect_repaired(disk.env(), *repaired, when);
  }
  EXPECT_GT(documents_kept, int64_t{n_pages()} * kDocuments * 19 / 20) << "a page costs what lies on it";
}

// Nothing leads to the pages below it any more, but they are there.
TEST_P(RepairTest, AnInnerPageCostsNothing) {
  const std::vector<uint32_t> inner = {1, root_of("messages"), root_of("chunk_texts"), root_of("settings")};
  TestDisk disk(GetParam());
  lay(disk, damaged(inner));
  const auto repaired = repair(disk.env());
  ASSERT_TRUE(repaired.ok()) << repaired.status().message();
  EXPECT_EQ(repaired->damage.damaged_pages, 4);
  EXPECT_EQ(repaired->documents, kDocuments);
  EXPECT_EQ(repaired->documents_to_read_again, 0);
  EXPECT_EQ(repaired->messages, kChats * kMessages);
  expect_repaired(disk.env(), *repaired, "inner pages");
}

TEST_P(RepairTest, TheDamagedOneIsKeptUnderAnotherName) {
  TestDisk disk(GetParam());
  const Files files = damaged({5});
  lay(disk, files);
  const auto repaired = repair(disk.env());
  ASSERT_TRUE(repaired.ok()) << repaired.status().message();
  EXPECT_EQ(repaired->kept_as, std::string(kPath) + ".damaged");
  EXPECT_EQ(files_of(disk).at("catalog.db.damaged"), files.at("catalog.db"));
  // Those of further repairs are numbered.
  Files again = files_of(disk);
  again["catalog.db"][place_of(3) + 99] ^= std::byte{1};
  lay(disk, again);
  EXPECT_EQ(repair(disk.env())->kept_as, std::string(kPath) + ".damaged-2");
}

TEST_P(RepairTest, AFileThatWasCutOffKeepsItsBeginning) {
  for (const uint32_t pages : {0u, 1u, 3u, n_pages() / 2, n_pages() - 1}) {
    const std::string when = std::to_string(pages) + " pages";
    Files files = home();
    files["catalog.db"].resize(pages == 0 ? 1 : place_of(pages + 1) - 100);
    TestDisk disk(GetParam());
    lay(disk, files);
    const auto repaired = repair(disk.env());
    ASSERT_TRUE(repaired.ok()) << when << ": " << repaired.status().message();
    const auto opened = open_catalogue(disk.env());
    ASSERT_TRUE(opened.ok()) << when;
    EXPECT_TRUE((*opened)->check(false)->problems.empty()) << when;
    EXPECT_TRUE(pages <= 3 || repaired->documents > 0) << when;
  }
}

TEST_P(RepairTest, WhatIsSoundIsKeptAsItIs) {
  TestDisk disk(GetParam());
  lay(disk, home());
  const auto damage = look_at_damage(disk.env(), kHome, 100);
  ASSERT_TRUE(damage.ok()) << damage.status().message();
  EXPECT_EQ(damage->damaged_pages, 0);
  EXPECT_TRUE(damage->parts.empty());
  const auto repaired = repair(disk.env());
  ASSERT_TRUE(repaired.ok()) << repaired.status().message();
  EXPECT_EQ(repaired->documents, kDocuments);
  EXPECT_EQ(repaired->messages, kChats * kMessages);
  EXPECT_TRUE(repaired->incomplete.empty());
  expect_repaired(disk.env(), *repaired, "sound");
}

// Rows go on in other pages from a size on that differs between tables and those that are kept in the order of a key,
// and how much of them stays depends on the size.
TEST_P(RepairTest, RowsOfEverySizeAreKept) {
  std::map<std::string, std::string> settings;
  std::vector<size_t> sizes;
  for (size_t size = 960; size < 1010; ++size) sizes.push_back(size);
  for (const size_t size : {0, 1, 60, 125, 126, 4000, 4090, 5000, 8200, 20'000}) sizes.push_back(size);
  for (const size_t size : sizes) settings["key" + std::to_string(size)] = "\"" + std::string(size, 'v') + "\"";
  std::vector<std::string> messages;
  for (size_t size = 3990; size < 4060; ++size) messages.emplace_back(size, 'm');
  for (const size_t size : {0, 1, 100, 8100, 8200, 50'000}) messages.emplace_back(size, 'm');
  TestDisk disk(GetParam());
  {
    const auto catalogue = open_catalogue(disk.env());
    const ChatId chat = *(*catalogue)->create_chat("talk");
    for (const auto& [key, json] : settings) ASSERT_TRUE((*catalogue)->put_setting(key, json).ok());
    for (const std::string& text : messages)
      ASSERT_TRUE(
          (*catalogue)->append_message({.chat = chat, .role = "user", .text = text, .details_json = "{}"}).ok());
  }
  const auto repaired = repair(disk.env());
  ASSERT_TRUE(repaired.ok()) << repaired.status().message();
  EXPECT_TRUE(repaired->incomplete.empty());
  EXPECT_EQ(repaired->lost_messages, 0);
  const auto catalogue = open_catalogue(disk.env());
  for (const auto& [key, json] : settings) EXPECT_EQ(*(*catalogue)->setting(key), json) << key;
  const auto said = (*catalogue)->messages((*catalogue)->list_chats()->front().id);
  ASSERT_EQ(said->size(), messages.size());
  for (size_t i = 0; i < messages.size(); ++i) EXPECT_EQ((*said)[i].text, messages[i]) << messages[i].size();
}

TEST_P(RepairTest, ItIsToldWhatADamagedPageBelongsTo) {
  for (const auto& [table, part] :
       {std::pair{"messages", "chats"}, std::pair{"chunk_texts", "documents"},
        std::pair{"lexical_data", "the index of words"}, std::pair{"settings", "settings"}}) {
    TestDisk disk(GetParam());
    lay(disk, damaged({root_of(table)}));
    const auto damage = look_at_damage(disk.env(), kHome, 100);
    ASSERT_TRUE(damage.ok()) << damage.status().message();
    EXPECT_EQ(damage->damaged_pages, 1);
    EXPECT_EQ(damage->parts, std::vector<std::string_view>{part});
  }
}

// The log of a killed program is part of the catalogue.
TEST_P(RepairTest, WhatOnlyTheLogHoldsIsKept) {
  TestDisk disk(GetParam());
  lay(disk, home());
  Files files;
  {
    const auto catalogue = open_catalogue(disk.env());
    const auto chat = (*catalogue)->create_chat("in the log");
    ASSERT_TRUE((*catalogue)->append_message({.chat = *chat, .role = "user", .text = "said late"}).ok());
    files = files_of(disk);
  }
  ASSERT_GT(files.at("catalog.db-wal").size(), 0u);
  files["catalog.db"][place_of(7) + 3000] ^= std::byte{1};
  TestDisk after(GetParam());
  lay(after, {{"catalog.db", files["catalog.db"]}, {"catalog.db-wal", files["catalog.db-wal"]}});
  const auto repaired = repair(after.env());
  ASSERT_TRUE(repaired.ok()) << repaired.status().message();
  EXPECT_EQ(repaired->chats, kChats + 1);
  EXPECT_EQ((*open_catalogue(after.env()))->list_chats()->front().title, "in the log");
}

// Not from free pages, nor from those that nothing leads to.
TEST_P(RepairTest, NothingComesBackThatWasRemoved) {
  TestDisk disk(GetParam());
  lay(disk, home());
  {
    const auto catalogue = open_catalogue(disk.env());
    const CollectionId papers = (*catalogue)->list_collections()->front().id;
    for (int i = 0; i < kDocuments; i += 2) {
      const auto document = (*catalogue)->find_document(papers, "/docs/" + std::to_string(i));
      ASSERT_TRUE((*catalogue)->remove_document((*document)->id).ok());
    }
    ASSERT_TRUE((*catalogue)->forget("/docs/1").ok());
    const auto chats = (*catalogue)->list_chats();
    for (const ChatRecord& chat : *chats) {
      if (chat.title == "chat 5") continue;
      ASSERT_TRUE((*catalogue)->delete_chat(chat.id).ok());
    }
  }
  const Files removed = files_of(disk);
  const auto expect_no_more = [](const Files& files, int n_messages, const char* what) {
    TestDisk after(GetParam());
    lay(after, files);
    const auto repaired = repair(after.env());
    ASSERT_TRUE(repaired.ok()) << what << ": " << repaired.status().message();
    EXPECT_EQ(repaired->documents, kDocuments / 2 - 1) << what;
    EXPECT_EQ(repaired->chats, 1) << what;
    EXPECT_EQ(repaired->messages, n_messages) << what;
  };
  // The first page names those that are free.
  Files files = removed;
  for (const size_t at : {size_t{34}, size_t{108}}) files["catalog.db"][at + place_of(1)] ^= std::byte{1};
  expect_no_more(files, kMessages, "first page");
  // Where it is sound, but other trees are not, what they lead to is looked for among all pages. The messages that were
  // left stand on the first page of theirs.
  for (const auto& [table, n_messages] :
       {std::pair{"chunk_texts", kMessages}, std::pair{"settings", kMessages}, std::pair{"messages", 0}}) {
    files = removed;
    files["catalog.db"][place_of(root_of(table)) + 4000] ^= std::byte{1};
    expect_no_more(files, n_messages, table);
  }
}

TEST_P(RepairTest, ForgettingTakesTheDamagedOneToo) {
  TestDisk disk(GetParam());
  lay(disk, damaged({root_of("documents")}));
  ASSERT_TRUE(repair(disk.env()).ok());
  const auto catalogue = open_catalogue(disk.env());
  ASSERT_TRUE((*catalogue)->forget("/docs/3").ok());
  EXPECT_EQ(disk.env().stat(std::string(kPath) + ".damaged").status().code(), StatusCode::kNotFound);
}

TEST_P(RepairTest, WhileAnotherHasItOpenNothingIsDone) {
  TestDisk disk(GetParam());
  lay(disk, home());
  const auto other = open_catalogue(disk.env());
  EXPECT_EQ(repair(disk.env()).status().code(), StatusCode::kBusy);
  EXPECT_EQ(look_at_damage(disk.env(), kHome, 100).status().code(), StatusCode::kBusy);
}

// Cut off, or failing, at every change of the disk: the home is the damaged one, or the new one.
class RepairFaults : public ::testing::TestWithParam<std::tuple<FaultKind, DiskKind>> {};
INSTANTIATE_TEST_SUITE_P(Faults, RepairFaults,
                         ::testing::Combine(::testing::Values(FaultKind::kIoError, FaultKind::kNoSpace,
                                                              FaultKind::kCrash),
                                            ::testing::Values(DiskKind::kPlain, DiskKind::kEncrypted)));

Files small_damaged_home(DiskKind kind) {
  TestDisk disk(kind);
  {
    const auto catalogue = open_catalogue(disk.env());
    const CollectionId collection = *(*catalogue)->ensure_collection("papers");
    for (int i = 0; i < 2; ++i) EXPECT_TRUE((*catalogue)->put_document(make_document(collection, i)).ok());
    EXPECT_TRUE((*catalogue)->create_chat("talk").ok());
  }
  Files files = files_of(disk);
  Bytes& catalogue = files["catalog.db"];
  catalogue[catalogue.size() - 5000] ^= std::byte{1};
  return files;
}

TEST_P(RepairFaults, TheHomeIsTheDamagedOneOrTheNewOne) {
  const auto [fault, kind] = GetParam();
  const Files files = small_damaged_home(kind);
  int64_t n = 0;
  {
    TestDisk disk(kind);
    lay(disk, files);
    disk.plan().clear();
    ASSERT_TRUE(repair(disk.env()).ok());
    n = disk.plan().operations();
  }
  ASSERT_GT(n, 20);
  const int64_t step = std::max<int64_t>(n / 60, 1);
  int64_t old_ones = 0;
  for (int64_t operation = 0; operation < n; operation += operation + 12 < n ? step : 1) {
    const std::string when = "change " + std::to_string(operation) + " of " + std::to_string(n);
    TestDisk disk(kind);
    lay(disk, files);
    disk.plan().arm(fault, operation);
    (void)repair(disk.env());
    disk.plan().clear();
    if (fault == FaultKind::kCrash) disk.below().crash(static_cast<uint64_t>(operation));
    ASSERT_TRUE(open_home(disk.env(), kHome.root).ok()) << when;
    const bool is_old = disk.env().stat(std::string(kPath) + ".damaged").status().code() == StatusCode::kNotFound;
    old_ones += is_old ? 1 : 0;
    EXPECT_TRUE(!is_old || repair(disk.env()).ok()) << when;
    const auto catalogue = open_catalogue(disk.env());
    ASSERT_TRUE(catalogue.ok()) << when << ": " << catalogue.status().message();
    EXPECT_TRUE((*catalogue)->check(false)->problems.empty()) << when;
    EXPECT_EQ((*catalogue)->list_chats()->size(), 1u) << when;
    EXPECT_FALSE(*is_there(disk.env(), std::string(kPath) + ".repaired")) << when;
  }
  EXPECT_GT(old_ones, 0);
}

}  // namespace
}  // namespace mneme::storage
