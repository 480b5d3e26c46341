// Whole runs over temporary folders: what gets in, what stays, what goes, and what is reported.
#include "rag/indexing/indexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/random.h"
#include "rag/embedding/embedder.h"
#include "rag/indexing/failed_files.h"
#include "rag/indexing/file_walker.h"
#include "rag/indexing/folder_watcher.h"
#include "rag/indexing/gone_roots.h"
#include "rag/indexing/index_control.h"
#include "rag/indexing/passage_size.h"
#include "rag/kv_reuse/kv_collections.h"
#include "rag/retrieval/retriever.h"
#include "rag/vectors/embedding_background.h"
#include "rag/vectors/vector_indexes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/memory_env.h"
#include "tests/support/make_files.h"
#include "tests/support/random_gguf.h"
#include "tests/support/stand_in_tesseract.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAreArray;

class IndexerTest : public ::testing::Test {
 protected:
  void SetUp() override { open("hashed"); }

  void open(const std::string& embedder = "hashed") {
    workspace_.reset();
    workspace_ = open_plain_workspace(home_.path(), 2, embedder);
    ASSERT_NE(workspace_, nullptr);
  }

  IndexReport index(const CancelToken& cancel = never_cancelled()) {
    IndexOptions options;
    options.paths = {docs_.path()};
    options.ocr = ocr_;
    auto report = Indexer(*workspace_).run(options, {}, cancel);
    EXPECT_TRUE(report.ok()) << report.status().message();
    return report.ok() ? *std::move(report) : IndexReport{};
  }

  // One folder of the documents' as a root of its own.
  IndexReport index_only(const std::string& folder) {
    IndexOptions options;
    options.paths = {docs_ / folder};
    auto report = Indexer(*workspace_).run(options);
    EXPECT_TRUE(report.ok()) << report.status().message();
    return report.ok() ? *std::move(report) : IndexReport{};
  }

  std::vector<Hit> search(const std::string& query, SearchOptions options = {}) {
    auto found = Retriever(*workspace_).search(query, options);
    EXPECT_TRUE(found.ok()) << found.status().message();
    return found.ok() ? std::move(found->hits) : std::vector<Hit>{};
  }

  // Path and size of each document, and of each file that a walk finds.
  std::vector<std::string> document_names() {
    std::vector<std::string> names;
    storage::Catalogue& catalogue = workspace_->catalogue();
    const auto states = catalogue.document_states(catalogue.find_collection("default")->id);
    for (const auto& state : *states) names.push_back(state.path + " " + std::to_string(state.file.size_bytes));
    return names;
  }
  std::vector<std::string> walked_names() const {
    std::vector<std::string> names;
    const auto walk = walk_files({docs_.path()}, {}, {}, never_cancelled());
    for (const auto& file : walk->files) names.push_back(file.path + " " + std::to_string(file.state.size_bytes));
    return names;
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
  bool ocr_ = false;
};

TEST_F(IndexerTest, IndexesAndFinds) {
  docs_.write("a.md", "# Ferries\n\nFerries to Kelby leave at noon.\n");
  docs_.write("sub/b.txt", "The lighthouse is painted white.\n");
  const IndexReport report = index();
  EXPECT_EQ(report.documents, 2u);
  EXPECT_EQ(report.chunks, 2u);
  EXPECT_GT(report.tokens, 5u);
  EXPECT_EQ(report.bytes, fs::file_size(docs_ / "a.md") + fs::file_size(docs_ / "sub/b.txt"));
  EXPECT_GT(report.seconds, 0);
  EXPECT_THAT(report.failed, IsEmpty());
  for (const SearchMethod method : {SearchMethod::kHybrid, SearchMethod::kDense, SearchMethod::kLexical}) {
    SearchOptions options;
    options.method = method;
    const std::vector<Hit> hits = search("painted lighthouse", options);
    ASSERT_FALSE(hits.empty()) << search_method_name(method);
    EXPECT_EQ(hits[0].document, docs_ / "sub/b.txt");
    EXPECT_EQ(hits[0].line_start, 1);
    EXPECT_EQ(hits[0].rank, 1);
  }
}

TEST_F(IndexerTest, SecondRunTouchesNothing) {
  docs_.write("a.md", "One.\n");
  docs_.write("b.md", "Two.\n");
  index();
  const IndexReport again = index();
  EXPECT_EQ(again.documents, 0u);
  EXPECT_EQ(again.unchanged, 2u);
  EXPECT_EQ(again.removed, 0u);
}

// The size is the home's: a later run that is told nothing cuts like the one that was.
TEST_F(IndexerTest, PassagesAreAsLongAsTheHomeIsTold) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "Paragraph " + std::to_string(i) + " tells of harbours and of ferries.\n\n";
  docs_.write("a.md", text);
  const uint64_t long_ones = index().chunks;
  ASSERT_TRUE(set_passage_tokens(workspace_->catalogue(), 64).ok());
  docs_.write("b.md", "Another.\n\n" + text);
  EXPECT_GT(index().chunks, 4 * long_ones);
  for (const int wrong : {0, 63, 2049}) {
    EXPECT_EQ(set_passage_tokens(workspace_->catalogue(), wrong).code(), StatusCode::kUsage);
  }
  EXPECT_EQ(*passage_tokens(workspace_->catalogue()), 64);
  ASSERT_TRUE(set_passage_tokens(workspace_->catalogue(), 2048).ok());
  EXPECT_EQ(*passage_tokens(workspace_->catalogue()), 2048);
}

TEST_F(IndexerTest, HitsCarryWhoWroteThemAndWhen) {
  docs_.write("a.md",
              "---\ntitle: Marmots\nauthor: Ada Quill\ndate: 2024-02-03\n---\n# Guide\n\nThe marmot whistles.\n");
  index();
  const std::vector<Hit> hits = search("whistles");
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_EQ(hits[0].title, "Marmots");
  EXPECT_EQ(hits[0].author, "Ada Quill");
  EXPECT_EQ(hits[0].date, "2024-02-03");
}

TEST_F(IndexerTest, WhatIsOnlyToldOfADocumentIsKeptAnewToo) {
  struct Told {
    std::string title, author, date;
    bool operator==(const Told&) const = default;
  };
  const Told before{"Marmots", "Ada Quill", "2024-02-03"};
  for (const Told& now :
       {Told{"Alpine marmots", before.author, before.date}, Told{before.title, "Tom Hale", before.date},
        Told{before.title, before.author, "2025-01-01"}}) {
    for (const Told& told : {before, now}) {
      docs_.write("a.html", "<html><head><title>" + told.title + "</title><meta name=\"author\" content=\"" +
                                told.author + "\"><meta name=\"date\" content=\"" + told.date +
                                "\"></head><body><p>The marmot whistles.</p></body></html>\n");
      index();
      const std::vector<Hit> hits = search("whistles");
      ASSERT_THAT(hits, SizeIs(1));
      EXPECT_EQ((Told{hits[0].title, hits[0].author, hits[0].date}), told) << told.title << told.author << told.date;
    }
  }
}

TEST_F(IndexerTest, NewTimeWithOldContentIsUnchanged) {
  const std::string file = docs_.write("a.md", "One.\n");
  index();
  fs::last_write_time(file, fs::last_write_time(file) + std::chrono::hours(1));
  const IndexReport again = index();
  EXPECT_EQ(again.documents, 0u);
  EXPECT_EQ(again.unchanged, 1u);
}

