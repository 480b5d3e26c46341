// What is forgotten leaves no trace, and nothing else goes with it.
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/chat_scrubbing.h"
#include "storage/catalogue/earlier_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "catalogue_bed.h"

namespace mneme::storage {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

TEST_F(CatalogueTest, ForgettingLeavesNoTraceInTheFiles) {
  put("/keep/a.txt", {"ordinary words", "shared passage"});
  put("/secret/a.txt", {"the xylophonist keeps a quasar", "shared passage"});
  const auto forgotten = catalogue_->forget("/secret");
  ASSERT_TRUE(forgotten.ok()) << forgotten.status().message();
  EXPECT_EQ(forgotten->documents, 1);
  EXPECT_EQ(forgotten->chunks, 2);
  EXPECT_THAT(forgotten->text_hashes, ElementsAre(xxh3_128(as_bytes("the xylophonist keeps a quasar"))));
  for (const char* suffix : {"", "-wal"}) {
    const std::string bytes = file_content(database_path() + suffix);
    for (const char* word : {"xylophonist", "quasar", "/secret"}) {
      EXPECT_EQ(bytes.find(word), std::string::npos) << word << " is still in catalog.db" << suffix;
    }
  }
  EXPECT_EQ(forgotten->trace, Catalogue::Trace::kNamed);
  // Caches may hold more of it until the caller says otherwise.
  EXPECT_EQ(*catalogue_->trace_of("/secret"), Catalogue::Trace::kLeftovers);
  ASSERT_TRUE(catalogue_->note_overwritten(*forgotten).ok());
  EXPECT_EQ(*catalogue_->trace_of("/secret"), Catalogue::Trace::kNone);
  EXPECT_EQ(found("ordinary").size(), 1u);
  expect_clean();
}

// A folder beside the file that is called like it, with a "!" behind, holds no members of it.
TEST_F(CatalogueTest, ForgettingLeavesAFolderThatIsOnlyCalledLikeAnArchivesMembers) {
  using Members = Catalogue::Members;
  put("/docs/a", {"the file itself"});
  put("/docs/a!/b.txt", {"of a folder with a strange name"});
  ASSERT_TRUE(catalogue_->record_failure({.collection = collection_, .path = "/docs/a!/c.pdf", .error = "bad"}).ok());
  EXPECT_EQ(*catalogue_->trace_of("/docs/a!", Members::kOthers), Catalogue::Trace::kNamed);
  EXPECT_EQ(catalogue_->forget("/docs/a", Members::kOthers)->documents, 1);
  EXPECT_EQ(found("strange").size(), 1u);
  EXPECT_EQ(catalogue_->failures(collection_)->size(), 1u);
  EXPECT_EQ(*catalogue_->trace_of("/docs/a", Members::kOthers), Catalogue::Trace::kLeftovers);
  EXPECT_EQ(catalogue_->forget("/docs/a")->documents, 1);
  EXPECT_TRUE(found("strange").empty());
}

TEST_F(CatalogueTest, JobsOfATextThatWasForgottenMeanwhileAreNotTaken) {
  put("/keep/a.txt", {"kept"});
  put("/secret/a.txt", {"secret"});
  const auto job = [](const std::string& text) {
    return JobRecord{
        .kind = "kv", .key = text, .payload_json = R"({"text_hash":")" + xxh3_128(as_bytes(text)).hex() + "\"}"};
  };
  const int64_t before = *catalogue_->times_forgotten();
  ASSERT_TRUE(catalogue_->forget("/secret").ok());
  EXPECT_EQ(*catalogue_->times_forgotten(), before + 1);
  const std::vector<JobRecord> jobs{job("kept"), job("secret")};
  ASSERT_TRUE(catalogue_->enqueue_jobs(jobs, before).ok());
  EXPECT_EQ(catalogue_->job_counts()->front().pending, 1);
  // Whose texts were read since: of files that are not indexed, say.
  ASSERT_TRUE(catalogue_->enqueue_jobs(jobs, before + 1).ok());
  EXPECT_EQ(catalogue_->job_counts()->front().pending, 2);
}

