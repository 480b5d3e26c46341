// The catalogue on a disk that fails, fills up, or forgets: for every change of the disk during an operation, the store
// opens again, is consistent, and holds either the old state or the new one. On plain disks and encrypted ones.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "encrypted_disk.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::storage {
namespace {

constexpr const char* kPath = "/home/catalog.db";

NewDocument make_document(CollectionId collection, const std::string& path, int n_chunks, const std::string& word) {
  NewDocument document;
  document.record.collection = collection;
  document.record.path = path;
  document.record.title = path;
  for (int i = 0; i < n_chunks; ++i) {
    NewChunk chunk;
    chunk.text = word + " passage " + std::to_string(i) + " " + std::string(300, 'x');
    document.chunks.push_back(chunk);
    document.embeddings.values.insert(document.embeddings.values.end(), {1, 2, 3, static_cast<float>(i)});
  }
  document.embeddings.embedder = "e";
  document.embeddings.dimensions = 4;
  return document;
}

Result<std::unique_ptr<Catalogue>> open_catalogue(FileEnv& env) {
  return Catalogue::open({.path = kPath, .env = &env, .busy_timeout_ms = 100});
}

// Two documents: one to stay as it is, one to be replaced.
void fill(FileEnv& env) {
  ASSERT_TRUE(env.make_directories("/home").ok());
  auto catalogue = open_catalogue(env);
  ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
  const CollectionId collection = *(*catalogue)->ensure_collection("default");
  ASSERT_TRUE((*catalogue)->put_document(make_document(collection, "/stays", 3, "stable")).ok());
  ASSERT_TRUE((*catalogue)->put_document(make_document(collection, "/changes", 4, "before")).ok());
  ASSERT_TRUE((*catalogue)->put_setting("user", "\"said so\"").ok());
}

// What the tests do to the filled store while faults strike.
Status change(FileEnv& env) {
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Catalogue> catalogue, open_catalogue(env));
  MNEME_ASSIGN_OR_RETURN(const CollectionId collection, catalogue->ensure_collection("default"));
  MNEME_RETURN_IF_ERROR(catalogue->put_document(make_document(collection, "/changes", 6, "after")).status());
  MNEME_RETURN_IF_ERROR(catalogue->put_document(make_document(collection, "/new", 2, "fresh")).status());
  return catalogue->put_setting("user", "\"said more\"");
}

size_t count(Catalogue& catalogue, const std::string& word) {
  const auto hits = catalogue.search_lexical(word, {}, 100);
  EXPECT_TRUE(hits.ok()) << hits.status().message();
  return hits.ok() ? hits->size() : 0;
}

// Old or new, never between; and everything agrees with everything.
void expect_consistent(FileEnv& env, const std::string& when) {
  auto opened = open_catalogue(env);
  ASSERT_TRUE(opened.ok()) << when << ": " << opened.status().message();
  Catalogue& catalogue = **opened;
  const auto check = catalogue.check(false);
  ASSERT_TRUE(check.ok()) << when << ": " << check.status().message();
  for (const auto& problem : check->problems) ADD_FAILURE() << when << ": " << problem.path << " " << problem.detail;
  EXPECT_EQ(count(catalogue, "stable"), 3u) << when;
  const size_t before = count(catalogue, "before");
  const size_t after = count(catalogue, "after");
  EXPECT_TRUE((before == 4 && after == 0) || (before == 0 && after == 6)) << when << ": " << before << ", " << after;
  const size_t fresh = count(catalogue, "fresh");
  EXPECT_TRUE(fresh == 0 || (fresh == 2 && after == 6)) << when << ": " << fresh;
  EXPECT_TRUE(catalogue.setting("user")->has_value()) << when;
  // ... and it goes on working.
  const auto collection = catalogue.ensure_collection("default");
  EXPECT_TRUE(catalogue.put_document(make_document(*collection, "/later", 1, "later")).ok()) << when;
}

int64_t count_changes(DiskKind kind) {
  TestDisk disk(kind);
  fill(disk.env());
  disk.plan().clear();
  EXPECT_TRUE(change(disk.env()).ok());
  return disk.plan().operations();
}

class CrashTest : public ::testing::TestWithParam<std::tuple<FaultKind, DiskKind>> {};

TEST_P(CrashTest, EveryChangeOfTheDiskMayFail) {
  const auto [fault, kind] = GetParam();
  const int64_t n = count_changes(kind);
  ASSERT_GT(n, 20);
  for (int64_t operation = 0; operation < n; ++operation) {
    const std::string when = "operation " + std::to_string(operation) + " of " + std::to_string(n);
    TestDisk disk(kind);
    FaultPlan& plan = disk.plan();
    fill(disk.env());
    plan.arm(fault, operation);
    const Status status = change(disk.env());
    EXPECT_TRUE(plan.fired()) << when;
    if (!status.ok()) {
      EXPECT_FALSE(status.message().empty());
    }
    plan.clear();
    expect_consistent(disk.env(), when);
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, CrashTest,
                         ::testing::Combine(::testing::Values(FaultKind::kIoError, FaultKind::kNoSpace,
                                                              FaultKind::kShortWrite, FaultKind::kCrash),
                                            ::testing::Values(DiskKind::kPlain, DiskKind::kEncrypted)));

// The power goes: on top of the dead process, what was not synced survives only in part.
class PowerLossTest : public ::testing::TestWithParam<DiskKind> {};
INSTANTIATE_TEST_SUITE_P(Disks, PowerLossTest, ::testing::Values(DiskKind::kPlain, DiskKind::kEncrypted),
                         [](const auto& info) { return name_of(info.param); });

TEST_P(PowerLossTest, LosesAtMostTheNewestWork) {
  const int64_t n = count_changes(GetParam());
  for (int64_t operation = 0; operation < n; operation += 1) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const std::string when = "operation " + std::to_string(operation) + ", dice " + std::to_string(seed);
      TestDisk disk(GetParam());
      FaultPlan& plan = disk.plan();
      fill(disk.env());  // ends with a synced setting: all before it is safe
      plan.arm(FaultKind::kCrash, operation);
      (void)change(disk.env());
      plan.clear();
      disk.below().crash(seed * 1000 + static_cast<uint64_t>(operation));
      expect_consistent(disk.env(), when);
    }
  }
}

TEST_P(PowerLossTest, WhatTheUserSaidIsSafeOnceItReturned) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    TestDisk disk(GetParam());
    FaultPlan& plan = disk.plan();
    fill(disk.env());
    {
      auto catalogue = open_catalogue(disk.env());
      const auto chat = (*catalogue)->create_chat("talk");
      ASSERT_TRUE((*catalogue)->append_message({.chat = *chat, .role = "user", .text = "remember this"}).ok());
      plan.arm(FaultKind::kCrash, 0);  // dead from now on: closing does nothing any more
    }
    plan.clear();
    disk.below().crash(seed);
    auto catalogue = open_catalogue(disk.env());
    ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
    const auto chats = (*catalogue)->list_chats();
    ASSERT_EQ(chats->size(), 1u) << seed;
    EXPECT_EQ((*catalogue)->messages(chats->front().id)->front().text, "remember this");
  }
}

}  // namespace
}  // namespace mneme::storage
