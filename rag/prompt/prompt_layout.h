// The one prompt layout (assets/prompts/prompt_layout.toml), embedded in the program and parsed once. Texts with
// placeholders are kept as the pieces around them, so that filling is joining: filled text is never looked at again.
// Threads: immutable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace mneme::rag {

// "[{n}] {title}\n" as literals and names in turn.
class PromptText {
 public:
  struct Piece {
    bool is_name = false;
    std::string text;
  };
  // kCorruption for a brace that is not closed.
  static Result<PromptText> parse(std::string_view source);

  struct Filling {
    std::string_view name;
    std::string_view value;
  };
  // Names without a filling give nothing.
  std::string fill(std::initializer_list<Filling> fillings) const;

 private:
  std::vector<Piece> pieces_;
};

struct PromptLayout {
  int version = 0;
  std::string system;
  PromptText label;  // n, title
  std::string chunk_end;
  PromptText history_question;  // text
  PromptText history_answer;    // text
  PromptText question;          // text
  std::string answer_header;
  std::string short_instruction;
  std::string no_answer;
  std::string no_answer_short;

  static Result<PromptLayout> parse(std::string_view toml);
  // The embedded layout; the program does not build with a broken one (a test sees to it).
  static const PromptLayout& embedded();

  // Whether an answer says that the documents do not hold it.
  bool says_no(std::string_view answer) const;
};

}  // namespace mneme::rag