// Whoever mistypes a path loses nothing, not even time.
TEST_F(CatalogueTest, ForgettingWhatWasNeverThereTouchesNothing) {
  put("/keep/a.txt", {"ordinary words"});
  const std::string backup = database_path() + ".v1.bak";
  ASSERT_TRUE(catalogue_->compact().ok());
  std::filesystem::copy_file(database_path(), backup);
  const std::string before = file_content(database_path()) + file_content(database_path() + "-wal");
  for (const char* path : {"/kep", "/keep/a.tx", "/keep/a.txt.bak", "/kee", "/keep/a.txt/x"}) {
    EXPECT_EQ(*catalogue_->trace_of(path), Catalogue::Trace::kNone) << path;
    const auto forgotten = catalogue_->forget(path);
    ASSERT_TRUE(forgotten.ok()) << forgotten.status().message();
    EXPECT_EQ(forgotten->trace, Catalogue::Trace::kNone);
  }
  EXPECT_EQ(file_content(database_path()) + file_content(database_path() + "-wal"), before);
  EXPECT_EQ(file_content(backup).size(), file_content(database_path()).size());
  for (const char* suffix : {"-wal", "-shm", "-journal"}) EXPECT_FALSE(std::filesystem::exists(backup + suffix));
}

TEST_F(CatalogueTest, EveryKindOfTraceOfAPathIsFound) {
  using Trace = Catalogue::Trace;
  const DocumentId id = put("/a/one.txt", {"ordinary words"});
  ASSERT_TRUE(catalogue_->add_root(collection_, "/b").ok());
  ASSERT_TRUE(catalogue_->record_failure({.collection = collection_, .path = "/c/bad.pdf", .error = "damaged"}).ok());
  const ChatId chat = *catalogue_->create_chat("talk");
  const auto say = [&](const std::string& details) {
    ASSERT_TRUE(catalogue_->append_message({.chat = chat, .role = "assistant", .details_json = details}).ok());
  };
  say(R"({"citations":[{"document":"/d/cited.txt"}]})");
  say(R"({"sources":[{"document":"/e/shown.zip!/member.txt"}]})");
  say("not JSON");
  for (const char* path : {"/a", "/a/one.txt", "/a/", "/b", "/c/bad.pdf", "/d/cited.txt", "/e/shown.zip", "/e"}) {
    EXPECT_EQ(*catalogue_->trace_of(path), Trace::kNamed) << path;
  }
  EXPECT_EQ(*catalogue_->trace_of("/a/one"), Trace::kNone);
  // In a backup alone: the file moved, or was removed, since.
  ASSERT_TRUE(catalogue_->compact().ok());
  std::filesystem::copy_file(database_path(), database_path() + ".v1.bak");
  ASSERT_TRUE(catalogue_->remove_document(id).ok());
  EXPECT_EQ(*catalogue_->trace_of("/a/one.txt"), Trace::kNamed);
  EXPECT_EQ(*catalogue_->trace_of("/a/two.txt"), Trace::kLeftovers);
  const auto forgotten = catalogue_->forget("/a/one.txt");
  ASSERT_TRUE(forgotten.ok()) << forgotten.status().message();
  EXPECT_FALSE(std::filesystem::exists(database_path() + ".v1.bak"));
  ASSERT_TRUE(catalogue_->note_overwritten(*forgotten).ok());
  EXPECT_EQ(*catalogue_->trace_of("/a/one.txt"), Trace::kNone);
  EXPECT_EQ(catalogue_->trace_of("").status().code(), StatusCode::kUsage);
}

// A file may be gone from the catalogue when the user thinks of forgetting it, or a call may have been cut off.
TEST_F(CatalogueTest, ForgettingWhatWasRemovedEarlierOverwritesItToo) {
  put("/keep/a.txt", {"ordinary words"});
  const DocumentId id = put("/secret/a.txt", {"the xylophonist keeps a quasar"});
  const std::string backup = database_path() + ".v1.bak";
  std::ofstream(backup) << "the xylophonist of an older schema";
  ASSERT_TRUE(catalogue_->remove_document(id).ok());
  ASSERT_TRUE(catalogue_->forget("/secret").ok());
  for (const char* suffix : {"", "-wal"}) {
    const std::string bytes = file_content(database_path() + suffix);
    for (const char* word : {"xylophonist", "quasar", "/secret"}) {
      EXPECT_EQ(bytes.find(word), std::string::npos) << word << " is still in catalog.db" << suffix;
    }
  }
  EXPECT_FALSE(std::filesystem::exists(backup));
  EXPECT_EQ(found("ordinary").size(), 1u);
  expect_clean();
}

