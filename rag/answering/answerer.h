// A question to a cited answer: standalone query -> passages -> prompt -> streamed tokens -> checked citations.
// Without a language model the best sentences are quoted with their sources.
// Ownership: borrows its Workspace. Threads: one ask() at a time per Answerer; callbacks come from the calling thread.
#pragma once

#include <memory>
#include <string>

#include "base/cancel.h"
#include "base/status.h"
#include "rag/answering/exchange/answer.h"
#include "rag/answering/exchange/ask_options.h"

namespace mneme::rag {

class Workspace;

class Answerer {
 public:
  explicit Answerer(Workspace& workspace);
  ~Answerer();
  Answerer(const Answerer&) = delete;
  Answerer& operator=(const Answerer&) = delete;

  // Cancelling gives what is there with finish kInterrupted. kNotFound: collection, context file or model;
  // kUnsupported: a mode this build or model cannot do.
  Result<Answer> ask(const std::string& question, const AskOptions& options, const AskCallbacks& callbacks = {},
                     const CancelToken& cancel = never_cancelled());

  // When a chat is left: stores what the last question computed for it, so that resuming is a load. A cache: whatever
  // hinders it is no failure of the chat.
  void leave_chat(const AskOptions& options);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mneme::rag
