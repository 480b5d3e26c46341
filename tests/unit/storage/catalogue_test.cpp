#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/page_checksums.h"

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
#include <thread>

#include "base/random.h"
#include "temporary_home.h"

namespace mneme::storage {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

NewDocument make_document(CollectionId collection, const std::string& path, const std::vector<std::string>& texts) {
  NewDocument document;
  document.record.collection = collection;
  document.record.path = path;
  document.record.title = "Title of " + path;
  document.record.format = "text";
  document.record.size_bytes = 100;
  document.record.mtime_ns = 42;
  document.record.content_hash = xxh3_128(as_bytes(path));
  uint64_t offset = 0;
  for (const std::string& text : texts) {
    NewChunk chunk;
    chunk.byte_begin = offset;
    chunk.byte_end = offset += text.size();
    chunk.line_begin = 1;
    chunk.line_end = 2;
    chunk.n_tokens = 10;
    chunk.heading_path = "Guide > Install";
    chunk.text = text;
    document.chunks.push_back(chunk);
  }
  document.embeddings = {"hashed-1", 4, {}};
  for (size_t i = 0; i < texts.size() * 4; ++i) document.embeddings.values.push_back(0.25f * static_cast<float>(i));
  return document;
}

class CatalogueTest : public ::testing::Test {
 protected:
  void SetUp() override { open(); }
  void open() {
    auto opened = Catalogue::open({.path = database_path()});
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    catalogue_ = std::move(opened).value();
    auto collection = catalogue_->ensure_collection("default");
    ASSERT_TRUE(collection.ok()) << collection.status().message();
    collection_ = *collection;
  }
  std::string database_path() const { return home_.path() + "/catalog.db"; }
  DocumentId put(const std::string& path, const std::vector<std::string>& texts) {
    auto id = catalogue_->put_document(make_document(collection_, path, texts));
    EXPECT_TRUE(id.ok()) << id.status().message();
    return id.ok() ? *id : DocumentId{};
  }
  std::vector<std::string> found(const std::string& query, int limit = 10) {
    auto hits = catalogue_->search_lexical(query, {}, limit);
    EXPECT_TRUE(hits.ok()) << hits.status().message();
    std::vector<std::string> texts;
    if (!hits.ok()) return texts;
    for (const LexicalHit& hit : *hits) texts.push_back(catalogue_->chunk(hit.chunk)->text);
    return texts;
  }
  void expect_clean() {
    auto check = catalogue_->check(false);
    ASSERT_TRUE(check.ok()) << check.status().message();
    for (const auto& problem : check->problems) ADD_FAILURE() << problem.path << ": " << problem.detail;
  }

  TemporaryHome home_;
  std::unique_ptr<Catalogue> catalogue_;
  CollectionId collection_{};
};

TEST_F(CatalogueTest, KeepsADocumentWithAllItsParts) {
  NewDocument document = make_document(collection_, "/docs/a.txt", {"first passage", "second passage"});
  document.record.author = "Ada";
  document.text = "extracted";
  const auto id = catalogue_->put_document(document);
  ASSERT_TRUE(id.ok()) << id.status().message();
  open();  // another process would see the same
  const auto record = catalogue_->document(*id);
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->path, "/docs/a.txt");
  EXPECT_EQ(record->author, "Ada");
  EXPECT_EQ(record->n_chunks, 2);
  EXPECT_EQ(record->n_tokens, 20);
  EXPECT_EQ(record->text_bytes, 27u);
  EXPECT_EQ(record->content_hash, document.record.content_hash);
  EXPECT_EQ(**catalogue_->document_text(*id), "extracted");
  const auto chunks = catalogue_->document_chunks(*id);
  ASSERT_EQ(chunks->size(), 2u);
  EXPECT_EQ((*chunks)[1].text, "second passage");
  EXPECT_EQ((*chunks)[1].byte_begin, 13u);
  EXPECT_EQ((*chunks)[1].heading_path, "Guide > Install");
  const auto by_uid = catalogue_->chunk_by_uid((*chunks)[1].uid);
  ASSERT_TRUE(by_uid.ok());
  EXPECT_EQ(by_uid->id, (*chunks)[1].id);
  std::vector<float> values;
  ASSERT_TRUE(catalogue_
                  ->for_each_embedding(collection_, "hashed-1", ChunkId{},
                                       [&](ChunkId, std::span<const float> vector) {
                                         values.insert(values.end(), vector.begin(), vector.end());
                                         return true;
                                       })
                  .ok());
  EXPECT_EQ(values, document.embeddings.values);
  expect_clean();
}

