// A tensor's values as floats, for the small heads that are not the backend's. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/gguf/gguf_file.h"

namespace mneme::engine {

// A tensor of n_rows rows of n_columns; empty when the file has none of that name. kCorruption for another shape.
Result<std::vector<float>> read_tensor_values(const gguf::GgufFile& file, std::string_view name, int64_t n_rows,
                                              int64_t n_columns);

// One row of n_columns out of a larger tensor, which must be there and have it.
Result<std::vector<float>> read_tensor_row(const gguf::GgufFile& file, std::string_view name, int64_t row,
                                           int64_t n_columns);

}  // namespace mneme::engine
