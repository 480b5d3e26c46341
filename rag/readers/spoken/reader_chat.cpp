// Saved chats: WhatsApp's exports and logs of IRC. Each day is a section, each message a paragraph of its own that says
// when and who; what the program says itself, and pictures that are not there, are left out.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/spoken/chat_days.h"
#include "rag/readers/spoken/chat_lines.h"
#include "rag/readers/spoken/chat_writer.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr int kLinesBetweenChecks = 1024;
constexpr size_t kLeastHeads = 2;    // of a chat
constexpr size_t kHeadOfLine = 400;  // bytes that a head lies in, marks of direction included

using HeadOfLine = ChatHead (*)(std::string_view line);

bool is_irc_day(std::string_view line) {
  return irc_day(line)[0] != 0;
}

// What the first line with text begins like; null: no chat.
HeadOfLine head_of(std::string_view text) {
  LineCursor lines(text);
  Line line;
  while (lines.next(line)) {
    if (line.blank()) continue;
    const std::string plain = plain_chat_line(line.text.substr(0, kHeadOfLine));
    if (whatsapp_head(plain).size > 0) return whatsapp_head;
    return is_irc_day(plain) || irc_head(plain).size > 0 ? irc_head : nullptr;
  }
  return nullptr;
}

class ChatReader {
 public:
  ChatReader(ReadContext& context, std::string_view name, std::string_view text, DocumentBuilder& builder)
      : context_(context),
        name_(name),
        text_(text),
        head_of_line_(head_of(text)),
        builder_(builder),
        writer_(builder) {}

  Status run() {
    look_at_days();
    LineCursor lines(text_);
    Line line;
    for (int n = 1; lines.next(line) && !builder_.full(); ++n) {
      if (n % kLinesBetweenChecks == 0) MNEME_RETURN_IF_ERROR(context_.check(name_));
      take(line);
    }
    flush();
    // "_chat.txt", as telephones call it, says nothing of who is in it.
    writer_.describe(stem_title(name_).starts_with('_'));
    return {};
  }

 private:
  void look_at_days() {
    LineCursor lines(text_);
    Line line;
    while (lines.next(line)) {
      const ChatHead head = head_of_line_(plain_chat_line(line.text.substr(0, kHeadOfLine)));
      if (head.size > 0) days_.see(head);
    }
  }

  void take(const Line& line) {
    const std::string plain = plain_chat_line(line.text);
    const std::array<int, 3> day = irc_day(plain);
    const ChatHead head = day[0] != 0 ? ChatHead{} : head_of_line_(plain);
    if (day[0] != 0) {
      flush();
      written_day_ = day;
    } else if (head.size > 0) {
      flush();
      head_ = head;
      first_line_ = last_line_ = line.number;
      // Marks of direction stand before what the program puts in place of words.
      const bool media = is_media(raw_behind(line.text, head)) || is_media(std::string_view(plain).substr(head.size));
      words_ = media ? std::string() : plain.substr(head.size);
    } else if (!head_.speaker.empty()) {
      words_.append(kLineBreak).append(plain);
      if (!line.blank()) last_line_ = line.number;
    }
  }

  // What stands behind the head in the line as it is in the file.
  static std::string_view raw_behind(std::string_view raw, const ChatHead& head) {
    const size_t at = head.speaker.empty() ? std::string_view::npos : raw.find(head.speaker + ": ");
    return at == std::string_view::npos ? std::string_view() : raw.substr(at + head.speaker.size() + 2);
  }

  void flush() {
    const ChatHead head = std::exchange(head_, {});
    const std::string words = std::exchange(words_, {});
    if (head.size == 0) return;
    ChatHead dated = head;
    if (head.date[0] == 0) dated.date = written_day_;
    const auto day = dated.date[0] != 0 ? days_.day_of(dated) : std::nullopt;
    if (day) writer_.begin_day(*day);
    builder_.set_lines(first_line_, last_line_);
    writer_.message(head.time, head.speaker, words);
  }

  ReadContext& context_;
  const std::string_view name_;
  const std::string_view text_;
  const HeadOfLine head_of_line_;
  DocumentBuilder& builder_;
  ChatWriter writer_;
  ChatDays days_;
  ChatHead head_;  // of the message that is being read
  std::string words_;
  int first_line_ = 0;
  int last_line_ = 0;
  std::array<int, 3> written_day_{};  // by a line of its own
};

}  // namespace

bool looks_like_chat(std::string_view beginning) {
  const HeadOfLine head_of_line = head_of(beginning);
  if (head_of_line == nullptr) return false;
  size_t n_heads = 0;
  LineCursor lines(beginning);
  Line line;
  while (n_heads < kLeastHeads && lines.next(line)) {
    const ChatHead head = head_of_line(plain_chat_line(line.text.substr(0, kHeadOfLine)));
    n_heads += head.size > 0 && !head.speaker.empty() ? 1 : 0;
  }
  return n_heads >= kLeastHeads;
}

Status read_chat(ReadContext& context, Input input) {
  auto decoded = decode_text(std::move(input.bytes));
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  make_breaks_plain(decoded->text);
  std::erase(decoded->text, '\r');
  rag::Document document;
  document.format = "chat";
  if (!decoded->note.empty()) document.notes.push_back(std::move(decoded->note));
  DocumentBuilder builder(document, context.limits().text_bytes);
  if (head_of(decoded->text) != nullptr)
    MNEME_RETURN_IF_ERROR(ChatReader(context, input.name, decoded->text, builder).run());
  // All of it pictures, or only its beginning looks so.
  if (document.blocks.empty()) {
    document.format = "text";
    document.text = std::move(decoded->text);
    parse_plain(document);
  }
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
