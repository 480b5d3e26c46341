// Models of a named shape with random weights, made in memory: for measuring speed and parity, never quality.
// The result is a complete GGUF file (no tokenizer), so that it takes the same way in as any other and may be written
// out for other programs. Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/gguf/tensor_type.h"

namespace mneme::engine {

// "bench-336m", ...; comma-separated.
std::string random_shapes();

// The heads of a shape's keys and values. kNotFound for an unknown shape.
struct RandomKvHeads {
  int n_kv_heads = 0;
  int head_dim = 0;
};
Result<RandomKvHeads> random_kv_heads(std::string_view shape);

// Every matrix has the type; norms are F32. Quantised blocks are random bits under a scale that gives weights of
// variance 1 / n_in. kNotFound for an unknown shape, kUsage for a type whose blocks do not divide the shape's rows,
// kCancelled.
Result<std::vector<std::byte>> make_random_gguf(std::string_view shape, gguf::TensorType type, uint64_t seed,
                                                const CancelToken& cancel = never_cancelled());

}  // namespace mneme::engine
