#pragma once

#include <string_view>

#include "base/status.h"

namespace mneme::rag {

// How chunk KV is come by: recompute all; reuse the exact common prefix; reuse every chunk's cache as it is; repair a
// share of the tokens.
enum class AnswerMode { kFull, kPrefix, kReuse, kBlend };
Result<AnswerMode> parse_answer_mode(std::string_view name);
std::string_view answer_mode_name(AnswerMode mode);

}  // namespace mneme::rag
