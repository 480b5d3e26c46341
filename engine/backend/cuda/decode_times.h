// When stored KV was decoded: a pair of events around each stretch of a batch's way. Several batches are under way at
// once, so that stretches overlap, on streams of their own. Ownership: its events. Threads: one at a time.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <vector>

namespace mneme::engine::cuda {

class DecodeTimes {
 public:
  // Copying and placing are timed for the table of kernels' times alone: every event costs the host a microsecond or
  // two.
  enum Stretch { kCopying, kEntropy, kSynthesis, kPlacing, kStretches };

  DecodeTimes() = default;
  ~DecodeTimes();
  DecodeTimes(const DecodeTimes&) = delete;
  DecodeTimes& operator=(const DecodeTimes&) = delete;

  // A batch; its number, counted since the last take_milliseconds().
  cudaError_t begin_batch(size_t& batch);
  cudaError_t begin(size_t batch, Stretch stretch, cudaStream_t stream);
  cudaError_t end(size_t batch, Stretch stretch, cudaStream_t stream);

  // Milliseconds in which a batch was in entropy decoding or synthesis, since the last call; all of them are done. The
  // table of kernels' times (launch_timer.h), where one is made, gets every stretch.
  double take_milliseconds();

 private:
  struct Events {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
  };
  using Batch = std::array<Events, kStretches>;
  std::vector<Batch> batches_;
  size_t n_batches_ = 0;  // of them, in use
};

}  // namespace mneme::engine::cuda
