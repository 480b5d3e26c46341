// Mailboxes (mbox): messages one behind the other, read with one of them in memory at a time.
#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/format_list.h"
#include "rag/readers/source_window.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kPiece = size_t{1} << 20;
constexpr std::string_view kBorder = "\nFrom ";
constexpr size_t kLongestBorder = 2000;  // bytes of "From ..." and the name of the header below

// Only behind a blank line does "From " begin a message. `at`: of the line break before it.
bool is_behind_blank_line(std::string_view text, size_t at) {
  if (at > 0 && text[at - 1] == '\r') --at;
  return at > 0 && text[at - 1] == '\n';
}

// A time of day and a year, as every program writes them behind the sender.
bool holds_date(std::string_view line) {
  const auto digit = [&](size_t i) { return i < line.size() && is_digit(line[i]); };
  bool time = false;
  bool year = false;
  for (size_t i = 1; i < line.size(); ++i) {
    time = time || (line[i] == ':' && digit(i - 1) && digit(i + 1) && digit(i + 2));
    const std::string_view century = line.substr(i, 2);
    const bool apart = !digit(i - 1) && !digit(i + 4);
    year = year || ((century == "19" || century == "20") && digit(i + 2) && digit(i + 3) && apart);
  }
  return time && year;
}

// "Subject: ..."; or the border that another program wrote, kept by one that put ">" before it.
bool is_header(std::string_view line) {
  if (line.starts_with(">From ")) return true;
  const size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  return std::all_of(line.begin(), line.begin() + static_cast<ptrdiff_t>(colon),
                     [](char c) { return c > ' ' && c < 0x7f; });
}

// A line of a letter may well begin with "From ", also behind a blank one: above a message it names a sender or a time,
// and a header comes next. `text` begins with it.
bool is_border(std::string_view text) {
  const size_t end = text.find('\n');
  if (end == std::string_view::npos) return false;
  const std::string_view line = text.substr(0, end);
  const std::string_view sender = line.substr(5, line.find(' ', 5) - 5);
  const bool named = sender.find('@') != std::string_view::npos || sender == "MAILER-DAEMON" || sender == "-";
  const bool bare = trim(line) == "From";  // as Thunderbird writes them now
  if (!bare && !named && !holds_date(line)) return false;
  const std::string_view below = text.substr(end + 1);
  return is_header(below.substr(0, below.find('\n')));
}

// Whether Thunderbird keeps it for the next time that it tidies the file, where nobody sees it any more: it was
// deleted, or moved to another mailbox.
bool is_deleted(std::string_view message) {
  constexpr std::string_view kField = "X-Mozilla-Status: ";
  constexpr unsigned kExpunged = 0x8;
  constexpr size_t kNearTop = 500;
  const std::string_view top = message.substr(0, kNearTop);
  const size_t at = top.starts_with(kField) ? 0 : top.find("\n" + std::string(kField)) + 1;
  if (at == 0 && !top.starts_with(kField)) return false;
  const std::string_view digits = top.substr(at + kField.size(), 4);
  unsigned status = 0;
  const auto [behind, error] = std::from_chars(digits.data(), digits.data() + digits.size(), status, 16);
  return error == std::errc() && behind == digits.data() + 4 && (status & kExpunged) != 0;
}

struct FoundMessage {
  size_t begin = std::string_view::npos;  // npos: none is in the text
  size_t searched = 0;                    // where the search goes on when there is more text
};

// Where the next message begins, from the border that is at `from` or behind. Of the last lines of a text that goes on
// (`complete`: it does not) nothing can be said yet.
FoundMessage find_message(std::string_view text, size_t from, bool complete) {
  for (size_t at = text.find(kBorder, from); at != std::string_view::npos; at = text.find(kBorder, at + 1)) {
    if (!is_behind_blank_line(text, at)) continue;
    if (!complete && text.size() - at < kLongestBorder) return {.searched = at};
    if (is_border(text.substr(at + 1, kLongestBorder))) return {.begin = at + 1};
  }
  // A border may lie across the end of what is held.
  return {.searched = text.size() - std::min(text.size(), kBorder.size())};
}

