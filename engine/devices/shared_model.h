// Sharing a model between a GPU that cannot hold all of it, or is not to, and the processor. Threads: as the backends.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "engine/backend/backend.h"
#include "engine/gguf/gguf_file.h"

namespace mneme::engine {

// A language model that is to be shared. Borrowed for the call.
struct ModelToShare {
  const std::string& path;
  const gguf::GgufFile& file;
  int n_layers = 0;
  int64_t kv_bytes_per_layer = 0;  // of the context that was asked for; 0: none was
};

// Takes the GPU's backend over and gives one that runs as many of the last layers on it as fit, the first ones on the
// processor. Null, and `gpu` untouched, when not one layer fits or nothing is to be shared.
std::unique_ptr<Backend> share_with_cpu(std::unique_ptr<Backend>& gpu, const ModelToShare& model, int n_threads);

// The same with n_gpu_layers of its layers on the GPU, 0 < n_gpu_layers < n_layers. kResource, with the number that
// would fit, where they do not.
Result<std::unique_ptr<Backend>> share_with_cpu(std::unique_ptr<Backend> gpu, const ModelToShare& model,
                                                int n_gpu_layers, int n_threads);

// "; at most 12 of its 32 layers would: use --gpu-layers 12": the end of a sentence on what does not fit. Nothing for a
// backend that has no part of a GPU.
std::string layers_that_would_fit(const Backend& gpu, const ModelToShare& model);

}  // namespace mneme::engine