// A job for a KV cache carries the tokens of its text.
TEST_F(CatalogueTest, ForgettingTakesWaitingJobsOfTheText) {
  put("/keep/a.txt", {"ordinary words"});
  put("/secret/a.txt", {"the xylophonist keeps a quasar"});
  const auto job = [](const std::string& key, const std::string& text) {
    const std::string hash = text.empty() ? "" : xxh3_128(as_bytes(text)).hex();
    return JobRecord{.kind = "kv", .key = key, .payload_json = R"({"text_hash":")" + hash + R"(","tokens":[7,8,9]})"};
  };
  const std::vector<JobRecord> jobs = {job("kept", "ordinary words"),
                                       job("secret", "the xylophonist keeps a quasar"),
                                       job("of nobody", ""),
                                       {.kind = "other", .key = "x", .payload_json = "not JSON"}};
  ASSERT_TRUE(catalogue_->enqueue_jobs(jobs).ok());
  ASSERT_TRUE(catalogue_->forget("/secret").ok());
  std::vector<std::string> left;
  for (const char* kind : {"kv", "other"}) {
    while (true) {
      const auto next = catalogue_->claim_job(kind, 60'000);
      ASSERT_TRUE(next.ok()) << next.status().message();
      if (!next->has_value()) break;
      left.push_back((*next)->key);
    }
  }
  EXPECT_THAT(left, UnorderedElementsAre("kept", "of nobody", "x"));
}

TEST_F(CatalogueTest, ForgettingTakesAnswersThatMayComeFromTheFile) {
  put("/keep/a.txt", {"ordinary words"});
  put("/secret/a.txt", {"the xylophonist keeps a quasar"});
  const ChatId chat = *catalogue_->create_chat("talk");
  const auto say = [&](const std::string& text, const std::string& details) {
    ASSERT_TRUE(
        catalogue_->append_message({.chat = chat, .role = "assistant", .text = text, .details_json = details}).ok());
  };
  const std::string both = R"("sources":[{"document":"/keep/a.txt","text":"ordinary words"},)"
                           R"({"document":"/secret/a.txt","text":"the xylophonist keeps a quasar"}])";
  say("cites the secret", R"({"citations":[{"document":"/secret/a.txt"}],)" + both + "}");
  say("cites the other", R"({"citations":[{"document":"/keep/a.txt"}],)" + both + "}");
  say("cites nothing", R"({"citations":[],)" + both + "}");
  say("was shown nothing", "{}");
  const auto forgotten = catalogue_->forget("/secret");
  ASSERT_TRUE(forgotten.ok()) << forgotten.status().message();
  EXPECT_EQ(forgotten->messages, 2);
  const auto messages = catalogue_->messages(chat);
  ASSERT_TRUE(messages.ok());
  ASSERT_EQ(messages->size(), 4u);
  EXPECT_THAT((*messages)[0].text, HasSubstr("forgotten"));
  EXPECT_EQ((*messages)[1].text, "cites the other");
  EXPECT_THAT((*messages)[1].details_json, HasSubstr("ordinary words"));
  EXPECT_THAT((*messages)[2].text, HasSubstr("forgotten"));
  EXPECT_EQ((*messages)[3].text, "was shown nothing");
  for (const MessageRecord& message : *messages) EXPECT_EQ(message.details_json.find("quasar"), std::string::npos);
}

// As `ask --json` names a passage.
std::string source(const std::string& document, const std::string& uid, const std::string& text) {
  return R"({"document":")" + document + R"(","chunk":")" + uid + R"(","cited":true,"text":")" + text + "\"}";
}

class ChatScrubbingTest : public CatalogueTest {
 protected:
  void SetUp() override {
    CatalogueTest::SetUp();
    chat_ = *catalogue_->create_chat("talk");
  }
  // An answer from the first passage of a document, under another path if need be.
  void answer_from(DocumentId document, const std::string& path) {
    const ChunkRecord chunk = catalogue_->document_chunks(document)->front();
    say(source(path, chunk.uid, chunk.text));
  }
  void say(const std::string& source) {
    const std::string details = R"({"reasoning":"quasar","citations":[)" + source + R"(],"sources":[)" + source + "]}";
    ASSERT_TRUE(
        catalogue_
            ->append_message({.chat = chat_, .role = "assistant", .text = "said of a quasar", .details_json = details})
            .ok());
  }
  // How many answers went; none that stays tells of it.
  int64_t forget(const std::string& path) {
    const auto forgotten = catalogue_->forget(path);
    EXPECT_TRUE(forgotten.ok()) << forgotten.status().message();
    return forgotten.ok() ? forgotten->messages : -1;
  }
  bool file_tells_of(const std::string& word) const {
    return (file_content(database_path()) + file_content(database_path() + "-wal")).find(word) != std::string::npos;
  }
  ChatId chat_{};
};

