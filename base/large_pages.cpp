#include "base/large_pages.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#ifdef __GLIBC__

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace mneme {
namespace {

constexpr size_t kLargePage = size_t{2} << 20;
// Of the main thread, from the start: as much as a search takes, or opening the window.
constexpr size_t kReserve = size_t{32} << 20;
// Blocks from this size on are mapped, and unmapped when they are freed. The allocator's own border is where the
// largest freed block was so far, 128 KiB at first, which any setting ends.
constexpr int kMappedFrom = 4 << 20;
constexpr int kKeptFree = 64 << 20;  // at the heap's end: more than is reserved
constexpr int kGrowth = 1 << 20;

uintptr_t end_of_heap() {
  return reinterpret_cast<uintptr_t>(::sbrk(0));
}

uintptr_t next_large_page(uintptr_t address) {
  return (address + kLargePage - 1) / kLargePage * kLargePage;
}

// Makes the heap end so many bytes further.
// NOLINTBEGIN(concurrency-mt-unsafe): there are no other threads yet.
void grow_heap(size_t bytes) {
  ::mallopt(M_TOP_PAD, static_cast<int>(bytes));
  void* volatile block = std::malloc(kGrowth);  // volatile: a compiler leaves out what is freed unused
  std::free(block);
  ::mallopt(M_TOP_PAD, kGrowth);
}
// NOLINTEND(concurrency-mt-unsafe)

}  // namespace

void put_heap_in_large_pages() {
  const uintptr_t begin = next_large_page(end_of_heap());
  ::mallopt(M_MMAP_THRESHOLD, kMappedFrom);  // NOLINT(concurrency-mt-unsafe): as above
  ::mallopt(M_TRIM_THRESHOLD, kKeptFree);    // NOLINT(concurrency-mt-unsafe)
  const size_t before = begin - end_of_heap();
  grow_heap(before + kReserve);
  const uintptr_t end = end_of_heap() / kLargePage * kLargePage;
  if (end <= begin) return;                            // another allocator, or no room
  void* const first = reinterpret_cast<void*>(begin);  // NOLINT(performance-no-int-to-ptr): rounded up to a large page
  ::madvise(first, end - begin, MADV_HUGEPAGE);
  // Never used, and never touched: what is asked for from now on lies in large pages.
  [[maybe_unused]] static void* volatile filler = nullptr;  // volatile, as above
  filler = std::malloc(before);
}

}  // namespace mneme

#else

namespace mneme {

void put_heap_in_large_pages() {}

}  // namespace mneme

#endif
