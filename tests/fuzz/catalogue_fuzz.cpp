// Any bytes as catalog.db, read as a user's would be: opened or refused, checked, searched. Never a crash. The first
// byte says whether the bytes replace a whole file or a part of a valid one.
#include <string>

#include "base/hash.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/memory_env.h"
#include "tests/fuzz/fuzz_input.h"

namespace {

using namespace mneme::storage;

constexpr const char* kPath = "/home/catalog.db";

std::vector<std::byte> make_valid() {
  MemoryEnv env;
  mneme::fuzz::require(env.make_directories("/home").ok());
  {
    auto catalogue = Catalogue::open({.path = kPath, .env = &env});
    mneme::fuzz::require(catalogue.ok());
    const CollectionId collection = *(*catalogue)->ensure_collection("default");
    NewDocument document;
    document.record.collection = collection;
    document.record.path = "/a.txt";
    document.record.title = "A";
    document.chunks.push_back({.text = "The quick brown fox."});
    document.embeddings = {"e", 4, {1, 2, 3, 4}};
    mneme::fuzz::require((*catalogue)->put_document(document).ok());
    mneme::fuzz::require((*catalogue)->create_chat("talk").ok());
  }
  return *read_whole(env, kPath, 1 << 24);
}

void use(Catalogue& catalogue) {
  (void)catalogue.stats();
  (void)catalogue.search_lexical("quick fox", {}, 5);
  (void)catalogue.list_chats();
  const auto collections = catalogue.list_collections();
  if (collections.ok()) {
    for (const CollectionRecord& one : *collections) {
      (void)catalogue.list_documents(one.id);
      (void)catalogue.for_each_embedding(one.id, "e", ChunkId{0}, [](ChunkId, std::span<const float>) { return true; });
    }
  }
  (void)catalogue.check(true);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::vector<std::byte> valid = make_valid();
  mneme::fuzz::Input input(data, size);
  std::vector<std::byte> bytes;
  if ((input.byte() & 1) != 0) {
    bytes.assign(input.rest_bytes().begin(), input.rest_bytes().end());
  } else {
    bytes = valid;
    for (int i = 0; i < 32 && !input.empty(); ++i) {
      size_t at = input.byte();
      at = (at * 256 + input.byte()) * 256 + input.byte();
      bytes[at % bytes.size()] = static_cast<std::byte>(input.byte());
    }
  }
  MemoryEnv env;
  mneme::fuzz::require(env.make_directories("/home").ok());
  mneme::fuzz::require(write_atomically(env, kPath, bytes).ok());
  const auto catalogue = Catalogue::open({.path = kPath, .env = &env, .busy_timeout_ms = 0});
  mneme::fuzz::require(catalogue.ok() || !catalogue.status().message().empty());
  if (catalogue.ok()) use(**catalogue);
  return 0;
}
