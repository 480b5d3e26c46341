// Computes vectors that are missing, behind what the user does: after a change of embedder searches go on by words
// while one thread embeds the passages anew, batch by batch, each kept as it is done.
// Ownership: borrows the indexes. Threads: all functions from any thread.
#pragma once

#include <map>
#include <thread>

#include "base/cancel.h"
#include "base/mutex.h"
#include "base/status.h"
#include "storage/catalogue/records.h"

namespace mneme::rag {

class VectorIndexes;

class EmbeddingBackground {
 public:
  explicit EmbeddingBackground(VectorIndexes& vectors) : vectors_(vectors) {}
  // Stops after the batch in work; what is done stays done.
  ~EmbeddingBackground();
  EmbeddingBackground(const EmbeddingBackground&) = delete;
  EmbeddingBackground& operator=(const EmbeddingBackground&) = delete;

  // Embeds what this collection lacks, unless that is under way or failed before.
  void want(const storage::CollectionRecord& collection);
  bool busy() const;
  Status last_failure() const;

 private:
  void run();

  VectorIndexes& vectors_;
  CancelToken cancel_;
  mutable Mutex mutex_;
  std::map<int64_t, storage::CollectionRecord> wanted_ MNEME_GUARDED_BY(mutex_);
  std::map<int64_t, storage::CollectionRecord> begun_ MNEME_GUARDED_BY(mutex_);  // tried in this process
  bool running_ MNEME_GUARDED_BY(mutex_) = false;
  Status failure_ MNEME_GUARDED_BY(mutex_);
  std::thread thread_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::rag
