// Which messages cannot hold a text, told without reading them: of each its letters three by three, as bits of a hash
// (a Bloom filter of one hash function, four to eight bits a byte of text). In memory alone, half to all of the texts'
// size, so that nothing outlives a message that is deleted. The first search reads all messages, each later one those
// that came since. Threads: every function may be called from any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "storage/catalogue/records.h"
#include "storage/catalogue/sqlite_database.h"

namespace mneme::storage {

// Hashes of the letters that a text needs, without regard to ASCII case. None where reading all messages costs less
// than reading those that may hold it (texts of three letters), or where it has the sign that SQLite takes broken
// letters for (U+FFFD), which stands for many.
std::vector<uint32_t> message_signs_of(std::string_view text);

struct SignedMessage {
  MessageId id{};
  ChatId chat{};
};

class MessageSigns {
 public:
  // The messages of these chats that may hold a text with these signs, by id. `database`: in a read transaction.
  Result<std::vector<SignedMessage>> may_hold(Database& database, const std::vector<uint32_t>& signs,
                                              const std::unordered_set<int64_t>& chats);
  void forget(ChatId chat);

 private:
  struct Entry {
    SignedMessage message;
    size_t begin = 0;    // in bits_
    uint32_t shift = 0;  // of a hash, down to a bit of the entry's
  };

  Status read_new(Database& database) MNEME_REQUIRES(mutex_);
  void add(const SignedMessage& message, std::string_view text) MNEME_REQUIRES(mutex_);
  void clear() MNEME_REQUIRES(mutex_);

  Mutex mutex_;
  std::vector<Entry> entries_ MNEME_GUARDED_BY(mutex_);    // by id, which only grow
  std::vector<uint64_t> bits_ MNEME_GUARDED_BY(mutex_);    // of all entries
  int64_t last_message_ MNEME_GUARDED_BY(mutex_) = 0;      // that was read
  int64_t times_forgotten_ MNEME_GUARDED_BY(mutex_) = -1;  // messages change when a file is forgotten
};

}  // namespace mneme::storage
