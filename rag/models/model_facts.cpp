#include "rag/models/model_facts.h"

#include <algorithm>
#include <filesystem>

#include "engine/backend/backend.h"
#include "engine/gguf/gguf_file.h"
#include "engine/language_model.h"
#include "engine/model_parts.h"
#include "engine/tokenizer/chat_template.h"

namespace mneme::rag {
namespace {

constexpr std::string_view kStaticEmbedder = "mneme-static";
constexpr uint64_t kStepRows = 512;  // of a prefill step
constexpr int kUnknownContext = 4096;

// Where the model's chat template comes from, or why there is none.
std::string how_it_chats(const gguf::GgufFile& file) {
  const auto chat = engine::ChatTemplate::open(file);
  if (chat.ok()) return std::string((*chat)->origin());
  return chat.status().code() == StatusCode::kNotFound ? "none" : "none that can be run";
}

}  // namespace

Result<ModelFacts> inspect_model(const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(const gguf::GgufFile file, gguf::GgufFile::open(path));
  ModelFacts facts;
  facts.path = path;
  facts.file_bytes = file.n_bytes();
  facts.architecture = file.text("general.architecture").value_or("");
  facts.name = file.text("general.name").value_or("");
  facts.tokenizer = file.text("tokenizer.ggml.model").value_or("");
  for (const gguf::TensorInfo& tensor : file.tensors()) {
    facts.parameters += tensor.n_elements();
    const auto type = gguf::tensor_type_info(tensor.type);
    ++facts.tensor_types[type ? std::string(type->name) : "unknown"];
  }
  facts.chat_template = "none";
  if (facts.architecture == kStaticEmbedder) {
    facts.kind = "embedder";
    return facts;
  }
  MNEME_ASSIGN_OR_RETURN(facts.config, engine::check_model(file));
  facts.chat_template = how_it_chats(file);
  if (facts.config->is_encoder()) facts.kind = "embedder";
  if (facts.config->pooling == engine::Pooling::kRank) facts.kind = "reranker";
  return facts;
}

std::vector<std::string> model_files(const std::string& path) {
  const std::optional<gguf::PartName> part = gguf::part_name(path);
  if (!part) return {path};
  std::vector<std::string> files;
  for (int number = 1; number <= part->n_parts; ++number) files.push_back(gguf::part_path(*part, number));
  return files;
}

std::string model_name_of(const std::string& path) {
  const std::optional<gguf::PartName> part = gguf::part_name(path);
  return part ? std::filesystem::path(part->stem).filename().string() : std::filesystem::path(path).stem().string();
}

MemoryNeed memory_need(const ModelFacts& facts, int context_tokens) {
  MemoryNeed need;
  need.weights_bytes = facts.file_bytes;
  if (!facts.config) return need;
  const engine::ModelConfig& config = *facts.config;
  const int trained = config.context_length > 0 ? config.context_length : kUnknownContext;
  const auto tokens = static_cast<uint64_t>(context_tokens > 0 ? std::min(context_tokens, trained) : trained);
  need.kv_bytes = tokens * static_cast<uint64_t>(config.kv_bytes_per_token());
  // Activations of a step in f32: a few rows of the width, the feed-forward and the heads, and one row of logits.
  const auto row = static_cast<uint64_t>(int64_t{4} * config.dim + int64_t{2} * config.widest_ffn_dim() +
                                         int64_t{2} * config.n_heads * config.head_dim);
  need.scratch_bytes = sizeof(float) * (kStepRows * row + static_cast<uint64_t>(config.vocab_size));
  // A state, and copies of it where prompts are cut back to.
  constexpr uint64_t kStates = 4;
  need.scratch_bytes += kStates * static_cast<uint64_t>(config.state_bytes());
  return need;
}

RunningFacts running_facts(engine::LanguageModel& model, int context_tokens) {
  const engine::ModelConfig& config = model.config();
  const int trained = config.context_length;
  return {model.backend().description(), config.n_layers,
          context_tokens > 0 ? std::min(context_tokens, trained) : trained};
}

}  // namespace mneme::rag
