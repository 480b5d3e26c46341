// Channels of Discord, as DiscordChatExporter writes them.
#include "rag/readers/reader.h"
#include "rag/readers/spoken/exported_chats.h"
#include "rag/readers/text/json_tree.h"

namespace mneme::readers {
namespace {

using Json = nlohmann::json;

bool looks_like(std::string_view beginning) {
  return beginning.starts_with('{') && holds_member(beginning, "guild", "{") &&
         holds_member(beginning, "channel", "{") && holds_member(beginning, "dateRange", "{");
}

std::vector<const Json*> chats(const Json& tree) {
  if (!json_member(tree, "messages").is_array()) return {};
  return {&tree};
}

// "general (Rowing club)"
std::string title(const Json& chat, std::string_view) {
  const std::string channel = json_words(json_member(json_member(chat, "channel"), "name"));
  const std::string guild = json_words(json_member(json_member(chat, "guild"), "name"));
  return channel.empty() || guild.empty() ? channel + guild : channel + " (" + guild + ")";
}

// The others tell who came, called or pinned something.
bool is_said(const Json& message) {
  const std::string kind = json_words(json_member(message, "type"));
  return kind == "Default" || kind == "Reply";
}

// With the names of documents, and what programs tell in boxes of their own.
std::string all_words(const Json& message) {
  std::string words = json_words(json_member(message, "content"));
  for (const Json* embed : objects_of(json_member(message, "embeds"))) {
    for (const char* part : {"title", "description"}) add_line(words, json_words(json_member(*embed, part)));
    for (const Json* field : objects_of(json_member(*embed, "fields")))
      add_line(words, json_words(json_member(*field, "name")) + ": " + json_words(json_member(*field, "value")));
  }
  for (const Json* file : objects_of(json_member(message, "attachments"))) {
    const std::string name = json_words(json_member(*file, "fileName"));
    if (worth_opening(name)) add_line(words, name);
  }
  return words;
}

Status tell(const Json& chat, const MessageTaker& take) {
  for (const Json* message : objects_of(json_member(chat, "messages"))) {
    const auto time = wall_time(json_words(json_member(*message, "timestamp")));
    if (!time || !is_said(*message)) continue;
    const Json& author = json_member(*message, "author");
    const std::string from = first_words({&json_member(author, "nickname"), &json_member(author, "name")});
    MNEME_RETURN_IF_ERROR(take({*time, from, all_words(*message)}));
  }
  return {};
}

}  // namespace

constinit const ChatExport kDiscordExport{looks_like, chats, title, tell};

}  // namespace mneme::readers