// As a copy that keeps times, an unpacked archive or a program that sets them back leaves it.
TEST_F(IndexerTest, OtherContentUnderTheOldTimeAndSizeIsRead) {
  const std::string path = docs_.write("a.txt", "Ferries to Kelby leave at noon.");
  const fs::file_time_type old = fs::last_write_time(path) - std::chrono::hours(1);
  fs::last_write_time(path, old);
  index();
  docs_.write("a.txt", "Ferries to Delby leave at noon.");
  fs::last_write_time(path, old);
  EXPECT_EQ(index().documents, 1u);
  EXPECT_THAT(search("Delby"), SizeIs(1));
  docs_.write("new.txt", "Ferries to Welby leave at noon.");
  fs::last_write_time(docs_ / "new.txt", old);
  fs::rename(docs_ / "new.txt", path);
  EXPECT_EQ(index().documents, 1u);
  EXPECT_THAT(search("Welby"), SizeIs(1));
}

// Of an older program's documents it is not known when the system saw them change.
TEST_F(IndexerTest, WhatAnOlderProgramIndexedIsComparedOnce) {
  docs_.write("a.txt", "Ferries to Kelby leave at noon.");
  index();
  storage::Catalogue& catalogue = workspace_->catalogue();
  const auto state = [&] { return catalogue.document_states(catalogue.find_collection("default")->id)->front(); };
  const storage::DocumentState before = state();
  EXPECT_GT(before.file.changed_ns, 0);
  ASSERT_TRUE(catalogue.touch_document(before.id, {before.file.size_bytes, before.file.mtime_ns, -1}).ok());
  const IndexReport report = index();
  EXPECT_EQ(report.documents, 0u);
  EXPECT_EQ(report.unchanged, 1u);
  EXPECT_GT(report.bytes, 0u) << "it was read";
  EXPECT_GT(state().file.changed_ns, 0);
}

TEST_F(IndexerTest, ChangedAndDeletedFilesAreFollowed) {
  docs_.write("a.md", "The kettle is red.\n");
  const std::string b = docs_.write("b.md", "The teapot is blue.\n");
  index();
  docs_.write("a.md", "The kettle is green now, and larger.\n");
  fs::remove(b);
  const IndexReport report = index();
  EXPECT_EQ(report.documents, 1u);
  EXPECT_EQ(report.removed, 1u);
  EXPECT_THAT(search("teapot blue", {.method = SearchMethod::kLexical}), IsEmpty());
  const auto hits = search("kettle");
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_THAT(hits[0].text, HasSubstr("green"));
}

TEST_F(IndexerTest, RenamedFilesKeepTheirPassages) {
  const std::string old_path = docs_.write("notes/a.md", "# Kettle\n\nThe kettle is red.\n");
  index();
  const std::string chunk = search("kettle")[0].text;
  fs::create_directories(docs_ / "moved");
  fs::rename(old_path, docs_ / "moved/a.md");
  const IndexReport report = index();
  EXPECT_EQ(report.renamed, 1u);
  EXPECT_EQ(report.documents, 0u);
  EXPECT_EQ(report.removed, 0u);
  EXPECT_EQ(report.bytes, fs::file_size(docs_ / "moved/a.md")) << "it was read, to see what it is";
  const auto hits = search("kettle");
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_EQ(hits[0].document, docs_ / "moved/a.md");
}

// For who forgets them by their new names. Without chats there is nobody who knows the old ones.
TEST_F(IndexerTest, EarlierNamesAreKeptWhereThereAreChats) {
  const std::string first = docs_.write("notes/a.md", "# Kettle\n\nThe kettle is red.\n");
  const std::string second = docs_.write("notes/b.txt", "Ferries leave at noon.\n");
  index();
  storage::Catalogue& catalogue = workspace_->catalogue();
  fs::rename(first, docs_ / "c.md");
  index();
  EXPECT_THAT(*catalogue.settings("moved."), IsEmpty());
  ASSERT_TRUE(catalogue.create_chat("talk").ok());
  fs::rename(docs_ / "c.md", docs_ / "d.md");
  fs::rename(second, docs_ / "e.txt");  // its title is its name: it is read anew
  index();
  const auto moves = *catalogue.settings("moved.");
  ASSERT_THAT(moves, SizeIs(1));
  EXPECT_THAT(moves[0].second, HasSubstr("[\"" + (docs_ / "c.md") + "\",\"" + (docs_ / "d.md") + "\"]"));
  EXPECT_THAT(moves[0].second, HasSubstr("[\"" + second + "\",\"" + (docs_ / "e.txt") + "\"]"));
}

TEST_F(IndexerTest, FindsByTheNamesOfFolders) {
  docs_.write("Invoices/ACME Tools/2024/march.md", "# Invoice\n\nTotal due: 480.00 EUR\n");
  docs_.write("Invoices/Brightwater/2024/march.md", "# Invoice\n\nTotal due: 92.10 EUR\n");
  index();
  const auto acme = search("total of the ACME invoice");
  ASSERT_THAT(acme, SizeIs(2));
  EXPECT_THAT(acme[0].text, HasSubstr("480.00"));
  EXPECT_THAT(search("brightwater")[0].text, HasSubstr("92.10"));
  // A folder with another name: nothing is read again, and what it was called is forgotten.
  fs::rename(docs_ / "Invoices/ACME Tools", docs_ / "Invoices/Anvil");
  EXPECT_EQ(index().renamed, 1u);
  EXPECT_THAT(search("anvil")[0].text, HasSubstr("480.00"));
  EXPECT_THAT(search("acme", {.method = SearchMethod::kLexical}), IsEmpty());
}

TEST_F(IndexerTest, WhatAnOlderProgramIndexedIsNamedByTheNextRun) {
  const std::string path = docs_.write("Bosch/manual.md", "# Errors\n\nE15 is water in the base.\n");
  index();
  storage::Catalogue& catalogue = workspace_->catalogue();
  const storage::CollectionId collection = catalogue.find_collection("default")->id;
  const storage::DocumentId id = (*catalogue.find_document(collection, path))->id;
  const storage::DocumentNames unknown[] = {{id, ""}};
  ASSERT_TRUE(catalogue.name_documents(collection, unknown).ok());
  ASSERT_THAT(search("bosch", {.method = SearchMethod::kLexical}), IsEmpty());
  EXPECT_EQ(index().unchanged, 1u);
  EXPECT_THAT(search("bosch", {.method = SearchMethod::kLexical}), SizeIs(1));
}

TEST_F(IndexerTest, ARenamedFileTakesItsNewNameAsTitle) {
  const std::string old_path = docs_.write("old name.txt", "The kettle is red.\n");
  index();
  fs::rename(old_path, docs_ / "new name.txt");
  const IndexReport report = index();
  EXPECT_EQ(report.renamed, 1u);
  EXPECT_EQ(report.documents, 0u);
  EXPECT_EQ(report.removed, 0u);
  const auto hits = search("kettle");
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_THAT(hits[0].title, HasSubstr("new name"));
}

TEST_F(IndexerTest, ACopyIsNotARename) {
  docs_.write("a.md", "The kettle is red.\n");
  index();
  docs_.write("b.md", "The kettle is red.\n");
  const IndexReport report = index();
  EXPECT_EQ(report.documents, 1u);
  EXPECT_EQ(report.renamed, 0u);
  EXPECT_EQ(report.unchanged, 1u);
}

