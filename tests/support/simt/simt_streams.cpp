#include "simt_streams.h"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "simt.h"
#include "simt_graphs.h"

struct SimtStream {
  bool is_late = false;
  std::vector<std::function<cudaError_t()>> work;  // all of it, done or not
  size_t n_done = 0;
  cudaError_t failure = cudaSuccess;  // the first, until somebody waits
};

// What a stream was given before the event.
struct SimtEvent {
  SimtStream* stream = nullptr;  // null: not recorded, nothing to wait for
  size_t n_before = 0;
};

namespace simt {
namespace {

// Kept to the end, as events name them.
std::vector<std::unique_ptr<SimtStream>>& all_streams() {
  static std::vector<std::unique_ptr<SimtStream>> streams;
  return streams;
}

void run(SimtStream& stream, size_t end) {
  while (stream.n_done < end) {
    // It may wait for other streams, which never come back to this place of this one.
    const std::function<cudaError_t()> work = std::move(stream.work[stream.n_done++]);
    const cudaError_t error = work();
    if (stream.failure == cudaSuccess) stream.failure = error;
  }
}

}  // namespace

cudaError_t enqueue(cudaStream_t stream, std::function<cudaError_t()> work) {
  if (stream == nullptr) {
    finish_all();
    return work();
  }
  if (stream->is_late) {
    stream->work.push_back(std::move(work));
    return machine().is_lost ? machine().failure : cudaSuccess;
  }
  run(*stream, stream->work.size());
  return work();
}

cudaError_t finish(cudaStream_t stream) {
  if (stream == nullptr) {
    finish_all();
    return cudaSuccess;
  }
  run(*stream, stream->work.size());
  return std::exchange(stream->failure, cudaSuccess);
}

void finish_all() {
  for (const auto& stream : all_streams()) run(*stream, stream->work.size());
}

}  // namespace simt

using simt::machine;

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  static unsigned mask = 0;
  static unsigned n_made = 0;  // since the mask became what it is
  if (std::exchange(mask, machine().late_streams) != machine().late_streams) n_made = 0;
  *stream = simt::all_streams().emplace_back(std::make_unique<SimtStream>()).get();
  (*stream)->is_late = n_made < 32 && (mask >> n_made & 1u) != 0;
  ++n_made;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return simt::finish(stream);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (simt::is_capturing()) return simt::refuse_in_capture();
  const cudaError_t error = simt::finish(stream);
  return machine().is_lost ? machine().failure : error;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (event->stream == nullptr || event->stream == stream) return cudaSuccess;
  return simt::enqueue(stream, [on = event->stream, end = event->n_before] {
    simt::run(*on, end);
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = new SimtEvent;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (stream != nullptr) *event = {stream, stream->work.size()};
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (simt::is_capturing()) return simt::refuse_in_capture();
  if (event->stream != nullptr) simt::run(*event->stream, event->n_before);
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 0.0f;  // there is no clock here
  return cudaSuccess;
}
