#include "rag/kv_reuse/kv_background.h"

#include <utility>

#include "base/guarded.h"
#include "base/trace.h"

namespace mneme::rag {

KvBackground::~KvBackground() {
  std::thread thread;
  {
    MutexLock lock(mutex_);
    closing_ = true;
    thread = std::move(thread_);
    changed_.notify_all();
  }
  if (thread.joinable()) thread.join();
}

void KvBackground::compute(std::vector<ChunkTokens> chunks, engine::KvLevel level) {
  MutexLock lock(mutex_);
  for (ChunkTokens& chunk : chunks) queue_.push_back({std::move(chunk), level});
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  changed_.notify_all();
}

void KvBackground::cancel() {
  cancel_.cancel();
  MutexLock lock(mutex_);
  queue_.clear();
}

int64_t KvBackground::pending() const {
  MutexLock lock(mutex_);
  return static_cast<int64_t>(queue_.size()) + (busy_ ? 1 : 0);
}

Status KvBackground::last_failure() const {
  MutexLock lock(mutex_);
  return failure_;
}

void KvBackground::run() {
  trace::name_thread("kv background");
  for (;;) {
    Request request;
    {
      MutexLock lock(mutex_);
      busy_ = false;
      while (queue_.empty() && !closing_) changed_.wait(mutex_);
      if (queue_.empty()) return;
      request = std::move(queue_.front());
      queue_.pop_front();
      busy_ = true;
    }
    // Another answer, or another process, may have stored it meanwhile.
    const Status status = guarded("a KV cache", [&] {
      if (library_.contains(request.chunk, request.level)) return Status();
      return library_.compute(request.chunk, request.level, cancel_);
    });
    if (status.ok() || status.code() == StatusCode::kCancelled) continue;
    MutexLock lock(mutex_);
    failure_ = status;
  }
}

}  // namespace mneme::rag
