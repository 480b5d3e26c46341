#include "simt.h"

#include "simt_graphs.h"
#include "simt_streams.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define SIMT_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIMT_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef SIMT_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

// Where a fiber stands: its saved stack pointer, or a context of the C library on other processors.
namespace simt {
namespace {

#if defined(__x86_64__)
using Context = void*;
#else
using Context = ucontext_t;
#endif

constexpr size_t kStackBytes = size_t{64} << 10;
constexpr int kWarp = 32;

}  // namespace
}  // namespace simt

#if defined(__x86_64__)
// Saves the registers a function must keep, changes stacks, restores. Nothing else of a fiber lives outside its stack.
extern "C" void simt_switch(void** save, void* load);
asm(R"(
.text
.globl simt_switch
.type simt_switch, @function
simt_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size simt_switch, .-simt_switch
)");
#endif

namespace simt {
namespace {

enum class State { kReady, kAtWarpBarrier, kAtBlockBarrier, kDone };

struct Copy {
  void* to;
  const void* from;
  size_t n_bytes;
  int group;
};

struct Fiber {
  Context context{};
  std::unique_ptr<std::byte[]> stack{new std::byte[kStackBytes]};
  State state = State::kDone;
  uint3 thread;
  int parity = 0;  // which of the warp's exchange slots is next
  std::vector<Copy> copies;
  int ended_groups = 0;  // of copies
};

struct Warp {
  uint64_t slots[2][kWarp] = {};
};

class Block {
 public:
  void run(const dim3& shape, const std::function<void()>& thread);
  void wait(State state);
  Fiber& current() { return *fibers_[static_cast<size_t>(current_)]; }
  Warp& current_warp() { return warps_[static_cast<size_t>(current_ / kWarp)]; }
  int current_lane() const { return current_ % kWarp; }