TEST_F(ChatScrubbingTest, ForgettingTakesAnswersThatKnowTheFileByAnEarlierName) {
  const DocumentId document = put("/old/a.txt", {"the xylophonist keeps a quasar"});
  answer_from(document, "/old/a.txt");
  ASSERT_TRUE(catalogue_->move_document(document, "/new/a.txt", "", {}).ok());
  EXPECT_EQ(forget("/new"), 1);
  EXPECT_FALSE(file_tells_of("quasar"));
}

// What the chat was shown is in no file any more, so that its name alone tells where it came from.
TEST_F(ChatScrubbingTest, ForgettingTakesAnswersOfAFileThatWasRenamedAndEdited) {
  answer_from(put("/old/a.txt", {"the xylophonist keeps a quasar"}), "/old/a.txt");
  chat_ = *catalogue_->create_chat("another");
  say(source("/keep/b.txt", "1", "ordinary words"));
  const std::vector<MovedFile> moves = {{"/old/a.txt", "/between/b.txt"}, {"/between/b.txt", "/new/c.txt"}};
  for (const MovedFile& move : moves) {
    const auto [key, json] = setting_of_moves({&move, 1});
    ASSERT_TRUE(catalogue_->put_setting(key, json).ok());
  }
  ASSERT_TRUE(catalogue_->remove_document(catalogue_->find_document(collection_, "/old/a.txt")->value().id).ok());
  put("/new/c.txt", {"other words"});
  EXPECT_EQ(forget("/new/c.txt"), 1);
  for (const char* name : {"/old/", "/between/", "/new/"}) EXPECT_FALSE(file_tells_of(name)) << name;
  EXPECT_EQ(catalogue_->messages(chat_)->back().text, "said of a quasar") << "of another file";
}

TEST_F(ChatScrubbingTest, AFileThatLeftTheIndexIsFoundByTheNameItHadLast) {
  answer_from(put("/old/a.txt", {"the xylophonist keeps a quasar"}), "/old/a.txt");
  const MovedFile move{"/old/a.txt", "/new/a.txt"};
  const auto [key, json] = setting_of_moves({&move, 1});
  ASSERT_TRUE(catalogue_->put_setting(key, json).ok());
  ASSERT_TRUE(catalogue_->remove_document(catalogue_->find_document(collection_, "/old/a.txt")->value().id).ok());
  EXPECT_EQ(*catalogue_->trace_of("/new"), Catalogue::Trace::kNamed);
  EXPECT_EQ(forget("/new"), 1);
  EXPECT_FALSE(file_tells_of("quasar"));
}

// The file stays where it went; where it came from is what is to be forgotten.
TEST_F(ChatScrubbingTest, ForgettingTakesTheNameThatAFileHadBefore) {
  put("/keep/b.txt", {"ordinary words"});
  const std::vector<MovedFile> moves = {{"/secret/a.txt", "/keep/b.txt"}, {"/keep/c.txt", "/keep/d.txt"}};
  const auto [key, json] = setting_of_moves(moves);
  ASSERT_TRUE(catalogue_->put_setting(key, json).ok());
  EXPECT_EQ(*catalogue_->trace_of("/secret"), Catalogue::Trace::kNamed);
  EXPECT_EQ(forget("/secret"), 0);
  EXPECT_FALSE(file_tells_of("/secret/"));
  EXPECT_TRUE(file_tells_of("/keep/d.txt")) << "that of others";
  EXPECT_TRUE(catalogue_->find_document(collection_, "/keep/b.txt")->has_value());
}

