// How much stored KV may take: what the user chose, or a default, and what no longer fits goes.
#include "rag/kv_reuse/kv_quota.h"

#include <gtest/gtest.h>

#include "rag/kv_reuse/kv_store_settings.h"
#include "tests/unit/rag_kv_reuse/kv_bed.h"

namespace mneme::rag {
namespace {

uint64_t quota_of(KvBed& bed) {
  return *kv_quota_bytes(*bed.catalogue, storage::FileEnv::posix(), bed.home.kv_folder());
}

uint64_t quota_of_store(KvBed& bed, const KvStoreSettings& settings) {
  return chunk_store_options(settings, *bed.catalogue, storage::FileEnv::posix(), bed.home.kv_folder())->quota_bytes;
}

TEST(KvQuota, IsWhatTheUserChoseUntilHeForgetsIt) {
  KvBed bed;
  const uint64_t otherwise = quota_of(bed);
  ASSERT_NE(otherwise, 4321u);
  ASSERT_TRUE(set_kv_quota(*bed.catalogue, 4321).ok());
  EXPECT_EQ(quota_of(bed), 4321u);
  EXPECT_EQ(quota_of_store(bed, {}), 4321u);
  EXPECT_EQ(quota_of_store(bed, {.quota_bytes = 99}), 99u) << "what is said for this run";
  ASSERT_TRUE(set_kv_quota(*bed.catalogue, 0).ok());
  EXPECT_GT(quota_of(bed), 4321u);
  ASSERT_TRUE(bed.catalogue->put_setting("kv.quota_bytes", "\"much\"").ok());
  EXPECT_GT(quota_of(bed), 4321u) << "what is no number is no choice";
  ASSERT_TRUE(bed.catalogue->put_setting("kv.quota_bytes", "0").ok());
  EXPECT_GT(quota_of(bed), 4321u);
}

TEST(KvQuota, WhatDoesNotFitAnyMoreGoesAndIsCounted) {
  KvBed bed;
  bed.store({0, 1, 2});
  storage::ChunkStore& store = bed.library->store();
  const uint64_t all = store.meter()->bytes;
  EXPECT_EQ(*evict_beyond_quota(*bed.catalogue, store), 0u);
  EXPECT_EQ(*bed.catalogue->counter("kv.evictions"), 0);
  store.set_quota(all - 1);
  const auto freed = evict_beyond_quota(*bed.catalogue, store);
  ASSERT_TRUE(freed.ok()) << freed.status().message();
  EXPECT_EQ(*freed, all - store.meter()->bytes);
  EXPECT_GT(*freed, 0u);
  EXPECT_EQ(store.meter()->chunks, 2);
  EXPECT_EQ(*bed.catalogue->counter("kv.evictions"), 1);
}

// The home's own folder comes last, once.
TEST(KvQuota, FoldersOfTheUserComeBeforeTheHomes) {
  KvBed bed;
  const auto roots = [&](std::vector<std::string> wanted) {
    return chunk_store_options({.roots = std::move(wanted)}, *bed.catalogue, storage::FileEnv::posix(),
                               bed.home.kv_folder())
        ->roots;
  };
  const std::string own = bed.home.kv_folder();
  EXPECT_EQ(roots({}), std::vector<std::string>{own});
  EXPECT_EQ(roots({own + "-fast"}), (std::vector<std::string>{own + "-fast", own}));
  EXPECT_EQ(roots({own, own + "-slow"}), (std::vector<std::string>{own, own + "-slow"}));
}

}  // namespace
}  // namespace mneme::rag
