// Which backend a model runs on: the device asked for, what of it fits, and where the rest goes. Looked at before
// anything is loaded. Threads: any.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "engine/backend/backend.h"
#include "engine/gguf/gguf_file.h"
#include "engine/language_model.h"
#include "engine/model/model_config.h"

namespace mneme::engine {

// A model file that is about to be loaded. Borrowed for the call.
struct ModelToLoad {
  const std::string& path;
  const gguf::GgufFile& file;
  const ModelConfig& config;
  bool in_memory = false;  // the file's bytes are: the processor uses them where they lie
};

// The device asked for. A model that does not fit on the GPU is shared with the processor, as many layers as fit, or as
// many as options.device.gpu_layers says; where no device was asked for and not one layer fits, or the context does
// not, the processor has it all. kNotFound, kUnsupported for the device; kResource, with what would fit.
Result<std::unique_ptr<Backend>> open_model_backend(const ModelToLoad& model, const ModelOptions& options);

}  // namespace mneme::engine
