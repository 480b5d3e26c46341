// A follow-up question rewritten by the language model so that it stands alone; the rules (standalone_query.h) decide
// whether it is a follow-up at all, and stand in where the model's wording cannot be trusted.
// Threads: one rewriting at a time per model.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/status.h"
#include "rag/prompt/turn.h"

namespace mneme::engine {
class LanguageModel;
}

namespace mneme::rag {

// The question itself when it stands alone; else the model's wording if is_trustworthy(), else the rules' one. A model
// that fails is no error: the rules stand in. kCancelled.
Result<std::string> rewritten_query(engine::LanguageModel& model, std::string_view question,
                                    std::span<const Turn> history, const CancelToken& cancel);

// Whether a rewriting says what was asked and nothing of its own: one line, not much longer than what it was made from,
// every word that matters from the question or the history, most of the question's own kept, and something added.
bool is_trustworthy(std::string_view rewritten, std::string_view question, std::span<const Turn> history);

}  // namespace mneme::rag
