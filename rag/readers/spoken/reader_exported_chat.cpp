// Chats that were exported as JSON: a file that is one becomes a document, one that holds several a document each.
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/spoken/chat_writer.h"
#include "rag/readers/spoken/exported_chats.h"
#include "rag/readers/text/json_tree.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

using Json = nlohmann::json;

constexpr std::array kExports = {&kTelegramExport, &kSlackExport,      &kMessengerExport,
                                 &kDiscordExport,  &kGoogleChatExport, &kChatGptExport,
                                 &kClaudeExport,   &kSkypeExport,      &kMatrixExport};
constexpr size_t kMessagesBetweenChecks = 1024;

const ChatExport* find_export(std::string_view beginning) {
  const std::string_view head = beginning.substr(bom_length(beginning));
  if (!head.starts_with('{') && !head.starts_with('[')) return nullptr;
  for (const ChatExport* one : kExports)
    if (one->looks_like(head)) return one;
  return nullptr;
}

Status read_one(ReadContext& context, const ChatExport& kind, const std::string& name, const Json& chat) {
  rag::Document document;
  document.format = "chat";
  document.title = clean_text(kind.title(chat, name));
  DocumentBuilder builder(document, context.limits().text_bytes);
  ChatWriter writer(builder);
  size_t n = 0;
  MNEME_RETURN_IF_ERROR(kind.tell(chat, [&](const ExportedMessage& message) -> Status {
    if (++n % kMessagesBetweenChecks == 0) MNEME_RETURN_IF_ERROR(context.check(name));
    writer.begin_day(message.time.day);
    const std::string from = clean_text(message.from);
    if (message.is_markdown) {
      writer.markdown(message.time.clock, from, message.words);
    } else {
      writer.message(message.time.clock, from, with_line_breaks(message.words));
    }
    return {};
  }));
  writer.describe(document.title.empty());
  if (builder.empty()) return unsupported(printable(name) + " is a chat without text.");
  return context.emit(name, std::move(document));
}

std::string label_of(const ChatExport& kind, const Json& chat, size_t number) {
  const std::string label = safe_label(clean_text(kind.title(chat, {})));
  return label.empty() ? "chat " + std::to_string(number) : label;
}

}  // namespace

bool looks_like_exported_chat(std::string_view beginning) {
  return find_export(beginning) != nullptr;
}

// One that ends too early, or is none after all, is told as it is written.
Status read_exported_chat(ReadContext& context, Input input) {
  const ChatExport* kind = find_export(input.bytes);
  const auto tree = parse_json_tree(context, input.name, input.bytes);
  if (kind == nullptr || !tree.ok()) return read_json(context, std::move(input));
  const std::vector<const Json*> chats = kind->chats(*tree);
  if (chats.size() == 1 && chats[0] == &*tree) return read_one(context, *kind, input.name, *tree);
  if (chats.empty() || context.depth() >= context.limits().container_depth) return read_json(context, std::move(input));
  input.bytes = std::string();
  size_t number = 0;
  for (const Json* chat : chats) {
    MNEME_RETURN_IF_ERROR(context.charge_member(input.name));
    const std::string label = label_of(*kind, *chat, ++number);
    MNEME_RETURN_IF_ERROR(context.read_member(label, [&] { return read_one(context, *kind, label, *chat); }));
  }
  return {};
}

}  // namespace mneme::readers
