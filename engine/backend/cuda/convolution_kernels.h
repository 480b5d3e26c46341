// Layers of short convolutions between gates on a GPU (engine/model/model_config.h, StateKind::kConvolution), in two
// launches behind their product: all rows, then what the next step's convolutions will see. Enqueues on the stream and
// returns what the launches said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include "engine/backend/cuda/kv_view.h"
#include "engine/backend/cuda/state_step.h"

namespace mneme::engine::cuda {

// step.projected (n_rows, 3 channels): the gate before the convolution, that behind it, what is gated.
cudaError_t mix_convolution(cudaStream_t stream, const StateStep& step, const RowsView& rows);

}  // namespace mneme::engine::cuda
