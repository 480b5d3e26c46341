// Messages as Facebook and Instagram export them, the newest first; and what Messenger keeps encrypted, which is
// written otherwise.
#include <algorithm>

#include "base/utf8.h"
#include "rag/readers/spoken/exported_chats.h"
#include "rag/readers/text/json_tree.h"

namespace mneme::readers {
namespace {

using Json = nlohmann::json;

bool looks_like(std::string_view beginning) {
  return beginning.starts_with('{') && holds_member(beginning, "participants", "[") &&
         (holds_member(beginning, "sender_name", "\"") || holds_member(beginning, "senderName", "\""));
}

std::vector<const Json*> chats(const Json& tree) {
  if (!json_member(tree, "messages").is_array()) return {};
  return {&tree};
}

// Bytes of UTF-8, each written as a character of its own ("\u00c3\u00a9" for "é"), to what they stand for; what is no
// such text stays as it is.
std::string mended(const std::string& text) {
  std::string bytes;
  for (size_t at = 0; at < text.size();) {
    const char32_t character = utf8::next(text, at);
    if (character > 0xff) return text;
    bytes.push_back(static_cast<char>(character));
  }
  return utf8::valid(bytes) ? bytes : text;
}

std::string title(const Json& chat, std::string_view) {
  return mended(first_words({&json_member(chat, "title"), &json_member(chat, "threadName")}));
}

double milliseconds_of(const Json& message) {
  for (const char* name : {"timestamp_ms", "timestamp"}) {
    const Json& time = json_member(message, name);
    if (time.is_number()) return time.get<double>();
  }
  return 0;
}

// "Reacted 👍 to your message", "Liked a message", and what was taken back.
bool is_said(const Json& message, std::string_view words) {
  const bool reaction = (words.starts_with("Reacted ") && words.find(" to your message") != words.npos) ||
                        words == "Liked a message" || words == "You unsent a message";
  return !reaction && json_member(message, "is_unsent") != Json(true) && json_member(message, "isUnsent") != Json(true);
}

// A link that was passed on, with what was said of it, and the names of documents.
std::string all_words(const Json& message) {
  std::string words = first_words({&json_member(message, "content"), &json_member(message, "text")});
  const Json& share = json_member(message, "share");
  for (const char* part : {"share_text", "link"}) {
    const std::string more = json_words(json_member(share, part));
    if (words.find(more) == words.npos) add_line(words, more);
  }
  for (const Json* file : objects_of(json_member(message, "files"))) {
    const std::string uri = json_words(json_member(*file, "uri"));
    add_line(words, uri.substr(uri.rfind('/') + 1));
  }
  return words;
}

Status tell(const Json& chat, const MessageTaker& take) {
  std::vector<const Json*> messages = objects_of(json_member(chat, "messages"));
  std::reverse(messages.begin(), messages.end());
  std::stable_sort(messages.begin(), messages.end(),
                   [](const Json* a, const Json* b) { return milliseconds_of(*a) < milliseconds_of(*b); });
  for (const Json* message : messages) {
    const auto time = unix_time(milliseconds_of(*message) / 1000);
    if (!time) continue;
    const std::string from = first_words({&json_member(*message, "sender_name"), &json_member(*message, "senderName")});
    const std::string words = all_words(*message);
    if (!is_said(*message, words)) continue;
    MNEME_RETURN_IF_ERROR(take({*time, mended(from), mended(words)}));
  }
  return {};
}

}  // namespace

constinit const ChatExport kMessengerExport{looks_like, chats, title, tell};

}  // namespace mneme::readers