 private:
  void prepare(int index, const dim3& shape);
  void resume(int index);
  void run_warp(int first, int end);
  bool release_warp(int first, int end);
  bool release_block();
  static void enter();
  void switch_to_scheduler();

  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Warp> warps_;
  int n_threads_ = 0;
  int current_ = 0;
  bool progress_ = false;
  const std::function<void()>* thread_ = nullptr;
  Context scheduler_{};
#ifdef SIMT_ADDRESS_SANITIZER
  void* scheduler_fake_stack_ = nullptr;
  const void* scheduler_stack_ = nullptr;
  size_t scheduler_stack_bytes_ = 0;
#endif
};

Machine the_machine;
Counters the_counters;
Block block;
std::vector<std::byte> shared_memory;
std::map<const void*, size_t> allowed_shared_bytes;  // of kernels that have asked for more than all may have
std::map<void*, size_t> allocations;
std::map<void*, size_t> pinned;

// Within memory that cudaMallocHost gave.
bool is_pinned(const void* at, size_t n_bytes) {
  const auto* begin = static_cast<const std::byte*>(at);
  for (const auto& [memory, size] : pinned) {
    const auto* first = static_cast<const std::byte*>(memory);
    if (begin >= first && begin + n_bytes <= first + size) return true;
  }
  return false;
}
int64_t waits_for_earlier = 0;  // of threads of this grid

void Block::enter() {
#ifdef SIMT_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(nullptr, &block.scheduler_stack_, &block.scheduler_stack_bytes_);
#endif
  (*block.thread_)();
  if (!block.current().copies.empty()) {
    std::fprintf(stderr, "simt: a thread ended before its copies to shared memory had\n");
    std::abort();
  }
  block.current().state = State::kDone;
  block.switch_to_scheduler();
  std::abort();  // a finished fiber is never resumed
}

void Block::prepare(int index, const dim3& shape) {
  if (static_cast<size_t>(index) >= fibers_.size()) fibers_.push_back(std::make_unique<Fiber>());
  Fiber& fiber = *fibers_[static_cast<size_t>(index)];
  const auto at = static_cast<unsigned>(index);
  fiber.thread = {at % shape.x, at / shape.x % shape.y, at / (shape.x * shape.y)};
  fiber.state = State::kReady;
  fiber.parity = 0;
  fiber.ended_groups = 0;
#if defined(__x86_64__)
  // As if enter() had been called: a return address below the aligned top, then six registers to be popped.
  auto* top = reinterpret_cast<void**>(fiber.stack.get() + kStackBytes - 64);
  top = reinterpret_cast<void**>(reinterpret_cast<uintptr_t>(top) / 16 * 16);
  *--top = nullptr;
  *--top = reinterpret_cast<void*>(&Block::enter);
  top -= 6;
  fiber.context = top;
#else
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.get();
  fiber.context.uc_stack.ss_size = kStackBytes;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, &Block::enter, 0);
#endif
}

void Block::resume(int index) {
  current_ = index;
  progress_ = true;
  Fiber& fiber = current();
  threadIdx = fiber.thread;
#ifdef SIMT_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(&scheduler_fake_stack_, fiber.stack.get(), kStackBytes);
#endif
#if defined(__x86_64__)
  simt_switch(&scheduler_, fiber.context);
#else
  swapcontext(&scheduler_, &fiber.context);
#endif
#ifdef SIMT_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(scheduler_fake_stack_, nullptr, nullptr);
#endif
}

void Block::switch_to_scheduler() {
  Fiber& fiber = current();
#ifdef SIMT_ADDRESS_SANITIZER
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(fiber.state == State::kDone ? nullptr : &fake_stack, scheduler_stack_,
                                 scheduler_stack_bytes_);
#endif
#if defined(__x86_64__)
  simt_switch(&fiber.context, scheduler_);
#else
  swapcontext(&fiber.context, &scheduler_);
#endif
#ifdef SIMT_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(fake_stack, &scheduler_stack_, &scheduler_stack_bytes_);
#endif
}

void Block::wait(State state) {
  current().state = state;
  switch_to_scheduler();
}

// All lanes up to where none can go on without the rest of the block.
void Block::run_warp(int first, int end) {
  do {
    for (int i = 0; i < end - first; ++i) {
      const int index = the_machine.order == ThreadOrder::kAscending ? first + i : end - 1 - i;
      if (fibers_[static_cast<size_t>(index)]->state == State::kReady) resume(index);
    }
  } while (release_warp(first, end));
}

bool Block::release_warp(int first, int end) {
  bool any = false;
  for (int i = first; i < end; ++i) {
    const State state = fibers_[static_cast<size_t>(i)]->state;
    if (state == State::kDone) continue;
    if (state != State::kAtWarpBarrier) return false;
    any = true;
  }
  for (int i = first; i < end; ++i) {
    Fiber& fiber = *fibers_[static_cast<size_t>(i)];
    if (fiber.state == State::kAtWarpBarrier) fiber.state = State::kReady;
  }
  return any;
}

// True while threads are left.
bool Block::release_block() {
  bool left = false;
  for (int i = 0; i < n_threads_; ++i) {
    Fiber& fiber = *fibers_[static_cast<size_t>(i)];
    if (fiber.state == State::kDone) continue;
    left = true;
    if (fiber.state == State::kAtBlockBarrier) continue;
    if (!progress_) {
      std::fprintf(stderr, "simt: thread %d of block (%u, %u, %u) waits for threads that never come\n", i, blockIdx.x,
                   blockIdx.y, blockIdx.z);
      std::abort();
    }
    return true;
  }
  for (int i = 0; i < n_threads_; ++i) {
    Fiber& fiber = *fibers_[static_cast<size_t>(i)];
    if (fiber.state == State::kAtBlockBarrier) fiber.state = State::kReady;
  }
  return left;
}

void Block::run(const dim3& shape, const std::function<void()>& thread) {
  thread_ = &thread;
  n_threads_ = static_cast<int>(shape.x * shape.y * shape.z);
  warps_.assign(static_cast<size_t>((n_threads_ + kWarp - 1) / kWarp), Warp{});
  for (int i = 0; i < n_threads_; ++i) prepare(i, shape);
  const int n_warps = static_cast<int>(warps_.size());
  do {
    progress_ = false;
    for (int i = 0; i < n_warps; ++i) {
      const int warp = the_machine.order == ThreadOrder::kAscending ? i : n_warps - 1 - i;
      run_warp(warp * kWarp, std::min(n_threads_, (warp + 1) * kWarp));
    }
  } while (release_block());
}

}  // namespace

