#include "rag/models/open_model.h"

#include "rag/models/model_facts.h"

namespace mneme::rag {

Result<std::unique_ptr<engine::LanguageModel>> open_to_answer(const std::string& path,
                                                              const engine::ModelOptions& options) {
  Result<std::unique_ptr<engine::LanguageModel>> model = engine::LanguageModel::open(path, options);
  if (model.status().code() != StatusCode::kUnsupported) return model;
  const Result<ModelFacts> facts = inspect_model(path);
  if (!facts.ok() || facts->kind != "embedder") return model;
  return unsupported("cannot answer with the model " + path + ": it is for embeddings, name it with --embedder");
}

}  // namespace mneme::rag
