// Text messages of a telephone in XML: each conversation a document, with who wrote when. Words stand in attributes.
#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/spoken/chat_writer.h"
#include "rag/readers/spoken/exported_chats.h"
#include "rag/readers/spoken/spoken_readers.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

constexpr std::string_view kSent = "2";  // as Android numbers the folders of messages
constexpr const char* kOwner = "Me";

struct TextMessage {
  double milliseconds = 0;
  bool sent = false;
  std::string words;
};
using Conversations = std::map<std::string, std::vector<TextMessage>>;  // by who is on the other side

std::string other_side(const pugi::xml_node& message) {
  const std::string_view name = message.attribute("contact_name").value();
  const bool known = !name.empty() && name != "(Unknown)" && name != "null";
  return clean_text(known ? name : std::string_view(message.attribute("address").value()));
}

// What stands in a message of several parts, among them pictures.
std::string words_of_parts(const pugi::xml_node& message) {
  std::string words;
  for (const pugi::xml_node part : message.child("parts").children("part")) {
    if (std::string_view(part.attribute("ct").value()) != "text/plain") continue;
    words += (words.empty() ? "" : "\n") + std::string(part.attribute("text").value());
  }
  return words;
}

Conversations conversations_of(const pugi::xml_node& root) {
  Conversations all;
  for (const pugi::xml_node message : root.children()) {
    const std::string_view kind = message.name();
    if (kind != "sms" && kind != "mms") continue;
    const bool parts = kind == "mms";
    TextMessage read;
    read.milliseconds = message.attribute("date").as_double();
    read.sent = std::string_view(message.attribute(parts ? "msg_box" : "type").value()) == kSent;
    read.words = parts ? words_of_parts(message) : message.attribute("body").value();
    const std::string with = other_side(message);
    if (!with.empty()) all[with].push_back(std::move(read));
  }
  for (auto& [with, messages] : all)
    std::stable_sort(messages.begin(), messages.end(),
                     [](const TextMessage& a, const TextMessage& b) { return a.milliseconds < b.milliseconds; });
  return all;
}

Status read_conversation(ReadContext& context, const std::string& label, const std::string& with,
                         const std::vector<TextMessage>& messages, const std::string& damage) {
  rag::Document document;
  document.format = "chat";
  document.title = "Text messages with " + with;
  if (!damage.empty()) document.notes.push_back("the file is damaged (" + damage + "); it was read as far as that");
  DocumentBuilder builder(document, context.limits().text_bytes);
  ChatWriter writer(builder);
  for (const TextMessage& message : messages) {
    const auto time = unix_time(message.milliseconds / 1000);
    if (!time) continue;
    writer.begin_day(time->day);
    writer.message(time->clock, message.sent ? std::string_view(kOwner) : with, with_line_breaks(message.words));
  }
  if (builder.empty()) return unsupported(label + " is a chat without text.");
  return context.emit(label, std::move(document));
}

bool has_words(const std::vector<TextMessage>& messages) {
  return std::any_of(messages.begin(), messages.end(),
                     [](const TextMessage& message) { return !clean_text(message.words).empty(); });
}

}  // namespace

bool looks_like_sms(std::string_view beginning) {
  const std::string_view head = beginning.substr(bom_length(beginning), 2048);
  return head.starts_with('<') && head.find("<smses ") != head.npos;
}

Status read_sms(ReadContext& context, Input input) {
  pugi::xml_document tree;
  const auto parsed = tree.load_buffer(input.bytes.data(), input.bytes.size(), pugi::parse_default);
  const Conversations all = conversations_of(tree.child("smses"));
  // One that ends too early is told as far as it goes.
  if (all.empty() || context.depth() >= context.limits().container_depth)
    return parsed ? unsupported(printable(input.name) + " holds no text messages.")
                  : corruption(printable(input.name) + " is damaged: " + parsed.description() + ".");
  const std::string damage = parsed ? "" : parsed.description();
  input.bytes = std::string();
  uint64_t number = 0;
  for (const auto& [with, messages] : all) {
    ++number;
    if (!has_words(messages)) continue;
    MNEME_RETURN_IF_ERROR(context.charge_member(input.name));
    MNEME_RETURN_IF_ERROR(context.check(input.name));
    std::string label = safe_label(with);
    if (label.empty()) label = "chat " + std::to_string(number);
    MNEME_RETURN_IF_ERROR(
        context.read_member(label, [&] { return read_conversation(context, label, with, messages, damage); }));
  }
  return {};
}

}  // namespace mneme::readers
