// The controller over a real home: folders, documents, collections.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rag/readers/process/child_process.h"
#include "storage/catalogue/catalogue.h"
#include "storage/chunks/chunk_store.h"
#include "storage/env/file_env.h"
#include "tests/unit/ui/controller_fixture.h"
#include "ui/view_model/folder_listing.h"
#include "ui/view_model/index_request.h"

namespace mneme::ui {
namespace {

TEST_F(ControllerTest, UnfinishedIndexingGoesOnAtTheNextStart) {
  index();
  controller_.reset();
  {
    auto catalogue = storage::Catalogue::open({.path = (folder_ / "home" / "catalog.db").string()});
    ASSERT_TRUE(catalogue.ok());
    const std::string docs = (folder_ / "docs").string();
    ASSERT_TRUE((*catalogue)
                    ->put_setting("window.unfinished_indexing",
                                  R"({"collection":"default","paused":false,"paths":[")" + docs + "\"]}")
                    .ok());
  }
  write("docs/new.md", "# New\n\nA new document.\n");
  controller();
  wait([](const Snapshot& s) {
    return !s.indexing.running && !s.library.collections.empty() && s.library.collections[0].documents == 3;
  });
}

TEST_F(ControllerTest, ARunThatWaitsForAnotherProgramSaysSo) {
  index();
  write("docs/new.md", "# New\n\nA new document.\n");
  others_write_ = true;
  controller().post(Reindex{"default"});
  wait([](const Snapshot& s) { return s.indexing.running && s.indexing.waits; });
  end_writing_elsewhere();
  const auto s =
      wait([](const Snapshot& now) { return !now.indexing.running && now.library.collections[0].documents == 3; });
  EXPECT_FALSE(s->indexing.waits);
}

// Many files, so that there is time to pause.
TEST_F(ControllerTest, PausingHoldsARunAndResumingFinishesIt) {
  fs::create_directories(folder_ / "many");
  for (int i = 0; i < 400; ++i) write("many/" + std::to_string(i) + ".md", "# File\n\nText " + std::to_string(i));
  controller();
  controller().post(AddFolder{(folder_ / "many").string(), "default"});
  controller().post(PauseIndexing{});
  auto s = wait([](const Snapshot& now) {
    return (now.indexing.running && now.indexing.paused) || (!now.library.collections.empty() && !now.indexing.running);
  });
  if (s->indexing.paused) {  // what was in work when it was paused is among what is listed
    wait([](const Snapshot& now) {
      const auto& rows = now.library.collections;
      return now.indexing.done == (rows.empty() ? 0 : static_cast<uint64_t>(rows[0].documents));
    });
  }
  controller().post(ResumeIndexing{});
  s = wait([](const Snapshot& now) {
    return !now.indexing.running && !now.library.collections.empty() && now.library.collections[0].documents == 400;
  });
  EXPECT_FALSE(s->indexing.paused);
}

TEST_F(ControllerTest, WhatWasPausedOrWaitedIsStillThereAtTheNextStart) {
  index();
  controller_.reset();
  fs::create_directories(folder_ / "more");
  write("more/one.md", "# One\n\nOne more.\n");
  {
    auto catalogue = other_catalogue();
    const std::string more = (folder_ / "more").string();
    const std::string docs = (folder_ / "docs").string();
    const std::deque<IndexRequest> requests = {{"default", {docs}, false, true}, {"later", {more}, false, true}};
    ASSERT_TRUE(catalogue->put_setting("window.unfinished_indexing", requests_to_json(requests)).ok());
    ASSERT_TRUE(catalogue->put_setting("indexing.paused", "true").ok());
  }
  controller();
  auto s = wait([](const Snapshot& now) { return now.indexing.paused; });
  EXPECT_FALSE(s->indexing.running);
  EXPECT_EQ(s->indexing.collection, "default");
  EXPECT_EQ(s->indexing.waiting, 1);
  controller().post(ResumeIndexing{});
  wait([](const Snapshot& now) {
    return !now.indexing.running && now.library.collections.size() == 2 && now.library.collections[1].documents == 1;
  });
  controller_.reset();
  EXPECT_FALSE(other_catalogue()->setting("window.unfinished_indexing")->has_value());
}

TEST_F(ControllerTest, ARunThatIsGivenUpKeepsWhatWasReadAndIsNotTakenUpAgain) {
  index();
  write("docs/new.md", "# New\n\nA new document.\n");
  hold_indexing_ = true;
  controller().post(Reindex{"default"});
  wait([](const Snapshot& s) { return s.indexing.running; });
  controller().post(PauseIndexing{});
  controller().post(GiveUpIndexing{});
  wait([](const Snapshot& s) {
    return std::any_of(s.notices.begin(), s.notices.end(),
                       [](const Notice& n) { return n.text.find("“default” was stopped") != n.text.npos; });
  });
  hold_indexing_ = false;
  auto s = wait([](const Snapshot& now) { return !now.indexing.running; });
  EXPECT_FALSE(s->indexing.paused);
  EXPECT_EQ(s->library.collections[0].documents, 2) << "what was read before stays, and no more is read";
  controller_.reset();
  EXPECT_FALSE(other_catalogue()->setting("window.unfinished_indexing")->has_value());
  EXPECT_FALSE(other_catalogue()->setting("indexing.paused")->has_value()) << "nothing is left that a pause could hold";
  // Who wants the rest after all gets it.
  controller().post(Reindex{"default"});
  wait([](const Snapshot& now) { return !now.indexing.running && now.library.collections[0].documents == 3; });
}

TEST_F(ControllerTest, WhatWasPausedIsGivenUpOneAfterTheOther) {
  index();
  controller_.reset();
  {
    auto catalogue = other_catalogue();
    const std::string docs = (folder_ / "docs").string();
    const std::deque<IndexRequest> requests = {{"default", {docs}, false, true}, {"later", {docs}, false, true}};
    ASSERT_TRUE(catalogue->put_setting("window.unfinished_indexing", requests_to_json(requests)).ok());
    ASSERT_TRUE(catalogue->put_setting("indexing.paused", "true").ok());
  }
  controller();
  wait([](const Snapshot& s) { return s.indexing.paused && s.indexing.collection == "default"; });
  controller().post(GiveUpIndexing{});
  wait([](const Snapshot& s) { return s.indexing.paused && s.indexing.collection == "later"; });
  controller().post(GiveUpIndexing{});
  const auto s = wait([](const Snapshot& now) { return !now.indexing.paused; });
  EXPECT_FALSE(s->indexing.running);
  EXPECT_EQ(s->library.collections.size(), 1u) << "nothing was begun";
  controller_.reset();
  EXPECT_FALSE(other_catalogue()->setting("window.unfinished_indexing")->has_value());
}

TEST_F(ControllerTest, ACollectionIsRemovedWhileItIsRead) {
  index();
  fs::create_directories(folder_ / "more");
  write("more/one.md", "# One\n\nOne more.\n");
  hold_indexing_ = true;
  controller().post(Reindex{"default"});
  wait([](const Snapshot& s) { return s.indexing.running; });
  for (int i = 0; i < 3; ++i) controller().post(Reindex{"default"});
  controller().post(AddFolder{(folder_ / "more").string(), "later"});
  wait([](const Snapshot& s) { return s.indexing.waiting == 2; });  // what waits already is not asked for again
  controller().post(DeleteCollection{"default"});
  wait([](const Snapshot& s) { return s.indexing.running && s.indexing.waiting == 1; });
  hold_indexing_ = false;
  auto s = wait([](const Snapshot& now) {
    const auto& rows = now.library.collections;
    return !now.indexing.running && rows.size() == 1 && rows[0].name == "later" && rows[0].documents == 1;
  });
  EXPECT_TRUE(std::none_of(s->notices.begin(), s->notices.end(), [](const Notice& n) { return n.is_error; }));
  controller_.reset();
  s = controller().snapshot();
  ASSERT_EQ(s->library.collections.size(), 1u);
  EXPECT_FALSE(s->indexing.running);
}

TEST_F(ControllerTest, RunsOfOtherProcessesAreSeenAndPaused) {
  index();
  auto other = other_catalogue();
  auto run = storage::FileEnv::posix().try_lock((folder_ / "home" / "indexing.lock").string());
  ASSERT_TRUE(run.ok());
  controller().post(LookAround{});
  wait([](const Snapshot& s) { return s.indexing.elsewhere && !s.indexing.paused; });
  controller().post(PauseIndexing{});
  wait([](const Snapshot& s) { return s.indexing.paused; });
  EXPECT_EQ(other->setting("indexing.paused")->value_or(""), "true");
  controller().post(ResumeIndexing{});
  wait([](const Snapshot& s) { return !s.indexing.paused; });
  EXPECT_FALSE(other->setting("indexing.paused")->has_value());
  run->reset();
  controller().post(LookAround{});
  wait([](const Snapshot& s) { return !s.indexing.elsewhere; });
}

TEST_F(ControllerTest, WhatOtherProcessesChangeIsShown) {
  index();
  ask("How long is the warranty?");
  const int64_t chat = controller().snapshot()->conversation.chat;
  // Looked at again and again, as the window does: what costs much is not done twice in a row.
  const auto look_until = [&](const std::function<bool(const Snapshot&)>& done) {
    wait([&](const Snapshot& s) {
      controller().post(LookAround{});
      return done(s);
    });
  };
  auto other = other_catalogue();
  ASSERT_TRUE(other->ensure_collection("letters").ok());
  ASSERT_TRUE(other->create_chat("Asked in a terminal").ok());
  storage::ModelRecord model;
  model.name = "large";
  model.kind = "language";
  model.path = (folder_ / "large.gguf").string();
  model.profile_json = "{}";
  ASSERT_TRUE(other->put_model(model).ok());
  look_until([](const Snapshot& s) { return s.library.collections.size() == 2 && s.chats->size() == 2; });
  look_until([](const Snapshot& s) {
    return std::any_of(s.models.begin(), s.models.end(), [](const ModelRow& row) { return row.name == "large"; });
  });
  const auto document =
      other->find_document(other->find_collection("default")->id, (folder_ / "docs/ferry.md").string());
  ASSERT_TRUE(document.ok() && document->has_value());
  ASSERT_TRUE(other->remove_document((*document)->id).ok());
  ASSERT_TRUE(other->delete_chat(static_cast<storage::ChatId>(chat)).ok());
  look_until([](const Snapshot& s) {
    return s.library.collections[0].documents == 1 && s.library.documents && s.library.documents->size() == 1 &&
           s.chats->size() == 1;
  });
}

TEST_F(ControllerTest, AChatThatAnotherProcessDeletedIsKeptAnewWhenItGoesOn) {
  index();
  ask("How long is the warranty?");
  const int64_t chat = controller().snapshot()->conversation.chat;
  ASSERT_TRUE(other_catalogue()->delete_chat(static_cast<storage::ChatId>(chat)).ok());
  ask("When does the ferry sail?");
  auto s = controller().snapshot();
  EXPECT_TRUE(s->notices.empty() || !s->notices.back().is_error) << s->notices.back().text;
  const int64_t anew = s->conversation.chat;
  EXPECT_NE(anew, chat);
  EXPECT_EQ(other_catalogue()->messages(static_cast<storage::ChatId>(anew))->size(), 4u);
  ASSERT_TRUE(other_catalogue()->delete_chat(static_cast<storage::ChatId>(anew)).ok());
  controller().post(RegenerateAnswer{});
  s = wait([&](const Snapshot& now) {
    return !now.conversation.answering && now.conversation.chat != anew && now.conversation.messages.size() == 4 &&
           now.conversation.messages.back()->id != 0;
  });
  EXPECT_EQ(other_catalogue()->messages(static_cast<storage::ChatId>(s->conversation.chat))->size(), 4u);
}

TEST_F(ControllerTest, FoldersAreListedForTheBuiltInBrowser) {
  write("docs/mini.gguf", "GGUF");
  write("docs/.hidden", "");
  fs::create_directories(folder_ / "docs" / "sub");
  const std::string docs = (folder_ / "docs").string();
  controller().post(ListFolder{docs, true});
  auto s = wait([](const Snapshot& now) { return now.folder != nullptr; });
  EXPECT_EQ(s->folder->entries, (std::vector<FolderView::Entry>{{"sub", true}, {"mini.gguf", false}}));
  EXPECT_TRUE(s->folder->error.empty());
  controller().post(ListFolder{docs, false});
  s = wait([](const Snapshot& now) { return !now.folder->with_models; });
  EXPECT_EQ(s->folder->entries.size(), 1u);
  controller().post(ListFolder{docs + "/nowhere", false});
  s = wait([](const Snapshot& now) { return !now.folder->error.empty(); });
  EXPECT_TRUE(s->folder->entries.empty());
  controller().post(ListFolder{docs + "/mini.gguf", true});
  s = wait([&](const Snapshot& now) { return now.folder->folder == docs + "/mini.gguf"; });
  EXPECT_TRUE(s->folder->error.empty()) << "a file can be taken itself";
  EXPECT_TRUE(s->folder->is_file);
  controller().post(ListFolder{docs + "/SU", false});
  s = wait([&](const Snapshot& now) { return now.folder->folder == docs + "/SU"; });
  EXPECT_EQ(s->folder->entries, (std::vector<FolderView::Entry>{{"sub", true}})) << "a name being typed";
  EXPECT_EQ(s->folder->within, docs);
  EXPECT_TRUE(s->folder->error.empty());
  controller().post(ListFolder{"docs", false});
  s = wait([&](const Snapshot& now) { return now.folder->folder == "docs"; });
  EXPECT_NE(s->folder->error.find("whole path"), std::string::npos) << "a name says nothing of where it is";
}

TEST(TypedPathTest, HomeSlashesAndSpacesAreUnderstood) {
  EXPECT_EQ(typed_path("~", "/home/a"), "/home/a");
  EXPECT_EQ(typed_path("~/Documents/", "/home/a"), "/home/a/Documents");
  EXPECT_EQ(typed_path(" /letters of 2030//\n", "/home/a"), "/letters of 2030");
  EXPECT_EQ(typed_path("/", "/home/a"), "/");
  EXPECT_EQ(typed_path("~other/x", "/home/a"), "~other/x");
  EXPECT_EQ(typed_path("  ", "/home/a"), "");
}

TEST_F(ControllerTest, OneDocumentIsReadAgain) {
  index();
  // The table comes after the counts that index() waits for.
  const auto first =
      wait([](const Snapshot& now) { return now.library.documents && now.library.documents->size() == 2; });
  const int64_t before = (*first->library.documents)[0].id;
  const std::string path((*first->library.documents)[0].path);
  controller().post(ReadAgain{path, true});
  auto s = wait([&](const Snapshot& now) {
    return !now.indexing.running && now.library.documents->size() == 2 && (*now.library.documents)[0].id != before &&
           (*now.library.documents)[1].id != before;
  });
  EXPECT_EQ(s->library.collections[0].roots.size(), 1u) << "a file read again is no folder of the collection";
}

TEST_F(ControllerTest, ARemovedDocumentIsToldOfAndComesBackByUndo) {
  index();
  const std::string path = (folder_ / "docs/ferry.md").string();
  controller().post(RemoveDocument{path});
  auto s = wait([](const Snapshot& now) { return now.library.documents && now.library.documents->size() == 1; });
  ASSERT_FALSE(s->notices.empty());
  const Notice notice = s->notices.back();
  EXPECT_NE(notice.text.find("“ferry.md” was removed"), std::string::npos) << notice.text;
  EXPECT_NE(notice.text.find(".mnemeignore"), std::string::npos);
  EXPECT_EQ(notice.action, NoticeAction::kReadAgain);
  controller().post(ReadAgain{notice.file, false, notice.collection});
  s = wait([](const Snapshot& now) { return !now.indexing.running && now.library.documents->size() == 2; });
  EXPECT_EQ(s->library.collections[0].roots.size(), 1u);
}

TEST_F(ControllerTest, AFolderThatWasMovedIsSaidAndTheOthersAreRead) {
  index();
  fs::create_directories(folder_ / "more");
  write("more/one.md", "# One\n\nOne more.\n");
  controller().post(AddFolder{(folder_ / "more").string(), "default"});
  wait([](const Snapshot& s) { return !s.indexing.running && s.library.collections[0].documents == 3; });
  fs::rename(folder_ / "docs", folder_ / "elsewhere");
  write("more/two.md", "# Two\n\nTwo more.\n");
  controller().post(Reindex{"default"});
  const auto s = wait([](const Snapshot& now) {
    return !now.indexing.running && now.library.collections[0].documents == 4;  // nothing of the moved one is lost
  });
  EXPECT_TRUE(std::any_of(s->notices.begin(), s->notices.end(), [&](const Notice& notice) {
    return notice.is_error && notice.text.find((folder_ / "docs").string()) != std::string::npos &&
           notice.text.find("moved") != std::string::npos;
  }));
}

TEST_F(ControllerTest, FilesThatWereMovedWithinTheirFolderAreCounted) {
  index();
  fs::create_directories(folder_ / "docs/archive");
  for (const char* name : {"warranty.md", "ferry.md"})
    fs::rename(folder_ / "docs" / name, folder_ / "docs/archive" / name);
  controller().post(Reindex{"default"});
  wait([](const Snapshot& now) {
    return std::any_of(now.notices.begin(), now.notices.end(), [](const Notice& n) {
      return n.text == "Indexing finished: 0 documents new or changed, 2 moved.";
    });
  });
}

TEST_F(ControllerTest, AFolderWithNothingToReadIsSaid) {
  fs::create_directories(folder_ / "empty");
  controller().post(AddFolder{(folder_ / "empty").string(), ""});
  const auto s = wait([](const Snapshot& now) { return !now.notices.empty() && !now.library.collections.empty(); });
  EXPECT_NE(s->notices.back().text.find("Nothing to read"), std::string::npos) << s->notices.back().text;
  EXPECT_EQ(s->library.collections[0].name, "empty") << "named after its folder";
}

TEST_F(ControllerTest, FailedFilesAreListedWithReasonsAndTriedAgain) {
  write("docs/broken.pdf", "%PDF-1.4 this is no PDF");
  controller().post(AddFolder{(folder_ / "docs").string(), "default"});
  auto s = wait([](const Snapshot& now) { return now.library.failed && now.library.failed->size() == 1; });
  EXPECT_NE((*s->library.failed)[0].error.find("broken.pdf"), std::string::npos);
  write("docs/broken.pdf", "now it is text");
  fs::rename(folder_ / "docs/broken.pdf", folder_ / "docs/mended.txt");
  controller().post(RetryFailed{"default"});
  wait([](const Snapshot& now) { return now.library.failed && now.library.failed->empty() && !now.indexing.running; });
}

TEST_F(ControllerTest, WhoWantsScansReadIsToldOfTheProgramThatDoesIt) {
  if (!readers::find_program("tesseract").empty()) GTEST_SKIP() << "tesseract is installed";
  write("docs/broken.pdf", "%PDF-1.4 this is no PDF");
  controller().post(AddFolder{(folder_ / "docs").string(), "default"});
  wait([](const Snapshot& now) { return now.library.failed && now.library.failed->size() == 1; });
  controller().post(RetryFailed{"default", true});
  wait([](const Snapshot& now) {
    return std::any_of(now.notices.begin(), now.notices.end(),
                       [](const Notice& n) { return n.is_error && n.text.find("tesseract-ocr") != std::string::npos; });
  });
}

TEST_F(ControllerTest, WhatIsAskedAboutIsThereAlsoAfterARestart) {
  index();
  SettingsView settings = controller().snapshot()->settings;
  settings.collection = "default";
  controller().post(ChangeSettings{settings});
  controller().post(SetCollectionLevel{"default", "exact"});
  controller().post(DeleteCollection{"default"});
  wait([](const Snapshot& s) { return s.library.collections.empty() && s.settings.collection.empty(); });
  controller_.reset();
  EXPECT_EQ(controller().snapshot()->settings.collection, "");
  index();
  EXPECT_EQ(controller().snapshot()->library.collections[0].kv_level, "") << "a new one of the same name";
  settings.collection = "gone";  // by another process
  controller().post(ChangeSettings{settings});
  controller_.reset();
  controller();
  wait([](const Snapshot& s) { return s.settings.collection.empty(); });
}

TEST_F(ControllerTest, WatchedFoldersFollowChanges) {
  index();
  controller().post(WatchCollection{"default", true});
  wait([](const Snapshot& s) { return s.library.collections[0].watched; });
  write("docs/third.md", "# Third\n\nOne more.\n");
  wait([](const Snapshot& s) { return s.library.collections[0].documents == 3; });
  controller().post(WatchCollection{"default", false});
  wait([](const Snapshot& s) { return !s.library.collections[0].watched; });
}

// A damaged file is not read once more because another one changed.
TEST_F(ControllerTest, WatchedFoldersKeepWhatFailedForGood) {
  write("docs/damaged.zip", "PK\x03\x04 and nothing else");
  fs::last_write_time(folder_ / "docs/damaged.zip", fs::file_time_type::clock::now() - std::chrono::hours(1));
  index();
  const auto failures = [&] {
    const auto catalogue = other_catalogue();
    return *catalogue->failures(catalogue->find_collection("default")->id);
  };
  const auto before = failures();
  ASSERT_EQ(before.size(), 1u);
  controller().post(WatchCollection{"default", true});
  wait([](const Snapshot& s) { return s.library.collections[0].watched; });
  write("docs/third.md", "# Third\n\nOne more.\n");
  wait([](const Snapshot& s) { return !s.indexing.running && s.library.collections[0].documents == 3; });
  ASSERT_EQ(failures().size(), 1u);
  EXPECT_EQ(failures()[0].failed_ms, before[0].failed_ms);
}

TEST_F(ControllerTest, QuotaAndLevelsAreKept) {
  index();
  controller().post(SetQuota{5'000'000'000});
  wait([](const Snapshot& s) { return s.library.kv_quota_bytes == 5'000'000'000; });
  controller().post(SetCollectionLevel{"default", "high"});
  wait([](const Snapshot& s) { return s.library.collections[0].kv_level == "high"; });
  controller_.reset();
  EXPECT_EQ(controller().snapshot()->library.collections[0].kv_level, "high");
  // The meter is looked at behind the library.
  wait([](const Snapshot& s) { return s.library.kv_quota_bytes == 5'000'000'000; });
}

TEST_F(ControllerTest, WhatALoweredQuotaTakesIsCounted) {
  index();
  {
    const auto store =
        storage::ChunkStore::open({.roots = {(folder_ / "home" / "kv").string()}, .quota_bytes = 1 << 30});
    ASSERT_TRUE(store.ok()) << store.status().message();
    const std::vector<std::byte> layer(1000);
    const std::vector<ByteSpan> layers = {layer};
    storage::ChunkFileInfo info;
    info.token_ids = {1, 2, 3};
    ASSERT_TRUE((*store)->put(info, layers).ok());
  }
  controller().post(SetQuota{1});
  wait([](const Snapshot& s) { return s.library.kv_evictions == 1; });
}

}  // namespace
}  // namespace mneme::ui