TEST_F(IndexerTest, OneMovedOneCopied) {
  const std::string a = docs_.write("a.md", "The kettle is red.\n");
  index();
  docs_.write("b.md", "The kettle is red.\n");
  docs_.write("c.md", "The kettle is red.\n");
  fs::remove(a);
  const IndexReport report = index();
  EXPECT_EQ(report.renamed, 1u);
  EXPECT_EQ(report.documents, 1u);
  EXPECT_EQ(report.removed, 0u);
}

TEST_F(IndexerTest, RulesAndHiddenFilesAreLeftOut) {
  docs_.write("a.md", "kept\n");
  docs_.write(".hidden.md", "hidden\n");
  docs_.write(".git/x.md", "hidden\n");
  docs_.write("build/x.md", "built\n");
  docs_.write("sub/private.md", "private\n");
  docs_.write("sub/public.md", "public\n");
  docs_.write(".gitignore", "build/\n");
  docs_.write("sub/.mnemeignore", "private*\n");
  const IndexReport report = index();
  EXPECT_EQ(report.documents, 2u);
  EXPECT_GE(report.skipped, 4u);
}

TEST_F(IndexerTest, NewlyIgnoredFilesLeave) {
  docs_.write("a.md", "kept\n");
  docs_.write("b.md", "gone\n");
  EXPECT_EQ(index().documents, 2u);
  docs_.write(".mnemeignore", "b.md\n");
  EXPECT_EQ(index().removed, 1u);
}

TEST_F(IndexerTest, BadFilesAreReportedAndTheRestGoesOn) {
  docs_.write("good.md", "fine\n");
  docs_.write("empty.md", "");
  docs_.write("binary.dat", std::string("\x7f"
                                        "ELF\0\0\1\2",
                                        8));
  docs_.write("big.txt", "x");
  fs::resize_file(docs_ / "big.txt", uint64_t{2} << 30);  // sparse
  fs::create_symlink("nowhere", docs_ / "broken.md");
  fs::create_directory_symlink(docs_.path(), docs_ / "loop");
  const std::string odd_name = std::string("odd\xff\xfe.md");
  docs_.write(odd_name, "a strange name\n");
  const IndexReport report = index();
  EXPECT_EQ(report.documents, 2u);
  std::vector<std::string> failed;
  for (const IndexFailure& failure : report.failed) {
    failed.push_back(fs::path(failure.path).filename().string());
    EXPECT_FALSE(failure.error.empty());
  }
  EXPECT_THAT(failed, ::testing::IsSupersetOf({"empty.md", "big.txt", "broken.md", "loop"}));
  ASSERT_FALSE(search("strange name").empty());
  EXPECT_EQ(search("strange name")[0].document, docs_ / odd_name);
}

TEST_F(IndexerTest, FilesBeyondTheLimitsOfTheRunAreLeftOutAndSaidSo) {
  docs_.write("short.md", "A short one.\n");
  docs_.write("long.md", std::string(3000, 'a') + "\n");
  Random random(3);
  std::string letter(2500, 'a');
  for (char& c : letter) c = static_cast<char>('a' + random.below(26));  // which no zip makes much smaller
  docs_.write("letters.zip", readers::test::make_zip({{"a.txt", letter}, {"b.txt", letter + "\n"}}));
  IndexOptions options;
  options.paths = {docs_.path()};
  options.limit_file_bytes = 3000;
  options.limit_container_bytes = 2000;
  const auto report = Indexer(*workspace_).run(options);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->documents, 1u);
  std::vector<std::string> failed;
  for (const IndexFailure& failure : report->failed) failed.push_back(failure.path);
  EXPECT_THAT(failed, UnorderedElementsAreArray({docs_ / "long.md", docs_ / "letters.zip"}));
  options.limit_file_bytes = options.limit_container_bytes = uint64_t{1} << 30;
  const auto again = Indexer(*workspace_).run(options);
  EXPECT_THAT(again->failed, IsEmpty());
  EXPECT_EQ(document_names().size(), 4u);
}

// What `index --retry` and the window list.
TEST_F(IndexerTest, FailuresAreKeptWithTheirReasonsUntilTheyAreNone) {
  const std::string broken = docs_.write("broken.pdf", "%PDF-1.4 nothing");
  const IndexReport report = index();
  ASSERT_THAT(report.failed, SizeIs(1));
  storage::Catalogue& catalogue = workspace_->catalogue();
  const storage::CollectionId collection = catalogue.find_collection("default")->id;
  const auto kept = *catalogue.failures(collection);
  ASSERT_THAT(kept, SizeIs(1));
  EXPECT_EQ(kept[0].path, broken);
  EXPECT_EQ(kept[0].error, report.failed[0].error);
  EXPECT_EQ(kept[0].size_bytes, fs::file_size(broken));
  EXPECT_GT(kept[0].mtime_ns, 0);
  fs::remove(broken);
  index();
  EXPECT_THAT(*catalogue.failures(collection), IsEmpty());
}

TEST_F(IndexerTest, ProgressEndsWithAllThatWasFound) {
  for (const char* name : {"a.md", "b.md", "c.md"}) docs_.write(name, std::string("Of ") + name + ".\n");
  index();
  docs_.write("a.md", "Another text.\n");
  docs_.write("d.md", "One more.\n");
  IndexOptions options;
  options.paths = {docs_.path()};
  std::vector<IndexProgress> told;
  IndexCallbacks callbacks;
  callbacks.progress = [&](const IndexProgress& progress) { told.push_back(progress); };
  const auto report = Indexer(*workspace_).run(options, callbacks);
  ASSERT_TRUE(report.ok());
  ASSERT_THAT(told, ::testing::Not(IsEmpty()));
  const IndexProgress& last = told.back();
  EXPECT_FALSE(last.counting || last.paused);
  EXPECT_EQ(last.documents_total, 4u);
  EXPECT_EQ(last.documents_done, 4u);
  EXPECT_EQ(last.bytes_done, last.bytes_total);
  EXPECT_EQ(last.bytes_done, report->bytes);
  EXPECT_EQ(last.chunks, report->chunks);
  EXPECT_GT(last.seconds, 0);
}

// A pipe would be waited for, a device would never end.
TEST_F(IndexerTest, WhatIsNamedAndIsNoFileIsLeftOutAndSaidSo) {
  docs_.write("a.md", "The kettle is red.\n");
  const std::string pipe = docs_ / "pipe.md";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  IndexOptions options;
  options.paths = {pipe, docs_ / "a.md"};
  const auto report = Indexer(*workspace_).run(options);
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->documents, 1u);
  ASSERT_THAT(report->failed, SizeIs(1));
  EXPECT_EQ(report->failed[0].path, pipe);
  EXPECT_THAT(report->failed[0].error, HasSubstr("neither a file nor a folder"));
}

TEST_F(IndexerTest, PicturesAreReadOnlyWithOcrAndStay) {
  const test::StandInTesseract tesseract(test::kOcrHead + test::ocr_page(1, 1000, 1400) +
                                         test::ocr_line(1, 1, "Receipt of the Harbour Bakery"));
  docs_.write("receipt.png", test::png_head(1000, 1400));
  docs_.write("note.md", "A note.\n");
  const IndexReport without = index();
  EXPECT_EQ(without.documents, 1u);
  EXPECT_TRUE(without.failed.empty());
  ocr_ = true;
  EXPECT_EQ(index().documents, 1u);
  ASSERT_FALSE(search("harbour bakery").empty());
  ocr_ = false;
  EXPECT_EQ(index().removed, 0u);
  EXPECT_FALSE(search("harbour bakery").empty());
  fs::remove(docs_ / "receipt.png");
  EXPECT_EQ(index().removed, 1u);
}

