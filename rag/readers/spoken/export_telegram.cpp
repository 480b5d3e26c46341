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

// Text in pieces, a link behind the words that lead to it.
std::string words_of(const Json& text) {
  if (!text.is_array()) return json_words(text);
  std::string words;
  for (const Json& piece : text) {
    words += piece.is_string() ? piece.get<std::string>() : json_words(json_member(piece, "text"));
    const std::string link = json_words(json_member(piece, "href"));
    if (!link.empty() && words.find(link) == words.npos) words += " (" + link + ")";
  }
  return words;
}

// "Train or bus? (Train: 2, Bus: 0)"
std::string poll_words(const Json& poll) {
  std::string answers;
  for (const Json* answer : objects_of(json_member(poll, "answers"))) {
    const Json& voters = json_member(*answer, "voters");
    answers += (answers.empty() ? "" : ", ") + json_words(json_member(*answer, "text"));
    if (voters.is_number_unsigned()) answers += ": " + std::to_string(voters.get<uint64_t>());
  }
  const std::string question = json_words(json_member(poll, "question"));
  return answers.empty() ? question : question + " (" + answers + ")";
}

std::string contact_words(const Json& contact) {
  std::string words = json_words(json_member(contact, "first_name"));
  for (const char* more : {"last_name", "phone_number"}) {
    const std::string text = json_words(json_member(contact, more));
    if (!text.empty()) words += (words.empty() ? "" : " ") + text;
  }
  return words;
}

// A message with what is sent beside its text: a document, a poll, a contact, a place.
std::string all_words(const Json& message) {
  std::string words = words_of(json_member(message, "text"));
  const bool medium = json_member(message, "media_type").is_string();
  const std::string place = json_words(json_member(message, "place_name"));
  const std::string address = json_words(json_member(message, "address"));
  for (const std::string& more :
       {medium ? std::string() : json_words(json_member(message, "file_name")),
        poll_words(json_member(message, "poll")), contact_words(json_member(message, "contact_information")),
        place.empty() || address.empty() ? place + address : place + ", " + address})
    add_line(words, more);
  const std::string forwarded = json_words(json_member(message, "forwarded_from"));
  return words.empty() || forwarded.empty() ? words : "(forwarded from " + forwarded + ") " + words;
}

Status tell(const Json& chat, const MessageTaker& take) {
  for (const Json& message : json_member(chat, "messages")) {
    if (json_words(json_member(message, "type")) != "message") continue;
    const auto time = wall_time(json_words(json_member(message, "date")));
    if (!time) continue;
    std::string from = json_words(json_member(message, "from"));
    if (from.empty()) from = "Deleted account";
    MNEME_RETURN_IF_ERROR(take({*time, std::move(from), all_words(message)}));
  }
  return {};
}

}  // namespace

constinit const ChatExport kTelegramExport{looks_like, chats, title, tell};

}  // namespace mneme::readers
