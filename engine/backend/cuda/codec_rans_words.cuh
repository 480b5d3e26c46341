// The words of a rANS stream, handed out to a warp's lanes in their order. All lanes together.
#pragma once

#include "engine/backend/cuda/device_language.cuh"
#include "engine/codec/rans.h"

namespace mneme::engine::cuda {

static_assert(kRansLanes == kWarp, "a lane for each coder");

inline constexpr uint32_t kRansLow = 1u << 16;  // states stay in [kRansLow, 2^32)

// From one lane, so that the compiler knows that the lanes of a warp stay together, and does not ask at every step.
__device__ __forceinline__ int warp_of_block() {
  return __shfl_sync(kAllLanes, static_cast<int>(threadIdx.x) / kWarp, 0);
}

// The next 64 words stand in the warp's registers, two a lane; the 32 behind them are on their way, so that memory is
// asked for several steps before it is needed. Zeros behind the last, however many are taken.
class WordWindow {
 public:
  __device__ WordWindow(const uint32_t* pairs, uint32_t n_words, int lane)
      : pairs_(pairs),
        n_pairs_((n_words + 1) / 2),
        lane_(lane),
        below_((1u << lane) - 1),
        window_(pair(static_cast<uint32_t>(lane))),
        ahead_(pair(static_cast<uint32_t>(kHalf + lane))) {}

  // The state, with a word behind it where it has fallen below kRansLow.
  __device__ __forceinline__ uint32_t fill(uint32_t state) {
    const bool wants = state < kRansLow;
    const unsigned wanting = __ballot_sync(kAllLanes, wants);
    // The lane's word among those of the step, counted from an even one on: no lane is below itself, so that bit 31 is
    // free to say whether the step begins with an odd one.
    const auto place = static_cast<uint32_t>(__popc((wanting & below_) | at_ << 31));
    const uint32_t both = __shfl_sync(kAllLanes, window_, static_cast<int>(at_ / 2 + place / 2));
    const uint32_t chosen = wants ? (place % 2 == 0 ? 0x5410u : 0x5432u) : 0x7654u;
    advance(static_cast<uint32_t>(__popc(wanting)));
    return __byte_perm(both, state, chosen);
  }
  __device__ uint32_t n_taken() const { return 2 * first_ + at_; }

 private:
  static constexpr int kHalf = kWarp / 2;

  __device__ uint32_t pair(uint32_t index) const { return index < n_pairs_ ? __ldg(pairs_ + index) : 0; }

  // A step takes at most 32 words, so with less than 32 gone from the window it has all that the next one may want.
  __device__ __forceinline__ void advance(uint32_t n) {
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
  const uint32_t below_;
  uint32_t first_ = 0;  // pair that lane 0 holds
  uint32_t at_ = 0;     // of the next word among the window's
  uint32_t window_;
  uint32_t ahead_;  // pair first_ + 16 + lane
};

}  // namespace mneme::engine::cuda
