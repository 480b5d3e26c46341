#include "engine/backend/cuda/codec_rans.h"

#include "engine/backend/cuda/device_language.cuh"
#include "engine/codec/rans.h"

namespace mneme::engine::cuda {
namespace {

static_assert(kRansLanes == kWarp, "a lane for each coder");

constexpr uint32_t kLow = 1u << 16;  // states stay in [kLow, 2^32)

// The words of a stream, handed out to the lanes in their order. The next 64 stand in the warp's registers, two a lane;
// the 32 behind them are on their way, so that memory is asked for several steps before it is needed.
class WordWindow {
 public:
  __device__ WordWindow(const uint32_t* pairs, uint32_t n_words, int lane)
      : pairs_(pairs), n_pairs_((n_words + 1) / 2), lane_(lane), window_(pair(lane)), ahead_(pair(kHalf + lane)) {}

  // All lanes together: the word of this lane among those that want one.
  __device__ uint32_t take(unsigned wanting) {
    const uint32_t at = at_ + static_cast<uint32_t>(__popc(wanting & ((1u << lane_) - 1)));
    const uint32_t both = __shfl_sync(kAllLanes, window_, static_cast<int>(at / 2));
    advance(static_cast<uint32_t>(__popc(wanting)));
    return at % 2 == 0 ? both & 0xffffu : both >> 16;
  }

 private:
  static constexpr int kHalf = kWarp / 2;

  __device__ uint32_t pair(uint32_t index) const { return index < n_pairs_ ? __ldg(pairs_ + index) : 0; }

  // A step takes at most 32 words, so with less than 32 gone from the window it has all that the next one may want.
  __device__ void advance(uint32_t n) {
    at_ += n;
    if (at_ < kWarp) return;
    at_ -= kWarp;
    first_ += kHalf;
    const uint32_t later = __shfl_sync(kAllLanes, window_, (lane_ + kHalf) % kWarp);
    window_ = lane_ < kHalf ? later : ahead_;
    ahead_ = pair(first_ + static_cast<uint32_t>(kHalf + lane_));
  }

  const uint32_t* pairs_;
  const uint32_t n_pairs_;
  const int lane_;
  uint32_t first_ = 0;  // pair that lane 0 holds
  uint32_t at_ = 0;     // of the next word among the window's
  uint32_t window_;
  uint32_t ahead_;  // pair first_ + 16 + lane
};

// Which table this lane's next symbol is coded with, as the place of its entries. That of the run behind this one is
// loaded ahead: a chunk's runs are a few steps long.
class TableOfLane {
 public:
  __device__ TableOfLane(const RansJob& job, int lane) : job_(job), run_(job.run), rest_(static_cast<uint32_t>(lane)) {
    settle();
  }
  __device__ uint32_t offset() const { return offset_; }
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

__global__ void __launch_bounds__(kWarp) rans_kernel(const RansJob* jobs) {
  after_earlier_kernels();
  const RansJob job = jobs[blockIdx.x];
  const int lane = static_cast<int>(threadIdx.x);
  uint32_t state = job.stream[lane];
  bool even = !__any_sync(kAllLanes, state < kLow);
  WordWindow words(job.stream + kRansLanes, job.n_words, lane);
  TableOfLane table(job, lane);
  uint32_t n_left = job.n_words;
  for (uint32_t step = 0; even && step < job.n_steps; ++step) {
    const uint32_t entry = __ldg(job.entries + table.offset() + (state & (kRansTotal - 1)));
    table.step();
    job.symbols[uint64_t{step} * kRansLanes + static_cast<uint32_t>(lane)] = static_cast<uint8_t>(entry >> 24);
    state = (entry >> 12 & 0xfffu) * (state >> kRansBits) + (entry & 0xfffu);
    const unsigned wanting = __ballot_sync(kAllLanes, state < kLow);
    const auto n_wanted = static_cast<uint32_t>(__popc(wanting));
    even = n_wanted <= n_left;
    n_left -= n_wanted;
    const uint32_t word = words.take(wanting);
    if (state < kLow) state = state << 16 | word;
  }
  if (__any_sync(kAllLanes, !even || n_left != 0 || state != kLow) && lane == 0) *job.damaged = 1;
}

}  // namespace

cudaError_t decode_rans(cudaStream_t stream, const RansJob* jobs, int n_jobs) {
  return launch(stream, dim3(static_cast<unsigned>(n_jobs)), kWarp, 0, rans_kernel, jobs);
}

}  // namespace mneme::engine::cuda