TEST_F(CatalogueTest, ReplacingKeepsTheDocumentsIdAndLeavesNothingOfTheOldText) {
  const DocumentId first = put("/docs/a.txt", {"zebras graze", "lions sleep", "owls hoot"});
  const auto revision = catalogue_->collection_revision(collection_);
  EXPECT_EQ(put("/docs/a.txt", {"penguins swim"}), first);
  EXPECT_GT(*catalogue_->collection_revision(collection_), *revision);
  EXPECT_TRUE(found("zebras").empty());
  EXPECT_THAT(found("penguin"), ElementsAre("penguins swim"));
  EXPECT_EQ(catalogue_->document_chunks(first)->size(), 1u);
  EXPECT_EQ(*catalogue_->n_chunks(), 1);
  expect_clean();
}

TEST_F(CatalogueTest, RemovedDocumentsAreGoneFromEverywhere) {
  const DocumentId id = put("/docs/a.txt", {"zebras graze"});
  put("/docs/b.txt", {"lions sleep"});
  const ChunkId chunk = catalogue_->document_chunks(id)->front().id;
  ASSERT_TRUE(catalogue_->remove_document(id).ok());
  EXPECT_EQ(catalogue_->remove_document(id).code(), StatusCode::kNotFound);
  EXPECT_EQ(catalogue_->chunk(chunk).status().code(), StatusCode::kNotFound);
  EXPECT_TRUE(found("zebras").empty());
  EXPECT_TRUE(catalogue_->embeddings("hashed-1", std::vector{chunk})->empty());
  expect_clean();
}

TEST_F(CatalogueTest, ChunkIdsAreNeverReused) {
  const DocumentId id = put("/docs/a.txt", {"one"});
  const ChunkId old_chunk = catalogue_->document_chunks(id)->front().id;
  ASSERT_TRUE(catalogue_->remove_document(id).ok());
  const DocumentId next = put("/docs/b.txt", {"two"});
  EXPECT_GT(catalogue_->document_chunks(next)->front().id, old_chunk);
}

TEST_F(CatalogueTest, ListsByFolderWithoutItsNeighbours) {
  put("/docs/a.txt", {"x"});
  put("/docs/sub/b.txt", {"x"});
  put("/docs2/c.txt", {"x"});
  put("/docs.txt", {"x"});
  const auto paths = [&](const char* prefix) {
    std::vector<std::string> all;
    const auto records = catalogue_->list_documents(collection_, prefix);
    for (const auto& record : *records) all.push_back(record.path);
    return all;
  };
  EXPECT_THAT(paths("/docs"), ElementsAre("/docs/a.txt", "/docs/sub/b.txt"));
  EXPECT_THAT(paths("/docs/"), ElementsAre("/docs/a.txt", "/docs/sub/b.txt"));
  EXPECT_THAT(paths("/docs/a.txt"), ElementsAre("/docs/a.txt"));
  EXPECT_EQ(paths("").size(), 4u);
  EXPECT_EQ(paths("/").size(), 4u);
  EXPECT_EQ(catalogue_->document_states(collection_, "/docs")->size(), 2u);
}

TEST_F(CatalogueTest, MovesWhereNoOtherStands) {
  const DocumentId id = put("/docs/a.txt", {"text"});
  put("/docs/b.txt", {"text"});
  EXPECT_EQ(catalogue_->move_document(id, "/docs/b.txt", 1).code(), StatusCode::kUsage);
  ASSERT_TRUE(catalogue_->move_document(id, "/docs/c.txt", 7).ok());
  EXPECT_EQ(catalogue_->document(id)->path, "/docs/c.txt");
  EXPECT_FALSE(catalogue_->find_document(collection_, "/docs/a.txt")->has_value());
}

TEST_F(CatalogueTest, SearchRespectsCollections) {
  const CollectionId other = *catalogue_->ensure_collection("other");
  put("/docs/a.txt", {"the zebra"});
  ASSERT_TRUE(catalogue_->put_document(make_document(other, "/docs/a.txt", {"another zebra"})).ok());
  EXPECT_EQ(catalogue_->search_lexical("zebra", {}, 10)->size(), 2u);
  EXPECT_EQ(catalogue_->search_lexical("zebra", std::vector{other}, 10)->size(), 1u);
  ASSERT_TRUE(catalogue_->delete_collection(other).ok());
  EXPECT_EQ(catalogue_->search_lexical("zebra", {}, 10)->size(), 1u);
  EXPECT_EQ(catalogue_->find_collection("other").status().code(), StatusCode::kNotFound);
  expect_clean();
}

