// A text for a model that was opened by itself, as ids. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "engine/types.h"

namespace mneme::engine {
class LanguageModel;
}

namespace mneme::app {

// Ids of the text, without BOS. kUsage, with what to give instead, where the text gives none because the model's file
// has no vocabulary: such a model reads numbers of tokens.
Result<std::vector<engine::TokenId>> encode_text(const engine::LanguageModel& model, const std::string& text);

}  // namespace mneme::app
