// Messages of Google Chat, as Takeout gives them: a folder for each conversation.
#include <array>

#include "rag/readers/mail/calendar_words.h"
#include "rag/readers/spoken/exported_chats.h"
#include "rag/readers/text/json_tree.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

using Json = nlohmann::json;

bool looks_like(std::string_view beginning) {
  return beginning.starts_with('{') && holds_member(beginning, "messages", "[") &&
         holds_member(beginning, "creator", "{") && holds_member(beginning, "created_date", "\"");
}

std::vector<const Json*> chats(const Json& tree) {
  if (!json_member(tree, "messages").is_array()) return {};
  return {&tree};
}

std::string title(const Json&, std::string_view) {
  return {};
}  // stands in another file

int month_of(std::string_view name) {
  for (int month = 1; month <= 12; ++month)
    if (month_name(month) == name) return month;
  return 0;
}

// The number at the beginning of a text, and what follows it; -1 where there is none.
int take_number(std::string_view& text) {
  int number = -1;
  while (!text.empty() && is_digit(text.front()) && number < 10'000) {
    number = std::max(number, 0) * 10 + (text.front() - '0');
    text.remove_prefix(1);
  }
  return number;
}

void pass(std::string_view& text, std::string_view separators) {
  text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
}

// "Tuesday, March 3, 2026 at 4:33:26 PM UTC"
std::optional<MessageTime> time_of(std::string_view text) {
  text.remove_prefix(std::min(text.find(", "), text.size()));
  pass(text, ", ");
  const std::string_view month = text.substr(0, text.find(' '));
  text.remove_prefix(month.size());
  pass(text, " ");
  const int day = take_number(text);
  pass(text, ", ");
  const int year = take_number(text);
  pass(text, ", at");
  int hours = take_number(text);
  pass(text, ":");
  const int minutes = take_number(text);
  if (day < 1 || year < 1 || hours < 0 || hours > 23 || minutes < 0) return std::nullopt;
  if (text.find("PM") != text.npos) hours = hours % 12 + 12;
  if (text.find("AM") != text.npos) hours %= 12;
  std::array<char, 32> iso{};
  const int size =
      std::snprintf(iso.data(), iso.size(), "%04d-%02d-%02dT%02d:%02d", year, month_of(month), day, hours, minutes);
  return wall_time({iso.data(), static_cast<size_t>(size)});
}

Status tell(const Json& chat, const MessageTaker& take) {
  for (const Json* message : objects_of(json_member(chat, "messages"))) {
    const auto time = time_of(json_words(json_member(*message, "created_date")));
    if (!time) continue;
    const Json& creator = json_member(*message, "creator");
    const std::string from = first_words({&json_member(creator, "name"), &json_member(creator, "email")});
    MNEME_RETURN_IF_ERROR(take({*time, from, json_words(json_member(*message, "text"))}));
  }
  return {};
}

}  // namespace

constinit const ChatExport kGoogleChatExport{looks_like, chats, title, tell};

}  // namespace mneme::readers
