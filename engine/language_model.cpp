#include "engine/language_model.h"

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engine/gguf/gguf_file.h"
#include "engine/model/architecture.h"
#include "engine/model/config_reader.h"
#include "engine/model/model_identity.h"
#include "engine/model/model_weights.h"
#include "engine/model/random_model.h"
#include "engine/model_runtime.h"
#include "engine/tokenizer/number_tokenizer.h"

namespace mneme::engine {

namespace {

class OpenedModel final : public LanguageModel {
 public:
  OpenedModel(std::string path, gguf::GgufFile file, std::vector<std::byte> memory)
      : path_(std::move(path)), memory_(std::move(memory)), file_(std::move(file)) {}

  Status load(const ModelOptions& options) {
    MNEME_ASSIGN_OR_RETURN(const Architecture* architecture, read_architecture(file_));
    MNEME_ASSIGN_OR_RETURN(config_, read_model_config(file_, options.context_tokens));
    if (!config_.causal)
      return unsupported("cannot answer with the model " + path_ + ": " + config_.architecture +
                         " is an encoder for embeddings, name it with --embedder");
    MNEME_RETURN_IF_ERROR(open_tokenizer());
    MNEME_ASSIGN_OR_RETURN(backend_, open_backend(options.device));
    MNEME_RETURN_IF_ERROR(check_memory());
    MNEME_ASSIGN_OR_RETURN(weights_, load_model_weights(file_, *architecture, config_, *backend_));
    runtime_ = std::make_unique<ModelRuntime>(config_, *weights_, *backend_);
    return {};
  }

  const ModelConfig& config() const override { return config_; }
  const Tokenizer& tokenizer() const override { return *tokenizer_; }
  const ChatTemplate* chat_template() const override { return chat_template_.get(); }
  const Status& chat_template_status() const override { return chat_template_status_; }
  Backend& backend() override { return *backend_; }
  const std::string& path() const override { return path_; }
  int64_t weight_bytes() const override { return weights_->bytes; }
  EngineQueue& queue() override { return runtime_->queue(); }

  Hash128 identity() const override {
    std::call_once(identity_once_, [this] {
      identity_ = model_identity(file_, config_);
      file_.release_pages();
    });
    return identity_;
  }

  Result<ForwardPass*> forward_pass(int max_rows) override { return runtime_->free_pass(max_rows); }

  Result<std::unique_ptr<Sequence>> new_sequence(int max_tokens, bool keep_unrotated_keys) override {
    return runtime_->new_sequence(max_tokens, keep_unrotated_keys);
  }

 private:
  Status open_tokenizer() {
    const auto kind = file_.text("tokenizer.ggml.model");
    if (kind == "none" || kind == "no_vocab") {
      tokenizer_ = make_number_tokenizer(config_.vocab_size);
      chat_template_status_ = unsupported("the model has no vocabulary");
      return {};
    }
    MNEME_ASSIGN_OR_RETURN(tokenizer_, Tokenizer::open(file_));
    if (tokenizer_->vocab_size() > config_.vocab_size)
      return corruption("cannot use the model " + path_ + ": its tokenizer has " +
                        std::to_string(tokenizer_->vocab_size()) + " tokens, its weights " +
                        std::to_string(config_.vocab_size) + "; convert the model again");
    auto chat_template = ChatTemplate::open(file_);
    chat_template_status_ = chat_template.status();
    if (chat_template.ok()) chat_template_ = std::move(*chat_template);
    return {};
  }

  Status check_memory() const {
    const auto needed = static_cast<int64_t>(file_.bytes().size());
    const int64_t available = backend_->free_memory_bytes();
    if (!memory_.empty() || needed <= available) return {};
    constexpr int64_t kMiB = 1 << 20;
    return resource_error("the model " + path_ + " needs about " + std::to_string(needed / kMiB) +
                          " MiB of memory where " + std::to_string(available / kMiB) +
                          " MiB are free; use a smaller model or one with fewer bits per weight");
  }

  const std::string path_;
  const std::vector<std::byte> memory_;  // the file of a model made in memory
  const gguf::GgufFile file_;            // weights may be used in place: outlives all below
  ModelConfig config_;
  std::unique_ptr<Tokenizer> tokenizer_;
  std::unique_ptr<ChatTemplate> chat_template_;
  Status chat_template_status_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<ModelWeights> weights_;
  std::unique_ptr<ModelRuntime> runtime_;
  mutable std::once_flag identity_once_;
  mutable Hash128 identity_;
};

Result<std::unique_ptr<LanguageModel>> load(std::string path, gguf::GgufFile file, std::vector<std::byte> memory,
                                            const ModelOptions& options) {
  auto model = std::make_unique<OpenedModel>(std::move(path), std::move(file), std::move(memory));
  MNEME_RETURN_IF_ERROR(model->load(options));
  return std::unique_ptr<LanguageModel>(std::move(model));
}

}  // namespace

Result<std::unique_ptr<LanguageModel>> LanguageModel::open(const std::string& path, const ModelOptions& options) {
  MNEME_ASSIGN_OR_RETURN(gguf::GgufFile file, gguf::GgufFile::open(path));
  return load(path, std::move(file), {}, options);
}

Result<std::unique_ptr<LanguageModel>> LanguageModel::make_random(const std::string& shape, gguf::TensorType type,
                                                                  const ModelOptions& options, uint64_t seed) {
  MNEME_ASSIGN_OR_RETURN(std::vector<std::byte> bytes, make_random_gguf(shape, type, seed));
  // Moving the vector keeps its memory, so the file's views stay valid.
  MNEME_ASSIGN_OR_RETURN(gguf::GgufFile file, gguf::GgufFile::parse(bytes, shape));
  return load(shape, std::move(file), std::move(bytes), options);
}

}  // namespace mneme::engine
