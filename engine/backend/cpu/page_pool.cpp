#include "engine/backend/cpu/page_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <string>

#include "base/guarded.h"

namespace mneme::engine::cpu {
namespace {

constexpr size_t kSystemPage = 4096;
constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kRegionBytes = size_t{64} << 20;  // address space; memory comes as it is touched
constexpr size_t kMostBytes = size_t{1} << 56;     // no address space has them; sums of what is less do not overflow

size_t round_up(size_t n, size_t unit) {
  return (n + unit - 1) / unit * unit;
}

}  // namespace

PagePool::Run::~Run() {
  if (memory_ != nullptr) pool_->release(memory_, n_bytes_);
}

PagePool::~PagePool() {
  for (const Region& region : regions_) munmap(region.mapped, region.mapped_bytes);
}

Result<std::unique_ptr<PagePool::Run>> PagePool::acquire(size_t n_bytes) {
  // Its owner first: were memory for it wanting afterwards, the pages would belong to nobody.
  auto run = std::make_unique<Run>(shared_from_this());
  if (n_bytes <= kMostBytes) {
    run->n_bytes_ = round_up(n_bytes, kSystemPage);
    MutexLock lock(mutex_);
    run->memory_ = find(run->n_bytes_);
  }
  if (run->memory_ != nullptr) return run;
  return resource_error("no memory for " + std::to_string(n_bytes >> 10) +
                        " KiB of KV; use a shorter context or close other programs");
}

std::byte* PagePool::find(size_t size) {
  std::byte* memory = take(kept_, size);
  if (memory != nullptr) {
    kept_bytes_ -= size;
    return memory;
  }
  memory = take(empty_, size);
  return memory != nullptr ? memory : cut(size);
}

std::byte* PagePool::take(Free& free, size_t size) {
  const auto found = free.find(size);
  if (found == free.end() || found->second.empty()) return nullptr;
  std::byte* memory = found->second.back();
  found->second.pop_back();
  return memory;
}

std::byte* PagePool::cut(size_t size) {
  if (regions_.empty() || size > regions_.back().size - regions_.back().used) {
    regions_.reserve(regions_.size() + 1);  // so that nothing can fail once it is mapped
    const size_t region_bytes = std::max(kRegionBytes, round_up(size, kHugePage));
    const size_t mapped_bytes = region_bytes + kHugePage;  // some of it is lost to where huge pages begin
    void* mapped =
        mmap(nullptr, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    const size_t skipped = (kHugePage - reinterpret_cast<uintptr_t>(mapped) % kHugePage) % kHugePage;
    std::byte* begin = static_cast<std::byte*>(mapped) + skipped;
    (void)madvise(begin, region_bytes, MADV_HUGEPAGE);  // advice: the system may have none to give
    regions_.push_back({static_cast<std::byte*>(mapped), mapped_bytes, begin, region_bytes, 0});
  }
  Region& region = regions_.back();
  std::byte* memory = region.begin + region.used;
  region.used += size;
  return memory;
}

// Called by destructors: where there is no memory for a list's entry, its addresses are not used again.
void PagePool::release(std::byte* memory, size_t n_bytes) {
  MutexLock lock(mutex_);
  const bool keep = kept_bytes_ + n_bytes <= keep_bytes_;
  auto* free = keep ? &kept_ : &empty_;  // clang's analysis does not see that the lambda runs under the lock
  bool listed = false;
  attempt([&] {
    (*free)[n_bytes].push_back(memory);
    listed = true;
  });
  if (keep && listed) {
    kept_bytes_ += n_bytes;
  } else {
    (void)madvise(memory, n_bytes, MADV_DONTNEED);
  }
}

}  // namespace mneme::engine::cpu
