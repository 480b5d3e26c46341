// Sharing a model between a GPU that cannot hold all of it and the processor. Threads: as the backends.
#pragma once

#include <memory>

#include "engine/backend/backend.h"
#include "engine/gguf/gguf_file.h"

namespace mneme::engine {

// Takes the GPU's backend over and gives one that runs as many of the last layers on it as fit, the first ones on the
// processor. Null, and `gpu` untouched, when not one layer fits or nothing is to be shared.
std::unique_ptr<Backend> share_with_cpu(std::unique_ptr<Backend>& gpu, const gguf::GgufFile& file, int n_layers,
                                        int n_threads);

}  // namespace mneme::engine
