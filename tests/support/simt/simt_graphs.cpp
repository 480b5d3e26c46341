#include "simt_graphs.h"

#include <utility>
#include <vector>

#include "simt.h"
#include "simt_streams.h"

using Calls = std::vector<std::function<cudaError_t()>>;
struct SimtGraph {
  Calls calls;
};
struct SimtGraphExec {
  Calls calls;
};

namespace simt {
namespace {

struct Capture {
  bool is_on = false;
  bool is_lost = false;
  cudaStream_t stream = nullptr;
  Calls calls;
};
Capture the_capture;

}  // namespace

bool is_capturing() {
  return the_capture.is_on;
}
bool is_capturing(cudaStream_t stream) {
  return the_capture.is_on && the_capture.stream == stream;
}
cudaError_t capture(std::function<cudaError_t()> call) {
  if (the_capture.is_lost) return cudaErrorStreamCaptureInvalidated;
  the_capture.calls.push_back(std::move(call));
  return cudaSuccess;
}
cudaError_t refuse_in_capture() {
  the_capture.is_lost = true;
  return cudaErrorStreamCaptureUnsupported;
}

}  // namespace simt

using simt::the_capture;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  // The legacy stream cannot be captured.
  if (stream == nullptr || the_capture.is_on) return cudaErrorStreamCaptureUnsupported;
  the_capture = {.is_on = true, .stream = stream, .calls = {}};
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = nullptr;
  if (!simt::is_capturing(stream)) return cudaErrorInvalidValue;
  simt::Capture done = std::exchange(the_capture, {});
  if (done.is_lost) return cudaErrorStreamCaptureInvalidated;
  *graph = new SimtGraph{std::move(done.calls)};
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  if (!simt::machine().makes_graphs || simt::is_capturing()) return cudaErrorUnknown;
  *exec = new SimtGraphExec{graph->calls};
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  simt::count_graph_launch();
  return simt::enqueue(stream, [calls = exec->calls] {
    for (const auto& call : calls)
      if (const cudaError_t error = call(); error != cudaSuccess) return error;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  delete exec;
  return cudaSuccess;
}
