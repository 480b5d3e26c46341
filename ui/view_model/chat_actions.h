// Conversations kept in the catalogue (chat_keeper.h): opening, branching, naming, deleting, finding, exporting.
// Threads: open(), start_new(), branch() and remove() on one thread, on which conversations come and go; the rest from
// any.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/status.h"
#include "rag/workspace.h"
#include "storage/catalogue/records.h"
#include "ui/view_model/chat_keeper.h"
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
  // Reads what searches go through, so that the first one need not. Takes a second where there are 100 MB of chats.
  void prepare_search();
  // Markdown, or JSON when `path` ends in .json. A file that is there is never written over: the export takes a
  // numbered name beside it (storage::free_name), which the notice tells.
  Status export_to(int64_t chat, const std::string& path);

  // Deletes from sight; the row goes when the notice that offers to undo it goes (forget_deleted), or at the end.
  // A crash in between keeps the chat: nothing is lost that was not meant to be.
  Status remove(int64_t chat);
  Status undo_remove(int64_t chat);  // shows it again, if it was shown and nothing was asked since
  Status forget_deleted(uint64_t notice);
  Status forget_all_deleted();

  ChatKeeper& keeper() { return keeper_; }

 private:
  struct Deleted {
    uint64_t notice = 0;
    bool was_shown = false;
    std::optional<ConversationView> unkept = std::nullopt;  // of which the catalogue does not have all
  };

  Result<ConversationView> load(int64_t chat);
  Status forget(int64_t chat);

  rag::Workspace& workspace_;
  Publisher& publisher_;
  ChatKeeper keeper_{workspace_, publisher_, [this] { return refresh(); }};
  Mutex refreshing_;  // so that an older list does not follow a newer one; taken before mutex_
  Mutex mutex_;
  std::map<int64_t, Deleted> deleted_ MNEME_GUARDED_BY(mutex_);  // by chat
};

}  // namespace mneme::ui
