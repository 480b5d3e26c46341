// What opening any model file gives, language model or encoder: the file, its config, tokenizer, backend and weights.
// Ownership: owns them all; members are declared in the order in which they depend on each other.
// Threads: immutable after load, but for the backend.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/status.h"
#include "engine/backend/backend.h"
#include "engine/gguf/gguf_file.h"
#include "engine/language_model.h"
#include "engine/model/model_config.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/transformer/model_weights.h"

namespace mneme::engine {

struct ModelParts {
  std::string path;
  std::vector<std::byte> memory;  // the file's bytes when it was made in memory
  gguf::GgufFile file;            // weights may be used in place
  ModelConfig config;
  std::unique_ptr<Tokenizer> tokenizer;
  std::unique_ptr<Backend> backend;
  std::unique_ptr<ModelWeights> weights;
};

enum class ModelKind { kLanguageModel, kEncoder };

// Errors: see LanguageModel::open. `memory` is what the file's views point into, empty for a mapped file.
Result<std::unique_ptr<ModelParts>> load_model_parts(std::string path, gguf::GgufFile file,
                                                     std::vector<std::byte> memory, const ModelOptions& options,
                                                     ModelKind kind);

// The config of a model whose file holds all that load_model_parts() wants of it: metadata, tokenizer and tensors are
// looked at, nothing is loaded. Errors: as there, but for memory and devices.
Result<ModelConfig> check_model(const gguf::GgufFile& file);

}  // namespace mneme::engine
