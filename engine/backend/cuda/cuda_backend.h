// The backend of NVIDIA GPUs (compute capability 7.5 and newer). Needs a driver and nothing else of CUDA: the runtime
// is linked statically, cuBLAS is used where it is found (blas.h).
//
// Numbers: see products.h. Norms, rotations (from angles in double) and attention are f32; attention of many rows
// rounds its weights to f16 on devices with the tensor cores for it (attention_kernels.h). MNEME_CUDA_MATH set to
// "exact" in the environment makes everything f32.
//
// Operations are enqueued on one stream and return. Threads: one caller at a time, any thread.
#pragma once

#include <memory>
#include <span>

#include "engine/backend/backend.h"
#include "engine/backend/cuda/blas.h"
#include "engine/backend/cuda/step_log.h"

namespace mneme::engine::cuda {

struct CudaOptions {
  int index = 0;
  // find_blas, or another library's; null, or one that finds none: products by the tiled kernel.
  BlasFinder blas = nullptr;
  bool exact = false;
  bool joins = true;               // products of many rows with matrices side by side, see products.h
  bool norms_within = true;        // single rows: norms within the products of quantised weights, see products.h
  bool gates_within = true;        // and gate, up, activation and rounding in one launch
  bool resident_tables = true;     // decoding of stored KV, see KvDecoder::Ways
  bool places_within = true;       // the same
  bool rings = true;               // and their weights through shared memory
  bool reads_early = true;         // attention of single rows before its turn, see attention_kernels.h
  bool overlap = false;            // launches, see launch_overlap.h
  bool graphs = false;             // decoding steps that repeat, see step_log.h
  bool kv_in_host_memory = false;  // also where the device's has room (cuda_kv_cache.h)
  bool profile = false;            // a table of all kernels' times to stderr, see launch_timer.h
};
// kNotFound, kUnsupported, kResource: in words, with what to do.
Result<std::unique_ptr<Backend>> make_cuda_backend(const CudaOptions& options);

// Copies whole rows from the host to x, an activation of this backend (made by make_cuda_backend).
void write_activations(Backend& backend, std::span<const float> rows, Activations& x);

// What became of the graphs of a backend made by make_cuda_backend.
StepGraphReport graph_report(const Backend& backend);

// The options of a program: cuBLAS where it is found; exactness, overlapping launches and graphs by the environment.
CudaOptions default_cuda_options(int index);

}  // namespace mneme::engine::cuda
