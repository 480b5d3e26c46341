#include "simt_block.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "simt.h"

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
constexpr unsigned kWarp = 32;

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

struct Copy {
  void* to;
  const void* from;
  size_t n_bytes;
  int group;
};

struct Fiber {
  Context context{};
  std::unique_ptr<std::byte[]> stack{new std::byte[kStackBytes]};
  uint3 thread;
  int parity = 0;  // which of the warp's exchange slots is next
  std::vector<Copy> copies;
  int ended_groups = 0;  // of copies
};

// Sets of lanes; who is in none of them has ended.
struct Warp {
  uint32_t ready = 0;
  uint32_t at_warp_barrier = 0;
  uint32_t at_block_barrier = 0;
  uint64_t slots[2][kWarp] = {};
};

class Block {
 public:
  void run(const dim3& shape, const std::function<void()>& thread);
  // The thread that runs waits for those of its warp, or of the block.
  void wait(uint32_t Warp::* barrier);
  Fiber& current() { return *fibers_[current_]; }
  Warp& current_warp() { return warps_[current_ / kWarp]; }
  unsigned current_lane() const { return current_ % kWarp; }

 private:
  static void enter();
  void prepare(unsigned index, const dim3& shape);
  bool take_next(unsigned warp);
  void give_way(bool ends);
  void run_warp(unsigned warp);
  bool release_block();
  void switch_stacks(Fiber* from, Fiber* to, bool ends);
  void arrive(void* fake_stack);

  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Warp> warps_;
  unsigned current_ = 0;
  bool progress_ = false;
  const std::function<void()>* thread_ = nullptr;
  Context scheduler_{};
#ifdef SIMT_ADDRESS_SANITIZER
  bool from_scheduler_ = false;
  const void* scheduler_stack_ = nullptr;
  size_t scheduler_stack_bytes_ = 0;
#endif
};

Block block;

void Block::enter() {
  block.arrive(nullptr);
  (*block.thread_)();
  if (!block.current().copies.empty()) {
    std::fprintf(stderr, "simt: a thread ended before its copies to shared memory had\n");
    std::abort();
  }
  block.current_warp().ready &= ~(1U << block.current_lane());
  block.give_way(true);
  std::abort();  // a finished fiber is never resumed
}

