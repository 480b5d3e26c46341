// Asking: one question at a time, streamed into the shown conversation and saved with its chat.
// What was answered before goes only when there is a new answer in its place.
// Threads: ask(), regenerate(), edit(), forget_model() on the answering thread; stop(), cut_off() from anywhere.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/cancel.h"
#include "base/mutex.h"
#include "rag/answering/answerer.h"
#include "rag/kv_reuse/chat_kv.h"
#include "rag/workspace.h"
#include "ui/view_model/answer_place.h"
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
  // Answers a question again, in its place; without an index the last one.
  void regenerate(std::optional<size_t> question);
  // Asks a question otherwise, in place of it and of all that follows.
  void edit(size_t message, const std::string& text);

  // By who asked: what is written by now is the answer.
  void stop();
  // By something else that was begun: half an answer does not take another's place.
  enum class CutOff { kTold, kSilent };
  void cut_off(CutOff kind);

  // Drops what refers to the open model, before it is closed.
  void forget_model();

 private:
  enum class Ended { kByItself, kStopped, kCutOff, kCutOffSilently };

  void answer(AnswerPlace place);
  std::shared_ptr<CancelToken> begin();
  Ended end();
  void show_question(AnswerPlace& place);
  Messages save(ChatActions::Change change);  // to the chat of the question, whatever is shown by now
  void go_on_with_chat(rag::AskOptions& options);
  void leave_chat();
  void finish(AnswerPlace place, MessageView message);
  void give_back(const AnswerPlace& place, const MessageView& message, Ended ended);
  void keep(AnswerPlace place, MessageView message);

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
  Ended ended_ MNEME_GUARDED_BY(mutex_) = Ended::kByItself;
};

}  // namespace mneme::ui
