// A chunk whose KV is still to be computed, as a durable job of the catalogue. Threads: pure functions.
#pragma once

#include "base/status.h"
#include "rag/kv_reuse/kv_library.h"
#include "storage/catalogue/records.h"

namespace mneme::rag {

struct KvJobRequest {
  ChunkTokens chunk;
  engine::KvLevel level = engine::KvLevel::kExact;
};

Result<storage::JobRecord> kv_job_record(KvLibrary& library, const ChunkTokens& chunk, engine::KvLevel level);

// kUnsupported for a job of another model, kCorruption for what is no such job.
Result<KvJobRequest> parse_kv_job(KvLibrary& library, const storage::JobRecord& job);

}  // namespace mneme::rag
