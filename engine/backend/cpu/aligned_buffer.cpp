#include "engine/backend/cpu/aligned_buffer.h"

#include <sys/mman.h>

#include <new>

namespace mneme::engine::cpu {
namespace {

constexpr std::align_val_t kAlignment{64};
constexpr size_t kHugePage = size_t{2} << 20;

// Below half a huge page most of it would be wasted.
bool is_large(size_t n_bytes) {
  return n_bytes >= kHugePage / 2;
}
size_t whole_pages(size_t n_bytes) {
  return (n_bytes + kHugePage - 1) / kHugePage * kHugePage;
}

}  // namespace

void* allocate_aligned(size_t n_bytes) {
  if (!is_large(n_bytes)) return ::operator new(n_bytes, kAlignment);
  void* memory = ::operator new(whole_pages(n_bytes), std::align_val_t{kHugePage});
  (void)madvise(memory, whole_pages(n_bytes), MADV_HUGEPAGE);  // advice: without it everything works, slower
  return memory;
}

void free_aligned(void* memory, size_t n_bytes) {
  if (!is_large(n_bytes)) return ::operator delete(memory, kAlignment);
  ::operator delete(memory, std::align_val_t{kHugePage});
}

}  // namespace mneme::engine::cpu
