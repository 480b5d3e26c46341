#include "storage/catalogue/message_texts.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/sought_text.h"

namespace mneme::storage {
namespace {

// Many places at a time: where the first and the last letter stand as far apart as they should, all are compared. The
// loop over a block has no branches, so that the compiler takes sixteen letters and more at once.
constexpr size_t kBlock = 32;
bool holds_in_block(const char* text, std::string_view wanted) {
  const char* const lasts = text + wanted.size() - 1;
  std::array<unsigned char, kBlock> fits;
  unsigned char any = 0;
  for (size_t i = 0; i < kBlock; ++i) {
    fits[i] = static_cast<unsigned char>(int{text[i] == wanted.front()} & int{lasts[i] == wanted.back()});
    any |= fits[i];
  }
  if (any == 0) return false;
  for (size_t i = 0; i < kBlock; ++i) {
    if (fits[i] != 0 && std::memcmp(text + i, wanted.data(), wanted.size()) == 0) return true;
  }
  return false;
}

// As find(), which goes from one place with the first letter to the next.
bool holds(std::string_view text, std::string_view wanted) {
  if (wanted.empty()) return true;
  if (text.size() < wanted.size() + kBlock - 1) return text.find(wanted) != std::string_view::npos;
  const size_t last_block = text.size() - wanted.size() + 1 - kBlock;
  for (size_t place = 0; place < last_block; place += kBlock) {
    if (holds_in_block(text.data() + place, wanted)) return true;
  }
  return holds_in_block(text.data() + last_block, wanted);
}

}  // namespace

void MessageTexts::clear() {
  entries_.clear();
  last_message_ = 0;
}

Status MessageTexts::read_new(Database& database) {
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database.prepare("SELECT id, chat, text FROM messages WHERE id>?1 ORDER BY id"));
  statement.bind(last_message_);
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return {};
    last_message_ = statement.integer(0);
    entries_.push_back({last_message_, statement.integer(1), sought_text(statement.text(2))});
  }
}

// What is remembered is all there is, or was when it was read: where it is as many as there are now, it is the same.
Status MessageTexts::drop_deleted(Database& database) {
  MNEME_ASSIGN_OR_RETURN(const int64_t n, database.query_integer("SELECT count(*) FROM messages"));
  if (n == static_cast<int64_t>(entries_.size())) return {};
  std::unordered_set<int64_t> there;
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare("SELECT id FROM messages INDEXED BY messages_by_chat"));
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) break;
    there.insert(statement.integer(0));
  }
  std::erase_if(entries_, [&](const Entry& entry) { return !there.contains(entry.message); });
  if (n == static_cast<int64_t>(entries_.size())) return {};
  clear();  // something was dropped that is there: a deletion that did not come to pass
  return read_new(database);
}

Result<std::unordered_set<int64_t>> MessageTexts::chats_that_say(Database& database, std::string_view wanted) {
  MutexLock lock(mutex_);
  MNEME_ASSIGN_OR_RETURN(const int64_t times, times_forgotten_in(database));
  if (times != times_forgotten_) clear();
  times_forgotten_ = times;
  MNEME_RETURN_IF_ERROR(read_new(database));
  MNEME_RETURN_IF_ERROR(drop_deleted(database));
  std::unordered_set<int64_t> found;
  int64_t last_found = -1;  // messages of one chat mostly come in a row
  for (const Entry& entry : entries_) {
    if (entry.chat == last_found || !holds(entry.text, wanted)) continue;
    found.insert(entry.chat);
    last_found = entry.chat;
  }
  return found;
}

void MessageTexts::forget(ChatId chat) {
  MutexLock lock(mutex_);
  std::erase_if(entries_, [&](const Entry& entry) { return entry.chat == static_cast<int64_t>(chat); });
}

}  // namespace mneme::storage
