// Makes answers, one at a time: streams them into their conversations, wherever these are shown, and keeps them with
// their chats. What was answered before goes only when there is a new answer in its place.
// Threads: the answering thread; withdraw() from any; an answer's `cancel` and `ended` are set from anywhere.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/cancel.h"
#include "rag/answering/answerer.h"
#include "rag/kv_reuse/chat_kv.h"
#include "rag/workspace.h"
#include "ui/view_model/answer_place.h"
#include "ui/view_model/chat_actions.h"
#include "ui/view_model/publisher.h"

namespace mneme::ui {

// One answer, from its question to its end.
struct AnswerUnderWay {
  enum class Ended { kByItself, kStopped, kCutOff, kCutOffSilently };
  uint64_t number = 0;  // MessageView::under_way
  AnswerPlace place;
  int64_t chat = 0;         // 0: a new one; below 0: one that could not be kept so far
  rag::AskOptions options;  // as the settings were when it was asked
  CancelToken cancel;
  std::atomic<Ended> ended{Ended::kByItself};

  void end(Ended how) {
    ended = how;
    cancel.cancel();
  }
};

class AnswerWriter {
 public:
  AnswerWriter(rag::Workspace& workspace, Publisher& publisher, ChatActions& chats)
      : workspace_(workspace), publisher_(publisher), chats_(chats) {}
  // Leaves the chat; nothing may run on the answering thread any more.
  ~AnswerWriter();
  AnswerWriter(const AnswerWriter&) = delete;
  AnswerWriter& operator=(const AnswerWriter&) = delete;

  void write(AnswerUnderWay& one);
  // Of one that never gets its turn.
  void withdraw(AnswerUnderWay& one);
  // Drops what refers to the open model, before it is closed.
  void forget_model();

 private:
  MessageView ask(AnswerUnderWay& one);
  void go_on_with_chat(AnswerUnderWay& one);
  void leave_chat();
  bool finish(AnswerUnderWay& one, MessageView message);
  bool give_back(const AnswerUnderWay& one, const MessageView& message);
  bool keep(AnswerUnderWay& one, MessageView message);
  void tell_of_end(const AnswerUnderWay& one, const MessageView& message, bool shown, bool took_long);

  rag::Workspace& workspace_;
  Publisher& publisher_;
  ChatActions& chats_;
  std::unique_ptr<rag::Answerer> answerer_;  // kept between questions: it holds the last prompt's sequence
  // What was computed for the chat's earlier turns, and the options it was computed with.
  std::unique_ptr<rag::ChatKv> chat_kv_;
  int64_t chat_of_kv_ = 0;
  rag::AskOptions last_options_;
};

}  // namespace mneme::ui
