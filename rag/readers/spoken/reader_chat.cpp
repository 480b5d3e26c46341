// Saved chats: WhatsApp's exports, logs of IRC and of other programs. Each day is a section, each message a paragraph
// of its own that says when and who; what the program says itself, and pictures that are not there, are left out.
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/spoken/chat_days.h"
#include "rag/readers/spoken/chat_fillers.h"
#include "rag/readers/spoken/chat_lines.h"
#include "rag/readers/spoken/chat_logs.h"
#include "rag/readers/spoken/chat_writer.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr int kLinesBetweenChecks = 1024;
constexpr size_t kLeastHeads = 2;     // of a chat
constexpr size_t kHeadOfLine = 400;   // bytes that a head lies in, marks of direction included
constexpr size_t kLinesOfLogs = 200;  // among which the same speaker has to come again where programs' logs look alike

class ChatReader {
 public:
  ChatReader(ReadContext& context, std::string_view name, std::string_view text, const ChatStyle& style,
             DocumentBuilder& builder)
      : context_(context),
        name_(name),
        text_(text),
        style_(style),
        builder_(builder),
        writer_(builder),
        written_day_(day_in_name(name)) {}

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
    const bool is_nameless = stem_title(name_).starts_with('_');
    if (is_nameless && !writer_.speaks(group_)) builder_.document().title = group_;
    writer_.describe(is_nameless && builder_.document().title.empty());
    return {};
  }

 private:
  std::array<int, 3> day_of_line(std::string_view line) const {
    return style_.day == nullptr ? std::array<int, 3>{} : style_.day(line);
  }

  void look_at_days() {
    LineCursor lines(text_);
    Line line;
    while (lines.next(line)) {
      const std::string plain = plain_chat_line(line.text.substr(0, kHeadOfLine));
      ChatHead head = style_.head(plain);
      if (head.size == 0) head.date = day_of_line(plain);
      if (head.separator == 0 && plain.find('/') != std::string::npos) head.separator = '/';
      days_.see(head);
    }
  }

  void take(const Line& line) {
    const std::string plain = plain_chat_line(line.text);
    if (is_aside(line, plain)) return;
    const ChatHead head = style_.head(plain);
    const std::array<int, 3> day = head.size > 0 ? std::array<int, 3>{} : day_of_line(plain);
    if (day[0] != 0) {
      flush();
      written_day_ = day;
    } else if (head.size > 0) {
      flush();
      begin_message(line, head);
    } else if (!head_.speaker.empty()) {
      words_.append(kLineBreak).append(plain);
      if (!line.blank()) last_line_ = line.number;
    }
  }

  void begin_message(const Line& line, const ChatHead& head) {
    head_ = head;
    first_line_ = last_line_ = line.number;
    const std::string_view raw = line.text.substr(raw_size(line.text, head.size));
    words_ = said_words(raw);
    if (group_.empty() && is_programs_own(raw)) group_ = head.speaker;
  }

  // Lines that nobody said, one or all up to the next empty line.
  bool is_aside(const Line& line, std::string_view plain) {
    if (style_.aside == nullptr) return false;
    const Aside aside = style_.aside(trim(plain));
    if (aside != Aside::kNone) {
      in_aside_ = aside == Aside::kUntilBlank;
      return true;
    }
    in_aside_ = in_aside_ && !line.blank();
    return in_aside_;
  }

  void flush() {
    const ChatHead head = std::exchange(head_, {});
    std::string words = std::exchange(words_, {});
    if (head.size == 0) return;
    ChatHead dated = head;
    if (head.date == std::array<int, 3>{}) dated.date = written_day_;
    if (head.date[0] == 0 && head.date[1] != 0) {  // a log without years that runs into the next
      dated.date[0] = written_day_[0] + (head.date[1] < written_day_[1] ? 1 : 0);
      if (written_day_[0] != 0) written_day_ = dated.date;
    }
    const auto day = dated.date[0] != 0 ? days_.day_of(dated) : std::nullopt;
    if (day) writer_.begin_day(*day);
    builder_.set_lines(first_line_, last_line_);
    if (style_.quotes_lines && words.size() > 1 && words.starts_with('"') && words.ends_with('"'))
      words = words.substr(1, words.size() - 2);
    writer_.message(head.time, head.speaker, words);
  }

  ReadContext& context_;
  const std::string_view name_;
  const std::string_view text_;
  const ChatStyle& style_;
  DocumentBuilder& builder_;
  ChatWriter writer_;
  ChatDays days_;
  ChatHead head_;  // of the message that is being read
  std::string words_;
  int first_line_ = 0;
  int last_line_ = 0;
  std::array<int, 3> written_day_;  // by a line of its own, or the name of the file
  std::string group_;               // to whom the program itself speaks first, on an iPhone
  bool in_aside_ = false;
};

}  // namespace

// Two messages tell a chat; where programs write their logs alike, the marks of an iPhone or a speaker who comes again.
bool looks_like_chat(std::string_view beginning) {
  const ChatStyle* const style = style_of_chat(beginning);
  if (style == nullptr) return false;
  size_t n_heads = 0;
  size_t n_lines = 0;
  bool is_log = false;
  const bool has_marks = beginning.find("\xe2\x80\x8e") != beginning.npos;
  std::set<std::string, std::less<>> speakers;
  LineCursor lines(beginning);
  Line line;
  while (n_lines < kLinesOfLogs && lines.next(line)) {
    const std::string plain = plain_chat_line(line.text.substr(0, kHeadOfLine));
    const ChatHead head = style->head(plain);
    if (head.size == 0 || head.speaker.empty()) continue;
    ++n_lines;
    is_log = is_log || (like_logs(head, plain) && !has_marks);
    n_heads += is_log ? 0 : 1;
    if (is_log && !head.seconds && !speakers.insert(head.speaker).second) n_heads += kLeastHeads;
    if (n_heads >= kLeastHeads) return true;
  }
  return false;
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
  if (const ChatStyle* const style = style_of_chat(decoded->text))
    MNEME_RETURN_IF_ERROR(ChatReader(context, input.name, decoded->text, *style, builder).run());
  // All of it pictures, or only its beginning looks so.
  if (document.blocks.empty()) {
    document.format = "text";
    document.text = std::move(decoded->text);
    parse_plain(document);
  }
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
