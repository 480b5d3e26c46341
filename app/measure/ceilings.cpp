#include "app/measure/ceilings.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "engine/simd/instruction_set.h"

namespace mneme::app {
namespace {

using Clock = std::chrono::steady_clock;
using engine::simd::InstructionSet;

constexpr uint64_t kReadBytesPerThread = uint64_t{128} << 20;
constexpr uint64_t kComputeIterations = 4'000'000;
constexpr uint64_t kTileIterations = 200'000;  // each does 64 times the operations of a vector iteration, or more
constexpr uint64_t kHugePage = uint64_t{2} << 20;
constexpr int kRounds = 5;

uint64_t read_portable(const void* memory, uint64_t bytes) {
  const auto* words = static_cast<const uint64_t*>(memory);
  uint64_t sums[4] = {};
  for (uint64_t i = 0; i + 4 <= bytes / 8; i += 4) {
    for (int k = 0; k < 4; ++k) sums[k] += words[i + static_cast<uint64_t>(k)];
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
}

double fma_portable(uint64_t iterations, float* sink) {
  constexpr int kLanes = 16;
  float lanes[kLanes] = {};
  const float factor = 1.0f + *sink;
  for (uint64_t i = 0; i < iterations; ++i) {
    for (float& lane : lanes) lane = lane * factor + 0.5f;
  }
  for (const float lane : lanes) *sink += lane;
  return static_cast<double>(iterations) * kLanes * 2;
}

CeilingKernels kernels() {
  const InstructionSet best = engine::simd::available_instruction_sets().back();
  if (best >= InstructionSet::kAvx512) return ceiling_kernels_avx512();
  return best >= InstructionSet::kAvx2 ? ceiling_kernels_avx2() : ceiling_kernels_portable();
}

// Seconds of the fastest of a few rounds in which every thread runs `work` once.
template <typename Work>
double best_seconds(ThreadPool& pool, const CancelToken& cancel, const Work& work) {
  double best = 1e9;
  for (int round = 0; round < kRounds && !cancel.cancelled(); ++round) {
    const Clock::time_point start = Clock::now();
    pool.parallel_for(static_cast<size_t>(pool.n_threads()), 1, [&](int, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) work(i);
    });
    best = std::min(best, seconds_since(start));
  }
  return best;
}

}  // namespace

CeilingKernels ceiling_kernels_portable() {
  return {.reads = {read_portable, read_portable}, .f32_fma = fma_portable, .int8_dot = nullptr};
}

Ceilings measure_ceilings(int n_threads, const CancelToken& cancel) {
  ThreadPool pool(n_threads > 0 ? n_threads : ThreadPool::physical_cores());
  const CeilingKernels loops = kernels();
  const auto threads = static_cast<double>(pool.n_threads());
  const size_t n_bytes = kReadBytesPerThread * static_cast<size_t>(pool.n_threads());
  // Huge pages, as the weights have.
  const std::unique_ptr<void, void (*)(void*)> memory(std::aligned_alloc(kHugePage, n_bytes), std::free);
  if (!memory) return {};
  (void)madvise(memory.get(), n_bytes, MADV_HUGEPAGE);
  std::memset(memory.get(), 1, n_bytes);
  std::atomic<uint64_t> sum{0};
  Ceilings ceilings;
  double read_seconds = 1e9;
  for (const auto read : loops.reads) {
    read_seconds = std::min(read_seconds, best_seconds(pool, cancel, [&](size_t thread) {
                              sum += read(static_cast<const std::byte*>(memory.get()) + thread * kReadBytesPerThread,
                                          kReadBytesPerThread);
                            }));
  }
  ceilings.read_gb_s = threads * static_cast<double>(kReadBytesPerThread) / read_seconds / 1e9;

  std::atomic<double> operations{0};
  const double fma_seconds = best_seconds(pool, cancel, [&](size_t) {
    float sink = 0;
    operations = loops.f32_fma(kComputeIterations, &sink);
  });
  ceilings.f32_gflop_s = threads * operations / fma_seconds / 1e9;
  if (loops.int8_dot != nullptr) {
    const double dot_seconds = best_seconds(pool, cancel, [&](size_t) {
      int32_t sink = 0;
      operations = loops.int8_dot(kComputeIterations, &sink);
    });
    ceilings.int8_gop_s = threads * operations / dot_seconds / 1e9;
  }
#if defined(__x86_64__)
  if (engine::simd::chosen_instruction_set() == InstructionSet::kAmx) {
    const double tile_seconds = best_seconds(pool, cancel, [&](size_t) {
      float sink = 0;
      operations = tile_operations_amx(kTileIterations, &sink);
    });
    ceilings.tile_gop_s = threads * operations / tile_seconds / 1e9;
  }
#endif
  return ceilings;
}

#if !defined(__x86_64__)
CeilingKernels ceiling_kernels_avx2() {
  return ceiling_kernels_portable();
}
CeilingKernels ceiling_kernels_avx512() {
  return ceiling_kernels_portable();
}
#endif

}  // namespace mneme::app
