// A model that does not fit on the GPU: its first layers run on the processor, the others, with the output, on the GPU.
// The residual stream crosses once per step. Each side holds the weights and the KV of its own layers.
// Threads: as the backends it is made of.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "engine/backend/backend.h"

namespace mneme::engine::cuda {

// gpu: made by make_cuda_backend. Layers [0, first_gpu_layer) run on the processor, 0 < first_gpu_layer < n_layers.
std::unique_ptr<Backend> make_split_backend(std::unique_ptr<Backend> cpu, std::unique_ptr<Backend> gpu, int n_layers,
                                            int first_gpu_layer);

// Of free_bytes one part in so many is left to keys, values and activations: where nobody has said how many layers to
// take, and the least that they need.
inline constexpr int64_t kScratchShare = 4;
inline constexpr int64_t kLeastScratchShare = 16;

// The first layer of those that fit: layers are taken from the last on while their bytes, those of the output and the
// share for scratch stay within free_bytes. n_layers when none fits.
int first_layer_that_fits(std::span<const int64_t> layer_bytes, int64_t output_bytes, int64_t free_bytes,
                          int64_t scratch_share = kScratchShare);

}  // namespace mneme::engine::cuda
