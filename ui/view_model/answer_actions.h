// Asking: questions take their places in the shown conversation and are answered one after the other, also when another
// conversation is shown by then.
// Threads: ask(), regenerate(), edit() on the chats' thread, where conversations come and go; stop(), cut_off() from
// anywhere; forget_model() on the answering thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "rag/prompt/turn.h"
#include "rag/workspace.h"
#include "ui/view_model/answer_place.h"
#include "ui/view_model/answer_writer.h"
#include "ui/view_model/chat_actions.h"
#include "ui/view_model/publisher.h"

namespace mneme::ui {

// A conversation's answered questions as the answerer wants them, oldest first, with each document that an answer cites
// once.
std::vector<rag::Turn> history_of(const Messages& messages);

class AnswerActions {
 public:
  // `on_answering` runs what it is given on the answering thread, in order.
  using OnAnswering = std::function<void(std::function<void()>)>;
  AnswerActions(rag::Workspace& workspace, Publisher& publisher, ChatActions& chats, OnAnswering on_answering)
      : publisher_(publisher),
        chats_(chats),
        on_answering_(std::move(on_answering)),
        writer_(workspace, publisher, chats) {}

  void ask(const std::string& question);
  // Answers a question again, in its place; without an index the last one.
  void regenerate(std::optional<size_t> question);
  // Asks a question otherwise, in place of it and of all that follows.
  void edit(size_t message, const std::string& text);

  // By who asked: what is written by now is the answer. Of a chat, or of the one that is shown.
  void stop(std::optional<int64_t> chat);
  // By something else that was begun: half an answer does not take another's place.
  void cut_off();                 // the one being written; those that wait for their turn are answered
  void cut_off_silently();        // all
  void cut_off_of(int64_t chat);  // silently, as the chat is deleted

  // Drops what refers to the open model, before it is closed.
  void forget_model() { writer_.forget_model(); }

 private:
  // Whether the shown conversation can take a question; where it cannot, that is said.
  bool takes_question();
  void begin(AnswerPlace place);
  void show(const AnswerUnderWay& one, bool waits);
  void save_question(AnswerUnderWay& one);
  bool has_turn(const std::shared_ptr<AnswerUnderWay>& one);
  void leave(const std::shared_ptr<AnswerUnderWay>& one);
  void end(const ConversationView* conversation, AnswerUnderWay::Ended how);

  Publisher& publisher_;
  ChatActions& chats_;
  const OnAnswering on_answering_;
  AnswerWriter writer_;
  uint64_t last_number_ = 0;
  Mutex mutex_;
  std::vector<std::shared_ptr<AnswerUnderWay>> under_way_ MNEME_GUARDED_BY(mutex_);  // in the order of their turns
};

}  // namespace mneme::ui
