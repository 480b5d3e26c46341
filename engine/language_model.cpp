#include "engine/language_model.h"

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engine/gguf/gguf_file.h"
#include "engine/model/model_identity.h"
#include "engine/model/random_model.h"
#include "engine/model_parts.h"
#include "engine/model_runtime.h"
#include "engine/transformer/sampler.h"

namespace mneme::engine {

Status Sequence::append_and_sample(TokenId id, Sampler& sampler, TokenId& next, const CancelToken& cancel) {
  MNEME_RETURN_IF_ERROR(append(std::span(&id, 1), cancel));
  next = sampler.sample(logits());
  return {};
}

namespace {

class OpenedModel final : public LanguageModel {
 public:
  OpenedModel(std::unique_ptr<ModelParts> parts, KvType kv_type)
      : parts_(std::move(parts)), runtime_(parts_->config, *parts_->weights, *parts_->backend, kv_type) {
    auto chat_template = ChatTemplate::open(parts_->file);
    chat_template_status_ = chat_template.status();
    if (chat_template.ok()) chat_template_ = std::move(*chat_template);
  }

  const ModelConfig& config() const override { return parts_->config; }
  const Tokenizer& tokenizer() const override { return *parts_->tokenizer; }
  const ChatTemplate* chat_template() const override { return chat_template_.get(); }
  const Status& chat_template_status() const override { return chat_template_status_; }
  Backend& backend() override { return *parts_->backend; }
  const std::string& path() const override { return parts_->path; }
  const std::vector<std::string>& files() const override { return parts_->file.paths(); }
  int64_t weight_bytes() const override { return parts_->weights->bytes; }
  ClusteringModel& clustering_model() override { return runtime_.clustering_model(); }
  EngineQueue& queue() override { return runtime_.steps().queue(); }

  Hash128 identity() const override {
    std::call_once(identity_once_, [this] {
      identity_ = model_identity(parts_->file, parts_->config);
      parts_->file.release_pages();
    });
    return identity_;
  }

  Result<ForwardPass*> forward_pass(int max_rows) override { return runtime_.free_pass(max_rows); }
  Result<std::unique_ptr<ForwardPass>> new_forward_pass(int max_rows) override { return runtime_.new_pass(max_rows); }

  Result<std::unique_ptr<Sequence>> new_sequence(int max_tokens, bool keep_unrotated_keys) override {
    return runtime_.new_sequence(max_tokens, keep_unrotated_keys);
  }

 private:
  const std::unique_ptr<ModelParts> parts_;
  ModelRuntime runtime_;
  std::unique_ptr<ChatTemplate> chat_template_;
  Status chat_template_status_;
  mutable std::once_flag identity_once_;
  mutable Hash128 identity_;
};

Result<std::unique_ptr<LanguageModel>> load(std::string path, gguf::GgufFile file, std::vector<std::byte> memory,
                                            const ModelOptions& options) {
  MNEME_ASSIGN_OR_RETURN(
      std::unique_ptr<ModelParts> parts,
      load_model_parts(std::move(path), std::move(file), std::move(memory), options, ModelKind::kLanguageModel));
  return std::unique_ptr<LanguageModel>(std::make_unique<OpenedModel>(std::move(parts), options.kv_type));
}

}  // namespace

Result<std::unique_ptr<LanguageModel>> LanguageModel::open(const std::string& path, const ModelOptions& options) {
  MNEME_ASSIGN_OR_RETURN(gguf::GgufFile file, gguf::GgufFile::open(path));
  return load(path, std::move(file), {}, options);
}

Result<std::unique_ptr<LanguageModel>> LanguageModel::make_random(const std::string& shape, gguf::TensorType type,
                                                                  const ModelOptions& options, uint64_t seed,
                                                                  const CancelToken& cancel) {
  MNEME_ASSIGN_OR_RETURN(std::vector<std::byte> bytes, make_random_gguf(shape, type, seed, cancel));
  // Moving the vector keeps its memory, so the file's views stay valid.
  MNEME_ASSIGN_OR_RETURN(gguf::GgufFile file, gguf::GgufFile::parse(bytes, shape));
  return load(shape, std::move(file), std::move(bytes), options);
}

std::string chat_template_note(const LanguageModel& model) {
  if (const ChatTemplate* chat = model.chat_template()) {
    if (chat->origin() == "gguf") return {};
    return "the model's own chat template uses what this program does not know (" + std::string(chat->origin()) + ")";
  }
  const Status& status = model.chat_template_status();
  if (status.ok() || status.code() == StatusCode::kNotFound) return {};
  return "the model is asked without a chat template, since its own cannot be run: " + status.message();
}

}  // namespace mneme::engine
