// Entropy decoding with all tables of a codec in shared memory: some thirty of 3 KB, which twelve streams read side by
// side and nobody fetches anew. A stretch of symbols with one table is many steps long, so that steps have nothing to
// do but decode.
#include <algorithm>

#include "engine/backend/cuda/codec_rans.h"
#include "engine/backend/cuda/codec_rans_words.cuh"
#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/tensor_core.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = kRansBlockStreams * kWarp;
constexpr uint32_t kVector = 16;

// In shared memory symbols of all tables' slots come first, then all tables' words, so that one number is a slot's
// place and its count.
__device__ __forceinline__ void load_tables(const RansBlock& block, std::byte* shared) {
  constexpr uint32_t kSlotVectors = kRansTotal / kVector;
  constexpr uint32_t kVectors = kPackedRansBytes / kVector;
  const auto n_tables = static_cast<uint32_t>(block.n_tables);
  for (uint32_t i = threadIdx.x; i < n_tables * kVectors; i += kThreads) {
    const uint32_t table = i / kVectors;
    const uint32_t own = i % kVectors;
    const uint32_t to = own < kSlotVectors
                            ? table * kSlotVectors + own
                            : n_tables * kSlotVectors + table * (kVectors - kSlotVectors) + own - kSlotVectors;
    copy_vector(shared + to * kVector, block.packed + i * kVector, true);
  }
  wait_for_copies();
}

// A table in shared memory.
struct Resident {
  uint32_t first_slot;     // of the block's tables
  const std::byte* words;  // its symbols'
};

// A stream on its way.
class Decoder {
 public:
  __device__ Decoder(const RansJob& job, const std::byte* shared, int lane)
      : shared_(shared),
        words_(job.stream + kRansLanes, job.n_words, lane),
        state_(job.stream[lane]),
        out_(job.symbols + lane),
        is_even_(!__any_sync(kAllLanes, state_ < kRansLow)) {}

  __device__ __forceinline__ void step(const Resident& table) {
    const uint32_t place = table.first_slot | (state_ & (kRansTotal - 1));
    const auto symbol = static_cast<uint32_t>(shared_[place]);
    const uint32_t word = *reinterpret_cast<const uint32_t*>(table.words + symbol * sizeof(uint32_t));
    *out_ = static_cast<uint8_t>(symbol);
    out_ += kRansLanes;
    const uint32_t bias = place - (word & ((1u << kRansBeginBits) - 1));
    state_ = words_.fill((word >> kRansBeginBits) * (state_ >> kRansBits) + bias);
  }
  // After the last step. Whatever a damaged stream holds, steps read within its words and the tables.
  __device__ bool came_out_even(const RansJob& job) const {
    return !__any_sync(kAllLanes, !is_even_ || words_.n_taken() != job.n_words || state_ != kRansLow);
  }

 private:
  const std::byte* const shared_;
  WordWindow words_;
  uint32_t state_;
  uint8_t* out_;
  const bool is_even_;
};

// Of a block.
class Tables {
 public:
  __device__ Tables(const std::byte* shared, int n_tables)
      : words_(shared + static_cast<uint32_t>(n_tables) * kRansTotal) {}
  __device__ __forceinline__ Resident at(uint32_t number) const {
    return {number << kRansBits, words_ + number * (kRansSymbols * sizeof(uint32_t))};
  }

 private:
  const std::byte* const words_;
};

// Steps that lie within one stretch, and between two of them one whose first lanes are in the stretch that ends.
__device__ __forceinline__ void decode_stretches(const RansJob& job, const Tables& tables, int lane, Decoder& decoder) {
  const auto length_of = [&](uint32_t stretch) {
    const uint32_t count = stretch & 0xffffffu;
    return count == 0 ? ~0u >> 1 : count * job.run;
  };
  const uint32_t* next_stretch = job.stretches;
  uint32_t current = __ldg(next_stretch++);
  uint32_t next = current;
  uint32_t n_symbols = length_of(current);  // left of the stretch
  for (uint32_t n_steps = job.n_steps; n_steps > 0;) {
    if ((current & 0xffffffu) != 0) next = __ldg(next_stretch++);
    const uint32_t n_within = min(n_symbols / kWarp, n_steps);
    const Resident table = tables.at(current >> 24);
#pragma unroll 1
    for (uint32_t i = n_within; i > 0; --i) decoder.step(table);
    n_steps -= n_within;
    n_symbols -= n_within * kWarp;
    if (n_steps == 0) return;
    if (n_symbols > 0) {
      decoder.step(tables.at((static_cast<uint32_t>(lane) < n_symbols ? current : next) >> 24));
      --n_steps;
      n_symbols -= kWarp;
    }
    current = next;
    n_symbols += length_of(current);
  }
}

// Chunks of a few tokens, whose stretches may be shorter than a step.
__device__ void decode_short_runs(const RansJob& job, const Tables& tables, int lane, Decoder& decoder) {
  auto symbol = static_cast<uint32_t>(lane);
#pragma unroll 1
  for (uint32_t step = 0; step < job.n_steps; ++step, symbol += kWarp)
    decoder.step(tables.at(__ldg(job.tables + min(symbol / job.run, job.n_tables))));
}

__global__ void __launch_bounds__(kThreads) rans_resident_kernel(const RansJob* jobs, const RansBlock* blocks) {
  after_earlier_kernels();
  const RansBlock block = blocks[blockIdx.x];
  std::byte* const shared = dynamic_shared<std::byte>();
  load_tables(block, shared);
  __syncthreads();
  const int warp = warp_of_block();
  if (warp >= block.n_jobs) return;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const RansJob job = jobs[block.first_job + warp];
  Decoder decoder(job, shared, lane);
  const Tables tables(shared, block.n_tables);
  if (job.run >= kWarp) {
    decode_stretches(job, tables, lane, decoder);
  } else {
    decode_short_runs(job, tables, lane, decoder);
  }
  if (!decoder.came_out_even(job) && lane == 0) *job.damaged = 1;
}

}  // namespace

int most_resident_rans_tables() {
  // What a block may have from compute capability 9.0 on, of 8.0, of others of 8.
  for (const int n_kilobytes : {227, 163, 99}) {
    const int n_bytes = n_kilobytes << 10;
    if (cudaFuncSetAttribute(rans_resident_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, n_bytes) == cudaSuccess)
      return n_bytes / static_cast<int>(kPackedRansBytes);
    cudaGetLastError();
  }
  return 0;
}

cudaError_t decode_rans_resident(cudaStream_t stream, const RansJob* jobs, const RansBlock* blocks, int n_blocks,
                                 int n_tables) {
  return launch(stream, dim3(static_cast<unsigned>(n_blocks)), kThreads,
                static_cast<size_t>(n_tables) * kPackedRansBytes, rans_resident_kernel, jobs, blocks);
}

}  // namespace mneme::engine::cuda
