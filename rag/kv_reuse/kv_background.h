// Computes and stores KV of chunks behind what the user does: one thread, in the order asked. Engine work gives way to
// questions layer by layer. What an interruption leaves undone becomes durable jobs of the catalogue; a later program
// takes them up when it has nothing else to compute. Ownership: borrows library, catalogue and token. Threads: all
// functions from any thread.
#pragma once

#include <deque>
#include <optional>
#include <thread>
#include <vector>

#include "base/cancel.h"
#include "base/mutex.h"
#include "rag/kv_reuse/kv_library.h"
#include "storage/catalogue/records.h"

namespace mneme::rag {

class KvBackground {
 public:
  // interrupt: the user's wish to stop (Ctrl-C): the chunk being computed is given up and the rest is left as jobs.
  KvBackground(KvLibrary& library, storage::Catalogue& catalogue, const CancelToken& interrupt = never_cancelled())
      : library_(library), catalogue_(catalogue), cancel_(&interrupt) {}
  // Finishes what was asked of this object, unless interrupted; jobs of others stay where they are.
  ~KvBackground();
  KvBackground(const KvBackground&) = delete;
  KvBackground& operator=(const KvBackground&) = delete;

  // A failure costs the cache entry, nothing else; last_failure() tells. Jobs that were left are taken up afterwards.
  void compute(std::vector<ChunkTokens> chunks, engine::KvLevel level);
  // Gives up what is being computed, and leaves the queue as jobs.
  void cancel();
  int64_t pending() const;
  Status last_failure() const;
  // Once: that a level cannot hold a passage's numbers, so that every answer computes it; else OK.
  Status take_refusal();

  static constexpr const char* kJobKind = "kv";

 private:
  struct Request {
    ChunkTokens chunk;
    engine::KvLevel level = engine::KvLevel::kExact;
    std::optional<storage::JobId> job;  // of the catalogue, where it comes from there
  };
  void run();
  std::optional<Request> next();
  std::optional<Request> claim_job();
  void work_on(const Request& request);
  void leave_as_jobs(const std::deque<Request>& requests);

  KvLibrary& library_;
  storage::Catalogue& catalogue_;
  CancelToken cancel_;  // also raised by the user's interruption
  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<Request> queue_ MNEME_GUARDED_BY(mutex_);
  bool closing_ MNEME_GUARDED_BY(mutex_) = false;
  bool busy_ MNEME_GUARDED_BY(mutex_) = false;
  bool jobs_left_ MNEME_GUARDED_BY(mutex_) = true;  // perhaps
  Status failure_ MNEME_GUARDED_BY(mutex_);
  Status refusal_ MNEME_GUARDED_BY(mutex_);
  bool refusal_is_told_ MNEME_GUARDED_BY(mutex_) = false;
  std::thread thread_ MNEME_GUARDED_BY(mutex_);  // started at the first request
};

}  // namespace mneme::rag
