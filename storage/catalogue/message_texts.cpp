#include "storage/catalogue/message_texts.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/utf8.h"
#include "storage/catalogue/catalogue_state.h"

namespace mneme::storage {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

char folded(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

std::string folded(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) { return folded(c); });
  return result;
}

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

Result<bool> holds_in_database(Database& database, int64_t message, std::string_view pattern) {
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database.prepare("SELECT 1 FROM messages WHERE id=?1 AND text LIKE ?2 ESCAPE '\\'"));
  return statement.bind(message, pattern).step();
}

}  // namespace

bool is_found_by_bytes(std::string_view text) {
  return text.find('\0') == std::string_view::npos && text.find(kReplacement) == std::string_view::npos &&
         utf8::valid(text);
}

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
    const std::string_view text = statement.text(2);
    Entry entry{.message = statement.integer(0), .chat = statement.integer(1), .by_bytes = is_found_by_bytes(text)};
    if (entry.by_bytes) entry.text = folded(text);
    last_message_ = entry.message;
    entries_.push_back(std::move(entry));
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

Result<std::unordered_set<int64_t>> MessageTexts::chats_that_hold(Database& database, std::string_view text,
                                                                  std::string_view pattern) {
  MutexLock lock(mutex_);
  MNEME_ASSIGN_OR_RETURN(const int64_t times, times_forgotten_in(database));
  if (times != times_forgotten_) clear();
  times_forgotten_ = times;
  MNEME_RETURN_IF_ERROR(read_new(database));
  MNEME_RETURN_IF_ERROR(drop_deleted(database));
  const std::string wanted = folded(text);
  std::unordered_set<int64_t> found;
  int64_t last_found = -1;  // messages of one chat mostly come in a row
  for (const Entry& entry : entries_) {
    if (entry.chat == last_found) continue;
    bool holds_it = entry.by_bytes && holds(entry.text, wanted);
    if (!entry.by_bytes) {
      MNEME_ASSIGN_OR_RETURN(holds_it, holds_in_database(database, entry.message, pattern));
    }
    if (!holds_it) continue;
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
