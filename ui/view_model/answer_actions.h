// Asking: one question at a time, streamed into the shown conversation and saved with its chat.
// Threads: ask(), regenerate(), edit(), forget_model() on the answering thread; stop() from anywhere.
#pragma once

#include <memory>
#include <string>

#include "base/cancel.h"
#include "base/mutex.h"
#include "rag/answering/answerer.h"
#include "rag/kv_reuse/chat_kv.h"
#include "rag/workspace.h"
#include "ui/view_model/chat_actions.h"
#include "ui/view_model/publisher.h"

namespace mneme::ui {

class AnswerActions {
 public:
  AnswerActions(rag::Workspace& workspace, Publisher& publisher, ChatActions& chats)
      : workspace_(workspace), publisher_(publisher), chats_(chats) {}
  // Leaves the chat; nothing may run on the answering thread any more.
  ~AnswerActions();
  AnswerActions(const AnswerActions&) = delete;
  AnswerActions& operator=(const AnswerActions&) = delete;

  void ask(const std::string& question);
  void stop();
  void regenerate();
  void edit(size_t message, const std::string& text);
  // Drops what refers to the open model, before it is closed.
  void forget_model();

 private:
  void show_question(const std::string& question);
  void save(const MessageView& message);  // to the chat of the question, whatever is shown by now
  void go_on_with_chat(rag::AskOptions& options);
  void leave_chat();
  void finish(const std::string& question, MessageView message);

  rag::Workspace& workspace_;
  Publisher& publisher_;
  ChatActions& chats_;
  int64_t chat_ = 0;                         // of the question
  std::unique_ptr<rag::Answerer> answerer_;  // kept between questions: it holds the last prompt's sequence
  // What was computed for the chat's earlier turns, and the options it was computed with.
  std::unique_ptr<rag::ChatKv> chat_kv_;
  int64_t chat_of_kv_ = 0;
  rag::AskOptions last_options_;
  Mutex mutex_;
  std::shared_ptr<CancelToken> running_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::ui
