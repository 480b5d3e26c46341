// Conversations with ChatGPT and with Claude, all of an account in one file ("conversations.json").
#include <algorithm>

#include "rag/readers/spoken/exported_chats.h"
#include "rag/readers/text/json_tree.h"

namespace mneme::readers {
namespace {

using Json = nlohmann::json;

constexpr const char* kAsks = "User";

// ChatGPT: messages are a tree, since questions may be changed and answers made anew.

bool looks_like_chatgpt(std::string_view beginning) {
  return beginning.starts_with('[') && holds_member(beginning, "mapping", "{") &&
         holds_member(beginning, "create_time");
}

std::string chatgpt_title(const Json& chat, std::string_view) {
  return json_words(json_member(chat, "title"));
}

// The nodes from the first to the one that was open last.
std::vector<const Json*> branch_of(const Json& chat) {
  const Json& nodes = json_member(chat, "mapping");
  std::vector<const Json*> branch;
  std::string id = json_words(json_member(chat, "current_node"));
  while (!id.empty() && branch.size() <= nodes.size()) {  // a ring is not followed for ever
    const Json& node = json_member(nodes, id.c_str());
    if (!node.is_object()) break;
    branch.push_back(&node);
    id = json_words(json_member(node, "parent"));
  }
  std::reverse(branch.begin(), branch.end());
  return branch;
}

// Not what the program says to itself: searches, code that it runs, instructions.
bool is_said(const Json& message) {
  const std::string kind = json_words(json_member(json_member(message, "content"), "content_type"));
  const std::string to = json_words(json_member(message, "recipient"));
  const Json& hidden = json_member(json_member(message, "metadata"), "is_visually_hidden_from_conversation");
  return (kind == "text" || kind == "multimodal_text") && (to.empty() || to == "all") && hidden != Json(true);
}

Status tell_chatgpt(const Json& chat, const MessageTaker& take) {
  const auto seconds = [](const Json& of) {
    const Json& time = json_member(of, "create_time");
    return unix_time(time.is_number() ? time.get<double>() : 0);
  };
  std::optional<MessageTime> time = seconds(chat);
  for (const Json* node : branch_of(chat)) {
    const Json& message = json_member(*node, "message");
    const std::string role = json_words(json_member(json_member(message, "author"), "role"));
    if (const auto own = seconds(message)) time = own;
    if (!time || !is_said(message) || (role != "user" && role != "assistant")) continue;
    MNEME_RETURN_IF_ERROR(take({*time, role == "user" ? kAsks : "ChatGPT",
                                json_words(json_member(json_member(message, "content"), "parts")), true}));
  }
  return {};
}

// Claude.

bool looks_like_claude(std::string_view beginning) {
  return beginning.starts_with('[') && holds_member(beginning, "uuid", "\"") &&
         (holds_member(beginning, "chat_messages", "[") ||
          (holds_member(beginning, "created_at", "\"") && holds_member(beginning, "account", "{")));
}

std::string claude_title(const Json& chat, std::string_view) {
  return json_words(json_member(chat, "name"));
}

// What was written, and what was put in as text beside it.
std::string claude_words(const Json& message) {
  std::string words = first_words({&json_member(message, "text")});
  if (words.empty()) words = json_words(json_member(message, "content"));
  for (const Json* file : objects_of(json_member(message, "attachments"))) {
    const std::string text = json_words(json_member(*file, "extracted_content"));
    if (!text.empty()) words += "\n\n" + json_words(json_member(*file, "file_name")) + "\n\n" + text;
  }
  return words;
}

Status tell_claude(const Json& chat, const MessageTaker& take) {
  for (const Json* message : objects_of(json_member(chat, "chat_messages"))) {
    const auto time = wall_time(json_words(json_member(*message, "created_at")));
    if (!time) continue;
    const bool asks = json_words(json_member(*message, "sender")) == "human";
    MNEME_RETURN_IF_ERROR(take({*time, asks ? kAsks : "Claude", claude_words(*message), true}));
  }
  return {};
}

}  // namespace

constinit const ChatExport kChatGptExport{looks_like_chatgpt, objects_of, chatgpt_title, tell_chatgpt};
constinit const ChatExport kClaudeExport{looks_like_claude, objects_of, claude_title, tell_claude};

}  // namespace mneme::readers
