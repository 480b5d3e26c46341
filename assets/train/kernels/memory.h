// Arrays on huge pages: the matrices are read in strides that would miss the small ones' address cache all the time.
#pragma once
#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <vector>

namespace mneme_train {

template <class T>
struct HugePages {
  using value_type = T;
  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}
  T* allocate(size_t n) {
    constexpr size_t kPage = size_t{1} << 21;
    const size_t bytes = n * sizeof(T), align = bytes >= kPage / 4 ? kPage : 64;
    const size_t rounded = (bytes + align - 1) / align * align;
    void* p = std::aligned_alloc(align, rounded);
    if (!p) throw std::bad_alloc();
    if (align == kPage) madvise(p, rounded, MADV_HUGEPAGE);
    return static_cast<T*>(p);
  }
  void deallocate(T* p, size_t) { std::free(p); }
  bool operator==(const HugePages&) const { return true; }
};

template <class T>
using Array = std::vector<T, HugePages<T>>;

// At least n values; what they hold is not kept in mind by any caller.
template <class T>
T* sized(Array<T>& v, size_t n) {
  if (v.size() < n) v.resize(n);
  return v.data();
}

}  // namespace mneme_train
