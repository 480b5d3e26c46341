// CUDA kernels on the host, for tests on machines without a GPU: the sources of engine/backend/cuda compile as plain
// C++ against the cuda_runtime.h beside this file. A block's threads are fibers that run one after another up to the
// next barrier or warp exchange; blocks run in order; streams and copies finish at once, or as late as they may.
//
// What it shows: indices, bounds, arithmetic, barriers that some threads miss (reported, with the block), reads of
// memory that nobody wrote (device and dynamic shared memory start as NaN) and, by running the threads of a block in
// either order, races whose outcome depends on it. Streams that run late (Machine::late_streams) show missing waits
// between streams: what such a stream is given is done when somebody waits for it and not before. What it cannot show:
// limits of registers, speed.
//
// Threads: one thread of the program at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "cuda_runtime.h"

namespace simt {

enum class ThreadOrder { kAscending, kDescending };

// 7, or what MNEME_SIMT_MAJOR says in the environment.
int usual_major();

// The pretended machine. Tests change it and put it back (Machine{}).
struct Machine {
  int n_devices = 1;
  int driver_version = 13000;             // 0: no driver
  int major = usual_major();              // of the compute capability; 8 and more have tensor cores that take part
  size_t memory_bytes = size_t{1} << 30;  // of a device
  ThreadOrder order = ThreadOrder::kAscending;
  // Bit i: the i-th stream made since make_late() does what it is given when somebody waits for it (simt_streams.h),
  // the others at once, after what they wait for; the last bit is of all further ones, too. A device makes its compute
  // stream first.
  unsigned late_streams = 0;
  int streams_made = 0;
  int launches_before_failure = -1;  // -1: never
  bool pins_memory = true;           // for the host
  size_t memory_of_others = 0;       // that other programs have taken
  size_t memory_taken_unseen = 0;    // likewise, between a look at what is free and the taking of it
  bool is_used_alone = false;        // by another program, so that this one cannot
  bool is_lost = false;              // everything fails from now on
  bool makes_graphs = true;          // of what was captured
  cudaError_t failure = cudaErrorLaunchFailure;
};
Machine& machine();
inline void make_late(unsigned streams) {
  machine().late_streams = streams;
  machine().streams_made = 0;
}

// What happened since the program started.
struct Counters {
  int64_t launches = 0;
  int64_t allocations = 0;  // of device memory
  int64_t bytes_in_use = 0;
  int64_t bytes_to_host = 0;  // copied by the host's order
  int64_t graph_launches = 0;
  int64_t overlapped = 0;  // launches that may begin before the one ahead has ended
};
const Counters& counters();

// --- For cuda_runtime.h ---------------------------------------------------------------------------------------------
cudaError_t run_grid(const cudaLaunchConfig_t& config, const void* kernel, const std::function<void()>& thread);
cudaError_t allow_shared_bytes(const void* kernel, int n_bytes);
void* dynamic_shared_memory();
void wait_for_earlier_kernels();
void block_barrier();
void warp_barrier();
// Every live lane of the warp gives a value and gets that of lane `source`.
uint64_t exchange(uint64_t value, int source);
// Bit i: lane i gave true; all lanes of the warp must be live.
uint32_t ballot(bool value);
int lane();
// Of a thread: bytes (zeros from nowhere) that reach shared memory when the thread waits for its copies, and not
// before. A thread that ends without having waited ends the program.
void copy_later(void* to, const void* from, size_t n_bytes);
void wait_for_copies();
// Copies since the last end are a group; waits for all groups but the newest n_groups.
void end_of_copies();
void wait_for_copies_but(int n_groups);

}  // namespace simt
