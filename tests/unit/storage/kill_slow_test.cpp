// A real process killed at random moments while it indexes and stores KV, on real files: what it reported as done is
// there, everything agrees, and work goes on.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/random.h"
#include "storage/catalogue/catalogue.h"
#include "storage/chunks/chunk_store.h"
#include "temporary_home.h"

namespace mneme::storage {
namespace {

constexpr int kKills = 50;

NewDocument make_document(CollectionId collection, int number) {
  NewDocument document;
  document.record.collection = collection;
  document.record.path = "/docs/" + std::to_string(number % 20);  // replaced again and again
  document.record.title = "Document";
  for (int i = 0; i < 5; ++i) {
    NewChunk chunk;
    chunk.text = "number" + std::to_string(number) + " passage " + std::to_string(i) + std::string(500, 'y');
    document.chunks.push_back(chunk);
  }
  document.embeddings = {"e", 16, std::vector<float>(5 * 16, 1.0f)};
  return document;
}

ChunkFileInfo make_info(int number) {
  ChunkFileInfo info;
  info.key = xxh3_128(as_bytes(std::to_string(number)));
  info.token_ids = {number};
  return info;
}

// What the child does until it is killed; every finished document is told through the pipe.
[[noreturn]] void work(const std::string& home, int first, int told) {
  auto catalogue = Catalogue::open({.path = home + "/catalog.db"});
  auto store = ChunkStore::open({.roots = {home + "/kv"}, .quota_bytes = 300'000});
  if (!catalogue.ok() || !store.ok()) _exit(1);
  const auto collection = (*catalogue)->ensure_collection("default");
  if (!collection.ok()) _exit(1);
  for (int number = first;; ++number) {
    if (!(*catalogue)->put_document(make_document(*collection, number)).ok()) _exit(1);
    if (::write(told, &number, sizeof(number)) != sizeof(number)) _exit(1);
    const std::vector<std::byte> layer(20'000, static_cast<std::byte>(number));
    const std::vector<ByteSpan> layers = {layer, layer};
    (void)(*store)->put(make_info(number), layers);
    if (number % 7 == 0) (void)(*catalogue)->forget("/docs/" + std::to_string(number % 20));
  }
}

// Runs the child for a while, kills it, and returns the last document it reported, or -1.
int run_and_kill(const std::string& home, int first, int64_t microseconds) {
  int pipe_ends[2];
  EXPECT_EQ(::pipe(pipe_ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(pipe_ends[0]);
    work(home, first, pipe_ends[1]);
  }
  ::close(pipe_ends[1]);
  ::usleep(static_cast<useconds_t>(microseconds));
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the child failed by itself";
  int last = -1;
  int number = 0;
  while (::read(pipe_ends[0], &number, sizeof(number)) == sizeof(number)) last = number;
  ::close(pipe_ends[0]);
  return last;
}

TEST(KillTest, NothingReportedIsLostAndNothingIsHalf) {
  TemporaryHome home;
  Random random(20);
  int next = 1;
  int64_t documents = 0;
  for (int kill = 0; kill < kKills; ++kill) {
    const int last = run_and_kill(home.path(), next, 2'000 + static_cast<int64_t>(random.below(120'000)));
    auto catalogue = Catalogue::open({.path = home.path() + "/catalog.db"});
    ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
    const auto check = (*catalogue)->check(false);
    ASSERT_TRUE(check.ok()) << check.status().message();
    for (const auto& problem : check->problems) ADD_FAILURE() << "kill " << kill << ": " << problem.detail;
    auto store = ChunkStore::open({.roots = {home.path() + "/kv"}, .quota_bytes = 300'000});
    ASSERT_TRUE(store.ok());
    EXPECT_TRUE((*store)->verify(false)->problems.empty());
    if (last < 0) continue;
    documents += last - next + 1;
    const std::string path = "/docs/" + std::to_string(last % 20);
    const auto collection = (*catalogue)->find_collection("default");
    const auto found = (*catalogue)->find_document(collection->id, path);
    ASSERT_TRUE(found.ok());
    // Reported documents are there, unless the child had gone on to forget this one.
    if (last % 7 != 0) {
      ASSERT_TRUE(found->has_value()) << path;
      EXPECT_EQ((*found)->n_chunks, 5);
    }
    next = last + 1;
  }
  EXPECT_GT(documents, kKills / 4) << "the child was always killed before it did anything";
}

}  // namespace
}  // namespace mneme::storage
