#include "engine/backend/cuda/decode_times.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/backend/cuda/launch_timer.h"

namespace mneme::engine::cuda {
namespace {

constexpr const char* kNames[DecodeTimes::kStretches] = {"stored KV: up to the device", "stored KV: entropy decoding",
                                                         "stored KV: synthesis", "stored KV: placing"};

bool is_wanted(DecodeTimes::Stretch stretch) {
  return launch_timer != nullptr || stretch == DecodeTimes::kEntropy || stretch == DecodeTimes::kSynthesis;
}

// How long at least one of the spans was under way.
double length_of_union(std::vector<std::pair<float, float>> spans) {
  std::sort(spans.begin(), spans.end());
  double total = 0;
  float reached = -HUGE_VALF;
  for (const auto& [begin, end] : spans) {
    total += std::max(end - std::max(begin, reached), 0.0f);
    reached = std::max(reached, end);
  }
  return total;
}

}  // namespace

DecodeTimes::~DecodeTimes() {
  for (const Batch& batch : batches_) {
    for (const Events& events : batch)
      for (const cudaEvent_t event : {events.begin, events.end})
        if (event != nullptr) cudaEventDestroy(event);
  }
}

cudaError_t DecodeTimes::begin_batch(size_t& batch) {
  batch = n_batches_++;
  if (batch < batches_.size()) return cudaSuccess;
  batches_.emplace_back();
  for (Events& events : batches_.back()) {
    for (cudaEvent_t* event : {&events.begin, &events.end})
      if (const cudaError_t error = cudaEventCreateWithFlags(event, cudaEventDefault); error != cudaSuccess)
        return error;
  }
  return cudaSuccess;
}

cudaError_t DecodeTimes::begin(size_t batch, Stretch stretch, cudaStream_t stream) {
  return is_wanted(stretch) ? cudaEventRecord(batches_[batch][stretch].begin, stream) : cudaSuccess;
}
cudaError_t DecodeTimes::end(size_t batch, Stretch stretch, cudaStream_t stream) {
  return is_wanted(stretch) ? cudaEventRecord(batches_[batch][stretch].end, stream) : cudaSuccess;
}

double DecodeTimes::take_milliseconds() {
  std::vector<std::pair<float, float>> decoding;  // since the first batch began
  for (size_t i = 0; i < n_batches_; ++i) {
    for (const Stretch stretch : {kCopying, kEntropy, kSynthesis, kPlacing}) {
      if (!is_wanted(stretch)) continue;
      const Events& events = batches_[i][static_cast<size_t>(stretch)];
      float begin = 0;
      float length = 0;
      if (cudaEventElapsedTime(&begin, batches_[0][kEntropy].begin, events.begin) != cudaSuccess ||
          cudaEventElapsedTime(&length, events.begin, events.end) != cudaSuccess)
        continue;  // it was not enqueued
      if (launch_timer != nullptr) launch_timer->add(kNames[stretch], double{length});
      if (stretch == kEntropy || stretch == kSynthesis) decoding.emplace_back(begin, begin + length);
    }
  }
  cudaGetLastError();
  n_batches_ = 0;
  return length_of_union(std::move(decoding));
}

}  // namespace mneme::engine::cuda
