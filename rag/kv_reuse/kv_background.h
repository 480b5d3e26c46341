// Computes and stores KV of chunks behind what the user does: one thread, in the order asked. Engine work gives way to
// questions layer by layer. Ownership: borrows the library. Threads: all functions from any thread.
#pragma once

#include <deque>
#include <thread>
#include <vector>

#include "base/cancel.h"
#include "base/mutex.h"
#include "rag/kv_reuse/kv_library.h"

namespace mneme::rag {

class KvBackground {
 public:
  explicit KvBackground(KvLibrary& library) : library_(library) {}
  // Finishes what was asked for, unless cancel() was called.
  ~KvBackground();
  KvBackground(const KvBackground&) = delete;
  KvBackground& operator=(const KvBackground&) = delete;

  // A failure costs the cache entry, nothing else; last_failure() tells.
  void compute(std::vector<ChunkTokens> chunks, engine::KvLevel level);
  void cancel();
  int64_t pending() const;
  Status last_failure() const;

 private:
  struct Request {
    ChunkTokens chunk;
    engine::KvLevel level = engine::KvLevel::kExact;
  };
  void run();

  KvLibrary& library_;
  CancelToken cancel_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<Request> queue_ MNEME_GUARDED_BY(mutex_);
  bool closing_ MNEME_GUARDED_BY(mutex_) = false;
  bool busy_ MNEME_GUARDED_BY(mutex_) = false;
  Status failure_ MNEME_GUARDED_BY(mutex_);
  std::thread thread_ MNEME_GUARDED_BY(mutex_);  // started at the first request
};

}  // namespace mneme::rag