TEST_F(IndexerTest, UnreadableFilesAreReported) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  docs_.write("good.md", "fine\n");
  const std::string locked = docs_.write("locked.md", "secret\n");
  ::chmod(locked.c_str(), 0);
  const IndexReport report = index();
  EXPECT_EQ(report.documents, 1u);
  EXPECT_THAT(report.failed, SizeIs(1));
}

TEST_F(IndexerTest, AFileThatStopsBeingReadableKeepsItsDocument) {
  docs_.write("a.md", "The kettle is red.\n");
  index();
  docs_.write("a.md", std::string(100, '\0'));
  const IndexReport report = index();
  EXPECT_THAT(report.failed, SizeIs(1));
  EXPECT_EQ(report.removed, 0u);
  EXPECT_THAT(search("kettle"), SizeIs(1));
}

// There is nothing to keep it for: it would be quoted with lines that do not exist.
TEST_F(IndexerTest, AFileThatWasEmptiedLosesItsDocument) {
  docs_.write("a.md", "The kettle is red.\n");
  docs_.write("all.zip", readers::test::make_zip({{"one.md", "Ferries leave at noon.\n"}}));
  index();
  docs_.write("a.md", "");
  docs_.write("all.zip", readers::test::make_zip({}));
  const IndexReport report = index();
  EXPECT_EQ(report.removed, 2u);
  EXPECT_THAT(report.failed, SizeIs(2));
  EXPECT_THAT(search("kettle"), IsEmpty());
  EXPECT_THAT(search("ferries"), IsEmpty());
  docs_.write("a.md", "The kettle is blue.\n");
  EXPECT_EQ(index().documents, 1u);
}

TEST_F(IndexerTest, AFileOfBlanksLosesItsPassages) {
  docs_.write("a.md", "The kettle is red.\n");
  index();
  docs_.write("a.md", " \n\n");
  index();
  EXPECT_THAT(search("kettle"), IsEmpty());
}

// A home, or a folder of stored KV, that lies in the folder is no documents; what else lies in a home is.
TEST_F(IndexerTest, TheHomeItselfIsNotIndexed) {
  docs_.write("a.md", "The kettle is red.\n");
  docs_.write("home/letter.md", "Ferries leave at noon.\n");
  docs_.write("home/config.toml", "threads = 1\n");
  docs_.write("home/window.json", "{\"draft\": \"a kettle\"}\n");
  docs_.write("home/models/m.clustering", "of a model\n");
  docs_.write("home/log/today.txt", "a kettle\n");
  docs_.write("caches/ab/one.kv", "of a kettle\n");
  WorkspaceOptions options;
  options.home = docs_ / "home";
  options.model = "none";
  options.embedder = "hashed";
  options.n_threads = 1;
  options.kv.roots = {docs_ / "caches"};
  const auto workspace = Workspace::open(options);
  ASSERT_TRUE(workspace.ok()) << workspace.status().message();
  IndexOptions index;
  index.paths = {docs_.path()};
  const auto report = Indexer(**workspace).run(index);
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_THAT(report->failed, IsEmpty());
  EXPECT_EQ(report->documents, 2u);
}

TEST_F(IndexerTest, MissingPathsAreNotFound) {
  IndexOptions options;
  options.paths = {docs_ / "nowhere"};
  EXPECT_EQ(Indexer(*workspace_).run(options).status().code(), StatusCode::kNotFound);
  EXPECT_TRUE(workspace_->catalogue().list_collections()->empty()) << "a mistyped path makes no collection";
  options.paths = {};
  EXPECT_EQ(Indexer(*workspace_).run(options).status().code(), StatusCode::kUsage);
}

TEST_F(IndexerTest, AVanishedFolderLosesNothing) {
  docs_.write("sub/a.md", "The kettle is red.\n");
  IndexOptions options;
  options.paths = {docs_ / "sub"};
  ASSERT_TRUE(Indexer(*workspace_).run(options).ok());
  fs::remove_all(docs_ / "sub");
  EXPECT_EQ(Indexer(*workspace_).run(options).status().code(), StatusCode::kNotFound);
  EXPECT_THAT(search("kettle"), SizeIs(1));
}

TEST_F(IndexerTest, AFolderIndexedWhereItWasMovedToIsNotThereTwice) {
  docs_.write("old/a.md", "# Kettle\n\nThe kettle is red.\n");
  docs_.write("old/sub/b.md", "# Ferry\n\nFerries leave at noon.\n");
  docs_.write("old/gone.md", "# Lamp\n\nThe lamp is green.\n");
  index_only("old");
  fs::rename(docs_ / "old", docs_ / "new");
  fs::remove(docs_ / "new/gone.md");
  docs_.write("new/c.md", "# Stove\n\nThe stove is black.\n");
  const IndexReport report = index_only("new");
  EXPECT_EQ(report.renamed, 2u);
  EXPECT_EQ(report.documents, 1u);
  EXPECT_EQ(report.removed, 0u);
  SearchOptions by_words;
  by_words.method = SearchMethod::kLexical;
  ASSERT_THAT(search("kettle", by_words), SizeIs(1));
  EXPECT_EQ(search("kettle", by_words)[0].document, docs_ / "new/a.md");
  EXPECT_EQ(search("ferries", by_words)[0].document, docs_ / "new/sub/b.md");
  EXPECT_THAT(search("lamp", by_words), SizeIs(1))
      << "what was not found again stays: a folder that is gone may come back";
  const IndexReport again = index_only("new");
  EXPECT_EQ(again.unchanged, 3u);
  EXPECT_EQ(again.renamed + again.documents + again.removed, 0u);
}

TEST_F(IndexerTest, EqualFilesThatMovedAreADocumentEachAsBefore) {
  const auto ids = [&] {
    std::vector<int64_t> all;
    const auto collection = workspace_->catalogue().find_collection("default");
    const auto states = workspace_->catalogue().document_states(collection->id);
    for (const auto& state : *states) all.push_back(static_cast<int64_t>(state.id));
    std::sort(all.begin(), all.end());
    return all;
  };
  for (const char* name : {"a", "b", "c", "d"})
    docs_.write(std::string("old/") + name + ".md", "# Licence\n\nUse it.\n");
  index();
  const std::vector<int64_t> before = ids();
  ASSERT_THAT(before, SizeIs(4));
  fs::rename(docs_ / "old", docs_ / "new");
  fs::remove(docs_ / "new/d.md");
  const IndexReport report = index();
  EXPECT_EQ(report.renamed, 3u);
  EXPECT_EQ(report.documents, 0u);
  EXPECT_EQ(report.removed, 1u);
  EXPECT_THAT(before, IsSupersetOf(ids()));
  EXPECT_THAT(ids(), SizeIs(3));
}

TEST_F(IndexerTest, AFolderThatIsStillThereWasCopiedNotMoved) {
  docs_.write("old/a.md", "The kettle is red.\n");
  index_only("old");
  fs::copy(docs_ / "old", docs_ / "new");
  const IndexReport report = index_only("new");
  EXPECT_EQ(report.renamed, 0u);
  EXPECT_EQ(report.documents, 1u);
}

