#include "rag/prompt/prompt_layout.h"

#include <cassert>

#include "base/embedded_assets.h"
#include "rag/text/words/words.h"
#include "rag/toml.h"

namespace mneme::rag {

Result<PromptText> PromptText::parse(std::string_view source) {
  PromptText text;
  while (!source.empty()) {
    const size_t open = source.find('{');
    if (open != 0) {
      text.pieces_.push_back({false, std::string(source.substr(0, open))});
      source.remove_prefix(std::min(open, source.size()));
      continue;
    }
    const size_t close = source.find('}');
    if (close == std::string_view::npos) return corruption("the prompt layout has a brace that is not closed");
    text.pieces_.push_back({true, std::string(source.substr(1, close - 1))});
    source.remove_prefix(close + 1);
  }
  return text;
}

std::string PromptText::fill(std::initializer_list<Filling> fillings) const {
  std::string filled;
  for (const Piece& piece : pieces_) {
    if (!piece.is_name) {
      filled += piece.text;
      continue;
    }
    for (const Filling& filling : fillings) {
      if (filling.name == piece.text) filled += filling.value;
    }
  }
  return filled;
}

Result<PromptLayout> PromptLayout::parse(std::string_view source) {
  const toml::parse_result parsed = toml::parse(source);
  if (!parsed) return corruption("the prompt layout is no TOML: " + std::string(parsed.error().description()));
  const toml::table& table = parsed.table();
  std::string missing;
  const auto text = [&](std::string_view key) {
    const std::optional<std::string> value = table[key].value<std::string>();
    if (!value.has_value()) missing = key;
    return value.value_or("");
  };
  PromptLayout layout;
  layout.version = table["version"].value_or(0);
  layout.system = text("system");
  MNEME_ASSIGN_OR_RETURN(layout.label, PromptText::parse(text("label")));
  layout.chunk_end = text("chunk_end");
  MNEME_ASSIGN_OR_RETURN(layout.history_question, PromptText::parse(text("history_question")));
  MNEME_ASSIGN_OR_RETURN(layout.history_answer, PromptText::parse(text("history_answer")));
  MNEME_ASSIGN_OR_RETURN(layout.question, PromptText::parse(text("question")));
  layout.answer_header = text("answer_header");
  layout.short_instruction = text("short_instruction");
  layout.no_answer = text("no_answer");
  layout.no_answer_short = text("no_answer_short");
  if (!missing.empty()) return corruption("the prompt layout lacks " + missing);
  return layout;
}

const PromptLayout& PromptLayout::embedded() {
  static const PromptLayout layout = [] {
    Result<PromptLayout> parsed = parse(assets::prompt_layout_toml);
    assert(parsed.ok());
    return parsed.ok() ? *std::move(parsed) : PromptLayout{};
  }();
  return layout;
}

bool PromptLayout::says_no(std::string_view answer) const {
  const std::string folded = folded_text(answer);
  return folded == folded_text(no_answer_short) || folded.starts_with(folded_text(no_answer));
}

}  // namespace mneme::rag
