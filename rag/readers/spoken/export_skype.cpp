// What Skype, and Teams for private accounts, export: all conversations of an account, the newest message first.
#include <algorithm>

#include "rag/readers/pdf/xml_entities.h"
#include "rag/readers/spoken/exported_chats.h"
#include "rag/readers/text/json_tree.h"

namespace mneme::readers {
namespace {

using Json = nlohmann::json;

constexpr size_t kLongestTag = 4096;      // bytes; what does not end within so many is text
constexpr size_t kLongestQuote = 16'384;  // of what is left out

bool looks_like(std::string_view beginning) {
  return beginning.starts_with('{') && holds_member(beginning, "exportDate", "\"") &&
         holds_member(beginning, "userId", "\"") && holds_member(beginning, "conversations", "[");
}

std::vector<const Json*> chats(const Json& tree) {
  std::vector<const Json*> all;
  for (const Json* chat : objects_of(json_member(tree, "conversations")))
    if (!json_member(*chat, "MessageList").empty()) all.push_back(chat);
  return all;
}

// "8:live:anna" is whose account it is: "anna".
std::string account(const std::string& id) {
  return id.substr(id.rfind(':') + 1);
}

std::string title(const Json& chat, std::string_view) {
  const std::string name = json_words(json_member(chat, "displayName"));
  std::string topic = json_words(json_member(json_member(chat, "threadProperties"), "topic"));
  if (!topic.empty()) return topic;
  return name.empty() ? account(json_words(json_member(chat, "id"))) : name;
}

// Without elements; those that repeat what is answered are left out with all that stands in them.
std::string without_markup(std::string_view text) {
  std::string words;
  while (!text.empty()) {
    const size_t end = text.front() == '<' ? text.substr(0, kLongestTag).find('>') : text.npos;
    if (end == text.npos) {
      words += text.front();
      text.remove_prefix(1);
      continue;
    }
    const std::string_view tag = text.substr(0, end + 1);
    const bool quoted = tag.starts_with("<legacyquote");
    if (tag.starts_with("<br") || tag == "</p>" || tag == "</div>" || tag == "</quote>") words += '\n';
    const size_t close = quoted ? text.substr(0, kLongestQuote).find("</legacyquote>") : text.npos;
    text.remove_prefix(close == text.npos ? end + 1 : close);
  }
  return decode_entities(words);
}

// The name of a file that was sent: <OriginalName v="plan.pdf"/>.
std::string file_name(std::string_view content) {
  constexpr std::string_view kName = "<OriginalName v=\"";
  const size_t at = content.find(kName);
  if (at == content.npos) return {};
  const std::string_view rest = content.substr(at + kName.size());
  return decode_entities(rest.substr(0, rest.find('"')));
}

std::string words_of(const Json& message) {
  const std::string kind = json_words(json_member(message, "messagetype"));
  const std::string content = json_words(json_member(message, "content"));
  if (kind == "Text" || kind == "RichText" || kind == "RichText/Html") return without_markup(content);
  return kind == "RichText/Media_GenericFile" ? file_name(content) : std::string();
}

Status tell(const Json& chat, const MessageTaker& take) {
  std::vector<const Json*> messages = objects_of(json_member(chat, "MessageList"));
  const auto said_at = [](const Json* message) { return json_words(json_member(*message, "originalarrivaltime")); };
  std::reverse(messages.begin(), messages.end());
  std::stable_sort(messages.begin(), messages.end(),
                   [&](const Json* a, const Json* b) { return said_at(a) < said_at(b); });
  for (const Json* message : messages) {
    const auto time = wall_time(said_at(message));
    if (!time) continue;
    std::string from = json_words(json_member(*message, "displayName"));
    if (from.empty()) from = account(json_words(json_member(*message, "from")));
    MNEME_RETURN_IF_ERROR(take({*time, from, words_of(*message)}));
  }
  return {};
}

}  // namespace

constinit const ChatExport kSkypeExport{looks_like, chats, title, tell};

}  // namespace mneme::readers
