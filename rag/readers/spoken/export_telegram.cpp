// Telegram's exports: one chat, or all of an account.
#include "rag/readers/spoken/exported_chats.h"
#include "rag/readers/text/json_tree.h"

namespace mneme::readers {
namespace {

using Json = nlohmann::json;

bool looks_like(std::string_view beginning) {
  const std::string_view head = beginning.substr(0, 1024);
  if (holds_member(head, "about", "\"Here is the data you requested")) return true;
  if (!holds_member(head, "messages", "[")) return false;
  for (const char* type :
       {"\"personal_chat\"", "\"bot_chat\"", "\"saved_messages\"", "\"private_group\"", "\"private_supergroup\"",
        "\"public_supergroup\"", "\"private_channel\"", "\"public_channel\""})
    if (holds_member(head, "type", type)) return true;
  return false;
}

std::vector<const Json*> chats(const Json& tree) {
  if (json_member(tree, "messages").is_array()) return {&tree};
  std::vector<const Json*> all;
  const Json& list = json_member(json_member(tree, "chats"), "list");
  if (list.is_array())
    for (const Json& chat : list) all.push_back(&chat);
  return all;
}

std::string title(const Json& chat, std::string_view) {
  return json_words(json_member(chat, "name"));
}

Status tell(const Json& chat, const MessageTaker& take) {
  for (const Json& message : json_member(chat, "messages")) {
    if (json_words(json_member(message, "type")) != "message") continue;
    const auto time = wall_time(json_words(json_member(message, "date")));
    if (!time) continue;
    std::string from = json_words(json_member(message, "from"));
    if (from.empty()) from = "Deleted account";
    MNEME_RETURN_IF_ERROR(take({*time, std::move(from), json_words(json_member(message, "text"))}));
  }
  return {};
}

}  // namespace

constinit const ChatExport kTelegramExport{looks_like, chats, title, tell};

}  // namespace mneme::readers
