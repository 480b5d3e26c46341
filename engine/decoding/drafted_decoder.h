// Decodes token by token for its caller, and several tokens in one step for the model: a step of one row waits for all
// weights to come from memory, a few rows more cost little. The rows beyond the first are a draft (prompt_lookup.h); as
// long as the caller's tokens are the draft's, their logits are there already, and where they differ the rest of the
// draft is forgotten. Whoever samples sees the logits that single steps give, bit for bit: whatever the sampling, the
// text is the same. Does nothing of its own where the backend does not promise that (Backend::equal_step_rows) or
// where a token alone would attend to less than everything, or where layers keep a state, which cannot be cut back.
// Ownership: borrows the sequence, which nobody else may touch until finish(). Threads: one owner.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/decoding/prompt_lookup.h"
#include "engine/language_model.h"
#include "engine/transformer/sampler.h"
#include "engine/types.h"

namespace mneme::engine {

struct DraftCounts {
  int steps = 0;     // of the model
  int drafted = 0;   // tokens run before they were asked for
  int accepted = 0;  // of these, tokens that then were
};

class DraftedDecoder {
 public:
  static constexpr int kMostDrafted = 7;

  // Drafts of up to max_drafted tokens, kMostDrafted at most; 0: none.
  DraftedDecoder(LanguageModel& model, Sequence& sequence, int max_drafted);
  ~DraftedDecoder() { finish(); }
  DraftedDecoder(const DraftedDecoder&) = delete;
  DraftedDecoder& operator=(const DraftedDecoder&) = delete;

  // (vocab_size) of the last token.
  std::span<const float> logits() const;
  int n_tokens() const { return n_tokens_; }

  // The token that the sampler draws from logits(), or has drawn in the step already.
  TokenId sample(Sampler& sampler);
  // From now on steps draw the next token by this sampler, where the device can do so without giving the logits:
  // logits() is then not to be read.
  void sample_in_steps(Sampler& sampler) { sampler_ = &sampler; }

  // The next token of the text. Errors as of Sequence::append(), after which logits() are not to be read.
  Status append(TokenId token, const CancelToken& cancel);

  // The sequence holds the text and nothing beyond it. It then has no logits where a draft was forgotten.
  void finish();

  const DraftCounts& counts() const { return counts_; }

 private:
  std::span<const TokenId> draft() const;
  Status run_step(TokenId token, const CancelToken& cancel);
  Status append_alone(TokenId token, const CancelToken& cancel);

  Sequence& sequence_;
  const size_t vocab_size_;
  const size_t max_drafted_;
  PromptLookup lookup_;
  int n_tokens_;                    // of the text; what the sequence holds beyond is draft
  std::vector<TokenId> step_ids_;   // of the last step that had a draft
  std::vector<float> step_logits_;  // (step_ids_.size(), vocab_size)
  size_t n_used_ = 0;               // of step_ids_ that are the text's
  Sampler* sampler_ = nullptr;      // that draws in steps
  std::optional<TokenId> sampled_;  // by it, in the last step
  DraftCounts counts_;
};

}  // namespace mneme::engine