void Block::prepare(unsigned index, const dim3& shape) {
  if (index >= fibers_.size()) fibers_.push_back(std::make_unique<Fiber>());
  Fiber& fiber = *fibers_[index];
  fiber.thread = {index % shape.x, index / shape.x % shape.y, index / (shape.x * shape.y)};
  fiber.parity = 0;
  fiber.ended_groups = 0;
#if defined(__x86_64__)
  // As if enter() had been called: a return address below the aligned top, then six registers to be popped. The tops of
  // a warp's stacks are spread over the sets of the processor's cache, which all would share otherwise.
  const size_t apart = size_t{128} * (index % kWarp);
  auto* top = reinterpret_cast<void**>(fiber.stack.get() + kStackBytes - 64 - apart);
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

// On a stack that somebody switched to; fake_stack: what was saved when it was left, null on a new one.
void Block::arrive([[maybe_unused]] void* fake_stack) {
#ifdef SIMT_ADDRESS_SANITIZER
  const void* stack = nullptr;
  size_t stack_bytes = 0;
  __sanitizer_finish_switch_fiber(fake_stack, &stack, &stack_bytes);
  if (from_scheduler_) scheduler_stack_ = stack;
  if (from_scheduler_) scheduler_stack_bytes_ = stack_bytes;
#endif
}

// Null: the scheduler's. Comes back when somebody switches to `from`, and never where it ends.
void Block::switch_stacks(Fiber* from, Fiber* to, [[maybe_unused]] bool ends) {
  void* fake_stack = nullptr;
#ifdef SIMT_ADDRESS_SANITIZER
  from_scheduler_ = from == nullptr;
  __sanitizer_start_switch_fiber(ends ? nullptr : &fake_stack, to != nullptr ? to->stack.get() : scheduler_stack_,
                                 to != nullptr ? kStackBytes : scheduler_stack_bytes_);
#endif
  Context& saved = from != nullptr ? from->context : scheduler_;
  Context& taken = to != nullptr ? to->context : scheduler_;
#if defined(__x86_64__)
  simt_switch(&saved, taken);
#else
  swapcontext(&saved, &taken);
#endif
  arrive(fake_stack);
}

// The next thread of a warp is the current one; false where none can go on without the rest of the block.
bool Block::take_next(unsigned warp) {
  Warp& w = warps_[warp];
  if (w.ready == 0 && w.at_block_barrier == 0) w.ready = std::exchange(w.at_warp_barrier, 0);
  if (w.ready == 0) return false;
  const bool ascending = machine().order == ThreadOrder::kAscending;
  const int lane = ascending ? std::countr_zero(w.ready) : std::bit_width(w.ready) - 1;
  current_ = warp * kWarp + static_cast<unsigned>(lane);
  threadIdx = current().thread;
  return true;
}

// From one lane to the next without a stop at the scheduler, which is the half of all switches.
void Block::give_way(bool ends) {
  Fiber* const from = &current();
  Fiber* const to = take_next(current_ / kWarp) ? &current() : nullptr;
  if (to != from) switch_stacks(from, to, ends);
}

void Block::wait(uint32_t Warp::* barrier) {
  Warp& warp = current_warp();
  const uint32_t lane = 1U << current_lane();
  warp.ready &= ~lane;
  warp.*barrier |= lane;
  give_way(false);
}

// All lanes up to where none can go on without the rest of the block.
void Block::run_warp(unsigned warp) {
  if (!take_next(warp)) return;
  progress_ = true;
  switch_stacks(nullptr, &current(), false);
}

// True while threads are left.
bool Block::release_block() {
  for (size_t i = 0; i < warps_.size(); ++i) {
    const uint32_t others = warps_[i].ready | warps_[i].at_warp_barrier;
    if (others != 0 && !progress_) {
      std::fprintf(stderr, "simt: thread %zu of block (%u, %u, %u) waits for threads that never come\n",
                   i * kWarp + static_cast<size_t>(std::countr_zero(others)), blockIdx.x, blockIdx.y, blockIdx.z);
      std::abort();
    }
    if (others != 0) return true;
  }
  bool left = false;
  for (Warp& warp : warps_) {
    warp.ready = std::exchange(warp.at_block_barrier, 0);
    left |= warp.ready != 0;
  }
  return left;
}

void Block::run(const dim3& shape, const std::function<void()>& thread) {
  thread_ = &thread;
  const unsigned n_threads = shape.x * shape.y * shape.z;
  const unsigned n_warps = (n_threads + kWarp - 1) / kWarp;
  warps_.assign(n_warps, Warp{});
  for (unsigned i = 0; i < n_threads; ++i) {
    prepare(i, shape);
    warps_[i / kWarp].ready |= 1U << (i % kWarp);
  }
  do {
    progress_ = false;
    for (unsigned i = 0; i < n_warps; ++i) {
      run_warp(machine().order == ThreadOrder::kAscending ? i : n_warps - 1 - i);
    }
  } while (release_block());
}

}  // namespace

void run_block(const dim3& shape, const std::function<void()>& thread) {
  block.run(shape, thread);
}

void block_barrier() {
  block.wait(&Warp::at_block_barrier);
}
void warp_barrier() {
  block.wait(&Warp::at_warp_barrier);
}
int lane() {
  return static_cast<int>(block.current_lane());
}

// Two sets of slots in turn: a lane can be one exchange ahead of the slowest, never two.
uint64_t exchange(uint64_t value, int source) {
  Fiber& fiber = block.current();
  Warp& warp = block.current_warp();
  const int parity = fiber.parity;
  fiber.parity ^= 1;
  warp.slots[parity][block.current_lane()] = value;
  warp_barrier();
  return warp.slots[parity][source];
}

uint32_t ballot(bool value) {
  Fiber& fiber = block.current();
  Warp& warp = block.current_warp();
  const int parity = fiber.parity;
  fiber.parity ^= 1;
  warp.slots[parity][block.current_lane()] = value ? 1 : 0;
  warp_barrier();
  uint32_t bits = 0;
  for (unsigned i = 0; i < kWarp; ++i) bits |= static_cast<uint32_t>(warp.slots[parity][i] & 1) << i;
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
}  // namespace

void wait_for_copies() {
  finish_copies(block.current().ended_groups + 1);
}
void wait_for_copies_but(int n_groups) {
  finish_copies(block.current().ended_groups - n_groups);
}

}  // namespace simt
