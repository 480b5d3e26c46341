// Keeps conversations in the catalogue. What cannot be kept (a full disk) stays in the snapshot, goes with what is kept
// of its chat next, and is tried again. Threads: any.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/mutex.h"
#include "base/status.h"
#include "rag/workspace.h"
#include "ui/view_model/answer_place.h"
#include "ui/view_model/publisher.h"

namespace mneme::ui {

class ChatKeeper {
 public:
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

  // `changed`: there may be other chats to list than before.
  ChatKeeper(rag::Workspace& workspace, Publisher& publisher, std::function<Status()> changed)
      : workspace_(workspace), publisher_(publisher), changed_(std::move(changed)) {}

  // Changes a chat whose messages the snapshot has as they are to be, shown or not; chat 0 is made, and the
  // conversation becomes it. A chat that another process has deleted is kept anew. Gives what was added, with its
  // numbers. `chat` becomes the one it was kept in. Says where it cannot be kept, and gives nothing; `chat` is then the
  // number that the conversation has until it is.
  Messages keep(const Change& change, int64_t& chat) MNEME_EXCLUDES(keeping_);
  // Tries once more what could not be kept; says nothing.
  void keep_what_was_not() MNEME_EXCLUDES(keeping_);

  // A new chat with these messages, which the snapshot does not know.
  Result<Saved> copy(const std::string& title, const Messages& messages);
  // Whether a chat is no more, here or by another process.
  bool is_gone(int64_t chat);

 private:
  Result<Saved> save(const Change& change, int64_t chat) MNEME_REQUIRES(keeping_);
  Result<Saved> make(const Change& change, int64_t chat, const std::string& title);
  Result<Saved> write(const Change& change, int64_t chat);
  Result<int64_t> keep_anew(int64_t chat, const Change& change);
  int64_t note_unkept(const Change& change, int64_t chat) MNEME_REQUIRES(keeping_);
  void note_kept(int64_t chat);
  void give_numbers(int64_t chat, const Messages& messages, const Messages& numbered);

  rag::Workspace& workspace_;
  Publisher& publisher_;
  const std::function<Status()> changed_;
  Mutex keeping_;
  int64_t last_unkept_ MNEME_GUARDED_BY(keeping_) = 0;  // number given to a chat that the catalogue does not have
};

}  // namespace mneme::ui
