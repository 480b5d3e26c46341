#include "rag/vectors/embedding_background.h"

#include "base/guarded.h"
#include "base/trace.h"
#include "rag/vectors/vector_indexes.h"

namespace mneme::rag {

EmbeddingBackground::~EmbeddingBackground() {
  cancel_.cancel();
  std::thread thread;
  {
    MutexLock lock(mutex_);
    thread = std::move(thread_);
  }
  if (thread.joinable()) thread.join();
}

void EmbeddingBackground::want(const storage::CollectionRecord& collection) {
  MutexLock lock(mutex_);
  if (!begun_.emplace(static_cast<int64_t>(collection.id), collection).second) return;
  wanted_.emplace(static_cast<int64_t>(collection.id), collection);
  if (running_) return;
  if (thread_.joinable()) thread_.join();    // it has said that it ends, so this waits for nothing
  thread_ = std::thread([this] { run(); });  // it waits for the lock
  running_ = true;
}

bool EmbeddingBackground::busy() const {
  MutexLock lock(mutex_);
  return running_;
}

Status EmbeddingBackground::last_failure() const {
  MutexLock lock(mutex_);
  return failure_;
}

void EmbeddingBackground::run() {
  trace::name_thread("embedding");
  for (;;) {
    storage::CollectionRecord collection;
    {
      MutexLock lock(mutex_);
      if (wanted_.empty() || cancel_.cancelled()) {
        running_ = false;
        return;
      }
      collection = wanted_.begin()->second;
      wanted_.erase(wanted_.begin());
    }
    const Status status = guarded("embedding", [&] { return vectors_.embed_missing(collection, cancel_).status(); });
    if (status.ok() || status.code() == StatusCode::kCancelled) continue;
    MutexLock lock(mutex_);
    failure_ = status;
  }
}

}  // namespace mneme::rag
