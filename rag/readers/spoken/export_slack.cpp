// Slack's exports: a folder for each channel, in it a file for each day. Who is who stands in another file, but
// messages bring along what their sender is called; of others the number is told.
#include <charconv>
#include <map>

#include "rag/readers/read_context.h"
#include "rag/readers/spoken/exported_chats.h"
#include "rag/readers/text/json_tree.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

using Json = nlohmann::json;
using Names = std::map<std::string, std::string, std::less<>>;  // of users, by their numbers

constexpr size_t kLongestReference = 8192;  // bytes

bool looks_like(std::string_view beginning) {
  return beginning.starts_with('[') && holds_member(beginning, "type", "\"message\"") &&
         holds_member(beginning, "ts", "\"1") &&
         (holds_member(beginning, "user", "\"") || holds_member(beginning, "bot_id", "\""));
}

std::vector<const Json*> chats(const Json& tree) {
  if (!tree.is_array()) return {};
  return {&tree};
}

// "general 2026-03-12", by folder and file.
std::string title(const Json&, std::string_view file) {
  const size_t slash = file.rfind('/');
  if (slash == file.npos) return {};
  const std::string_view folder = file.substr(0, slash);
  return std::string(folder.substr(folder.rfind('/') + 1)) + " " + stem_title(file);
}

std::string own_name(const Json& message) {
  const Json& profile = json_member(message, "user_profile");
  return first_words({&json_member(profile, "real_name"), &json_member(profile, "display_name"),
                      &json_member(profile, "name"), &json_member(message, "username")});
}

Names names_of(const Json& messages) {
  Names names;
  for (const Json* message : objects_of(messages)) {
    const std::string name = own_name(*message);
    if (!name.empty()) names.try_emplace(json_words(json_member(*message, "user")), name);
  }
  return names;
}

std::string name_of(const Json& message, const Names& names) {
  std::string name = own_name(message);
  if (!name.empty()) return name;
  name = json_words(json_member(json_member(message, "bot_profile"), "name"));
  if (!name.empty()) return name;
  const std::string number = first_words({&json_member(message, "user"), &json_member(message, "bot_id")});
  const auto known = names.find(number);
  return known == names.end() ? number : known->second;
}

// What stands between angle brackets: "@U024BE7LH", "#C024|general", "!here", "https://example.org|the page".
std::string reference(std::string_view text, const Names& names) {
  const size_t bar = text.find('|');
  const std::string_view target = text.substr(0, bar);
  const std::string_view label = bar == text.npos ? std::string_view() : text.substr(bar + 1);
  if (target.starts_with('@')) {
    const auto known = names.find(target.substr(1));
    return "@" + (known != names.end() ? known->second : std::string(label.empty() ? target.substr(1) : label));
  }
  if (target.starts_with('#')) return "#" + std::string(label.empty() ? target.substr(1) : label);
  if (target.starts_with('!')) return "@" + std::string(target.substr(1, target.substr(1).find('^')));
  return label.empty() || label == target ? std::string(target) : std::string(label) + " (" + std::string(target) + ")";
}

std::string plain(std::string_view text, const Names& names) {
  std::string words;
  while (!text.empty()) {
    const size_t end = text.front() == '<' ? text.substr(0, kLongestReference).find('>') : text.npos;
    if (end != text.npos) {
      words += reference(text.substr(1, end - 1), names);
      text.remove_prefix(end + 1);
      continue;
    }
    size_t taken = 1;
    char character = text.front();
    for (const auto& [entity, meant] : {std::pair{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}}) {
      if (!text.starts_with(entity)) continue;
      character = meant;
      taken = std::string_view(entity).size();
    }
    words += character;
    text.remove_prefix(taken);
  }
  return words;
}

// "1531420618.000200": seconds, and a number that tells apart what was said in the same one.
std::optional<MessageTime> time_of(const Json& message) {
  const std::string text = json_words(json_member(message, "ts"));
  int64_t seconds = 0;
  std::from_chars(text.data(), text.data() + text.size(), seconds);
  return unix_time(static_cast<double>(seconds));
}

// Who came and went is no news.
bool is_said(const Json& message) {
  const std::string kind = json_words(json_member(message, "subtype"));
  return !kind.ends_with("_join") && !kind.ends_with("_leave") && kind != "tombstone";
}

// What stands in blocks, for messages that have no text besides.
void add_block_words(const Json& block, const Names& names, std::string& words) {
  const std::string kind = json_words(json_member(block, "type"));
  if (kind == "user") words += reference("@" + json_words(json_member(block, "user_id")), names);
  const Json& text = json_member(block, "text");
  if (text.is_object()) add_block_words(text, names, words);
  if (text.is_string()) words += kind == "mrkdwn" ? plain(json_words(text), names) : json_words(text);
  const std::string url = kind == "link" ? json_words(json_member(block, "url")) : std::string();
  if (!url.empty()) words += text.is_string() ? " (" + url + ")" : url;
  for (const char* parts : {"elements", "fields"})
    for (const Json* part : objects_of(json_member(block, parts))) add_block_words(*part, names, words);
  if (kind == "rich_text_section" || kind == "section" || kind == "header") words += '\n';
}

// Text, else blocks; what programs attach to it, and the names of files.
std::string words_of(const Json& message, const Names& names) {
  std::string words = plain(json_words(json_member(message, "text")), names);
  if (words.empty())
    for (const Json* block : objects_of(json_member(message, "blocks"))) add_block_words(*block, names, words);
  for (const Json* attached : objects_of(json_member(message, "attachments"))) {
    for (const char* part : {"pretext", "title", "text"})
      add_line(words, plain(json_words(json_member(*attached, part)), names));
    for (const Json* field : objects_of(json_member(*attached, "fields")))
      add_line(words, json_words(json_member(*field, "title")) + ": " +
                          plain(json_words(json_member(*field, "value")), names));
  }
  for (const Json* file : objects_of(json_member(message, "files")))
    add_line(words, first_words({&json_member(*file, "title"), &json_member(*file, "name")}));
  return words;
}

Status tell(const Json& chat, const MessageTaker& take) {
  const Names names = names_of(chat);
  for (const Json* message : objects_of(chat)) {
    const auto time = time_of(*message);
    if (!time || !is_said(*message)) continue;
    MNEME_RETURN_IF_ERROR(take({*time, name_of(*message, names), words_of(*message, names)}));
  }
  return {};
}

}  // namespace

constinit const ChatExport kSlackExport{looks_like, chats, title, tell};

}  // namespace mneme::readers