int usual_major() {
  static const int major = [] {
    const char* value = std::getenv("MNEME_SIMT_MAJOR");  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return value != nullptr ? std::atoi(value) : 7;
  }();
  return major;
}
Machine& machine() {
  return the_machine;
}
const Counters& counters() {
  return the_counters;
}
void count_graph_launch() {
  ++the_counters.graph_launches;
}

void* dynamic_shared_memory() {
  return shared_memory.data();
}
void wait_for_earlier_kernels() {
  ++waits_for_earlier;
}
void block_barrier() {
  block.wait(State::kAtBlockBarrier);
}
void warp_barrier() {
  block.wait(State::kAtWarpBarrier);
}
int lane() {
  return block.current_lane();
}

// Two sets of slots in turn: a lane can be one exchange ahead of the slowest, never two.
uint64_t exchange(uint64_t value, int source) {
  Fiber& fiber = block.current();
  Warp& warp = block.current_warp();
  const int parity = fiber.parity;
  fiber.parity ^= 1;
  warp.slots[parity][lane()] = value;
  warp_barrier();
  return warp.slots[parity][source];
}

uint32_t ballot(bool value) {
  Fiber& fiber = block.current();
  Warp& warp = block.current_warp();
  const int parity = fiber.parity;
  fiber.parity ^= 1;
  warp.slots[parity][lane()] = value ? 1 : 0;
  warp_barrier();
  uint32_t bits = 0;
  for (int i = 0; i < kWarp; ++i) bits |= static_cast<uint32_t>(warp.slots[parity][i] & 1) << i;
  return bits;
}

void copy_later(void* to, const void* from, size_t n_bytes) {
  if (reinterpret_cast<uintptr_t>(to) % n_bytes != 0 || reinterpret_cast<uintptr_t>(from) % n_bytes != 0) {
    std::fprintf(stderr, "simt: a copy to shared memory from or to what is no multiple of its size\n");
    std::abort();
  }
  Fiber& fiber = block.current();
  fiber.copies.push_back({to, from, n_bytes, fiber.ended_groups});
}
void end_of_copies() {
  ++block.current().ended_groups;
}

namespace {
// Those of groups before `group` arrive; they were asked for in order.
void finish_copies(int group) {
  auto& copies = block.current().copies;
  const auto end = std::find_if(copies.begin(), copies.end(), [&](const Copy& copy) { return copy.group >= group; });
  for (auto copy = copies.begin(); copy != end; ++copy) {
    if (copy->from == nullptr)
      std::memset(copy->to, 0, copy->n_bytes);
    else
      std::memcpy(copy->to, copy->from, copy->n_bytes);
  }
  copies.erase(copies.begin(), end);
}
size_t most_shared_bytes() {
  return static_cast<size_t>(the_machine.major >= 9 ? 227 : the_machine.major == 8 ? 99 : 64) << 10;
}
}  // namespace

void wait_for_copies() {
  finish_copies(block.current().ended_groups + 1);
}
void wait_for_copies_but(int n_groups) {
  finish_copies(block.current().ended_groups - n_groups);
}

cudaError_t allow_shared_bytes(const void* kernel, int n_bytes) {
  if (n_bytes < 0 || static_cast<size_t>(n_bytes) > most_shared_bytes()) return cudaErrorInvalidValue;
  allowed_shared_bytes[kernel] = static_cast<size_t>(n_bytes);
  return cudaSuccess;
}

