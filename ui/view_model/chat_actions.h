// Conversations kept in the catalogue: opening, branching, naming, deleting, finding, exporting.
// Threads: one at a time, as the controller's queues do: open(), start_new(), branch() on the answering thread, so that
// an answer being written is saved to its own chat first; the rest on the catalogue thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/mutex.h"
#include "base/status.h"
#include "rag/workspace.h"
#include "storage/catalogue/records.h"
#include "ui/view_model/publisher.h"

namespace mneme::ui {

class ChatActions {
 public:
  ChatActions(rag::Workspace& workspace, Publisher& publisher) : workspace_(workspace), publisher_(publisher) {}

  Status refresh();
  void start_new();
  Status open(int64_t chat);
  Status branch(size_t last_message);
  Status rename(int64_t chat, const std::string& title);
  Status pin(int64_t chat, bool pinned);
  Status search(const std::string& text);
  // Markdown, or JSON when `path` ends in .json. A file that is there is never written over: the export takes a
  // numbered name beside it (storage::free_name), which the notice tells.
  Status export_to(int64_t chat, const std::string& path);

  // Deletes from sight; the row goes when the notice that offers to undo it goes (forget_deleted), or at the end.
  // A crash in between keeps the chat: nothing is lost that was not meant to be.
  Status remove(int64_t chat);
  Status undo_remove(int64_t chat);
  Status forget_deleted(uint64_t notice);
  Status forget_all_deleted();

  // Appends a message to a chat; to chat 0 by making one, which the shown conversation becomes.
  struct Saved {
    int64_t chat = 0;
    int64_t message = 0;
  };
  Result<Saved> save(const MessageView& message, int64_t chat);
  // Forgets the messages from `index` on, in the chat and in the window.
  Status drop_messages_from(size_t index);

 private:
  Result<ConversationView> load(int64_t chat);
  Result<storage::MessageId> append(const MessageView& message, int64_t chat);
  Result<int64_t> keep_anew(int64_t chat);
  Result<int64_t> copy(const std::string& title, const std::string& settings_json, const ConversationView& messages);

  rag::Workspace& workspace_;
  Publisher& publisher_;
  Mutex mutex_;
  std::map<int64_t, uint64_t> deleted_ MNEME_GUARDED_BY(mutex_);  // chat -> its notice
};

}  // namespace mneme::ui
