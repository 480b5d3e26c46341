// An answer as the JSON that `ask --json` prints and that a chat keeps with its message: unknown values are null, never
// left out. Threads: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "rag/answering/exchange/answer.h"

namespace mneme::rag {

// The object of the interface contract, and beside it: `sources` (every passage the model saw, like citations),
// `in_documents`, `unsupported` spans, `query` (the standalone question that was searched) and `notes`.
nlohmann::json answer_to_json(const Answer& answer);
nlohmann::json citation_to_json(const Citation& citation);

// The way back, for answers kept with their chats: what is missing or of another type keeps its default, so that what
// another version saved still opens. Nothing for JSON that is no answer.
std::optional<Answer> answer_from_json(const nlohmann::json& object);

// 0 stands for "the format has none" in passages: null in JSON.
nlohmann::json position_to_json(int page_or_line);

}  // namespace mneme::rag
