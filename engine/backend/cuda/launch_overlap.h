// Whether kernels may begin while the ones ahead of them on the stream still end (programmatic dependent launch,
// compute capability 9.0 and newer): their blocks are then in place when their turn comes, which saves the better part
// of a launch. Every thread of every kernel therefore calls after_earlier_kernels() (device_language.cuh). Before it,
// a kernel reads weights, which no kernel writes, and what kernels ahead of the one ahead have written: that one has
// waited for them before it let this one begin. It writes nothing. Threads: each its own.
#pragma once

namespace mneme::engine::cuda {

inline constexpr int kOverlapMajor = 9;

// For this thread's launches; Device::begin() sets it.
inline thread_local bool launches_overlap = false;

}  // namespace mneme::engine::cuda
