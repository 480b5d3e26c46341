#include "rag/kv_reuse/kv_background.h"

#include <gtest/gtest.h>

#include <thread>

#include "rag/kv_reuse/kv_job_record.h"
#include "tests/unit/rag_kv_reuse/kv_bed.h"

namespace mneme::rag {
namespace {

using engine::KvLevel;

std::vector<ChunkTokens> chunks(std::initializer_list<int> passages) {
  std::vector<ChunkTokens> list;
  for (const int passage : passages) list.push_back(KvBed::chunk(passage));
  return list;
}

int64_t pending_jobs(KvBed& bed) {
  const auto counts = bed.catalogue->job_counts();
  EXPECT_TRUE(counts.ok());
  for (const storage::JobCounts& count : *counts) {
    if (count.kind == KvBackground::kJobKind) return count.pending;
  }
  return 0;
}

TEST(KvBackground, FinishesWhatWasAskedWhenItEnds) {
  KvBed bed;
  bed.background->compute(chunks({0, 1, 2}), KvLevel::kExact);
  bed.background.reset();
  for (const int passage : {0, 1, 2}) EXPECT_TRUE(bed.library->contains(KvBed::chunk(passage), KvLevel::kExact));
  EXPECT_EQ(pending_jobs(bed), 0);
}

TEST(KvBackground, AnInterruptionLeavesTheRestAsJobs) {
  KvBed bed;
  CancelToken interrupt;
  interrupt.cancel();  // Ctrl-C before the first chunk is done
  auto background = std::make_unique<KvBackground>(*bed.library, *bed.catalogue, interrupt);
  background->compute(chunks({0, 1, 2}), KvLevel::kExact);
  background.reset();
  EXPECT_EQ(pending_jobs(bed), 3);
  EXPECT_FALSE(bed.library->contains(KvBed::chunk(0), KvLevel::kExact));
}

TEST(KvBackground, ALaterProgramTakesTheJobsUp) {
  KvBed bed;
  bed.background->cancel();
  bed.background->compute(chunks({0, 1}), KvLevel::kExact);
  bed.background.reset();
  ASSERT_EQ(pending_jobs(bed), 2);
  bed.open_library();
  bed.background->compute(chunks({2}), KvLevel::kExact);
  for (int i = 0; i < 20'000 && pending_jobs(bed) > 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  for (const int passage : {0, 1, 2}) EXPECT_TRUE(bed.library->contains(KvBed::chunk(passage), KvLevel::kExact));
  EXPECT_EQ(pending_jobs(bed), 0);
}

// Another program forgets a text while this one computes its KV, or has it waiting: forgetting wins.
TEST(KvBackground, WhatWasForgottenMeanwhileIsNotKept) {
  KvBed bed;
  storage::NewDocument document;
  document.record.collection = *bed.catalogue->ensure_collection("default");
  for (const int passage : {0, 1}) {
    document.record.path = "/docs/" + std::to_string(passage);
    storage::NewChunk chunk;
    chunk.text = "passage " + std::to_string(passage);
    document.chunks = {chunk};
    ASSERT_TRUE(bed.catalogue->put_document(document).ok());
  }
  ASSERT_TRUE(bed.catalogue->forget("/docs/0").ok());
  EXPECT_EQ(bed.library->compute(KvBed::chunk(0), KvLevel::kExact, never_cancelled()).code(), StatusCode::kNotFound);
  EXPECT_FALSE(bed.library->contains(KvBed::chunk(0), KvLevel::kExact));
  EXPECT_TRUE(bed.library->compute(KvBed::chunk(1), KvLevel::kExact, never_cancelled()).ok());
  bed.background->compute(chunks({0}), KvLevel::kExact);
  bed.background.reset();
  EXPECT_EQ(pending_jobs(bed), 0);
  CancelToken interrupt;
  interrupt.cancel();
  KvBackground(*bed.library, *bed.catalogue, interrupt).compute(chunks({0, 1}), KvLevel::kExact);
  EXPECT_EQ(pending_jobs(bed), 1) << "only that of the text which is still there";
  // Read since then, beside the index: it is computed like any other.
  bed.open_library();
  EXPECT_TRUE(bed.library->compute(KvBed::chunk(0), KvLevel::kExact, never_cancelled()).ok());
}

TEST(KvJobRecord, ComesBackAndRefusesWhatIsNotItsOwn) {
  KvBed bed;
  const auto job = kv_job_record(*bed.library, KvBed::chunk(1), KvLevel::kExact);
  ASSERT_TRUE(job.ok());
  const auto request = parse_kv_job(*bed.library, *job);
  ASSERT_TRUE(request.ok()) << request.status().message();
  EXPECT_EQ(request->chunk.ids, KvBed::passage_ids(1));
  EXPECT_EQ(request->chunk.text_hash, KvBed::text_hash(1));
  KvBed other(2);
  EXPECT_EQ(parse_kv_job(*other.library, *job).status().code(), StatusCode::kUnsupported);
  for (const char* rubbish : {"", "[]", "{}", R"({"model":"x"})"}) {
    storage::JobRecord bad = *job;
    bad.payload_json = rubbish;
    EXPECT_FALSE(parse_kv_job(*bed.library, bad).ok()) << rubbish;
  }
  storage::JobRecord huge = *job;
  const size_t at = huge.payload_json.find("\"tokens\":[");
  huge.payload_json.insert(at + 10, "99999999,");
  EXPECT_EQ(parse_kv_job(*bed.library, huge).status().code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace mneme::rag