namespace {
cudaError_t run_now(const cudaLaunchConfig_t& config, const std::function<void()>& thread);

bool fits_shared_memory(const cudaLaunchConfig_t& config, const void* kernel) {
  const auto allowed = allowed_shared_bytes.find(kernel);
  const size_t most = allowed == allowed_shared_bytes.end() ? size_t{48} << 10 : allowed->second;
  return config.dynamicSmemBytes <= most;
}
}  // namespace

cudaError_t run_grid(const cudaLaunchConfig_t& config, const void* kernel, const std::function<void()>& thread) {
  if (!fits_shared_memory(config, kernel)) return cudaErrorInvalidValue;
  if (is_capturing(config.stream)) return capture([config, thread] { return run_now(config, thread); });
  return enqueue(config.stream, [config, thread] { return run_now(config, thread); });
}

namespace {

cudaError_t run_now(const cudaLaunchConfig_t& config, const std::function<void()>& thread) {
  if (the_machine.launches_before_failure == 0) the_machine.is_lost = true;
  if (the_machine.is_lost) return the_machine.failure;
  if (the_machine.launches_before_failure > 0) --the_machine.launches_before_failure;
  const unsigned n_threads = config.blockDim.x * config.blockDim.y * config.blockDim.z;
  const bool fits = n_threads > 0 && n_threads <= 1024 && config.gridDim.x > 0 && config.gridDim.y > 0 &&
                    config.gridDim.z > 0 && config.gridDim.y < 65536 && config.gridDim.z < 65536;
  const bool overlaps = config.numAttrs > 0;
  if (!fits || (overlaps && the_machine.major < 9)) return cudaErrorInvalidValue;
  ++the_counters.launches;
  the_counters.overlapped += overlaps ? 1 : 0;
  waits_for_earlier = 0;
  gridDim = config.gridDim;
  blockDim = config.blockDim;
  for (unsigned z = 0; z < gridDim.z; ++z)
    for (unsigned y = 0; y < gridDim.y; ++y)
      for (unsigned x = 0; x < gridDim.x; ++x) {
        blockIdx = {x, y, z};
        shared_memory.assign(config.dynamicSmemBytes + 16, std::byte{0xff});
        block.run(config.blockDim, thread);
      }
  const int64_t n_blocks = int64_t{gridDim.x} * gridDim.y * gridDim.z;
  if (overlaps && waits_for_earlier != n_blocks * n_threads) {
    std::fprintf(stderr, "simt: a kernel began before the one ahead of it without waiting for it\n");
    std::abort();
  }
  return cudaSuccess;
}

}  // namespace
}  // namespace simt

namespace simt {
namespace {

cudaError_t copy_now(void* to, const void* from, size_t n_bytes) {
  if (the_machine.is_lost) return the_machine.failure;
  if (n_bytes > 0) std::memcpy(to, from, n_bytes);
  return cudaSuccess;
}

cudaError_t set_now(void* memory, int value, size_t n_bytes) {
  if (the_machine.is_lost) return the_machine.failure;
  std::memset(memory, value, n_bytes);
  return cudaSuccess;
}

// To and from memory that is not pinned, the call returns when the copy has reached or left it.
cudaError_t copy(void* to, const void* from, size_t n_bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  if (the_machine.is_lost) return the_machine.failure;
  if (kind == cudaMemcpyDeviceToHost) the_counters.bytes_to_host += static_cast<int64_t>(n_bytes);
  if (kind == cudaMemcpyHostToDevice && !is_pinned(from, n_bytes)) {
    const auto* bytes = static_cast<const std::byte*>(from);
    return enqueue(stream, [to, kept = std::vector<std::byte>(bytes, bytes + n_bytes)] {
      return copy_now(to, kept.data(), kept.size());
    });
  }
  const cudaError_t error = enqueue(stream, [=] { return copy_now(to, from, n_bytes); });
  if (error != cudaSuccess || kind != cudaMemcpyDeviceToHost || is_pinned(to, n_bytes)) return error;
  return finish(stream);
}

}  // namespace
}  // namespace simt

// --- The runtime's functions -----------------------------------------------------------------------------------------

