// Any bytes as catalog.db, read and written as a user's would be: opened or refused, checked, searched, changed. Never
// a crash. The first byte says whether the bytes replace a whole file or parts of a valid one, whether the pages then
// get the checksums that belong to them (somebody made the file so, no disk damaged it), and what is done with it.
#include <cstring>
#include <string>

#include <xxhash.h>

#include "base/hash.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/page_checksums.h"
#include "storage/env/memory_env.h"
#include "tests/fuzz/fuzz_input.h"

namespace {

using namespace mneme::storage;
using mneme::fuzz::require;

constexpr const char* kPath = "/home/catalog.db";
constexpr const char* kEmbedder = "e";
constexpr size_t kPageBytes = 8192;  // the catalogue's own choice; make_valid() makes sure
constexpr uint8_t kWhole = 1;
constexpr uint8_t kSealed = 2;

NewDocument document(CollectionId collection, const std::string& path) {
  NewDocument document;
  document.record.collection = collection;
  document.record.path = path;
  document.record.title = "A";
  document.record.format = "pdf";
  document.record.content_hash = mneme::xxh3_128(mneme::as_bytes(path));
  document.chunks.push_back({.byte_begin = 0, .byte_end = 20, .text = "The quick brown fox."});
  document.chunks.push_back(
      {.byte_begin = 20, .byte_end = 44, .heading_path = "One", .text = "A lazy dog, 1979. " + path});
  document.embeddings = {kEmbedder, 4, {1, 2, 3, 4, 0.5f, 0, -1, 2}};
  document.text = "The quick brown fox. A lazy dog.";
  return document;
}

std::vector<std::byte> make_valid() {
  MemoryEnv env;
  require(env.make_directories("/home").ok());
  {
    auto opened = Catalogue::open({.path = kPath, .env = &env});
    require(opened.ok());
    Catalogue& catalogue = **opened;
    const CollectionId collection = *catalogue.ensure_collection("default");
    require(catalogue.put_document(document(collection, "/a/b.pdf")).ok());
    require(catalogue.put_document(document(collection, "/a/c.pdf")).ok());
    require(catalogue.remove_document(*catalogue.put_document(document(collection, "/d.pdf"))).ok());
    require(catalogue.record_failure({collection, "/a/bad.pdf", 7, 7, "is damaged", 1}).ok());
    require(catalogue.add_root(collection, "/a").ok());
    require(catalogue.put_setting("machine.profile", "{\"a\": 1}").ok());
    require(catalogue.put_model({"m", "/m.gguf", "language", true, 1, "x", "{}"}).ok());
    const ChatId chat = *catalogue.create_chat("talk");
    require(catalogue.append_message({{}, chat, "user", "Who is quick?", "{}", 1}).ok());
    require(catalogue.append_message({{}, chat, "assistant", "The fox [1].", "{\"citations\": []}", 2}).ok());
    const std::vector<JobRecord> jobs = {{{}, "kv", "k", "{}", 1, 0, ""}};
    require(catalogue.enqueue_jobs(jobs).ok());
  }
  std::vector<std::byte> bytes = *read_whole(env, kPath, 1 << 24);
  require(bytes.size() % kPageBytes == 0 && std::to_integer<int>(bytes[16]) == kPageBytes >> 8);
  return bytes;
}

// As a program would write them; what is left behind the last whole page has none.
void seal_pages(std::vector<std::byte>& bytes) {
  for (size_t page = 0; (page + 1) * kPageBytes <= bytes.size(); ++page) {
    std::byte* begin = bytes.data() + page * kPageBytes;
    const uint64_t sum = XXH3_64bits_withSeed(begin, kPageBytes - kPageChecksumBytes, page + 1);
    std::memcpy(begin + kPageBytes - kPageChecksumBytes, &sum, sizeof sum);
  }
}

std::vector<std::byte> damaged(std::vector<std::byte> bytes, mneme::fuzz::Input& input) {
  for (int i = 0; i < 32 && !input.empty(); ++i) {
    size_t at = input.byte();
    at = (at * 256 + input.byte()) * 256 + input.byte();
    bytes[at % bytes.size()] = static_cast<std::byte>(input.byte());
  }
  return bytes;
}

void search(Catalogue& catalogue, CollectionId collection) {
  (void)catalogue.stats();
  (void)catalogue.search_lexical("quick \"lazy dog\"", {}, 5);
  const std::vector<std::string> terms = {"quick", "fox"};
  (void)catalogue.term_document_counts(terms);
  (void)catalogue.for_each_embedding(collection, kEmbedder, ChunkId{0},
                                     [](ChunkId, std::span<const float> values) { return values.size() < 1000; });
  (void)catalogue.chunks_without_embedding(collection, kEmbedder, 10);
}

void read_documents(Catalogue& catalogue, CollectionId collection) {
  const auto documents = catalogue.list_documents(collection);
  if (documents.ok()) {
    for (const DocumentRecord& one : *documents) {
      (void)catalogue.document_text(one.id);
      (void)catalogue.document_chunks(one.id);
    }
  }
  (void)catalogue.document_states(collection, "/a");
  (void)catalogue.failures(collection);
  (void)catalogue.roots(collection);
  (void)catalogue.for_each_chunk(collection, ChunkId{0}, [](const ChunkRecord&) { return true; });
}

void read_the_rest(Catalogue& catalogue, CollectionId) {
  const auto chats = catalogue.list_chats();
  if (chats.ok()) {
    for (const ChatRecord& one : *chats) (void)catalogue.messages(one.id);
  }
  (void)catalogue.find_chats("fox");
  (void)catalogue.list_models();
  (void)catalogue.settings();
  (void)catalogue.job_counts();
  (void)catalogue.claim_job("kv", 1000);
}

void change(Catalogue& catalogue, CollectionId collection) {
  (void)catalogue.put_document(document(collection, "/a/b.pdf"));
  (void)catalogue.remove_document(DocumentId{2});
  (void)catalogue.delete_collection(collection);
}

void forget(Catalogue& catalogue, CollectionId) {
  const auto forgotten = catalogue.forget("/a");
  require(forgotten.ok() || !forgotten.status().message().empty());
  if (forgotten.ok()) (void)catalogue.note_overwritten(*forgotten);
}

void check(Catalogue& catalogue, CollectionId) {
  const auto found = catalogue.check(true);
  require(found.ok() || !found.status().message().empty());
}

void compact(Catalogue& catalogue, CollectionId) {
  (void)catalogue.compact();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::vector<std::byte> valid = make_valid();
  static constexpr void (*kUses[])(Catalogue&, CollectionId) = {check,  search, read_documents, read_the_rest,
                                                                change, forget, compact};
  mneme::fuzz::Input input(data, size);
  const uint8_t what = input.byte();
  std::vector<std::byte> bytes;
  if ((what & kWhole) != 0) {
    bytes.assign(input.rest_bytes().begin(), input.rest_bytes().end());
  } else {
    bytes = damaged(valid, input);
  }
  if ((what & kSealed) != 0) seal_pages(bytes);
  MemoryEnv env;
  require(env.make_directories("/home").ok());
  require(write_atomically(env, kPath, bytes).ok());
  const auto catalogue = Catalogue::open({.path = kPath, .env = &env, .busy_timeout_ms = 0});
  require(catalogue.ok() || !catalogue.status().message().empty());
  if (!catalogue.ok()) return 0;
  const auto collections = (*catalogue)->list_collections();
  const CollectionId first = collections.ok() && !collections->empty() ? collections->front().id : CollectionId{1};
  kUses[(what >> 2) % std::size(kUses)](**catalogue, first);
  return 0;
}
