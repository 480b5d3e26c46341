// ModelConfig from a GGUF file's metadata. Every dimension is bounded and checked for consistency; nothing is allocated
// in proportion to a number that the file's tensors do not back. Threads: pure functions.
#pragma once

#include "base/status.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/architecture.h"
#include "engine/model/model_config.h"

namespace mneme::engine {

// The file's architecture. kUnsupported names an unknown one and lists those supported, or says what the file is when
// it is no whole model (one part of several, an adapter); kCorruption when it has none.
Result<const Architecture*> read_architecture(const gguf::GgufFile& file);

// context_tokens: the context the caller will use, 0 for the trained one; LongRoPE models choose their factors by it.
// Errors: kCorruption (missing or impossible metadata, named), kUnsupported (valid, but nothing here runs it).
Result<ModelConfig> read_model_config(const gguf::GgufFile& file, int context_tokens = 0);

}  // namespace mneme::engine