// The mark that parts a container from its members may end a folder's name, too.
TEST_F(IndexerTest, AFolderWhoseNameEndsInAnExclamationMarkIsNoContainer) {
  const std::string important = docs_.write("Archive!/a.md", "The kettle is red.\n");
  docs_.write("Archive!/bad.pdf", "%PDF-1.4 nothing");
  docs_.write("Archive/b.md", "Ferries leave at noon.\n");
  EXPECT_EQ(index().documents, 2u);
  EXPECT_EQ(index_only("Archive").removed, 0u);
  EXPECT_THAT(search("kettle", {.method = SearchMethod::kLexical}), SizeIs(1));
  EXPECT_EQ(file_of_document(important), important);
  EXPECT_THAT(*failed_paths(workspace_->catalogue(), "default"), ElementsAre(docs_ / "Archive!/bad.pdf"));
  fs::remove(docs_ / "Archive!/bad.pdf");
  index();
  EXPECT_THAT(*workspace_->catalogue().failures(workspace_->catalogue().find_collection("default")->id), IsEmpty());
  EXPECT_EQ(file_of_document("/mail.zip!/a.md"), "/mail.zip");
}

// A program that compacts a large catalogue writes for longer than the ten seconds that other writes wait.
TEST_F(IndexerTest, ARunWaitsForAnotherWriterUntilItIsInterrupted) {
  docs_.write("a.md", "The kettle is red.\n");
  index();
  docs_.write("b.md", "Ferries leave at noon.\n");
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open((home_ / "catalog.db").c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  CancelToken cancel;
  std::vector<bool> told;
  IndexCallbacks callbacks;
  callbacks.waits_for_others = [&](bool waits) {
    told.push_back(waits);
    cancel.cancel();
  };
  IndexOptions options;
  options.paths = {docs_.path()};
  const auto report = Indexer(*workspace_).run(options, callbacks, cancel);
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_TRUE(report->interrupted);
  EXPECT_EQ(told.size() % 2, 0u) << "and told when it waits no more";
  EXPECT_TRUE(!told.empty() && told.front());
  sqlite3_close(other);
  EXPECT_EQ(index().documents, 1u) << "what it did not get to comes with the next run";
}

// Named as a root it would be followed, and everything indexed a second time under its name.
TEST_F(IndexerTest, ALinkThatLeadsBackIsNotTriedAgain) {
  docs_.write("a.md", "The kettle is red.\n");
  docs_.write("bad.pdf", "%PDF-1.4 nothing");
  fs::create_symlink(".", docs_ / "loop");
  fs::create_symlink("nowhere", docs_ / "dangling");
  EXPECT_THAT(index().failed, SizeIs(3));
  EXPECT_THAT(*failed_paths(workspace_->catalogue(), "default"), ElementsAre(docs_ / "bad.pdf"));
}

TEST_F(IndexerTest, GoneRootsAreThoseThatDoNotExist) {
  docs_.write("a/a.md", "One.\n");
  docs_.write("b/b.md", "Two.\n");
  index_only("a");
  index_only("b");
  fs::remove_all(docs_ / "a");
  storage::Catalogue& catalogue = workspace_->catalogue();
  const auto collection = catalogue.find_collection("default");
  ASSERT_TRUE(collection.ok());
  const std::chrono::seconds patience(60);
  const auto gone = gone_roots(catalogue, collection->id, patience, never_cancelled());
  ASSERT_TRUE(gone.ok()) << gone.status().message();
  EXPECT_THAT(*gone, ElementsAre(docs_ / "a"));
  const auto left = documents_of_gone_roots(catalogue, collection->id, {}, patience, never_cancelled());
  ASSERT_TRUE(left.ok()) << left.status().message();
  ASSERT_THAT(*left, SizeIs(1));
  EXPECT_EQ((*left)[0].path, docs_ / "a/a.md");
}

TEST_F(IndexerTest, CancellingKeepsWhatIsDone) {
  for (int i = 0; i < 300; ++i)
    docs_.write("f" + std::to_string(i) + ".md", i == 150 ? "" : "Text number " + std::to_string(i) + ".\n");
  CancelToken cancel;
  IndexOptions options;
  options.paths = {docs_.path()};
  // On the way, however fast: progress is told ten times a second, by when a fast machine is done.
  IndexCallbacks callbacks;
  callbacks.failed = [&](const IndexFailure&) { cancel.cancel(); };
  auto report = Indexer(*workspace_).run(options, callbacks, cancel);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->interrupted);
  const uint64_t first = report->documents;
  const IndexReport rest = index();
  EXPECT_EQ(rest.unchanged + rest.documents, 299u);
  EXPECT_EQ(rest.unchanged, first);
}

// A change that comes while the disk is full, or another program writes for long, is not lost with the run that failed.
// Only who says so lifts it.
TEST_F(IndexerTest, WatchingDoesNotLiftAPause) {
  docs_.write("a.md", "The kettle is red.\n");
  IndexControl control(*workspace_);
  IndexOptions options;
  options.paths = {docs_.path()};
  CancelToken cancel;
  bool waited = false;
  IndexCallbacks callbacks;
  callbacks.progress = [&](const IndexProgress& progress) {
    if (!progress.paused || waited) return;
    waited = true;
    EXPECT_TRUE(*control.paused());
    EXPECT_TRUE(control.resume().ok());
  };
  int n_runs = 0;
  const auto done = [&](const IndexReport&) {
    if (++n_runs == 2) return cancel.cancel();
    EXPECT_TRUE(control.pause().ok());
    docs_.write("a.md", "The kettle is blue.\n");
  };
  EXPECT_TRUE(Indexer(*workspace_).watch(options, callbacks, done, cancel).ok());
  EXPECT_TRUE(waited);
  EXPECT_THAT(search("blue"), SizeIs(1));
}

TEST_F(IndexerTest, WatchingTriesAgainAfterARunThatFailed) {
  storage::FaultPlan plan;
  storage::MemoryEnv disk(&plan);
  WorkspaceOptions home;
  home.home = "/home";
  home.model = "none";
  home.embedder = "hashed";
  home.env = &disk;
  auto opened = Workspace::open(home);
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  docs_.write("a.md", "The kettle is red.\n");
  IndexOptions options;
  options.paths = {docs_.path()};
  options.watch_retry = std::chrono::milliseconds(50);
  CancelToken cancel;
  int n_runs = 0;
  IndexCallbacks callbacks;
  callbacks.failed = [&](const IndexFailure&) { plan.clear(); };
  const auto done = [&](const IndexReport& report) {
    if (++n_runs == 1) {
      plan.arm(storage::FaultKind::kNoSpace, 0);
      docs_.write("b.md", "Ferries leave at noon.\n");
    } else if (report.documents > 0) {
      cancel.cancel();
    }
  };
  EXPECT_TRUE(Indexer(**opened).watch(options, callbacks, done, cancel).ok());
  EXPECT_THAT(*(*opened)->catalogue().document_states((*opened)->catalogue().find_collection("default")->id, ""),
              SizeIs(2));
}

// Another program took what the run was at; the files are there as they were, and tell nothing by themselves.
TEST_F(IndexerTest, WatchingTriesAgainWhenWhatItWroteToIsGone) {
  docs_.write("a.md", "The kettle is red.\n");
  IndexOptions options;
  options.paths = {docs_.path()};
  options.watch_retry = std::chrono::milliseconds(50);
  storage::Catalogue& catalogue = workspace_->catalogue();
  CancelToken cancel;
  int n_runs = 0;
  bool taken = false;
  IndexCallbacks callbacks;
  callbacks.progress = [&](const IndexProgress& progress) {
    if (n_runs != 1 || taken || progress.counting) return;
    taken = catalogue.delete_collection(catalogue.find_collection("default")->id).ok();
  };
  callbacks.failed = [&](const IndexFailure& failure) { EXPECT_EQ(failure.path, docs_.path()) << failure.error; };
  const auto done = [&](const IndexReport&) {
    if (++n_runs == 1) docs_.write("b.md", "Ferries leave at noon.\n");
    if (n_runs == 2) cancel.cancel();
  };
  EXPECT_TRUE(Indexer(*workspace_).watch(options, callbacks, done, cancel).ok());
  EXPECT_TRUE(taken);
  EXPECT_EQ(n_runs, 2);
}