TEST_F(ChatScrubbingTest, AnEarlierNameThatAnotherFileHasNowIsThatOnes) {
  answer_from(put("/docs/a.txt", {"the xylophonist keeps a quasar"}), "/docs/a.txt");
  const std::vector<MovedFile> moves = {{"/docs/a.txt", "/docs/b.txt"}, {"/x/\xff", "/x/c"}};
  const auto [key, json] = setting_of_moves(moves);
  EXPECT_EQ(json, R"([["/docs/a.txt","/docs/b.txt"]])");
  ASSERT_TRUE(catalogue_->put_setting(key, json).ok());
  ASSERT_TRUE(catalogue_->put_setting("moved.odd", R"([1,["a"],{"b":2}])").ok());
  EXPECT_EQ(forget("/docs/b.txt"), 0);
  EXPECT_TRUE(catalogue_->settings("moved.")->size() == 1) << "that of no use";
  EXPECT_EQ(forget("/docs/a.txt"), 1);
}

// As it is with a title that is the file's name.
TEST_F(ChatScrubbingTest, ForgettingTakesAnswersOfAFileThatWasReadAnewUnderAnotherName) {
  const DocumentId document = put("/old/a.txt", {"the xylophonist keeps a quasar"});
  answer_from(document, "/old/a.txt");
  ASSERT_TRUE(catalogue_->remove_document(document).ok());
  put("/new/b.txt", {"the xylophonist keeps a quasar"});
  EXPECT_EQ(forget("/new/b.txt"), 1);
  EXPECT_FALSE(file_tells_of("quasar"));
}

// JSON holds no name that is not UTF-8.
TEST_F(ChatScrubbingTest, ForgettingTakesAnswersOfFilesWithNamesOfAnotherEncoding) {
  const DocumentId document = put("/docs/caf\xE9.txt", {"the xylophonist keeps a quasar"});
  answer_from(document, "/docs/caf\xEF\xBF\xBD.txt");
  EXPECT_EQ(forget("/docs/caf\xE9.txt"), 1);
  EXPECT_FALSE(file_tells_of("quasar"));
}

// Who asks about a page is shown what is on it.
TEST(TextsByPage, AreThoseBetweenTheMarks) {
  const auto hashes = [](const std::vector<std::string_view>& texts) {
    std::vector<Hash128> all;
    for (const std::string_view text : texts) all.push_back(xxh3_128(as_bytes(text)));
    return all;
  };
  EXPECT_EQ(texts_by_page("one two three", "4:2 8:3"), hashes({"one ", "two ", "three"}));
  EXPECT_EQ(texts_by_page("one two", "0:2 7:3"), hashes({"", "one two", ""}));
  EXPECT_TRUE(texts_by_page("one two", "").empty());
  // What cannot be a mark ends them.
  EXPECT_EQ(texts_by_page("one two three", "4:2 3:3"), hashes({"one ", "two three"}));
  EXPECT_EQ(texts_by_page("one two three", "4:2 99:3"), hashes({"one ", "two three"}));
  EXPECT_EQ(texts_by_page("one two three", "x"), hashes({"one two three"}));
}

TEST_F(ChatScrubbingTest, ForgettingTakesAnswersFromOnePageOfAPassage) {
  NewDocument letter = make_document(collection_, "/new/a.pdf", {"first a quasar, last"});
  letter.chunks[0].page = 3;
  letter.chunks[0].page_marks = "6:4 14:5";
  ASSERT_TRUE(catalogue_->put_document(letter).ok());
  say(source("/old/a.pdf", "0000000000000000", "a quasar"));
  say(source("/old/a.pdf", "0000000000000000", ", last"));
  EXPECT_EQ(forget("/new/a.pdf"), 2);
  EXPECT_FALSE(file_tells_of("quasar"));
}

TEST_F(ChatScrubbingTest, AnswersFromAFileThatStaysAndHoldsTheSameWordsStay) {
  const DocumentId kept = put("/keep/a.txt", {"the xylophonist keeps a quasar"});
  put("/secret/a.txt", {"the xylophonist keeps a quasar"});
  answer_from(kept, "/keep/a.txt");
  EXPECT_EQ(forget("/secret"), 0);
  EXPECT_EQ(catalogue_->messages(chat_)->front().text, "said of a quasar");
  EXPECT_THAT(catalogue_->messages(chat_)->front().details_json, HasSubstr("xylophonist"));
}

