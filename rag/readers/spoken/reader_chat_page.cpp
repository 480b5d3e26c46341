// Chats as pages: what Telegram and DiscordChatExporter save as HTML. Who wrote what and when is told by the classes of
// the elements; where a page says no name, the writer before goes on.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/markup/html_elements.h"
#include "rag/readers/markup/html_nesting.h"
#include "rag/readers/markup/html_text.h"
#include "rag/readers/markup/html_tree.h"
#include "rag/readers/spoken/chat_days.h"
#include "rag/readers/spoken/chat_head_cursor.h"
#include "rag/readers/spoken/chat_writer.h"
#include "rag/readers/spoken/spoken_readers.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

// What the parts of a message are called.
struct PageStyle {
  std::string_view message;
  std::string_view author;
  std::array<std::string_view, 2> times;  // their title has the day
  std::array<std::string_view, 3> words;
  std::string_view chat;  // what the chat is called
};

constexpr PageStyle kTelegram{"message", "from_name", {"date", ""}, {"text", "", ""}, "page_header"};
constexpr PageStyle kDiscord{"chatlog__message-container",
                             "chatlog__author",
                             {"chatlog__timestamp", "chatlog__short-timestamp"},
                             {"chatlog__content", "chatlog__embed-title", "chatlog__embed-description"},
                             "preamble__entries-container"};

bool has_class(const GumboNode* node, std::string_view name) {
  std::string_view classes = attribute(node, "class");
  while (!name.empty() && !classes.empty()) {
    const size_t end = std::min(classes.find_first_of(" \t\r\n"), classes.size());
    if (classes.substr(0, end) == name) return true;
    classes.remove_prefix(std::min(end + 1, classes.size()));
  }
  return false;
}

template <size_t kNames>
bool has_any_class(const GumboNode* node, const std::array<std::string_view, kNames>& names) {
  return std::any_of(names.begin(), names.end(), [&](auto name) { return has_class(node, name); });
}

void collect_text(const GumboNode* node, std::string& text, int depth = 0) {
  if (depth > kDeepestElement) return;
  if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_WHITESPACE || node->type == GUMBO_NODE_CDATA) {
    text += clean_text(node->v.text.text).empty() ? " " : node->v.text.text;
    return;
  }
  if (node->type == GUMBO_NODE_ELEMENT && node->v.element.tag == GUMBO_TAG_IMG) text += attribute(node, "alt");
  if (node->type == GUMBO_NODE_ELEMENT && node->v.element.tag == GUMBO_TAG_BR) text += kLineBreak;
  for_children(node, [&](const GumboNode* child) { collect_text(child, text, depth + 1); });
  if (node->type == GUMBO_NODE_ELEMENT && is_block(node->v.element.tag)) text += ' ';
}

std::string text_of(const GumboNode* node) {
  std::string text;
  collect_text(node, text);
  return text;
}

// "12.03.2026 18:05:09 UTC+01:00", "Thursday, March 12, 2026 6:05 PM"
std::optional<ChatHead> time_in(std::string_view title) {
  for (size_t at = 0; at < title.size();) {
    HeadCursor cursor(title.substr(at));
    ChatHead head;
    if (!cursor.named_date(head.date)) {
      cursor = HeadCursor(title.substr(at));
      if (!cursor.date(head)) head.date = {};
    }
    if (head.date[0] != 0) {
      cursor.take_comma();
      cursor.skip_spaces();
      if (cursor.time(head)) return head;
    }
    const size_t space = title.find(' ', at);
    if (space == title.npos) break;
    at = space + 1;
  }
  return std::nullopt;
}

// Two runs: the first sees in which order the numbers of days stand.
class ChatPage {
 public:
  ChatPage(const PageStyle& style, DocumentBuilder& builder) : style_(style), writer_(builder), builder_(builder) {}

  void look(const GumboNode* node) {
    walk(node, 0, [&](const GumboNode* at) {
      if (!has_any_class(at, style_.times)) return false;
      if (const auto head = time_in(attribute(at, "title"))) days_.see(*head);
      return true;
    });
  }

  void tell(const GumboNode* node) {
    walk(node, 0, [&](const GumboNode* at) {
      if (builder_.document().title.empty() && has_class(at, style_.chat))
        builder_.document().title = clean_text(text_of(at));
      if (!has_class(at, style_.message)) return false;
      tell_message(at);
      return true;
    });
    writer_.describe(builder_.document().title.empty());
  }

 private:
  // Goes down where `visit` is false.
  template <typename Visit>
  void walk(const GumboNode* node, int depth, const Visit& visit) {
    if (depth > kDeepestElement || builder_.full()) return;
    for_children(node, [&](const GumboNode* child) {
      if (child->type == GUMBO_NODE_ELEMENT && !visit(child)) walk(child, depth + 1, visit);
    });
  }

  void tell_message(const GumboNode* message) {
    std::string words;
    walk(message, 0, [&](const GumboNode* part) {
      if (has_class(part, style_.author)) {
        author_ = clean_text(text_of(part));
      } else if (has_any_class(part, style_.times)) {
        if (const auto head = time_in(attribute(part, "title"))) head_ = *head;
      } else if (has_any_class(part, style_.words)) {
        const std::string text = text_of(part);
        if (!clean_text(text).empty()) words.append(words.empty() ? std::string_view() : kLineBreak).append(text);
      } else {
        return false;
      }
      return true;
    });
    if (const auto day = days_.day_of(head_)) writer_.begin_day(*day);
    writer_.message(head_.time, author_, words);
  }

  const PageStyle& style_;
  ChatWriter writer_;
  DocumentBuilder& builder_;
  ChatDays days_;
  ChatHead head_;
  std::string author_;
};

const PageStyle* style_of(std::string_view beginning) {
  const std::string_view head = beginning.substr(0, size_t{64} << 10);
  if (head.find("CheckLocation();") != head.npos && head.find("page_wrap") != head.npos) return &kTelegram;
  return head.find("class=preamble") != head.npos || head.find("class=\"preamble") != head.npos ||
                 head.find(".chatlog__message") != head.npos
             ? &kDiscord
             : nullptr;
}

}  // namespace

bool looks_like_chat_page(std::string_view beginning) {
  const std::string_view head = trim(beginning.substr(0, 64));
  return head.starts_with("<!DOCTYPE html") && style_of(beginning) != nullptr;
}

// A page without messages after all is read as others are.
Status read_chat_page(ReadContext& context, Input input) {
  const PageStyle* const style = style_of(input.bytes);
  std::string flat;
  const std::string_view html = without_deep_nesting(input.bytes, flat);
  auto tree = HtmlTree::parse(context, input.name, html);
  if (style == nullptr || !tree.ok()) return read_html(context, std::move(input));
  rag::Document document;
  document.format = "chat";
  DocumentBuilder builder(document, context.limits().text_bytes);
  ChatPage page(*style, builder);
  page.look(tree->root());
  page.tell(tree->root());
  if (builder.empty()) return read_html(context, std::move(input));
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
