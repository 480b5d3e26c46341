// Conversations kept in the catalogue: opening, branching, naming, deleting, finding, exporting.
// Threads: open(), start_new(), branch() and remove() on one thread, on which conversations come and go; the rest from
// any.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/mutex.h"
#include "base/status.h"
#include "rag/workspace.h"
#include "storage/catalogue/records.h"
#include "ui/view_model/answer_place.h"
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

  // What becomes of a chat's messages, in one step. Those that are not kept yet have no number.
  struct Change {
    Messages taken_out;
    Messages added;
    Messages behind;  // come to stand behind what is added
  };
  struct Saved {
    int64_t chat = 0;
    Messages added;  // with their numbers, which they have in the window too
  };
  // Changes a chat whose messages the snapshot has as they are to be, shown or not; chat 0 is made, and the
  // conversation becomes it. A chat that another process has deleted is kept anew.
  Result<Saved> save(const Change& change, int64_t chat);
  // The same, and says where it cannot be: what was added, with its numbers. `chat` becomes the one it was kept in.
  Messages keep(const Change& change, int64_t& chat);
  // Whether a chat is no more, here or by another process.
  bool is_gone(int64_t chat);

 private:
  Result<ConversationView> load(int64_t chat);
  Result<int64_t> make_chat(const std::shared_ptr<const MessageView>& first);
  Result<Saved> write(const Change& change, int64_t chat);
  Result<int64_t> keep_anew(int64_t chat, const Change& change);
  Result<Saved> copy(const std::string& title, const Messages& messages);
  void give_numbers(int64_t chat, const Messages& messages, const Messages& numbered);

  rag::Workspace& workspace_;
  Publisher& publisher_;
  Mutex refreshing_;  // so that an older list does not follow a newer one; taken before mutex_
  Mutex mutex_;
  std::map<int64_t, uint64_t> deleted_ MNEME_GUARDED_BY(mutex_);  // chat -> its notice
};

}  // namespace mneme::ui
