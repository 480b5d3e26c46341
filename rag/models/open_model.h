// Opening a language model that answers, by the file's path. Threads: as the engine says.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "engine/language_model.h"

namespace mneme::rag {

// As LanguageModel::open(), which does not know embedders that are no transformers: to it they are of an architecture
// that nobody supports. Here they are told for what they are.
Result<std::unique_ptr<engine::LanguageModel>> open_to_answer(const std::string& path,
                                                              const engine::ModelOptions& options);

}  // namespace mneme::rag
