#include "rag/answering/writing/prompt_sequence.h"

#include <algorithm>

#include "engine/language_model.h"

namespace mneme::rag {

PromptSequence::PromptSequence() = default;
PromptSequence::~PromptSequence() = default;

void PromptSequence::set_model(engine::LanguageModel& model) {
  if (model_ != &model) sequence_.reset();
  model_ = &model;
}

Result<engine::Sequence*> PromptSequence::with_room(int n_tokens, int context, bool unrotated) {
  if (sequence_ != nullptr && n_tokens_ >= n_tokens && unrotated_ == unrotated) return sequence_.get();
  sequence_.reset();  // before the new one: both together may not fit
  n_tokens_ = std::max(n_tokens, std::min(context, 2 * n_tokens));
  unrotated_ = unrotated;
  MNEME_ASSIGN_OR_RETURN(sequence_, model_->new_sequence(n_tokens_, unrotated));
  return sequence_.get();
}

engine::Sequence* PromptSequence::unrotated() const {
  return unrotated_ ? sequence_.get() : nullptr;
}

}  // namespace mneme::rag
