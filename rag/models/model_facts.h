// What a GGUF file is, without loading its weights: for `mneme model`, and for the window's list of models with what
// each would need. Threads: pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/model/model_config.h"

namespace mneme::engine {
class LanguageModel;
}

namespace mneme::rag {

// `config` is empty for embedders that are no transformers.
struct ModelFacts {
  std::string path;  // as given
  std::string name;
  std::string architecture;
  std::string kind = "language";  // or "embedder", "reranker"
  uint64_t file_bytes = 0;        // of all files
  uint64_t parameters = 0;
  std::map<std::string, int> tensor_types;  // name -> number of tensors
  std::optional<engine::ModelConfig> config;
  std::string chat_template;  // "gguf", "fallback: ..." (the file's own cannot be run), "none", "none that can be run"
  std::string tokenizer;
};

// kNotFound, kCorruption and kUnsupported say in one sentence what is wrong with the file.
Result<ModelFacts> inspect_model(const std::string& path);

// What a model is called that nobody has named: its file's name without extension and number of part.
std::string model_name_of(const std::string& path);

// The files of a model by its name alone, none of them opened: the path, or all parts of a model in several.
std::vector<std::string> model_files(const std::string& path);

// What answering needs in memory: the weights (as large as in the file, give or take padding), fp16 keys and values of
// the whole context, and the rows of one step.
struct MemoryNeed {
  uint64_t weights_bytes = 0;
  uint64_t kv_bytes = 0;
  uint64_t scratch_bytes = 0;
  uint64_t total() const { return weights_bytes + kv_bytes + scratch_bytes; }
};
// context_tokens 0: what the model was trained for.
MemoryNeed memory_need(const ModelFacts& facts, int context_tokens);

// What an open model runs on. `context_tokens` as it was opened with.
struct RunningFacts {
  std::string device;  // for people: instruction set and threads, or the GPU; which layers are where, if on several
  int n_layers = 0;
  int context_tokens = 0;
};
RunningFacts running_facts(engine::LanguageModel& model, int context_tokens);

}  // namespace mneme::rag
