// A follow-up question made to stand alone: "and in winter?" after "When is the museum open?" needs the museum to be
// found. By rules: what the question leaves out is added from the questions before it. Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rag/prompt/turn.h"

namespace mneme::rag {

// The question itself when it stands alone, else the one before with what it asks of exchanged (exchanged_thing.h),
// else the question with the words of earlier ones that it leans on.
std::string standalone_query(std::string_view question, std::span<const Turn> history);

// Whether a question leans on what was said before: short, or with a pronoun, or beginning like a continuation.
bool is_follow_up(std::string_view question);

}  // namespace mneme::rag
