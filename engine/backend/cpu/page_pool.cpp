#include "engine/backend/cpu/page_pool.h"

#include <sys/mman.h>

#include <string>

#include "base/guarded.h"

namespace mneme::engine::cpu {
namespace {

constexpr size_t kSystemPage = 4096;
constexpr size_t kHugePage = size_t{2} << 20;

}  // namespace

PagePool::Run::~Run() {
  pool_->release(memory_, n_bytes_);
}

PagePool::~PagePool() {
  for (const auto& [n_bytes, runs] : free_)
    for (void* memory : runs) munmap(memory, n_bytes);
}

Result<std::unique_ptr<PagePool::Run>> PagePool::acquire(size_t n_bytes) {
  const size_t size = (n_bytes + kSystemPage - 1) / kSystemPage * kSystemPage;
  {
    MutexLock lock(mutex_);
    auto found = free_.find(size);
    if (found != free_.end() && !found->second.empty()) {
      void* memory = found->second.back();
      found->second.pop_back();
      kept_bytes_ -= size;
      return std::make_unique<Run>(shared_from_this(), memory, size);
    }
  }
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return resource_error("no memory for " + std::to_string(size >> 10) +
                          " KiB of KV; use a shorter context or close other programs");
  }
  // Whole huge pages inside the run, where the system has them to give: fewer faults.
  if (size >= kHugePage) (void)madvise(memory, size, MADV_HUGEPAGE);
  return std::make_unique<Run>(shared_from_this(), memory, size);
}

void PagePool::release(void* memory, size_t n_bytes) {
  {
    MutexLock lock(mutex_);
    // Called by destructors: without memory for the list the pages go back to the system.
    bool kept = false;
    auto* free = &free_;  // clang's analysis does not see that the lambda runs under the lock
    if (kept_bytes_ + n_bytes <= keep_bytes_) {
      attempt([&] {
        (*free)[n_bytes].push_back(memory);
        kept = true;
      });
    }
    if (kept) {
      kept_bytes_ += n_bytes;
      return;
    }
  }
  munmap(memory, n_bytes);
}

}  // namespace mneme::engine::cpu