// Of hundreds of files beside it none is looked at, and all is as a run over everything would have it.
TEST_F(IndexerTest, WatchingAChangeCostsWhatChanged) {
  for (int i = 0; i < 300; ++i) docs_.write("many/" + std::to_string(i) + ".md", "Lamp " + std::to_string(i) + ".\n");
  docs_.write("a.md", "The kettle is red.\n");
  docs_.write("sub/b.md", "Ferries leave at noon.\n");
  const std::vector<std::function<void()>> steps = {
      [&] { docs_.write("a.md", "The kettle is blue.\n"); },
      [&] { docs_.write("new/deep/c.md", "Otters sleep afloat.\n"); },
      [&] { fs::rename(docs_ / "sub/b.md", docs_ / "new/moved.md"); },
      [&] { fs::rename(docs_ / "new", docs_ / "sub/old"); },
      [&] { docs_.write("sub/old/deep/c.md", "Otters hold hands.\n"); },
      [&] { docs_.write("sub/.gitignore", "moved.md\n"); },
      [&] { fs::remove_all(docs_ / "sub/old"); },
      [&] { fs::remove(docs_ / "a.md"); },
  };
  if (FolderWatcher({docs_.path()}, {}).polls()) GTEST_SKIP() << "no inotify here";
  IndexOptions options;
  options.paths = {docs_.path()};
  CancelToken cancel;
  IndexCallbacks callbacks;
  uint64_t looked_at = 0;
  callbacks.progress = [&](const IndexProgress& progress) { looked_at = progress.documents_total; };
  uint64_t n_renamed = 0;
  size_t step = 0;
  const auto done = [&](const IndexReport& report) {
    n_renamed += report.renamed;
    EXPECT_THAT(report.failed, IsEmpty());
    EXPECT_THAT(document_names(), UnorderedElementsAreArray(walked_names()));
    EXPECT_TRUE(step == 0 ? looked_at == 302 : looked_at <= 2) << looked_at << " files in step " << step;
    if (step == steps.size()) return cancel.cancel();
    steps[step++]();
  };
  EXPECT_TRUE(Indexer(*workspace_).watch(options, callbacks, done, cancel).ok());
  EXPECT_EQ(step, steps.size());
  EXPECT_EQ(n_renamed, 3u) << "one file, then a folder of two";
}

// A file that failed for the moment tells nothing when it may be read again.
TEST_F(IndexerTest, WatchingTriesWhatFailedForTheMomentWithTheNextChange) {
  const std::string damaged = docs_.write("damaged.pdf", "%PDF-1.4 nothing");  // written to just now: not for good
  docs_.write("a.md", "The kettle is red.\n");
  IndexOptions options;
  options.paths = {docs_.path()};
  CancelToken cancel;
  int n_runs = 0;
  std::vector<int> told;
  IndexCallbacks callbacks;
  callbacks.failed = [&](const IndexFailure& failure) {
    EXPECT_EQ(failure.path, damaged);
    told.push_back(n_runs);
  };
  const auto done = [&](const IndexReport& report) {
    EXPECT_THAT(report.failed, SizeIs(1));
    if (++n_runs == 2) return cancel.cancel();
    docs_.write("a.md", "The kettle is blue.\n");
  };
  EXPECT_TRUE(Indexer(*workspace_).watch(options, callbacks, done, cancel).ok());
  EXPECT_THAT(told, ElementsAre(0, 1));
}

// A folder of damaged files and scans is not read anew for each edit beside them.
TEST_F(IndexerTest, WatchingReadsAFileThatFailedAgainWhenItWasWrittenTo) {
  const std::string broken = docs_.write("broken.pdf", "%PDF-1.4 nothing");
  const auto a_while_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(broken, a_while_ago);
  docs_.write("a.md", "The kettle is red.\n");
  IndexOptions options;
  options.paths = {docs_.path()};
  CancelToken cancel;
  int n_told = 0;
  std::vector<int> told_by_run;
  IndexCallbacks callbacks;
  callbacks.failed = [&](const IndexFailure&) { ++n_told; };
  const auto done = [&](const IndexReport& report) {
    EXPECT_THAT(report.failed, SizeIs(1));
    told_by_run.push_back(n_told);
    if (told_by_run.size() == 1) docs_.write("a.md", "The kettle is blue.\n");
    if (told_by_run.size() == 2) {
      docs_.write("broken.pdf", "%PDF-1.4 nothing more");
      fs::last_write_time(broken, a_while_ago);
    }
    if (told_by_run.size() == 3) cancel.cancel();
  };
  EXPECT_TRUE(Indexer(*workspace_).watch(options, callbacks, done, cancel).ok());
  EXPECT_THAT(told_by_run, ElementsAre(1, 1, 2));
}

TEST_F(IndexerTest, ReopenedHomeAnswersFromItsFilesOrWithoutThem) {
  docs_.write("a.md", "The kettle is red.\n");
  index();
  const std::string file = home_ / "index/default.hnsw";
  ASSERT_TRUE(fs::exists(file));
  const SearchOptions dense{.method = SearchMethod::kDense};
  open();
  EXPECT_THAT(search("kettle", dense), SizeIs(1));
  fs::resize_file(file, 60);
  open();
  EXPECT_THAT(search("kettle", dense), SizeIs(1));
  fs::remove(file);
  open();
  EXPECT_THAT(search("kettle", dense), SizeIs(1));
  const auto checked = workspace_->vectors().check(true);
  ASSERT_TRUE(checked.ok());
  ASSERT_THAT(*checked, SizeIs(1));
  EXPECT_EQ((*checked)[0].entries, 1);
}

TEST_F(IndexerTest, PassagesThatRepeatABetterOneComeLast) {
  const std::string text =
      "The kettle of the old house is red and stands in the kitchen beside the window, where it has stood for years";
  for (int i = 0; i < 4; ++i) docs_.write("copy" + std::to_string(i) + ".txt", text + std::string(i, '.') + "\n");
  docs_.write("other.txt", "A kettle boils water for tea.\n");
  index();
  auto found = Retriever(*workspace_).search("kettle of the house", {.top_k = 2});
  ASSERT_TRUE(found.ok());
  ASSERT_THAT(found->hits, SizeIs(2));
  EXPECT_THAT(found->hits[0].text, HasSubstr("old house"));
  EXPECT_EQ(found->hits[1].document, docs_ / "other.txt");
  EXPECT_THAT(found->notes, ::testing::Contains(HasSubstr("repeat")));
}