TEST_F(CatalogueTest, FindsWordsInEveryScript) {
  put("/1", {"The chunks were indexed quickly by the naïve café owner."});
  put("/2", {"向量检索可以找到最相关的文档。"});
  put("/3", {"東京タワーは1958年に完成した。"});
  put("/4", {"ประเทศไทยมีเมืองหลวงชื่อกรุงเทพ"});
  put("/5", {"Файлы хранятся на диске."});
  put("/6", {"call put_document(path) or IndexWriter::flushPending in utf-8"});
  EXPECT_EQ(found("chunk INDEXED cafe").front(), "The chunks were indexed quickly by the naïve café owner.");
  EXPECT_EQ(found("CHUNKING").size(), 1u);
  EXPECT_EQ(found("文档检索").size(), 1u);
  EXPECT_EQ(found("量").size(), 1u);
  EXPECT_EQ(found("档").size(), 1u);
  EXPECT_EQ(found("東京タワー").size(), 1u);
  EXPECT_EQ(found("กรุงเทพ").size(), 1u);
  EXPECT_EQ(found("ФАЙЛЫ").size(), 1u);
  EXPECT_EQ(found("putDocument").size(), 1u);
  EXPECT_EQ(found("flush").size(), 1u);
  EXPECT_EQ(found("utf8").size(), 1u);
  EXPECT_EQ(found("indexwriter").size(), 1u);
}

TEST_F(CatalogueTest, QuotedWordsMustStandTogether) {
  put("/1", {"machine learning for cats"});
  put("/2", {"learning to repair a machine"});
  put("/3", {"向量检索"});
  put("/4", {"检索的向量"});
  EXPECT_THAT(found("\"machine learning\""), ElementsAre("machine learning for cats"));
  EXPECT_THAT(found("cats \"learning to repair\""), ElementsAre("learning to repair a machine"));
  EXPECT_THAT(found("\"向量检索\""), ElementsAre("向量检索"));
  EXPECT_EQ(found("machine learning").size(), 2u);
}

TEST_F(CatalogueTest, AnyTextIsAValidQuery) {
  put("/1", {"some text with AND OR NOT NEAR words"});
  for (const char* query : {"",
                            "   ",
                            "\"",
                            "\"\"",
                            "AND",
                            "NOT a",
                            "a* OR (b",
                            "text:",
                            "-x",
                            "NEAR(a b)",
                            "^a",
                            "{a b}:c",
                            "'; DROP TABLE chunks;--",
                            "\x01\x01",
                            "\xff\xfe",
                            "\"unclosed phrase",
                            "“ ”",
                            "a\"b\"c",
                            "::",
                            "*"}) {
    EXPECT_TRUE(catalogue_->search_lexical(query, {}, 5).ok()) << query;
  }
  EXPECT_EQ(found("AND").size(), 1u);  // nothing but grammar is still looked for
  Random random(7);
  for (int i = 0; i < 500; ++i) {
    std::string query;
    for (uint64_t n = random.below(40); n > 0; --n) query += static_cast<char>(random.below(256));
    EXPECT_TRUE(catalogue_->search_lexical(query, {}, 5).ok());
  }
}

TEST_F(CatalogueTest, CommonTermsAreCountedInASample) {
  constexpr int kChunks = 30'000;
  std::vector<std::string> texts;
  for (int i = 0; i < kChunks; ++i) {
    std::string text = "everywhere";
    if (i % 9 < 8) text += " copper";
    if (i % 9 < 2) text += " frequent";
    if (i % 100 == 7) text += " hundredth";
    texts.push_back(std::move(text));
  }
  put("/many", texts);
  const std::vector<std::string> terms = {"frequent", "hundredth", "nowhere", "copper"};
  const auto counts = catalogue_->term_document_counts(terms);
  ASSERT_TRUE(counts.ok()) << counts.status().message();
  EXPECT_EQ((*counts)[0], kChunks / 9 * 2 + 2);
  EXPECT_EQ((*counts)[1], kChunks / 100);
  EXPECT_EQ((*counts)[2], 0);
  EXPECT_NEAR(static_cast<double>((*counts)[3]), kChunks * 8 / 9.0, kChunks / 50.0);
  EXPECT_EQ(*catalogue_->n_chunks(), kChunks);
  EXPECT_EQ(found("frequent hundredth", 300).size(), 300u) << "the rarer term does not shut the commoner out";
  EXPECT_EQ(found("everywhere", 5).size(), 5u) << "a term of all chunks finds some of them";
  put("/more", {"one more"});
  EXPECT_EQ(*catalogue_->n_chunks(), kChunks + 1) << "what is remembered is of the newest state";
}

