#include "engine/model_parts.h"

#include <utility>

#include "engine/model/architecture.h"
#include "engine/model/config_reader.h"
#include "engine/model/dense_layers.h"
#include "engine/model/rank_head.h"
#include "engine/model_device.h"
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
  const ModelToLoad model{parts->path, parts->file, parts->config, !parts->memory.empty()};
  MNEME_ASSIGN_OR_RETURN(parts->backend, open_model_backend(model, options));
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
