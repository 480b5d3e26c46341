// Copies to shared memory that go on behind the program (compute capability 8.0 and newer); on the pretended device the
// same by definition (PTX ISA, "cp.async").
#pragma once

#include "engine/backend/cuda/device_language.cuh"

namespace mneme::engine::cuda {

// 16 bytes to shared memory, or zeros where they are not there; both ends are multiples of 16. They are there after
// wait_for_copies(), which waits for the thread's own: a barrier makes those of others seen.
//
// What a thread has copied since its last end_of_copies() is a group; wait_for_copies_but<kGroups>() waits for all
// groups but the newest kGroups.
#ifdef MNEME_SIMT_ON_HOST
inline void copy_vector(void* to, const void* from, bool is_there = true) {
  simt::copy_later(to, is_there ? from : nullptr, 16);
}
inline void wait_for_copies() {
  simt::wait_for_copies();
}
inline void end_of_copies() {
  simt::end_of_copies();
}
template <int kGroups>
void wait_for_copies_but() {
  simt::wait_for_copies_but(kGroups);
}
#elif !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__device__ __forceinline__ void copy_vector(void* to, const void* from, bool is_there = true) {
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :
               : "r"(address), "l"(__cvta_generic_to_global(from)), "r"(is_there ? 16 : 0)
               : "memory");
}
__device__ __forceinline__ void wait_for_copies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}
__device__ __forceinline__ void end_of_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int kGroups>
__device__ __forceinline__ void wait_for_copies_but() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kGroups) : "memory");
}
#else
// Older devices have no such instructions; nobody sends them here.
__device__ __forceinline__ void copy_vector(void*, const void*, bool = true) {
  __trap();
}
__device__ __forceinline__ void wait_for_copies() {
  __trap();
}
__device__ __forceinline__ void end_of_copies() {
  __trap();
}
template <int kGroups>
__device__ __forceinline__ void wait_for_copies_but() {
  __trap();
}
#endif

}  // namespace mneme::engine::cuda
