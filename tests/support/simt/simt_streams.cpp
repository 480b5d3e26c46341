#include "simt_streams.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "simt.h"
#include "simt_graphs.h"

struct SimtStream {
  std::deque<std::function<cudaError_t()>> calls;
  int64_t n_given = 0;
  int64_t n_done = 0;
  bool is_late = false;
  cudaError_t failure = cudaSuccess;  // of a call that ran late
};

// The calls of a stream up to here.
struct SimtEvent {
  SimtStream* stream = nullptr;
  int64_t n_calls = 0;
};

namespace simt {
namespace {

std::vector<SimtStream*> all_streams;

bool exists(const SimtStream* stream) {
  return std::find(all_streams.begin(), all_streams.end(), stream) != all_streams.end();
}

cudaError_t run_until(SimtStream* stream, int64_t n_calls) {
  // A call may wait for another stream, which may wait for this one's earlier calls: they have been taken out by then.
  while (exists(stream) && stream->n_done < n_calls && !stream->calls.empty()) {
    const std::function<cudaError_t()> call = std::move(stream->calls.front());
    stream->calls.pop_front();
    ++stream->n_done;
    const cudaError_t error = call();
    if (stream->failure == cudaSuccess) stream->failure = error;
  }
  return exists(stream) ? stream->failure : cudaSuccess;
}

}  // namespace

cudaError_t enqueue(cudaStream_t stream, std::function<cudaError_t()> call) {
  if (stream == nullptr) {
    finish_all();
    return call();
  }
  stream->calls.push_back(std::move(call));
  ++stream->n_given;
  if (stream->is_late) return machine().is_lost ? machine().failure : cudaSuccess;
  run_until(stream, stream->n_given);
  return std::exchange(stream->failure, cudaSuccess);
}

cudaError_t finish(cudaStream_t stream) {
  if (stream == nullptr) {
    finish_all();
    return cudaSuccess;
  }
  run_until(stream, stream->n_given);
  return std::exchange(stream->failure, cudaSuccess);
}

void finish_all() {
  for (SimtStream* stream : std::vector<SimtStream*>(all_streams)) run_until(stream, stream->n_given);
}

}  // namespace simt

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = new SimtStream;
  simt::Machine& machine = simt::machine();
  (*stream)->is_late = (machine.late_streams >> std::min(machine.streams_made, 31) & 1u) != 0;
  ++machine.streams_made;
  simt::all_streams.push_back(*stream);
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
  simt::finish(stream);
  std::erase(simt::all_streams, stream);
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (simt::is_capturing()) return simt::refuse_in_capture();
  const cudaError_t error = simt::finish(stream);
  if (error != cudaSuccess) return error;
  return simt::machine().is_lost ? simt::machine().failure : cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (event == nullptr || event->stream == nullptr) return cudaSuccess;
  // An event recorded anew later is another one for this wait.
  return simt::enqueue(stream, [on = event->stream, n_calls = event->n_calls] { return simt::run_until(on, n_calls); });
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
  if (stream != nullptr) *event = {stream, stream->n_given};
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (simt::is_capturing()) return simt::refuse_in_capture();
  if (event->stream != nullptr) simt::run_until(event->stream, event->n_calls);
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 0.0f;  // there is no clock here
  return cudaSuccess;
}
