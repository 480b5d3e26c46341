// The backend of every machine: kernels for AVX-512, AVX2 or plain C++, chosen once at run time.
//
// Numbers. F32, F16 and BF16 weights: f32 products and sums, nothing rounded on the way. Quantised weights: a row's
// activations are rounded to int8 per 32 elements (scale = max / 127) and multiplied exactly in integers.
//
// Reproducible: on one machine and instruction set the output of a row is the same for any number of threads; across
// instruction sets, sums are in another order, so logits agree to rounding only.
//
// Operations finish before they return. Threads: one caller at a time.
#pragma once

#include <memory>

#include "engine/backend/backend.h"

namespace mneme::engine {

// n_threads counts the caller; 0: physical cores.
std::unique_ptr<Backend> make_cpu_backend(int n_threads);

}  // namespace mneme::engine
