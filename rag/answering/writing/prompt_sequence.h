// The sequence that prompts are read into, kept from one question to the next: what the next prompt begins with need
// not be read again (mode prefix, chats).
// Ownership: borrows the model of the last question. Threads: not thread-safe.
#pragma once

#include <memory>

#include "base/status.h"

namespace mneme::engine {
class LanguageModel;
class Sequence;
}  // namespace mneme::engine

namespace mneme::rag {

class PromptSequence {
 public:
  PromptSequence();
  ~PromptSequence();
  PromptSequence(const PromptSequence&) = delete;
  PromptSequence& operator=(const PromptSequence&) = delete;

  // Whose sequence it is from now on; drops what another model has left.
  void set_model(engine::LanguageModel& model);

  // With room for n_tokens: the kept one with what is in it, else a new and empty one with room for later questions
  // too, up to `context` tokens. unrotated: keys can be taken out of it again, as chats do. A model is set. kResource:
  // no memory.
  Result<engine::Sequence*> with_room(int n_tokens, int context, bool unrotated);

  // Of the last question, when its keys can be taken out; else null.
  engine::Sequence* unrotated() const;

 private:
  engine::LanguageModel* model_ = nullptr;
  std::unique_ptr<engine::Sequence> sequence_;
  int n_tokens_ = 0;
  bool unrotated_ = false;
};

}  // namespace mneme::rag
