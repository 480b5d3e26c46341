// Captures and graphs of the pretended device, for simt.cpp: a graph is what its stream was given, with the arguments
// of then, run in that order. Threads: as simt.h.
#pragma once

#include <functional>

#include "cuda_runtime.h"

namespace simt {

bool is_capturing();
bool is_capturing(cudaStream_t stream);
// One call, to be run by every launch of the graph.
cudaError_t capture(std::function<cudaError_t()> call);
// What a capture must not meet: the capture is lost.
cudaError_t refuse_in_capture();
void count_graph_launch();

}  // namespace simt
