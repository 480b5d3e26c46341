// The tokens of a question's prompt, piece by piece as the layout says: every piece is encoded alone and the ids are
// joined. Text of documents and people is encoded literally: it never becomes a special token.
// Ownership: results are values. Threads: reentrant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/status.h"
#include "engine/fusion/prompt_plan.h"
#include "engine/tokenizer/thought_markers.h"
#include "engine/types.h"
#include "rag/prompt/prompt_layout.h"
#include "rag/prompt/turn.h"

namespace mneme::engine {
class ChatTemplate;
class LanguageModel;
class Tokenizer;
}  // namespace mneme::engine

namespace mneme::rag {

// The fixed beginning, behind which every chunk's KV is computed: BOS + system prompt, up to the user's turn; and what
// follows the question. They depend on the model and the layout alone.
struct PromptFrame {
  std::vector<engine::TokenId> prefix;
  std::vector<engine::TokenId> suffix;  // ends the user's turn and opens the answer
  bool has_template = false;
  engine::Thinking thinking = engine::Thinking::kUnlikely;
};
Result<PromptFrame> prompt_frame(const engine::Tokenizer& tokenizer, const engine::ChatTemplate* chat_template,
                                 const PromptLayout& layout);

// The tokens of a chunk: these, and nothing else, are what its KV cache holds. A chunk is a text of its own: where a
// tokenizer puts a space before one, its first word is spelled like any other word, and a name at its beginning is
// found.
std::vector<engine::TokenId> chunk_token_ids(const engine::Tokenizer& tokenizer, std::string_view text);

struct PromptPassage {
  std::string_view title;
  std::string_view text;
};

struct PromptRequest {
  std::vector<PromptPassage> passages;  // in the order of their numbers
  std::string instructions;             // the user's own
  bool short_answer = false;
  std::vector<Turn> history;  // oldest first
  std::string question;
  int budget_tokens = 0;  // for the whole prompt
};

struct Prompt {
  std::vector<engine::TokenId> prefix;
  engine::PromptPlan plan;           // everything after the prefix; segment.chunk is the passage's index
  int n_passages = 0;                // how many of the request's passages are in, counted from the first
  std::vector<Hash128> text_hashes;  // of the passages' whole texts, as the catalogue has them
  int history_segment = -1;          // index of the plan's segment with the earlier turns; -1: there are none
  int chunk_tokens = 0;
  std::vector<std::string> notes;  // what was left out to fit, for people

  int n_tokens() const { return static_cast<int>(prefix.size()) + plan.n_tokens(); }
  std::vector<engine::TokenId> all_ids() const;
  // Tokens before the earlier turns, or before where they would stand: prefix, passages, instructions.
  int n_before_history() const;
  int n_with_history() const;  // and them
};

// The tokens of one earlier turn, as a prompt has them.
std::vector<engine::TokenId> turn_ids(const engine::Tokenizer& tokenizer, const PromptLayout& layout, const Turn& turn);

// Leaves out the oldest turns, then the last passages, then cuts the only one, until the prompt fits; the notes say so.
// kResource when even the question does not fit.
Result<Prompt> build_prompt(const engine::Tokenizer& tokenizer, const PromptFrame& frame, const PromptLayout& layout,
                            const PromptRequest& request);

}  // namespace mneme::rag