TEST_F(CatalogueTest, HostileTextIsStoredAsItIs) {
  using std::string_literals::operator""s;
  const std::string text = "nul \0 and \x01 raw sign \" quote"s;
  const DocumentId id = put(std::string("/bad \xff name"), {text, std::string(100'000, 'a'), "", "\xed\xa0\x80"});
  const auto chunks = catalogue_->document_chunks(id);
  ASSERT_EQ(chunks->size(), 4u);
  EXPECT_EQ(chunks->front().text, text);
  EXPECT_EQ(catalogue_->document(id)->path, "/bad \xff name");
  EXPECT_EQ(found("raw").size(), 1u);
  ASSERT_TRUE(catalogue_->remove_document(id).ok());
  expect_clean();
}

TEST_F(CatalogueTest, RefusesMismatchedEmbeddings) {
  NewDocument document = make_document(collection_, "/a", {"one", "two"});
  document.embeddings.values.pop_back();
  EXPECT_EQ(catalogue_->put_document(document).status().code(), StatusCode::kUsage);
  put("/b", {"one"});
  document = make_document(collection_, "/a", {"one"});
  document.embeddings = {"hashed-1", 2, {1, 2}};
  EXPECT_EQ(catalogue_->put_document(document).status().code(), StatusCode::kUsage);
  EXPECT_FALSE(catalogue_->find_document(collection_, "/a")->has_value()) << "half a document was stored";
}

TEST_F(CatalogueTest, ChangesEmbedder) {
  const DocumentId id = put("/a", {"one", "two"});
  const auto missing = catalogue_->chunks_without_embedding(collection_, "static-2", 10);
  ASSERT_EQ(missing->size(), 2u);
  ASSERT_TRUE(catalogue_->put_embeddings(*missing, {"static-2", 2, {1, 2, 3, 4}}).ok());
  EXPECT_TRUE(catalogue_->chunks_without_embedding(collection_, "static-2", 10)->empty());
  ASSERT_TRUE(catalogue_->keep_only_embedder("static-2").ok());
  EXPECT_TRUE(catalogue_->embeddings("hashed-1", *missing)->empty());
  EXPECT_EQ((*catalogue_->embeddings("static-2", *missing))[1].second, (std::vector<float>{3, 4}));
  EXPECT_EQ(catalogue_->document_chunks(id)->size(), 2u);
}

TEST_F(CatalogueTest, SettingsModelsCountersFailures) {
  ASSERT_TRUE(catalogue_->put_setting("a.x", "1").ok());
  ASSERT_TRUE(catalogue_->put_setting("a.x", "2").ok());
  EXPECT_EQ(**catalogue_->setting("a.x"), "2");
  EXPECT_EQ(catalogue_->settings("a.")->size(), 1u);
  ASSERT_TRUE(catalogue_->remove_setting("a.x").ok());
  EXPECT_FALSE(catalogue_->setting("a.x")->has_value());
  ASSERT_TRUE(catalogue_->put_model({.name = "m1", .path = "/m1", .kind = "language", .is_default = true}).ok());
  ASSERT_TRUE(catalogue_->put_model({.name = "m2", .path = "/m2", .kind = "language", .is_default = true}).ok());
  EXPECT_FALSE((*catalogue_->find_model("m1"))->is_default);
  EXPECT_TRUE((*catalogue_->find_model("m2"))->is_default);
  EXPECT_EQ(catalogue_->remove_model("m3").code(), StatusCode::kNotFound);
  ASSERT_TRUE(catalogue_->add_to_counter("kv.hits", 3).ok());
  ASSERT_TRUE(catalogue_->add_to_counter("kv.hits", 4).ok());
  EXPECT_EQ(*catalogue_->counter("kv.hits"), 7);
  ASSERT_TRUE(catalogue_->record_failure({collection_, "/bad.pdf", 1, 2, "is encrypted", 0}).ok());
  EXPECT_EQ(catalogue_->failures(collection_)->front().error, "is encrypted");
  put("/bad.pdf", {"now it works"});
  EXPECT_TRUE(catalogue_->failures(collection_)->empty());
}

TEST_F(CatalogueTest, Chats) {
  const ChatId chat = *catalogue_->create_chat("About zebras");
  ASSERT_TRUE(catalogue_->append_message({.chat = chat, .role = "user", .text = "why stripes?"}).ok());
  ASSERT_TRUE(catalogue_->append_message({.chat = chat, .role = "assistant", .text = "whole"}).ok());
  EXPECT_EQ(catalogue_->chat(chat)->n_messages, 2);
  EXPECT_EQ(catalogue_->messages(chat)->back().text, "whole");
  EXPECT_EQ(catalogue_->append_message({.chat = ChatId{99}, .role = "user"}).status().code(), StatusCode::kNotFound);
  ASSERT_TRUE(catalogue_->delete_chat(chat).ok());
  EXPECT_TRUE(catalogue_->messages(chat)->empty());
}

TEST_F(CatalogueTest, JobsAreDoneOnceAndSurviveTheirWorker) {
  const std::vector<JobRecord> jobs = {{.kind = "kv", .key = "a", .payload_json = "{}"},
                                       {.kind = "kv", .key = "b", .payload_json = "{}", .priority = 5}};
  ASSERT_TRUE(catalogue_->enqueue_jobs(jobs).ok());
  ASSERT_TRUE(catalogue_->enqueue_jobs(jobs).ok());
  EXPECT_EQ(catalogue_->job_counts()->front().pending, 2);
  const auto first = catalogue_->claim_job("kv", 60'000);
  EXPECT_EQ((*first)->key, "b");
  const auto second = catalogue_->claim_job("kv", 0);  // its lease has run out at once
  EXPECT_EQ((*second)->key, "a");
  const auto again = catalogue_->claim_job("kv", 60'000);
  EXPECT_EQ((*again)->key, "a");
  EXPECT_EQ((*again)->attempts, 2);
  EXPECT_FALSE(catalogue_->claim_job("kv", 60'000)->has_value());
  ASSERT_TRUE(catalogue_->finish_job((*first)->id).ok());
  ASSERT_TRUE(catalogue_->fail_job((*again)->id, "no", false).ok());
  const JobCounts counts = catalogue_->job_counts()->front();
  EXPECT_EQ(counts.pending, 0);
  EXPECT_EQ(counts.done, 1);
  EXPECT_EQ(counts.failed, 1);
  EXPECT_EQ(catalogue_->finish_job((*first)->id).code(), StatusCode::kNotFound);
}

std::string file_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

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
  EXPECT_LT(waited, std::chrono::seconds(20));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  const Status status = (*catalogue)->put_setting("colour", "\"red\"");
  EXPECT_TRUE(status.ok()) << status.message();
  ::close(ready[0]);
  ::close(ready[1]);
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
  catalogue_.reset();
  sqlite3* raw = nullptr;
  // Damage that pages with right checksums hold: a fault of the program, not of the disk.
  const auto checksums = PageChecksums::over(nullptr);
  ASSERT_EQ(sqlite3_open_v2(database_path().c_str(), &raw, SQLITE_OPEN_READWRITE, (*checksums)->vfs()), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(raw,
                         "UPDATE chunk_texts SET text='seconds' WHERE chunk=2; UPDATE embeddings SET vector=x'00' "
                         "WHERE chunk=1; UPDATE documents SET n_chunks=7",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(raw);
  open();
  EXPECT_FALSE(catalogue_->check(false)->problems.empty());
  const auto repaired = catalogue_->check(true);
  ASSERT_TRUE(repaired.ok());
  for (const auto& problem : repaired->problems) EXPECT_TRUE(problem.repaired) << problem.detail;
  // The damaged file looks changed now, so that the next run reads it again.
  EXPECT_EQ(catalogue_->document_states(collection_)->front().mtime_ns, -1);
  put("/a", {"first", "second"});
  expect_clean();
}

TEST_F(CatalogueTest, SeveralOpenANewHomeAtOnce) {
  for (int round = 0; round < 10; ++round) {
    const std::string path = home_.path() + "/new" + std::to_string(round) + ".db";
    std::vector<std::thread> threads;
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