using simt::the_counters;
using simt::the_machine;

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 0;
  if (the_machine.driver_version < 13000) return cudaErrorInsufficientDriver;
  if (the_machine.n_devices == 0) return cudaErrorNoDevice;
  *count = the_machine.n_devices;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device < 0 || device >= the_machine.n_devices) return cudaErrorInvalidDevice;
  *properties = {};
  std::snprintf(properties->name, sizeof(properties->name), "pretended GPU");
  properties->major = the_machine.major;
  properties->minor = the_machine.major == 7 ? 5 : 0;
  properties->totalGlobalMem = the_machine.memory_bytes;
  properties->multiProcessorCount = 4;
  properties->sharedMemPerBlockOptin = simt::most_shared_bytes();
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  if (the_machine.is_used_alone) return cudaErrorDevicesUnavailable;
  return device >= 0 && device < the_machine.n_devices ? cudaSuccess : cudaErrorInvalidDevice;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = the_machine.driver_version;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  const auto used = static_cast<size_t>(the_counters.bytes_in_use) + the_machine.memory_of_others;
  *free_bytes = used < the_machine.memory_bytes ? the_machine.memory_bytes - used : 0;
  *total_bytes = the_machine.memory_bytes;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, size_t n_bytes) {
  if (simt::is_capturing()) return simt::refuse_in_capture();
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  cudaMemGetInfo(&free_bytes, &total_bytes);
  if (n_bytes + the_machine.memory_taken_unseen > free_bytes) return cudaErrorMemoryAllocation;
  *memory = std::aligned_alloc(256, (n_bytes + 255) / 256 * 256);
  if (*memory == nullptr) return cudaErrorMemoryAllocation;
  std::memset(*memory, 0xff, n_bytes);
  simt::allocations[*memory] = n_bytes;
  the_counters.bytes_in_use += static_cast<int64_t>(n_bytes);
  ++the_counters.allocations;
  return cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
  if (simt::is_capturing()) return simt::refuse_in_capture();
  if (memory == nullptr) return cudaSuccess;
  simt::finish_all();
  const auto found = simt::allocations.find(memory);
  if (found == simt::allocations.end()) return cudaErrorInvalidValue;
  the_counters.bytes_in_use -= static_cast<int64_t>(found->second);
  simt::allocations.erase(found);
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void** memory, size_t n_bytes) {
  if (simt::is_capturing()) return simt::refuse_in_capture();
  if (!the_machine.pins_memory) return cudaErrorMemoryAllocation;
  *memory = std::aligned_alloc(256, (n_bytes + 255) / 256 * 256);
  if (*memory == nullptr) return cudaErrorMemoryAllocation;
  simt::pinned[*memory] = n_bytes;
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
  simt::finish_all();
  simt::pinned.erase(memory);
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t n_bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  if (simt::is_capturing(stream)) {
    const void* host = kind == cudaMemcpyHostToDevice ? from : to;
    if (kind != cudaMemcpyDeviceToDevice && !simt::is_pinned(host, n_bytes)) return simt::refuse_in_capture();
    return simt::capture([=] { return simt::copy_now(to, from, n_bytes); });
  }
  return simt::copy(to, from, n_bytes, kind, stream);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  for (size_t row = 0; row < height; ++row) {
    const cudaError_t error =
        cudaMemcpyAsync(static_cast<std::byte*>(to) + row * to_pitch,
                        static_cast<const std::byte*>(from) + row * from_pitch, width, kind, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, size_t n_bytes, cudaStream_t stream) {
  if (simt::is_capturing(stream)) return simt::capture([=] { return simt::set_now(memory, value, n_bytes); });
  return simt::enqueue(stream, [=] { return simt::set_now(memory, value, n_bytes); });
}

cudaError_t cudaGetLastError() {
  return cudaSuccess;
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess: return "no error";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInsufficientDriver: return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorNoDevice: return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice: return "invalid device ordinal";
    case cudaErrorLaunchFailure: return "unspecified launch failure";
    case cudaErrorIllegalAddress: return "an illegal memory access was encountered";
    default: return "unknown error";
  }
}
