// Memory for KV pages, shared by the caches of a backend. Pages that are given back are kept for the next sequence up
// to a limit: first touch of new memory costs more than computing what goes there. Cut from runs of pages in huge
// pages. Threads: safe.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"

namespace mneme::engine::cpu {

class PagePool : public std::enable_shared_from_this<PagePool> {
 public:
  // A run of equal pages; gives itself back to the pool.
  class Run {
   public:
    Run(std::shared_ptr<PagePool> pool, void* memory, size_t n_bytes)
        : pool_(std::move(pool)), memory_(memory), n_bytes_(n_bytes) {}
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    std::byte* data() const { return static_cast<std::byte*>(memory_); }
    size_t size() const { return n_bytes_; }

   private:
    std::shared_ptr<PagePool> pool_;
    void* memory_;
    size_t n_bytes_;
  };

  explicit PagePool(size_t keep_bytes) : keep_bytes_(keep_bytes) {}
  ~PagePool();

  // At least n_bytes, 64-byte aligned; contents are anything. kResource when there is no memory.
  Result<std::unique_ptr<Run>> acquire(size_t n_bytes);

 private:
  void release(void* memory, size_t n_bytes);

  const size_t keep_bytes_;
  Mutex mutex_;
  std::map<size_t, std::vector<void*>> free_ MNEME_GUARDED_BY(mutex_);  // by size
  size_t kept_bytes_ MNEME_GUARDED_BY(mutex_) = 0;
};

}  // namespace mneme::engine::cpu
