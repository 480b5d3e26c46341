// What is put into the catalogue is found in it: documents, words, vectors, settings, chats, jobs.
#include "storage/catalogue/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "catalogue_bed.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/page_checksums.h"
#include "storage/catalogue/sqlite_database.h"

namespace mneme::storage {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(CatalogueTest, NewNamesOfCollectionsAreUtf8AndOldOnesGoOn) {
  EXPECT_EQ(catalogue_->ensure_collection("caf\xe9").status().code(), StatusCode::kUsage);
  EXPECT_TRUE(catalogue_->ensure_collection("caf\xc3\xa9").ok());
  catalogue_.reset();
  {
    const auto checksums = PageChecksums::over(nullptr);
    const auto database = Database::open(database_path(), {.create = false, .vfs = (*checksums)->vfs()});
    ASSERT_TRUE(
        (*database)->execute("INSERT INTO collections(name, created_ms) VALUES(CAST(x'636166e9' AS TEXT), 1)").ok());
  }
  open();
  EXPECT_TRUE(catalogue_->ensure_collection("caf\xe9").ok());
}

void expect_equal(const DocumentRecord& record, const DocumentRecord& put) {
  EXPECT_EQ(record.collection, put.collection);
  EXPECT_EQ(record.path, put.path);
  EXPECT_EQ(record.names, put.names);
  EXPECT_EQ(record.title, put.title);
  EXPECT_EQ(record.author, put.author);
  EXPECT_EQ(record.date, put.date);
  EXPECT_EQ(record.format, put.format);
  EXPECT_EQ(record.notes, put.notes);
  EXPECT_EQ(record.file, put.file);
  EXPECT_EQ(record.content_hash, put.content_hash);
}

void expect_equal(const ChunkRecord& record, const NewChunk& put) {
  EXPECT_EQ(record.byte_begin, put.byte_begin);
  EXPECT_EQ(record.byte_end, put.byte_end);
  EXPECT_EQ(record.line_begin, put.line_begin);
  EXPECT_EQ(record.line_end, put.line_end);
  EXPECT_EQ(record.page, put.page);
  EXPECT_EQ(record.n_tokens, put.n_tokens);
  EXPECT_EQ(record.page_marks, put.page_marks);
  EXPECT_EQ(record.heading_path, put.heading_path);
  EXPECT_EQ(record.text, put.text);
  EXPECT_EQ(record.text_hash, xxh3_128(as_bytes(put.text)));
}

TEST_F(CatalogueTest, KeepsADocumentWithAllItsParts) {
  NewDocument document = make_document(collection_, "/docs/a.txt", {"first passage", "second passage"});
  document.record.author = "Ada";
  document.record.date = "2031-05-09";
  document.record.names = "Letters > Bank";
  document.record.notes = "a picture was left out";
  document.record.file.changed_ns = 43;
  document.text = "extracted";
  document.chunks[1].page = 3;
  document.chunks[1].page_marks = "7:4";
  const auto id = catalogue_->put_document(document);
  ASSERT_TRUE(id.ok()) << id.status().message();
  open();  // another process would see the same
  const auto record = catalogue_->document(*id);
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->id, *id);
  expect_equal(*record, document.record);
  EXPECT_EQ(record->n_chunks, 2);
  EXPECT_EQ(record->n_tokens, 20);
  EXPECT_EQ(record->text_bytes, 27u);
  EXPECT_GT(record->indexed_ms, 0);
  EXPECT_EQ(**catalogue_->document_text(*id), "extracted");
  const auto chunks = catalogue_->document_chunks(*id);
  ASSERT_EQ(chunks->size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ((*chunks)[i].document, *id);
    EXPECT_EQ((*chunks)[i].ordinal, static_cast<int>(i));
    expect_equal((*chunks)[i], document.chunks[i]);
  }
  const std::string uid = (*chunks)[1].uid;
  const auto by_uid = catalogue_->chunk_by_uid(uid);
  ASSERT_TRUE(by_uid.ok());
  EXPECT_EQ(by_uid->id, (*chunks)[1].id);
  for (const std::string& other :
       {uid + "0", uid + "x", uid.substr(0, 15), std::string("0000000000000000"), std::string()}) {
    EXPECT_EQ(catalogue_->chunk_by_uid(other).status().code(), StatusCode::kNotFound) << other;
  }
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

// Citations of saved chats name passages by them.
TEST_F(CatalogueTest, APassagesUidIsItsOwnAndStays) {
  const auto uids_of = [&](const std::string& path, const std::vector<std::string>& texts) {
    std::vector<std::string> uids;
    const auto chunks = catalogue_->document_chunks(put(path, texts));
    for (const ChunkRecord& chunk : *chunks) uids.push_back(chunk.uid);
    return uids;
  };
  const std::vector<std::string> first = uids_of("/docs/a.txt", {"the same", "the same", "other"});
  EXPECT_NE(first[0], first[1]);
  EXPECT_EQ(uids_of("/docs/a.txt", {"the same", "the same", "other"}), first);
  const std::vector<std::string> changed = uids_of("/docs/a.txt", {"the same", "changed", "other"});
  EXPECT_EQ(changed[0], first[0]);
  EXPECT_NE(changed[1], first[1]);
  EXPECT_EQ(changed[2], first[2]);
  EXPECT_NE(uids_of("/docs/b.txt", {"the same"})[0], first[0]);
  const CollectionId other = *catalogue_->ensure_collection("other");
  const auto of_other = catalogue_->put_document(make_document(other, "/docs/a.txt", {"the same"}));
  EXPECT_NE(catalogue_->document_chunks(*of_other)->front().uid, first[0]);
}

TEST_F(CatalogueTest, PassagesOfACollectionAreVisitedInOrderUntilItIsEnough) {
  const CollectionId other = *catalogue_->ensure_collection("other");
  put("/docs/a.txt", {"one", "two"});
  ASSERT_TRUE(catalogue_->put_document(make_document(other, "/docs/b.txt", {"of another"})).ok());
  put("/docs/c.txt", {"three"});
  std::vector<std::string> seen;
  std::vector<ChunkId> ids;
  const auto visit = [&](size_t most) {
    return [&, most](const ChunkRecord& chunk) {
      seen.push_back(chunk.text);
      ids.push_back(chunk.id);
      return seen.size() < most;
    };
  };
  ASSERT_TRUE(catalogue_->for_each_chunk(collection_, ChunkId{}, visit(9)).ok());
  EXPECT_THAT(seen, ElementsAre("one", "two", "three"));
  const ChunkId first = ids[0];
  seen.clear();
  ASSERT_TRUE(catalogue_->for_each_chunk(collection_, first, visit(1)).ok());
  EXPECT_THAT(seen, ElementsAre("two"));
}

TEST_F(CatalogueTest, ADeletedCollectionIsGoneOnce) {
  const CollectionId other = *catalogue_->ensure_collection("other");
  ASSERT_TRUE(catalogue_->put_document(make_document(other, "/docs/b.txt", {"of another"})).ok());
  put("/docs/a.txt", {"kept"});
  ASSERT_TRUE(catalogue_->delete_collection(other).ok());
  EXPECT_EQ(catalogue_->delete_collection(other).code(), StatusCode::kNotFound);
  EXPECT_EQ(catalogue_->find_collection("other").status().code(), StatusCode::kNotFound);
  EXPECT_THAT(found("another"), IsEmpty());
  EXPECT_THAT(found("kept"), ElementsAre("kept"));
  expect_clean();
}

TEST_F(CatalogueTest, ItsVersionChangesWithWhatAnybodyWritesAndOnlyThen) {
  const int64_t before = *catalogue_->data_version();
  EXPECT_EQ(*catalogue_->data_version(), before);
  put("/docs/a.txt", {"zebras graze"});
  const int64_t written = *catalogue_->data_version();
  EXPECT_NE(written, before);
  EXPECT_FALSE(found("zebras").empty());
  catalogue_->release_pages();
  EXPECT_FALSE(found("zebras").empty());
  EXPECT_EQ(*catalogue_->data_version(), written) << "reading is no change";
  const auto other = Catalogue::open({.path = database_path()});
  ASSERT_TRUE(other.ok());
  ASSERT_TRUE((*other)->create_chat("Asked elsewhere").ok());
  EXPECT_NE(*catalogue_->data_version(), written);
}

TEST_F(CatalogueTest, ReplacingKeepsTheDocumentsIdAndLeavesNothingOfTheOldText) {
  const DocumentId first = put("/docs/a.txt", {"zebras graze", "lions sleep", "owls hoot"});
  const int64_t revision = catalogue_->list_collections()->front().revision;
  EXPECT_EQ(put("/docs/a.txt", {"penguins swim"}), first);
  EXPECT_GT(catalogue_->list_collections()->front().revision, revision);
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

// How SQLite finds the rows of a statement.
std::vector<std::string> searches_of(const std::string& database_path, const std::string& sql) {
  std::vector<std::string> searches;
  const auto checksums = PageChecksums::over(nullptr);
  const auto database = Database::open(database_path, {.create = false, .vfs = (*checksums)->vfs()});
  auto plan = (*database)->prepare_once("EXPLAIN QUERY PLAN " + sql);
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  while (plan.ok() && *plan->step()) {
    const std::string step = plan->string(3);
    if (step.starts_with("SEARCH") || step.starts_with("SCAN")) searches.push_back(step);
  }
  return searches;
}

// An index run asks for every file of it.
TEST_F(CatalogueTest, DocumentsOfAPathAreFoundWithoutWalkingTheCollection) {
  EXPECT_THAT(searches_of(database_path(), in_path_range("SELECT id, path, mtime_ns FROM documents ")),
              ElementsAre(HasSubstr("(collection=? AND path=?)"), HasSubstr("(collection=? AND path>? AND path<?)")));
}

TEST_F(CatalogueTest, SeveralDocumentsArePutTogether) {
  const DocumentId old = put("/docs/b.txt", {"lighthouse of the north", "shared words"});
  const NewDocument documents[] = {
      make_document(collection_, "/docs/a.txt", {"harbour", "shared words"}),
      make_document(collection_, "/docs/b.txt", {"windmill"}),
      make_document(collection_, "/docs/c.txt", {"shared words", "bridge", "shared words"})};
  const NewDocument* const together[] = {&documents[0], &documents[1], &documents[2]};
  const auto ids = catalogue_->put_documents(together);
  ASSERT_TRUE(ids.ok()) << ids.status().message();
  ASSERT_EQ(ids->size(), 3u);
  EXPECT_EQ(ids->at(1), old);
  for (size_t i = 0; i < 3; ++i) {
    const auto record = catalogue_->document(ids->at(i));
    ASSERT_TRUE(record.ok());
    EXPECT_EQ(record->path, documents[i].record.path);
    EXPECT_EQ(record->n_chunks, static_cast<int64_t>(documents[i].chunks.size()));
  }
  EXPECT_THAT(found("lighthouse"), ElementsAre());
  EXPECT_THAT(found("windmill"), ElementsAre("windmill"));
  EXPECT_THAT(found("bridge"), ElementsAre("bridge"));
  EXPECT_THAT(found("shared"), ElementsAre("shared words", "shared words", "shared words"));
  expect_clean();
}

TEST_F(CatalogueTest, OfDocumentsPutTogetherThereAreAllOrNone) {
  const CollectionId other = *catalogue_->ensure_collection("other");
  ASSERT_TRUE(catalogue_->delete_collection(other).ok());
  const NewDocument good = make_document(collection_, "/docs/a.txt", {"harbour"});
  const NewDocument homeless = make_document(other, "/docs/b.txt", {"bridge"});
  const NewDocument same_place = make_document(collection_, "/docs/a.txt", {"windmill"});
  for (const NewDocument* bad : {&homeless, &same_place}) {
    const NewDocument* const together[] = {&good, bad};
    const Status put = catalogue_->put_documents(together).status();
    EXPECT_THAT(put.message(), HasSubstr(bad->record.path));
    EXPECT_TRUE(catalogue_->document_states(collection_)->empty());
    EXPECT_THAT(found("harbour"), ElementsAre());
  }
  EXPECT_TRUE(catalogue_->put_documents({})->empty());
  expect_clean();
}

// It asks so for every archive, and every letter with attachments.
TEST_F(CatalogueTest, FailuresOfAContainerAreFoundWithoutWalkingTheOthers) {
  EXPECT_THAT(searches_of(database_path(), in_members_range("SELECT path FROM failures ")),
              ElementsAre(HasSubstr("(collection=? AND path>? AND path<?)")));
  for (const char* path : {"/a.zip", "/a.zip!/b.docx", "/a.zip!/c/d.docx", "/a.zip!e", "/a.zip2!/b.docx", "/b.zip!/b"})
    ASSERT_TRUE(catalogue_->record_failure({collection_, path, 1, 2, "is damaged", 0}).ok());
  const auto failures = catalogue_->member_failures(collection_, "/a.zip");
  ASSERT_TRUE(failures.ok()) << failures.status().message();
  ASSERT_EQ(failures->size(), 2u);
  EXPECT_EQ((*failures)[0].path, "/a.zip!/b.docx");
  EXPECT_EQ((*failures)[0].error, "is damaged");
  EXPECT_EQ((*failures)[1].path, "/a.zip!/c/d.docx");
}

TEST_F(CatalogueTest, SaysWhetherACollectionHoldsAnyPassage) {
  const CollectionId other = *catalogue_->ensure_collection("other");
  EXPECT_FALSE(*catalogue_->has_chunks(collection_));
  put("/empty.txt", {});
  EXPECT_FALSE(*catalogue_->has_chunks(collection_));
  put("/a.txt", {"x"});
  EXPECT_TRUE(*catalogue_->has_chunks(collection_));
  EXPECT_FALSE(*catalogue_->has_chunks(other));
}

// By another program, while this one reads its files.
TEST_F(CatalogueTest, ADocumentOfADeletedCollectionIsRefusedInWords) {
  const CollectionId other = *catalogue_->ensure_collection("other");
  ASSERT_TRUE(catalogue_->delete_collection(other).ok());
  const Status put = catalogue_->put_document(make_document(other, "/docs/a.txt", {"text"})).status();
  EXPECT_EQ(put.code(), StatusCode::kNotFound);
  EXPECT_NE(put.message().find("its collection was deleted meanwhile"), std::string::npos) << put.message();
}

TEST_F(CatalogueTest, KeepsWhatTellsAFileFromAnother) {
  NewDocument document = make_document(collection_, "/docs/a.txt", {"text"});
  document.record.file = {.size_bytes = 4, .mtime_ns = 5, .changed_ns = 6};
  const DocumentId id = *catalogue_->put_document(document);
  const auto kept = [&] { return catalogue_->document_states(collection_)->front().file; };
  EXPECT_EQ(kept(), document.record.file);
  EXPECT_EQ(catalogue_->document(id)->file, document.record.file);
  for (const FileState& state : {FileState{7, 8, 9}, FileState{7, 8, -1}}) {
    ASSERT_TRUE(catalogue_->touch_document(id, state).ok());
    EXPECT_EQ(kept(), state);
  }
  ASSERT_TRUE(catalogue_->set_file_state(id, {10, 11, 12}, {}).ok());
  EXPECT_EQ(kept(), (FileState{10, 11, 12}));
  ASSERT_TRUE(catalogue_->move_document(id, "/docs/b.txt", "docs", {13, 14, 15}).ok());
  EXPECT_EQ(kept(), (FileState{13, 14, 15}));
}

TEST_F(CatalogueTest, MovesWhereNoOtherStands) {
  const DocumentId id = put("/docs/a.txt", {"text"});
  put("/docs/b.txt", {"text"});
  EXPECT_EQ(catalogue_->move_document(id, "/docs/b.txt", "docs", {}).code(), StatusCode::kUsage);
  ASSERT_TRUE(catalogue_->move_document(id, "/docs/c.txt", "docs", {}).ok());
  EXPECT_EQ(catalogue_->document(id)->path, "/docs/c.txt");
  EXPECT_FALSE(catalogue_->find_document(collection_, "/docs/a.txt")->has_value());
}

TEST_F(CatalogueTest, SearchRespectsCollections) {
  const CollectionId other = *catalogue_->ensure_collection("other");
  put("/docs/a.txt", {"the zebra"});
  ASSERT_TRUE(catalogue_->put_document(make_document(other, "/docs/a.txt", {"another zebra"})).ok());
  EXPECT_EQ(catalogue_->search_lexical("zebra", {}, 10)->size(), 2u);
  EXPECT_EQ(catalogue_->search_lexical("zebra", std::vector{other}, 10)->size(), 1u);
  const CollectionId empty = *catalogue_->ensure_collection("empty");
  EXPECT_TRUE(catalogue_->search_lexical("zebra", std::vector{empty}, 10)->empty());
  EXPECT_EQ(catalogue_->search_lexical("zebra", std::vector{empty, other}, 10)->size(), 1u);
  EXPECT_EQ(catalogue_->search_lexical("zebra", std::vector{collection_, empty, other}, 10)->size(), 2u);
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
  EXPECT_EQ(*catalogue_->chunks_without_embedding(collection_, "static-2", 10, missing->front()),
            std::vector<ChunkId>{missing->back()});
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

TEST_F(CatalogueTest, ModelsAreListedWithAllThatIsKnownOfThem) {
  const ModelRecord model{.name = "m1",
                          .path = "/m1",
                          .kind = "embedder",
                          .is_default = true,
                          .size_bytes = 5'000'000'000,
                          .content_hash = "ab12",
                          .profile_json = "{\"speed\":1}"};
  ASSERT_TRUE(catalogue_->put_model({.name = "m0", .path = "/m0", .kind = "language"}).ok());
  ASSERT_TRUE(catalogue_->put_model(model).ok());
  const auto models = catalogue_->list_models();
  ASSERT_EQ(models->size(), 2u);
  EXPECT_EQ((*models)[0].name, "m0");
  EXPECT_EQ((*models)[1].name, model.name);
  EXPECT_EQ((*models)[1].path, model.path);
  EXPECT_EQ((*models)[1].kind, model.kind);
  EXPECT_TRUE((*models)[1].is_default);
  EXPECT_EQ((*models)[1].size_bytes, model.size_bytes);
  EXPECT_EQ((*models)[1].content_hash, model.content_hash);
  EXPECT_EQ((*models)[1].profile_json, model.profile_json);
  ASSERT_TRUE(catalogue_->remove_model("m1").ok());
  EXPECT_EQ(catalogue_->list_models()->size(), 1u);
}

TEST_F(CatalogueTest, FoldersAreThoseOfTheirCollection) {
  const CollectionId other = *catalogue_->ensure_collection("other");
  for (const char* path : {"/docs/b/", "/docs/a", "/docs/b"}) ASSERT_TRUE(catalogue_->add_root(collection_, path).ok());
  ASSERT_TRUE(catalogue_->add_root(other, "/elsewhere").ok());
  EXPECT_THAT(*catalogue_->roots(collection_), ElementsAre("/docs/a", "/docs/b"));
  EXPECT_THAT(*catalogue_->roots(other), ElementsAre("/elsewhere"));
}

// As `status` tells them.
TEST_F(CatalogueTest, CollectionsAreCounted) {
  const CollectionId other = *catalogue_->ensure_collection("a first one");
  put("/docs/a.txt", {"four", "fives"});
  put("/docs/b.txt", {"sixsix"});
  for (const char* path : {"/bad.pdf", "/worse.pdf"})
    ASSERT_TRUE(catalogue_->record_failure({collection_, path, 1, 2, "is encrypted", 0}).ok());
  const auto stats = catalogue_->stats();
  ASSERT_EQ(stats->size(), 2u);
  const CollectionStats& empty = (*stats)[0];
  EXPECT_EQ(empty.collection.id, other);
  EXPECT_EQ(empty.collection.name, "a first one");
  EXPECT_EQ(empty.documents + empty.chunks + empty.tokens + empty.failures, 0);
  EXPECT_EQ(empty.text_bytes, 0u);
  const CollectionStats& filled = (*stats)[1];
  EXPECT_EQ(filled.collection.id, collection_);
  EXPECT_EQ(filled.collection.revision, catalogue_->find_collection("default")->revision);
  EXPECT_EQ(filled.documents, 2);
  EXPECT_EQ(filled.chunks, 3);
  EXPECT_EQ(filled.tokens, 30);
  EXPECT_EQ(filled.text_bytes, 15u);
  EXPECT_EQ(filled.failures, 2);
}

TEST_F(CatalogueTest, PassagesComeInTheOrderTheyAreAskedForWithoutThoseThatAreGone) {
  const DocumentId document = put("/docs/a.txt", {"one", "two", "three"});
  const auto chunks = catalogue_->document_chunks(document);
  const std::vector<ChunkId> ids = {(*chunks)[2].id, ChunkId{999}, (*chunks)[0].id, (*chunks)[2].id};
  const auto found = catalogue_->chunks(ids);
  ASSERT_EQ(found->size(), 3u);
  EXPECT_EQ((*found)[0].text, "three");
  EXPECT_EQ((*found)[1].text, "one");
  EXPECT_EQ((*found)[2].text, "three");
  EXPECT_TRUE(catalogue_->chunks({})->empty());
}

TEST_F(CatalogueTest, OfADocumentThatIsGoneNothingIsChanged) {
  const DocumentId document = put("/docs/a.txt", {"one"});
  ASSERT_TRUE(catalogue_->remove_document(document).ok());
  EXPECT_EQ(catalogue_->touch_document(document, {}).code(), StatusCode::kNotFound);
  EXPECT_EQ(catalogue_->set_file_state(document, {}, {}).code(), StatusCode::kNotFound);
  EXPECT_EQ(catalogue_->move_document(document, "/b", "", {}).code(), StatusCode::kNotFound);
  EXPECT_EQ(catalogue_->remove_document(document).code(), StatusCode::kNotFound);
}

TEST_F(CatalogueTest, AModelsNameIsOneLine) {
  const auto put = [&](const std::string& name) {
    return catalogue_->put_model({.name = name, .path = "/m", .kind = "language"}).code();
  };
  for (const std::string& name : {std::string(), std::string("two\nlines"), std::string("\x1b[31mred"),
                                  std::string("del\x7f"), std::string("n\0l", 3), std::string(256, 'm')})
    EXPECT_EQ(put(name), StatusCode::kUsage) << name;
  EXPECT_TRUE(catalogue_->list_models()->empty());
  for (const std::string& name : {std::string("org/model:8b"), std::string("模型 q4"), std::string(255, 'm')})
    EXPECT_EQ(put(name), StatusCode::kOk) << name;
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

TEST_F(CatalogueTest, MessagesOfAChatAreReplacedInOneStep) {
  const ChatId chat = *catalogue_->create_chat("About zebras");
  std::vector<MessageId> ids;
  for (const char* text : {"why stripes?", "no idea", "and horses?", "none"})
    ids.push_back(*catalogue_->append_message({.chat = chat, .role = "user", .text = text}));
  const ChatId other = *catalogue_->create_chat("Another");
  const MessageId of_other = *catalogue_->append_message({.chat = other, .role = "user", .text = "stays"});
  const std::vector<MessageId> taken_out = {ids[1], of_other, MessageId{99}};
  const std::vector<MessageId> behind = {ids[2], MessageId{98}, ids[3]};
  const MessageRecord answer{.role = "assistant", .text = "to hide"};
  const auto now = catalogue_->replace_messages(chat, taken_out, {&answer, 1}, behind);
  ASSERT_TRUE(now.ok()) << now.status().message();
  const auto messages = catalogue_->messages(chat);
  std::vector<std::string> texts;
  for (const MessageRecord& message : *messages) texts.push_back(message.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"why stripes?", "to hide", "and horses?", "none"}));
  ASSERT_EQ(now->size(), 4u);
  EXPECT_EQ((*messages)[1].id, (*now)[0]);
  EXPECT_EQ((*messages)[2].id, (*now)[1]);
  EXPECT_EQ((*now)[2], MessageId{}) << "gone";
  EXPECT_EQ((*messages)[3].id, (*now)[3]);
  EXPECT_EQ(catalogue_->messages(other)->size(), 1u);
  EXPECT_EQ(catalogue_->replace_messages(ChatId{99}, {}, {&answer, 1}).status().code(), StatusCode::kNotFound);
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
  EXPECT_EQ(catalogue_->fail_job((*first)->id, "no", true).code(), StatusCode::kNotFound);
}

// What was done is counted since the queue of that kind was last empty; what failed is tried again when it is wanted
// again.
TEST_F(CatalogueTest, DoneJobsAreCountedByKindUntilTheirQueueIsEmpty) {
  const auto enqueue = [&](const std::string& kind, const std::string& key) {
    const JobRecord job{.kind = kind, .key = key, .payload_json = "{}"};
    ASSERT_TRUE(catalogue_->enqueue_jobs({&job, 1}).ok());
  };
  const auto do_one = [&](const std::string& kind) {
    const auto job = catalogue_->claim_job(kind, 60'000);
    ASSERT_TRUE(job.ok() && job->has_value());
    EXPECT_TRUE(catalogue_->finish_job((*job)->id).ok());
  };
  const auto counts = [&] {
    std::string all;
    const auto counted = catalogue_->job_counts();
    for (const JobCounts& of_kind : *counted)
      all += of_kind.kind + ":" + std::to_string(of_kind.pending) + "," + std::to_string(of_kind.done) + "," +
             std::to_string(of_kind.failed) + " ";
    return all;
  };
  for (const char* key : {"a", "b"}) enqueue("kv", key);
  enqueue("other", "a");
  do_one("kv");
  EXPECT_EQ(counts(), "kv:1,1,0 other:1,0,0 ");
  enqueue("kv", "c");
  EXPECT_EQ(counts(), "kv:2,1,0 other:1,0,0 ") << "it was not empty";
  do_one("kv");
  do_one("kv");
  EXPECT_EQ(counts(), "kv:0,3,0 other:1,0,0 ");
  enqueue("kv", "d");
  EXPECT_EQ(counts(), "kv:1,0,0 other:1,0,0 ");
  const auto failing = catalogue_->claim_job("kv", 60'000);
  ASSERT_TRUE(catalogue_->fail_job((*failing)->id, "no", false).ok());
  EXPECT_FALSE(catalogue_->claim_job("kv", 0)->has_value());
  enqueue("kv", "d");
  EXPECT_EQ(counts(), "kv:1,0,0 other:1,0,0 ");
  EXPECT_EQ((*catalogue_->claim_job("kv", 0))->attempts, 1);
}

// As many as are wanted, however many there are.
TEST_F(CatalogueTest, DocumentsOfFormatsAreThoseOfThisCollection) {
  const auto other = catalogue_->ensure_collection("other");
  ASSERT_TRUE(other.ok());
  const auto put_as = [&](CollectionId collection, const std::string& path, const std::string& format) {
    NewDocument document = make_document(collection, path, {"text of " + path});
    document.record.format = format;
    ASSERT_TRUE(catalogue_->put_document(document).ok());
  };
  put_as(collection_, "/docs/a.md", "markdown");
  put_as(collection_, "/docs/b.pdf", "pdf");
  put_as(*other, "/docs/c.pdf", "pdf");
  put_as(*other, "/docs/d.pptx", "pptx");
  constexpr std::string_view kFormats[] = {"pdf", "pptx"};
  const auto paths = [&](CollectionId collection, std::span<const std::string_view> formats, int limit) {
    std::vector<std::string> paths;
    const auto documents = catalogue_->documents_of_formats(collection, formats, limit);
    EXPECT_TRUE(documents.ok()) << documents.status().message();
    for (const DocumentRecord& document : *documents) paths.push_back(document.path);
    return paths;
  };
  EXPECT_THAT(paths(collection_, kFormats, 2), ::testing::ElementsAre("/docs/b.pdf"));
  EXPECT_THAT(paths(*other, kFormats, 2), ::testing::UnorderedElementsAre("/docs/c.pdf", "/docs/d.pptx"));
  EXPECT_EQ(paths(*other, kFormats, 1).size(), 1u);
  EXPECT_TRUE(paths(*other, {}, 2).empty());
}

}  // namespace
}  // namespace mneme::storage
