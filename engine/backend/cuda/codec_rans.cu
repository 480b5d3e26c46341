#include "engine/backend/cuda/codec_rans.h"

#include "engine/backend/cuda/codec_rans_words.cuh"
#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/tensor_core.cuh"
#include "engine/codec/rans.h"

namespace mneme::engine::cuda {
namespace {

// What a slot of a table says.
struct SlotEntry {
  uint32_t symbol;
  uint32_t frequency;
  uint32_t bias;  // the slot's place among the symbol's
};

// Which table this lane's next symbol is coded with, as the place of its entries. That of the run behind this one is
// loaded ahead: a chunk's runs are a few steps long.
class TableOfLane {
 public:
  __device__ TableOfLane(const RansJob& job, int lane) : job_(job), run_(job.run), rest_(static_cast<uint32_t>(lane)) {
    settle();
  }
  __device__ SlotEntry at(uint32_t slot) const {
    const uint32_t entry = __ldg(job_.entries + offset_ + slot);
    return {entry >> 24, entry >> 12 & 0xfffu, entry & 0xfffu};
  }
  __device__ void step() {
    rest_ += kWarp;
    if (rest_ < run_) return;
    if (run_ < kWarp) return settle();
    rest_ -= run_;
    ++index_;
    offset_ = next_;
    next_ = offset_of(index_ + 1);
  }

 private:
  __device__ uint32_t offset_of(uint32_t index) const {
    return uint32_t{__ldg(job_.tables + min(index, job_.n_tables))} << kRansBits;
  }
  // Wherever `rest_` has got to.
  __device__ void settle() {
    if (run_ != 0) {
      index_ += rest_ / run_;
      rest_ %= run_;
    } else {
      index_ = (index_ + rest_) % job_.n_tables;
      rest_ = 0;
    }
    offset_ = offset_of(index_);
    next_ = offset_of(index_ + 1);
  }

  const RansJob& job_;
  const uint32_t run_;
  uint32_t rest_;  // symbols of the run before this one
  uint32_t index_ = 0;
  uint32_t offset_ = 0;
  uint32_t next_ = 0;
};

// The same from shared memory, for runs of a step and longer: the lanes of a step are then in one run or in two beside
// each other, and the one behind them is on its way. In the second-level cache 32 lanes would wait for as many sectors;
// tables of other streams and other kernels' data leave the first-level one too little room.
class TableInShared {
 public:
  static constexpr uint32_t kTables = 3;

  __device__ TableInShared(const RansJob& job, std::byte* ring, int lane)
      : job_(job),
        ring_(ring),
        lane_(lane),
        rest_(static_cast<uint32_t>(lane)),
        last_rest_(kWarp - 1),
        number_(number_of(0)) {
    fetch();
    fetch_next();
  }
  __device__ SlotEntry at(uint32_t slot) const {
    const std::byte* const table = ring_ + own_ * kPackedRansBytes;
    const auto symbol = static_cast<uint32_t>(table[slot]);
    const uint32_t word = reinterpret_cast<const uint32_t*>(table + kRansTotal)[symbol];
    return {symbol, word >> kRansBeginBits, slot - (word & (kRansTotal - 1))};
  }
  // All lanes together, when each has used its table.
  __device__ void step() {
    rest_ += kWarp;
    if (rest_ >= job_.run) {
      rest_ -= job_.run;
      own_ = own_ + 1 == kTables ? 0 : own_ + 1;
    }
    last_rest_ += kWarp;
    if (last_rest_ < job_.run) return;
    last_rest_ -= job_.run;
    fetch_next();
  }

 private:
  __device__ uint32_t number_of(uint32_t index) const { return __ldg(job_.tables + min(index, job_.n_tables)); }
  // The table of run `index_` is on its way into `place_`; what it was numbered is known since the run before.
  __device__ void fetch() {
    constexpr uint32_t kVector = 16;
    const std::byte* const from = job_.packed + uint64_t{number_} * kPackedRansBytes;
#pragma unroll
    for (uint32_t at = 0; at < kPackedRansBytes; at += kWarp * kVector) {
      const uint32_t own = at + static_cast<uint32_t>(lane_) * kVector;
      copy_vector(ring_ + place_ * kPackedRansBytes + own, from + own, true);
    }
    number_ = number_of(++index_);
    place_ = place_ + 1 == kTables ? 0 : place_ + 1;
  }
  // What was on its way is there; no lane reads what the next one takes the place of.
  __device__ void fetch_next() {
    wait_for_copies();
    __syncwarp();
    fetch();
  }

  const RansJob& job_;
  std::byte* const ring_;
  const int lane_;
  uint32_t rest_;       // symbols of this lane's run before its next one
  uint32_t last_rest_;  // the last lane's
  uint32_t own_ = 0;    // place of this lane's table
  uint32_t index_ = 0;  // run whose table is fetched next
  uint32_t number_;     // of its table
  uint32_t place_ = 0;  // where to
};
static_assert(kPackedRansBytes % (kWarp * 16) == 0);

// False where the stream does not come out even.
template <typename Table>
__device__ __forceinline__ bool decode_stream(const RansJob& job, int lane, Table table) {
  uint32_t state = job.stream[lane];
  bool even = !__any_sync(kAllLanes, state < kRansLow);
  WordWindow words(job.stream + kRansLanes, job.n_words, lane);
  for (uint32_t step = 0; even && step < job.n_steps; ++step) {
    const SlotEntry entry = table.at(state & (kRansTotal - 1));
    job.symbols[uint64_t{step} * kRansLanes + static_cast<uint32_t>(lane)] = static_cast<uint8_t>(entry.symbol);
    table.step();
    state = words.fill(entry.frequency * (state >> kRansBits) + entry.bias);
    even = words.n_taken() <= job.n_words;
  }
  return !__any_sync(kAllLanes, !even || words.n_taken() != job.n_words || state != kRansLow);
}

// A warp a stream, kStreams of them side by side on a processor: where one is, blocks of products that need nearly all
// registers have no place, so the fewer processors the better.
constexpr int kStreams = 8;
constexpr uint32_t kRingBytes = TableInShared::kTables * kPackedRansBytes;

__global__ void __launch_bounds__(kStreams* kWarp) rans_kernel(const RansJob* jobs, int n_jobs) {
  after_earlier_kernels();
  const int warp = warp_of_block();
  const int index = static_cast<int>(blockIdx.x) * kStreams + warp;
  if (index >= n_jobs) return;
  const RansJob job = jobs[index];
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  bool is_even = false;
  if (job.packed != nullptr && job.run >= kWarp) {
    std::byte* const ring = dynamic_shared<std::byte>() + static_cast<uint32_t>(warp) * kRingBytes;
    is_even = decode_stream(job, lane, TableInShared(job, ring, lane));
    wait_for_copies();
  } else {
    is_even = decode_stream(job, lane, TableOfLane(job, lane));
  }
  if (!is_even && lane == 0) *job.damaged = 1;
}

}  // namespace

cudaError_t decode_rans(cudaStream_t stream, const RansJob* jobs, int n_jobs, bool in_shared_memory) {
  const size_t shared_bytes = in_shared_memory ? kStreams * kRingBytes : 0;
  if (in_shared_memory) {
    const cudaError_t error =
        cudaFuncSetAttribute(rans_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
    if (error != cudaSuccess) return error;
  }
  return launch(stream, dim3(static_cast<unsigned>((n_jobs + kStreams - 1) / kStreams)), kStreams * kWarp, shared_bytes,
                rans_kernel, jobs, n_jobs);
}

}  // namespace mneme::engine::cuda
