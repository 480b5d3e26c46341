// Rooms of Matrix, as Element exports them.
#include "rag/readers/spoken/exported_chats.h"
#include "rag/readers/text/json_tree.h"

namespace mneme::readers {
namespace {

using Json = nlohmann::json;

bool looks_like(std::string_view beginning) {
  return beginning.starts_with('{') && holds_member(beginning, "room_name", "\"") &&
         holds_member(beginning, "exported_by") && holds_member(beginning, "messages", "[");
}

std::vector<const Json*> chats(const Json& tree) {
  if (!json_member(tree, "messages").is_array()) return {};
  return {&tree};
}

std::string title(const Json& chat, std::string_view) {
  return json_words(json_member(chat, "room_name"));
}

// "@anna:example.org" as "anna".
std::string name_of(const std::string& sender) {
  if (!sender.starts_with('@')) return sender;
  return sender.substr(1, sender.find(':') - 1);
}

// Replies repeat what they answer, each line behind ">", above an empty line.
std::string without_answered(std::string body) {
  if (!body.starts_with("> <")) return body;
  const size_t end = body.find("\n\n");
  return end == body.npos ? body : body.substr(end + 2);
}

// Text, and the names of documents; pictures and sounds have none that anybody gave them.
std::string words_of(const Json& content) {
  const std::string kind = json_words(json_member(content, "msgtype"));
  if (kind == "m.image" || kind == "m.video" || kind == "m.audio") return {};
  return without_answered(json_words(json_member(content, "body")));
}

Status tell(const Json& chat, const MessageTaker& take) {
  for (const Json* event : objects_of(json_member(chat, "messages"))) {
    const Json& milliseconds = json_member(*event, "origin_server_ts");
    const auto time = unix_time(milliseconds.is_number() ? milliseconds.get<double>() / 1000 : 0);
    if (!time || json_words(json_member(*event, "type")) != "m.room.message") continue;
    MNEME_RETURN_IF_ERROR(
        take({*time, name_of(json_words(json_member(*event, "sender"))), words_of(json_member(*event, "content"))}));
  }
  return {};
}

}  // namespace

constinit const ChatExport kMatrixExport{looks_like, chats, title, tell};

}  // namespace mneme::readers
