// Conversations: asking, streaming, saving, opening, exporting. Runs on the controller's queues.
// Threads: ask() on the answering thread, the rest on the catalogue thread; stop() from anywhere.
#pragma once

#include <memory>
#include <string>

#include "base/cancel.h"
#include "base/mutex.h"
#include "base/status.h"
#include "rag/workspace.h"
#include "ui/view_model/publisher.h"

namespace mneme::ui {

class ChatActions {
 public:
  ChatActions(rag::Workspace& workspace, Publisher& publisher) : workspace_(workspace), publisher_(publisher) {}

  void ask(const std::string& question);
  void stop();
  void regenerate();
  void edit(size_t message, const std::string& text);

  Status refresh_chats();
  void start_new();
  Status open(int64_t chat);
  Status rename(int64_t chat, const std::string& title);
  Status pin(int64_t chat, bool pinned);
  Status remove(int64_t chat);
  Status export_to(int64_t chat, const std::string& path);

 private:
  Status save_message(const MessageView& message);
  Status drop_messages_from(size_t index);
  Result<ConversationView> load(int64_t chat);

  rag::Workspace& workspace_;
  Publisher& publisher_;
  Mutex mutex_;
  std::shared_ptr<CancelToken> running_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::ui