// A model reads the conversation so far, and may cite what it did not take its words from.
TEST_F(ChatScrubbingTest, ForgettingTakesAnswersThatRepeatWhatTheFileSaid) {
  put("/secret/a.txt", {"The code of the vault is 7741."});
  put("/keep/b.txt", {"The crane in the harbour is green."});
  const auto append = [&](const std::string& role, const std::string& text, const std::string& sources,
                          const std::string& more = "") {
    const std::string details =
        role == "user" ? "{}" : R"({"citations":[{"document":"/keep/b.txt"}],"sources":[)" + sources + "]" + more + "}";
    ASSERT_TRUE(catalogue_->append_message({.chat = chat_, .role = role, .text = text, .details_json = details}).ok());
  };
  const std::string crane = source("/keep/b.txt", "1", "The crane in the harbour is green.");
  const std::string vault = R"({"document":"/secret/a.txt","cited":false,"text":"The code of the vault is 7741."})";
  append("user", "What is the code of the vault?", "");
  append("assistant", "It is green [1].", crane);
  append("assistant", "It is 7741 [1].", crane + "," + vault);  // cites the other
  append("user", "And of the crane?", "");
  append("assistant", "The crane is green, its code 7741 [1].", crane);
  append("assistant", "The crane is green [1].", crane, R"(,"query":"crane code 7741")");
  append("assistant", "The vault has a code [1].", crane);  // as the user said himself
  EXPECT_EQ(forget("/secret"), 2);
  EXPECT_FALSE(file_tells_of("7741"));
  const auto messages = catalogue_->messages(chat_);
  ASSERT_EQ(messages->size(), 7u);
  EXPECT_EQ((*messages)[1].text, "It is green [1].");
  EXPECT_THAT((*messages)[2].text, HasSubstr("forgotten"));
  EXPECT_THAT((*messages)[4].text, HasSubstr("forgotten"));
  EXPECT_EQ((*messages)[5].text, "The crane is green [1].");
  EXPECT_THAT((*messages)[5].details_json, HasSubstr("harbour"));
  EXPECT_EQ((*messages)[6].text, "The vault has a code [1].");
}

// What a file that stays was shown with is no echo of the forgotten one, nor is what was said before that one came up.
TEST_F(ChatScrubbingTest, AnswersInWordsOfFilesThatStayStay) {
  put("/secret/a.txt", {"The lamp burns whale oil."});
  put("/keep/b.txt", {"The lamp hangs over the quay."});
  const std::string lamp = R"({"document":"/keep/b.txt","text":"The lamp hangs over the quay."})";
  const std::string oil = R"({"document":"/secret/a.txt","text":"The lamp burns whale oil."})";
  const auto answer = [&](const std::string& text, const std::string& sources) {
    const std::string details = R"({"citations":[{"document":"/keep/b.txt"}],"sources":[)" + sources + "]}";
    ASSERT_TRUE(
        catalogue_->append_message({.chat = chat_, .role = "assistant", .text = text, .details_json = details}).ok());
  };
  answer("Whale boats come in spring.", "");
  answer("It hangs there [1].", lamp + "," + oil);
  answer("The lamp hangs there [1].", lamp);
  answer("The lamp burns there [1].", lamp);
  answer("A lamp hangs on whale boats [1].", lamp);  // as was said at first
  EXPECT_EQ(forget("/secret"), 1);
  const auto messages = catalogue_->messages(chat_);
  ASSERT_EQ(messages->size(), 5u);
  EXPECT_EQ((*messages)[0].text, "Whale boats come in spring.");
  EXPECT_EQ((*messages)[1].text, "It hangs there [1].");
  EXPECT_EQ((*messages)[2].text, "The lamp hangs there [1].");
  EXPECT_THAT((*messages)[3].text, HasSubstr("forgotten"));
  EXPECT_EQ((*messages)[4].text, "A lamp hangs on whale boats [1].");
}

// `encryption on` or a migration that was killed while it overwrote a file.
TEST_F(CatalogueTest, ForgettingTakesLogsThatAKilledProgramWasAboutToOverwrite) {
  put("/secret/a.txt", {"the xylophonist keeps a quasar"});
  const std::string dead = database_path() + "-wal.tmp-2000000000-1";
  const std::string others = home_.path() + "/letter.tmp-2000000000-1";
  for (const std::string& path : {dead, others}) std::ofstream(path) << "a quasar";
  ASSERT_TRUE(catalogue_->forget("/secret").ok());
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_TRUE(std::filesystem::exists(others));
}

}  // namespace
}  // namespace mneme::storage