class MailboxReader {
 public:
  MailboxReader(ReadContext& context, const std::string& name, ByteSource& source)
      : context_(context), name_(name), window_(context, name, source) {}

  Status read() {
    MNEME_RETURN_IF_ERROR(window_.extend(kPiece));
    window_.take(std::min(window_.text().find_first_not_of(" \t\r\n"), window_.text().size()));
    // Of one message alone, as some programs save it, the border may be left out.
    begins_with_border_ = window_.text().starts_with("From ");
    const std::string_view first = window_.text().substr(0, std::min(window_.text().find('\n'), kLongestBorder));
    if (!begins_with_border_ && !is_header(first)) {
      return corruption(printable(name_) + " is damaged: no mailbox begins like this.");
    }
    while (!window_.text().empty()) {
      MNEME_RETURN_IF_ERROR(context_.check(name_));
      MNEME_RETURN_IF_ERROR(context_.charge_member(name_));
      ++number_;
      MNEME_ASSIGN_OR_RETURN(const size_t end, end_of_message());
      MNEME_RETURN_IF_ERROR(too_long_ ? pass_over_message() : read_message(end));
    }
    return {};
  }

 private:
  // The size of the message that the window begins with; too_long_: more than a file may have are held, and it goes on.
  Result<size_t> end_of_message() {
    too_long_ = false;
    size_t searched = 0;
    while (true) {
      const FoundMessage found = find_message(window_.text(), searched, window_.at_end());
      if (found.begin != std::string_view::npos) return found.begin;
      const size_t held = window_.text().size();
      if (window_.at_end()) return held;
      if (held > context_.limits().file_bytes) {
        too_long_ = true;
        return held;
      }
      searched = found.searched;
      MNEME_RETURN_IF_ERROR(window_.extend(kPiece));
    }
  }

  Status read_message(size_t size) {
    const std::string_view message = window_.text().substr(0, size);
    const size_t body = begins_with_border_ ? std::min(message.find('\n'), size - 1) + 1 : 0;
    const std::string member = label();
    Input input{.name = member + ".eml", .bytes = std::string(message.substr(body))};
    begins_with_border_ = true;
    window_.take(size);
    if (is_deleted(input.bytes)) return {};
    return input.bytes.empty() ? Status() : context_.read_member(member, std::move(input), Labels::kNumbers);
  }

  Status pass_over_message() {
    MNEME_RETURN_IF_ERROR(context_.emit_failure(
        label(),
        resource_error(label() + " is over the limit of " + std::to_string(context_.limits().file_bytes >> 20) +
                       " MiB for one message; it was left out.")));
    while (true) {
      const FoundMessage found = find_message(window_.text(), 0, window_.at_end());
      if (found.begin != std::string_view::npos) {
        window_.take(found.begin);
        return {};
      }
      // The blank line before a border is looked for, too.
      window_.take(window_.at_end() ? window_.text().size() : found.searched - std::min<size_t>(found.searched, 2));
      if (window_.text().empty() || window_.at_end()) return {};
      MNEME_RETURN_IF_ERROR(window_.extend(kPiece));
    }
  }

  std::string label() const { return "message " + std::to_string(number_); }

  ReadContext& context_;
  const std::string& name_;
  SourceWindow window_;
  uint64_t number_ = 0;
  bool too_long_ = false;
  bool begins_with_border_ = true;  // the message that the window begins with
};

}  // namespace

Status read_mbox(ReadContext& context, const std::string& name, ByteSource& source) {
  if (context.depth() >= context.limits().container_depth) {
    return resource_error(printable(name) + ": containers are nested too deep; it was left out.");
  }
  context.begin_container(source.size());
  return MailboxReader(context, name, source).read();
}

}  // namespace mneme::readers
