#include "rag/kv_reuse/answer_mode.h"

#include <string>

namespace mneme::rag {

Result<AnswerMode> parse_answer_mode(std::string_view name) {
  for (const AnswerMode mode : {AnswerMode::kFull, AnswerMode::kPrefix, AnswerMode::kReuse, AnswerMode::kBlend}) {
    if (name == answer_mode_name(mode)) return mode;
  }
  return usage_error("unknown mode " + std::string(name) + "; there are full, prefix, reuse, blend");
}

std::string_view answer_mode_name(AnswerMode mode) {
  switch (mode) {
    case AnswerMode::kFull: return "full";
    case AnswerMode::kPrefix: return "prefix";
    case AnswerMode::kReuse: return "reuse";
    case AnswerMode::kBlend: return "blend";
  }
  return "full";
}

}  // namespace mneme::rag
