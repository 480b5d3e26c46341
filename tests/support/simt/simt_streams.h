// Streams and events of the pretended device, for simt.cpp. By default everything is done when its call returns. A
// stream of Machine::late_streams (make_late()) does nothing until somebody waits for
// it, and then no more than he waits for: whoever relies on work that he did not wait for, on another stream or on the
// host, finds that it is not done; whoever fills memory anew while a late stream still reads it, that it reads the
// wrong numbers. Threads: as simt.h.
#pragma once

#include <functional>

#include "cuda_runtime.h"

namespace simt {

// Does the work in the order of the stream, now or late; what it said where it is done now, else whoever waits is told.
// The legacy stream (null) waits for all others.
cudaError_t enqueue(cudaStream_t stream, std::function<cudaError_t()> work);
// Does all that is left: of one stream, of all of them.
cudaError_t finish(cudaStream_t stream);
void finish_all();

}  // namespace simt