// More passages have the notice than are shown: what tells of it in other words is still found.
TEST_F(IndexerTest, ANoticeBelowEveryLetterIsShownOnce) {
  const std::string notice = "\n\nReturns are taken back within thirty days if the seal of the parcel is not broken.\n";
  const char* kTopics[] = {"cranes and ropes", "garden chairs",    "a broken kettle", "two bicycles",
                           "winter tyres",     "curtains",         "a parrot's cage", "oil lamps",
                           "wall paint",       "a sewing machine", "four stools",     "letter paper",
                           "a canoe",          "apple trees",      "a clock",         "a doll's house"};
  int number = 0;
  for (const char* topic : kTopics) {
    docs_.write("letter" + std::to_string(++number) + ".txt",
                "We thank you for your order of " + std::string(topic) + ", which leaves our house today." + notice);
  }
  docs_.write("faq.txt", "Broken seals are looked at by the manager of the shop.\n");
  index();
  const std::vector<Hit> hits = search("returns of a parcel whose seal is broken", {.top_k = 4});
  ASSERT_THAT(hits, SizeIs(4));
  const auto is_faq = [&](const Hit& hit) { return hit.document == docs_ / "faq.txt"; };
  EXPECT_TRUE(std::any_of(hits.begin(), hits.end(), is_faq));
}

TEST_F(IndexerTest, HybridSearchLooksTwiceUnlessToldNotTo) {
  docs_.write("a.md", "The kettle is red.\n");
  index();
  const auto looked = [&](const SearchOptions& options) {
    return Retriever(*workspace_).search("red kettle", options)->reranked;
  };
  EXPECT_EQ(looked({}), 1);
  EXPECT_EQ(looked({.rerank = false}), 0);
  EXPECT_EQ(looked({.method = SearchMethod::kLexical}), 0);
  EXPECT_EQ(looked({.method = SearchMethod::kLexical, .rerank = true}), 1);
}

TEST_F(IndexerTest, SignsThatAreAskedAboutCount) {
  for (int i = 0; i < 8; ++i) {
    docs_.write("other" + std::to_string(i) + ".md",
                "The operator of machine " + std::to_string(i) + " is an operator.\n");
  }
  docs_.write("question-mark.md", "# Errors\n\nThe `?` operator hands an error on to the caller.\n");
  index();
  EXPECT_EQ(search("What does the ? operator do?")[0].document, docs_ / "question-mark.md");
}

