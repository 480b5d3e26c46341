// Chats that Telegram exported as JSON: one, or all of an account, each then a document of its own.
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/mail/calendar_words.h"
#include "rag/readers/spoken/chat_writer.h"
#include "rag/readers/text/json_tree.h"

namespace mneme::readers {
namespace {

using Json = nlohmann::json;

constexpr size_t kMessagesBetweenChecks = 1024;

// "2026-03-12T18:05:09"
std::optional<std::chrono::year_month_day> day_of(std::string_view date) {
  const int year = fixed_number(date, 0, 4);
  const std::chrono::year_month_day day{std::chrono::year(year),
                                        std::chrono::month(static_cast<unsigned>(fixed_number(date, 5, 2))),
                                        std::chrono::day(static_cast<unsigned>(fixed_number(date, 8, 2)))};
  return year >= 0 && day.ok() ? std::optional(day) : std::nullopt;
}

std::string with_line_breaks(std::string_view text) {
  std::string lines;
  for (const char c : text) {
    if (c == '\n') {
      lines += kLineBreak;
    } else {
      lines += c;
    }
  }
  return lines;
}

Status read_one(ReadContext& context, const std::string& name, const Json& chat) {
  rag::Document document;
  document.format = "chat";
  document.title = clean_text(json_words(json_member(chat, "name")));
  DocumentBuilder builder(document, context.limits().text_bytes);
  ChatWriter writer(builder);
  size_t n = 0;
  for (const Json& message : json_member(chat, "messages")) {
    if (++n % kMessagesBetweenChecks == 0) MNEME_RETURN_IF_ERROR(context.check(name));
    if (json_words(json_member(message, "type")) != "message") continue;
    const std::string date = json_words(json_member(message, "date"));
    const auto day = day_of(date);
    if (!day || date.size() < 16) continue;
    std::string from = clean_text(json_words(json_member(message, "from")));
    if (from.empty()) from = "Deleted account";
    writer.begin_day(*day);
    writer.message(date.substr(11, 5), from, with_line_breaks(json_words(json_member(message, "text"))));
  }
  writer.describe(document.title.empty());
  if (builder.empty()) return unsupported(printable(name) + " is a chat without text.");
  return context.emit(name, std::move(document));
}

std::string label_of(const Json& chat, size_t number) {
  const std::string label = safe_label(clean_text(json_words(json_member(chat, "name"))));
  return label.empty() ? "chat " + std::to_string(number) : label;
}

}  // namespace

bool looks_like_telegram(std::string_view beginning) {
  const std::string_view head = beginning.substr(0, 1024);
  if (!head.starts_with('{')) return false;
  if (head.find("\"about\": \"Here is the data you requested") != head.npos) return true;
  if (head.find("\"messages\": [") == head.npos) return false;
  for (const char* type :
       {"\"personal_chat\"", "\"bot_chat\"", "\"saved_messages\"", "\"private_group\"", "\"private_supergroup\"",
        "\"public_supergroup\"", "\"private_channel\"", "\"public_channel\""})
    if (head.find(type) != head.npos) return true;
  return false;
}

Status read_telegram(ReadContext& context, Input input) {
  const auto tree = parse_json_tree(context, input.name, input.bytes);
  // One that ends too early is told as it is written.
  if (!tree.ok()) return read_json(context, std::move(input));
  const Json& chats = json_member(json_member(*tree, "chats"), "list");
  if (json_member(*tree, "messages").is_array()) return read_one(context, input.name, *tree);
  if (!chats.is_array() || chats.empty() || context.depth() >= context.limits().container_depth)
    return read_json(context, std::move(input));
  input.bytes = std::string();
  size_t number = 0;
  for (const Json& chat : chats) {
    MNEME_RETURN_IF_ERROR(context.charge_member(input.name));
    const std::string label = label_of(chat, ++number);
    MNEME_RETURN_IF_ERROR(context.read_member(label, [&] { return read_one(context, label, chat); }));
  }
  return {};
}

}  // namespace mneme::readers
