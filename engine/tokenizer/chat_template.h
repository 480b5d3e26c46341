// The model's chat template (Jinja in tokenizer.chat_template), or a fallback by family. Renders messages into segments
// of text from the template (special tokens recognised) and text from people or documents (never special). Threads:
// immutable; render may run concurrently.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/tokenizer/tokenizer.h"

namespace mneme::engine {

struct ChatMessage {
  std::string role;  // "system", "user", "assistant"
  std::string content;
};

class ChatTemplate {
 public:
  virtual ~ChatTemplate() = default;

  // kUnsupported when a template uses what this interpreter does not know and no family fallback fits.
  static Result<std::unique_ptr<ChatTemplate>> open(const gguf::GgufFile& file);

  // Token ids of the rendered conversation. Contents are encoded as plain text wherever they land; each content is
  // encoded on its own. BOS comes first when the model asks for it.
  virtual Result<std::vector<TokenId>> encode(const std::vector<ChatMessage>& messages, bool generation_prompt,
                                              const Tokenizer& tokenizer) const = 0;

  // Splits a rendering around the content of the (only) user message: ids before it and ids after it, generation prompt
  // included. The answerer puts documents and question between them. `system` may be empty.
  struct Frame {
    std::vector<TokenId> before;  // BOS + system prompt + start of the user's turn
    std::vector<TokenId> after;   // end of the user's turn + generation prompt
  };
  virtual Result<Frame> frame(std::string_view system, const Tokenizer& tokenizer) const = 0;

  virtual std::string_view origin() const = 0;  // "gguf", "fallback: chatml", "none"
};

}  // namespace mneme::engine
