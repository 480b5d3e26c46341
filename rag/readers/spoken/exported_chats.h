// Chats that programs export as JSON: what a file of one looks like, which chats it holds and who said what in each.
// Internal to rag/readers. Threads: pure functions.
#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace mneme::readers {

// When something was said, by a clock: that of the sender where the export has it, else UTC's.
struct MessageTime {
  std::chrono::year_month_day day;
  std::string clock;  // "18:05"
};

// "2026-03-12T18:05:09", whatever follows; nothing for days and times that are none.
std::optional<MessageTime> wall_time(std::string_view text);
// Seconds since 1970, in UTC; nothing before that, beyond the year 9999, and for what is no number.
std::optional<MessageTime> unix_time(double seconds);

struct ExportedMessage {
  MessageTime time;
  std::string from;
  std::string words;         // lines ended by \n
  bool is_markdown = false;  // code stands in it between fences
};
using MessageTaker = std::function<Status(const ExportedMessage&)>;

struct ChatExport {
  // By the first bytes of a file.
  bool (*looks_like)(std::string_view beginning);
  // The tree itself where it is one chat; several, each to be a document of its own; none where it is no export after
  // all. They live as long as the tree.
  std::vector<const nlohmann::json*> (*chats)(const nlohmann::json& tree);
  // What the chat is called, "" where nothing says it. file: the name of its file, or path.
  std::string (*title)(const nlohmann::json& chat, std::string_view file);
  // Messages in the order they were said. Ends with the taker's error.
  Status (*tell)(const nlohmann::json& chat, const MessageTaker& take);
};

extern const ChatExport kTelegramExport;
extern const ChatExport kSlackExport;
extern const ChatExport kMessengerExport;
extern const ChatExport kDiscordExport;
extern const ChatExport kGoogleChatExport;
extern const ChatExport kChatGptExport;
extern const ChatExport kClaudeExport;
extern const ChatExport kSkypeExport;
extern const ChatExport kMatrixExport;

// Whether `"name": value` stands in a text, with any white space around the colon; the value may be told by its
// beginning.
bool holds_member(std::string_view text, std::string_view name, std::string_view value_begins = {});
// The first that is a string with something in it; "" without one.
std::string first_words(std::initializer_list<const nlohmann::json*> values);
// Puts a line below those that words have; an empty one not.
void add_line(std::string& words, std::string_view line);
// The elements of a list that are objects; none of what is no list.
std::vector<const nlohmann::json*> objects_of(const nlohmann::json& list);

}  // namespace mneme::readers
