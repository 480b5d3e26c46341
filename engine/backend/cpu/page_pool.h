// Memory for KV pages, shared by the caches of a backend. Pages that are given back are kept for the next sequence up
// to a limit: first touch of new memory costs more than computing what goes there.
//
// Runs are cut one after the other from large regions of huge pages. Mapped one by one they would lie across the
// borders of huge pages, most of them in small ones: tokens that are retrieved at random would then cost an address
// translation each, and a translation in a virtual machine reads memory many times. Regions are given back with the
// pool; until then what is not kept is address space without memory behind it.
// Threads: safe.
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
    explicit Run(std::shared_ptr<PagePool> pool) : pool_(std::move(pool)) {}
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    std::byte* data() const { return memory_; }
    size_t size() const { return n_bytes_; }

   private:
    friend class PagePool;
    std::shared_ptr<PagePool> pool_;
    std::byte* memory_ = nullptr;
    size_t n_bytes_ = 0;
  };

  explicit PagePool(size_t keep_bytes) : keep_bytes_(keep_bytes) {}
  ~PagePool();

  // At least n_bytes, aligned to a system page; contents are anything. kResource when there is no memory for them;
  // std::bad_alloc where there is none for the lists: the pool is then as it was.
  Result<std::unique_ptr<Run>> acquire(size_t n_bytes);

 private:
  struct Region {
    std::byte* mapped;  // as the system gave it
    size_t mapped_bytes;
    std::byte* begin;  // of huge pages
    size_t size;
    size_t used;
  };
  using Free = std::map<size_t, std::vector<std::byte*>>;  // by size

  std::byte* find(size_t size) MNEME_REQUIRES(mutex_);
  void release(std::byte* memory, size_t n_bytes);
  static std::byte* take(Free& free, size_t size);
  // The next `size` bytes of the last region, or of a new one; null where the system has no address space.
  std::byte* cut(size_t size) MNEME_REQUIRES(mutex_);

  const size_t keep_bytes_;
  Mutex mutex_;
  Free kept_ MNEME_GUARDED_BY(mutex_);   // with their memory
  Free empty_ MNEME_GUARDED_BY(mutex_);  // addresses only
  size_t kept_bytes_ MNEME_GUARDED_BY(mutex_) = 0;
  std::vector<Region> regions_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::engine::cpu
