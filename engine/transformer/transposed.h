// A weight matrix turned, for products with what the file has the transpose of. Threads: pure.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/backend/backend.h"

namespace mneme::engine {

// (n_in, n_out) of a matrix (n_out, n_in), in `bytes`, which are overwritten. F32, F16 and BF16 stay what they are,
// quantised types become F16: their values are rounded to 11 bits once more.
TensorView transposed(const TensorView& matrix, std::vector<std::byte>& bytes);

}  // namespace mneme::engine
