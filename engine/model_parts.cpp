#include "engine/model_parts.h"

#include <utility>

#include "engine/devices/shared_model.h"
#include "engine/model/architecture.h"
#include "engine/model/config_reader.h"
#include "engine/model/dense_layers.h"
#include "engine/model/rank_head.h"
#include "engine/tokenizer/number_tokenizer.h"

namespace mneme::engine {

namespace {

Status check_kind(const ModelParts& parts, ModelKind kind) {
  if (!parts.config.is_encoder() && kind == ModelKind::kEncoder)
    return unsupported("cannot embed with the model " + parts.path + ": " + parts.config.architecture +
                       " is a language model, name it with --model");
  if (parts.config.is_encoder() && kind == ModelKind::kLanguageModel)
    return unsupported("cannot answer with the model " + parts.path + ": " + parts.config.architecture +
                       (parts.config.pooling == Pooling::kRank
                            ? " ranks passages, name it with --rerank-by"
                            : " is an encoder for embeddings, name it with --embedder"));
  return {};
}

Result<std::unique_ptr<Tokenizer>> open_tokenizer(const gguf::GgufFile& file, const ModelConfig& config) {
  const auto kind = file.text("tokenizer.ggml.model");
  if (kind == "none" || kind == "no_vocab") return make_number_tokenizer(config.vocab_size);
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Tokenizer> tokenizer, Tokenizer::open(file));
  if (tokenizer->vocab_size() <= config.vocab_size) return tokenizer;
  return corruption("cannot use the model " + file.name() + ": its tokenizer has " +
                    std::to_string(tokenizer->vocab_size()) + " tokens, its weights " +
                    std::to_string(config.vocab_size) + "; convert the model again");
}

// A context that was asked for must fit beside the weights; how much of it would is said before anything is loaded.
Status check_context(const ModelParts& parts, int64_t weights, int64_t available, int64_t context_tokens) {
  const int64_t per_token = parts.config.kv_bytes_per_token();
  const int64_t fits = per_token > 0 ? (available - weights) / per_token : context_tokens;
  if (context_tokens <= fits) return {};
  return resource_error("a context of " + std::to_string(context_tokens) + " tokens of the model " + parts.path +
                        " does not fit in memory; at most " + std::to_string(fits) + " tokens would");
}

Status check_memory(const ModelParts& parts, int64_t context_tokens) {
  const auto needed = static_cast<int64_t>(parts.file.n_bytes());
  const int64_t available = parts.backend->free_memory_bytes();
  Status context = needed <= available ? check_context(parts, needed, available, context_tokens) : Status();
  if (!context.ok()) return context;
  if (!parts.memory.empty() || needed <= available) return {};
  constexpr int64_t kMiB = 1 << 20;
  return resource_error("the model " + parts.path + " needs about " + std::to_string(needed / kMiB) +
                        " MiB of memory where " + std::to_string(available / kMiB) +
                        " MiB are free; use a smaller model or one with fewer bits per weight");
}

// For models that need what only the processor's backend computes.
Status open_cpu_alone(ModelParts& parts, const ModelOptions& options) {
  DeviceOptions device = options.device;
  if (!device.device.empty() && device.device != "auto" && device.device != "cpu")
    return unsupported("cannot use the model " + parts.path + " on " + device.device + ": " +
                       parts.config.architecture + " runs on the processor only; use --device cpu");
  device.device = "cpu";
  MNEME_ASSIGN_OR_RETURN(parts.backend, open_backend(device));
  return check_memory(parts, options.context_tokens);
}

// The device asked for. A model that does not fit on the GPU is shared with the processor, as many layers as fit; where
// no device was asked for and not one layer fits, or the context does not, the processor has it all.
Status open_device(ModelParts& parts, const ModelOptions& options) {
  if (parts.config.needs_cpu()) return open_cpu_alone(parts, options);
  MNEME_ASSIGN_OR_RETURN(parts.backend, open_backend(options.device));
  Status fits = check_memory(parts, options.context_tokens);
  if (fits.ok() || parts.backend->name() == "cpu") return fits;
  const int64_t needed = static_cast<int64_t>(parts.file.n_bytes());
  if (!parts.config.is_encoder() && needed > parts.backend->free_memory_bytes()) {
    auto shared = share_with_cpu(parts.backend, parts.file, parts.config.n_layers, options.device.n_threads);
    if (shared != nullptr) {
      parts.backend = std::move(shared);
      return {};
    }
  }
  if (!options.device.device.empty() && options.device.device != "auto") return fits;
  DeviceOptions cpu = options.device;
  cpu.device = "cpu";
  MNEME_ASSIGN_OR_RETURN(parts.backend, open_backend(cpu));
  return check_memory(parts, options.context_tokens);
}

}  // namespace

Result<std::unique_ptr<ModelParts>> load_model_parts(std::string path, gguf::GgufFile file,
                                                     std::vector<std::byte> memory, const ModelOptions& options,
                                                     ModelKind kind) {
  std::unique_ptr<ModelParts> parts(new ModelParts{.path = std::move(path),
                                                   .memory = std::move(memory),
                                                   .file = std::move(file),
                                                   .config = {},
                                                   .tokenizer = nullptr,
                                                   .backend = nullptr,
                                                   .weights = nullptr});
  MNEME_ASSIGN_OR_RETURN(const Architecture* architecture, read_architecture(parts->file));
  MNEME_ASSIGN_OR_RETURN(parts->config, read_model_config(parts->file, options.context_tokens));
  MNEME_RETURN_IF_ERROR(check_kind(*parts, kind));
  MNEME_ASSIGN_OR_RETURN(parts->tokenizer, open_tokenizer(parts->file, parts->config));
  MNEME_RETURN_IF_ERROR(open_device(*parts, options));
  MNEME_ASSIGN_OR_RETURN(parts->weights,
                         load_model_weights(parts->file, *architecture, parts->config, *parts->backend));
  return parts;
}

Result<ModelConfig> check_model(const gguf::GgufFile& file) {
  MNEME_ASSIGN_OR_RETURN(const Architecture* architecture, read_architecture(file));
  MNEME_ASSIGN_OR_RETURN(ModelConfig config, read_model_config(file));
  MNEME_RETURN_IF_ERROR(open_tokenizer(file, config).status());
  MNEME_RETURN_IF_ERROR(check_model_weights(file, *architecture, config));
  if (config.pooling == Pooling::kRank) MNEME_RETURN_IF_ERROR(RankHead::load(file, config).status());
  if (config.is_encoder()) MNEME_RETURN_IF_ERROR(DenseLayers::load(file, config.dim).status());
  return config;
}

}  // namespace mneme::engine
