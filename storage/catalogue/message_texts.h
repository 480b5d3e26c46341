// The texts of all messages in memory, in which a search reads 100 MB in some 20 ms; out of the catalogue, where they
// lie between other things, it is half a second and more. The first search reads them, each later one those that came
// since. In memory alone, so that nothing outlives a message that is deleted. Threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "storage/catalogue/records.h"
#include "storage/catalogue/sqlite_database.h"

namespace mneme::storage {

class MessageTexts {
 public:
  // Chats with a message that says `wanted`, a sought_text(). `database`: in a read transaction.
  Result<std::unordered_set<int64_t>> chats_that_say(Database& database, std::string_view wanted);
  // Of messages that were deleted: the next search has less to compare. It would do without being told.
  void forget(ChatId chat);

 private:
  struct Entry {
    int64_t message = 0;
    int64_t chat = 0;
    std::string text{};  // as sought_text()
  };

  Status read_new(Database& database) MNEME_REQUIRES(mutex_);
  Status drop_deleted(Database& database) MNEME_REQUIRES(mutex_);
  void clear() MNEME_REQUIRES(mutex_);

  Mutex mutex_;
  std::vector<Entry> entries_ MNEME_GUARDED_BY(mutex_);    // by message, whose ids only grow
  int64_t last_message_ MNEME_GUARDED_BY(mutex_) = 0;      // that was read
  int64_t times_forgotten_ MNEME_GUARDED_BY(mutex_) = -1;  // messages change when a file is forgotten
};

}  // namespace mneme::storage
