// One block of a grid: its threads are fibers, of which one runs at a time, up to the next barrier or exchange of its
// warp; the functions of simt.h that a kernel calls are about the thread that runs. Threads: one of the program.
#pragma once

#include <functional>

#include "cuda_runtime.h"

namespace simt {

// Runs `thread` for every thread of a block of that shape, warp by warp in the order that machine() says. Ends the
// program where threads wait for others that never come.
void run_block(const dim3& shape, const std::function<void()>& thread);

}  // namespace simt
