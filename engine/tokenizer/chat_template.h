// The model's chat template (Jinja in tokenizer.chat_template), or a fallback by family. Renders messages into segments
// of text from the template (special tokens recognised) and text from people or documents (never special).
// Threads: immutable; all functions may run concurrently.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/tokenizer/thought_markers.h"
#include "engine/tokenizer/tokenizer.h"

namespace mneme::engine {

struct ChatMessage {
  std::string role;  // "system", "user", "assistant"
  std::string content;
};

class ChatTemplate {
 public:
  virtual ~ChatTemplate() = default;

  // kNotFound when the file has no template: use the model raw. kUnsupported when a template uses what this interpreter
  // does not know and no family fallback fits.
  static Result<std::unique_ptr<ChatTemplate>> open(const gguf::GgufFile& file);
  // The same from a template's source. strip_after_markers: line feeds and spaces after special tokens of the template
  // are not tokens (Phi-3). bos, eos: the texts of those tokens.
  struct Source {
    std::string text;
    std::string bos, eos;
    bool strip_after_markers = false;
  };
  static Result<std::unique_ptr<ChatTemplate>> make(const Source& source);

  // Token ids of the rendered conversation: as if the whole text were tokenised, except that special tokens come from
  // the template's own text only; contents are plain text wherever they land. BOS comes first when the model asks for
  // it, once. A system message that the template refuses or drops is put before the first user message instead.
  // kUsage for a role other than the three, or an order the template refuses; kUnsupported when it would lose a
  // content.
  virtual Result<std::vector<TokenId>> encode(const std::vector<ChatMessage>& messages, bool generation_prompt,
                                              const Tokenizer& tokenizer) const = 0;

  // Splits a rendering around the content of the (only) user message: ids before it and ids after it, generation prompt
  // included. The answerer puts documents and question between them. `system` may be empty. Templates that can tell
  // their model not to think before it answers do (enable_thinking, as Qwen3 and SmolLM3 have it; Seed-OSS has
  // thinking_budget).
  struct Frame {
    std::vector<TokenId> before;  // BOS + system prompt + start of the user's turn
    std::vector<TokenId> after;   // end of the user's turn + generation prompt
    Thinking thinking = Thinking::kUnlikely;
  };
  virtual Result<Frame> frame(std::string_view system, const Tokenizer& tokenizer) const = 0;

  // The conversation as text, for people and tests.
  virtual Result<std::string> render(const std::vector<ChatMessage>& messages, bool generation_prompt) const = 0;

  virtual std::string_view origin() const = 0;  // "gguf", "fallback: chatml"
};

}  // namespace mneme::engine
