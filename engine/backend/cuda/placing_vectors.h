// Stored KV to its positions as place_kv() of head_kernels.h does it, sixteen bytes at a time: for f16 caches and heads
// of whole vectors. Enqueues on the stream and returns what the launch said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include "base/f16.h"
#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/kv_view.h"

namespace mneme::engine::cuda {

// Whether it can. What is placed begins at sixteen bytes where this holds, as all memory of the device does.
bool places_vectors(const KvView& kv, const RotationRef& rotation);
cudaError_t place_kv_vectors(cudaStream_t stream, const KvView& kv, const KvRange& range, const f16* keys,
                             const f16* values, const RotationRef& rotation);

}  // namespace mneme::engine::cuda