TEST_F(IndexerTest, AnotherEmbedderMakesVectorsStaleUntilTheyAreMadeAnew) {
  docs_.write("a.md", "The kettle is red.\n");
  docs_.write("b.md", "Ferries leave at noon.\n");
  index();
  const std::string encoder = home_ / "encoder.gguf";
  const auto bytes = testing::random_gguf(
      {.architecture = "bert", .n_kv_heads = 4, .vocab_size = 400, .context = 64, .vocabulary = true});
  std::ofstream(encoder, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  open(encoder);
  VectorIndexes& vectors = workspace_->vectors();
  const storage::CollectionRecord collection = *workspace_->catalogue().find_collection("default");
  EXPECT_FALSE(*vectors.is_current(collection));
  const auto stale = vectors.check(false);
  ASSERT_TRUE(stale.ok());
  EXPECT_THAT((*stale)[0].stale, HasSubstr("no vector of the embedder"));
  EXPECT_EQ((*stale)[0].problem, "") << "a change of embedder is no damage";

  // Words find it meanwhile, and the first search sets the embedding going.
  const auto found = Retriever(*workspace_).search("kettle", {});
  ASSERT_TRUE(found.ok());
  EXPECT_FALSE(found->hits.empty());
  EXPECT_THAT(found->notes, ::testing::Contains(HasSubstr("no vectors")));
  while (workspace_->embedding().busy()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(workspace_->embedding().last_failure().ok());
  EXPECT_TRUE(*vectors.is_current(collection));
  EXPECT_THAT(search("kettle", {.method = SearchMethod::kDense}), SizeIs(2));
}

// The header says whose vectors these are; a flipped bit there is damage, another embedder or version is not.
TEST_F(IndexerTest, AnIndexFileOfAnotherVersionOrEmbedderIsStale) {
  docs_.write("a.md", "The kettle is red.\n");
  index();
  const std::string path = home_ / "index/default.hnsw";
  const auto read = [&] {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string ours = read();
  const auto check_with = [&](const std::string& bytes, bool repair = false) {
    std::ofstream(path, std::ios::binary) << bytes;
    open();
    return (*workspace_->vectors().check(repair))[0];
  };
  constexpr size_t kVersionAt = 8;
  constexpr size_t kEmbedderAt = 32;
  constexpr size_t kChecksumBytes = 16;
  const auto sealed = [&](std::string bytes) {
    bytes.resize(bytes.size() - kChecksumBytes);
    const Hash128 checksum = xxh3_128(as_bytes(bytes));
    return bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  };
  for (const size_t at : {kVersionAt, kEmbedderAt}) {
    std::string other = ours;
    other[at] = static_cast<char>(other[at] ^ 4);
    EXPECT_THAT(check_with(other).problem, HasSubstr("damaged")) << at;
    const VectorIndexCheck stale = check_with(sealed(other));
    EXPECT_EQ(stale.problem, "") << at;
    EXPECT_THAT(stale.stale, HasSubstr("rebuilt")) << at;
  }
  // As programs of before 21 November 2026 wrote it: 8 bytes of checksum in the header, none at the end.
  std::string first = ours.substr(0, 40) + std::string(8, 'x') + ours.substr(40, ours.size() - 40 - kChecksumBytes);
  first[kVersionAt] = 1;
  EXPECT_EQ(check_with(first).problem, "");
  EXPECT_THAT(check_with(first).stale, HasSubstr("rebuilt"));
  EXPECT_THAT(search("kettle", {.method = SearchMethod::kDense}), SizeIs(1));
  const VectorIndexCheck repaired = check_with(first, true);
  EXPECT_EQ(repaired.stale, "");
  EXPECT_EQ(repaired.entries, 1);
  EXPECT_EQ(check_with(read()).stale, "");
}

TEST_F(IndexerTest, VerifyRepairsStaleVectors) {
  docs_.write("a.md", "The kettle is red.\n");
  index();
  const storage::CollectionRecord collection = *workspace_->catalogue().find_collection("default");
  ASSERT_TRUE(workspace_->catalogue().keep_only_embedder("another").ok());
  const auto repaired = workspace_->vectors().check(true);
  ASSERT_TRUE(repaired.ok());
  EXPECT_EQ((*repaired)[0].stale, "");
  EXPECT_EQ((*repaired)[0].problem, "");
  EXPECT_EQ((*repaired)[0].entries, 1);
  EXPECT_TRUE(*workspace_->vectors().is_current(collection));
}

// Made at once or made later, a vector is the same: of what stands under no heading the title is embedded, too.
TEST_F(IndexerTest, VectorsMadeAnewAreThoseOfIndexing) {
  docs_.write("kettle.txt", "It is red and stands on the stove.\n");
  docs_.write("ferries.md", "# Ferries\n\nThey leave at noon.\n");
  index();
  storage::Catalogue& catalogue = workspace_->catalogue();
  const storage::CollectionRecord collection = *catalogue.find_collection("default");
  const std::string embedder = workspace_->embedder().identity();
  std::vector<storage::ChunkId> chunks;
  ASSERT_TRUE(catalogue
                  .for_each_chunk(collection.id, {},
                                  [&](const storage::ChunkRecord& chunk) {
                                    chunks.push_back(chunk.id);
                                    return true;
                                  })
                  .ok());
  const auto before = catalogue.embeddings(embedder, chunks);
  ASSERT_TRUE(before.ok());
  ASSERT_THAT(*before, SizeIs(2));
  ASSERT_TRUE(catalogue.keep_only_embedder("another").ok());
  EXPECT_EQ(*workspace_->vectors().embed_missing(collection), 2);
  const auto after = catalogue.embeddings(embedder, chunks);
  ASSERT_TRUE(after.ok());
  EXPECT_EQ(*after, *before);
}

// Watching, an edit would else write the vectors of all passages anew.
TEST_F(IndexerTest, AFileOfVectorsThatLacksALittleStays) {
  docs_.write("a.md", "The kettle is red.\n");
  index();
  const std::string file = home_ / "index/default.hnsw";
  const auto size = fs::file_size(file);
  docs_.write("b.md", "Ferries leave at noon.\n");
  index();
  EXPECT_EQ(fs::file_size(file), size);
  open();
  const std::vector<Hit> hits = search("ferries at noon", {.method = SearchMethod::kDense});
  ASSERT_FALSE(hits.empty());
  EXPECT_EQ(hits[0].document, docs_ / "b.md");
  for (int i = 0; i < 300; ++i) docs_.write("c" + std::to_string(i) + ".md", "Lamp " + std::to_string(i) + ".\n");
  index();
  EXPECT_GT(fs::file_size(file), 100 * size);
}

TEST_F(IndexerTest, VectorsOfDeletedPassagesAreDroppedOnceTheyAreMany) {
  const auto n_rows = [&] {
    const auto collection = workspace_->catalogue().find_collection("default");
    return (*workspace_->vectors().get(*collection))->n_rows();
  };
  for (int i = 0; i < 200; ++i) {
    docs_.write("n" + std::to_string(i) + ".txt", "Note number " + std::to_string(i) + " about a boat.\n");
  }
  index();
  EXPECT_EQ(n_rows(), 200u);
  for (int i = 0; i < 20; ++i) fs::remove(docs_ / ("n" + std::to_string(i) + ".txt"));
  index();
  EXPECT_EQ(n_rows(), 200u);  // a tenth costs less than building anew
  for (int i = 20; i < 100; ++i) fs::remove(docs_ / ("n" + std::to_string(i) + ".txt"));
  index();
  EXPECT_EQ(n_rows(), 100u);
  open();
  EXPECT_EQ(n_rows(), 100u);
  EXPECT_THAT(search("note number 150"), ::testing::Not(IsEmpty()));
}

// One program forgets a file while another, a window, has its vectors in memory: they do not come back with what that
// one writes next.
TEST_F(IndexerTest, VectorsOfWhatAnotherProgramForgotAreNotWrittenAgain) {
  docs_.write("a.md", "The kettle is red.\n");
  docs_.write("b.md", "Ferries leave at noon.\n");
  index();
  search("kettle");
  const auto other = open_plain_workspace(home_.path());
  ASSERT_NE(other, nullptr);
  const auto forgotten = other->catalogue().forget(docs_ / "a.md");
  ASSERT_TRUE(forgotten.ok()) << forgotten.status().message();
  ASSERT_TRUE(other->vectors().discard_all().ok());
  ASSERT_TRUE(other->catalogue().note_overwritten(*forgotten).ok());
  fs::remove(docs_ / "a.md");
  docs_.write("c.md", "Lamps are green.\n");
  index();
  open();
  const auto read = workspace_->vectors().get(*workspace_->catalogue().find_collection("default"));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ((*read)->n_rows(), 2u);
}

TEST_F(IndexerTest, FiltersAndPhrasesNarrowTheSearch) {
  docs_.write("hills/tea.md", "Green tea is brewed with water at eighty degrees.\n");
  docs_.write("plains/tea.txt", "Black tea wants boiling water. Tea that is green.\n");
  index();
  EXPECT_THAT(search("tea path:hills/"), SizeIs(1));  // a name that no temporary folder ends with
  EXPECT_THAT(search("tea type:txt"), SizeIs(1));
  EXPECT_THAT(search("\"green tea\""), SizeIs(1));
  EXPECT_THAT(search("tea after:2199-01-01"), IsEmpty());
  EXPECT_THAT(search("tea"), SizeIs(2));
  EXPECT_THAT(search(""), IsEmpty());
}

TEST_F(IndexerTest, ChineseAndJapaneseAreFound) {
  docs_.write("zh.md", "# 红烧肉\n\n五花肉切块，加酱油和冰糖，小火炖四十分钟。\n");
  docs_.write("ja.md", "# 東京タワー\n\n東京タワーは一九五八年に完成した電波塔である。\n");
  docs_.write("en.md", "# Bridges\n\nThe old bridge was finished in 1901.\n");
  index();
  for (const SearchMethod method : {SearchMethod::kHybrid, SearchMethod::kLexical, SearchMethod::kDense}) {
    EXPECT_EQ(search("红烧肉要炖多久", {.method = method})[0].document, docs_ / "zh.md");
    EXPECT_EQ(search("電波塔はいつ完成したか", {.method = method})[0].document, docs_ / "ja.md");
  }
}

TEST_F(IndexerTest, WhetherKvIsStoredIsKeptWithTheCollection) {
  docs_.write("a.md", "The owl hunts at night.");
  const auto index_with = [&](std::optional<KvPolicy> kv, const std::string& collection) {
    IndexOptions options;
    options.paths = {docs_.path()};
    options.collection = collection;
    options.kv = kv;
    EXPECT_TRUE(Indexer(*workspace_).run(options, {}).ok());
    return *collections_without_kv(workspace_->catalogue());
  };
  EXPECT_THAT(index_with(std::nullopt, "birds"), IsEmpty());
  EXPECT_THAT(index_with(KvPolicy::kOff, "birds"), ElementsAre("birds"));
  EXPECT_THAT(index_with(KvPolicy::kOff, "owls"), ElementsAre("birds", "owls"));
  EXPECT_THAT(index_with(std::nullopt, "birds"), ElementsAre("birds", "owls")) << "as before";
  EXPECT_THAT(index_with(KvPolicy::kLazy, "birds"), ElementsAre("owls"));
  EXPECT_THAT(index_with(KvPolicy::kNow, "owls"), IsEmpty());
}

TEST_F(IndexerTest, CollectionsAreApart) {
  docs_.write("x/a.md", "The kettle is red.\n");
  docs_.write("y/b.md", "The kettle is blue.\n");
  IndexOptions options;
  options.paths = {docs_ / "x"};
  options.collection = "one";
  ASSERT_TRUE(Indexer(*workspace_).run(options).ok());
  options.paths = {docs_ / "y"};
  options.collection = "two %odd é";
  ASSERT_TRUE(Indexer(*workspace_).run(options).ok());
  EXPECT_THAT(search("kettle", {.collection = "one"}), SizeIs(1));
  EXPECT_THAT(search("kettle"), SizeIs(2));
  EXPECT_EQ(Retriever(*workspace_).search("kettle", {.collection = "none"}).status().code(), StatusCode::kNotFound);
}

TEST_F(IndexerTest, QuestionsBesideTheDocumentsAreNotAnswerable) {
  docs_.write("a.md", "The kettle is red and stands in the kitchen of the old house.\n");
  docs_.write("b.md", "Ferries leave at noon from the northern pier.\n");
  index();
  const auto judge = [&](const std::string& query) {
    return Retriever(*workspace_).search(query, {.judge = true})->answerable == true;
  };
  EXPECT_TRUE(judge("What colour is the kettle?"));
  EXPECT_TRUE(judge("When do ferries leave?"));
  EXPECT_FALSE(judge("Who discovered penicillin in Paddington?"));
}

}  // namespace
}  // namespace mneme::rag
