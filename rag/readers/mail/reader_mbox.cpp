// Mailboxes (mbox): messages one behind the other, read with one of them in memory at a time.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "rag/readers/format_list.h"
#include "rag/readers/source_window.h"

namespace mneme::readers {
namespace {

constexpr size_t kPiece = size_t{1} << 20;
constexpr std::string_view kBorder = "\nFrom ";

// Only behind a blank line does "From " begin a message. `at`: of the line break before it.
bool is_behind_blank_line(std::string_view text, size_t at) {
  if (at > 0 && text[at - 1] == '\r') --at;
  return at > 0 && text[at - 1] == '\n';
}

// Where the next message begins, from the border that is at `from` or behind; npos: no such is in the text.
size_t find_message(std::string_view text, size_t from) {
  for (size_t at = text.find(kBorder, from); at != std::string_view::npos; at = text.find(kBorder, at + 1)) {
    if (is_behind_blank_line(text, at)) return at + 1;
  }
  return std::string_view::npos;
}

class MailboxReader {
 public:
  MailboxReader(ReadContext& context, const std::string& name, ByteSource& source)
      : context_(context), name_(name), window_(context, name, source) {}

  Status read() {
    MNEME_RETURN_IF_ERROR(window_.extend(kPiece));
    if (!window_.text().starts_with("From ")) {
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
      const size_t found = find_message(window_.text(), searched);
      if (found != std::string_view::npos) return found;
      const size_t held = window_.text().size();
      if (window_.at_end()) return held;
      if (held > context_.limits().file_bytes) {
        too_long_ = true;
        return held;
      }
      // A border may lie across the end of what is held: its blank line included.
      searched = held - std::min(held, kBorder.size());
      MNEME_RETURN_IF_ERROR(window_.extend(kPiece));
    }
  }

  Status read_message(size_t size) {
    const std::string_view message = window_.text().substr(0, size);
    const size_t body = std::min(message.find('\n'), size - 1) + 1;
    const std::string member = label();
    Input input{.name = member + ".eml", .bytes = std::string(message.substr(body))};
    window_.take(size);
    return input.bytes.empty() ? Status() : context_.read_member(member, std::move(input), Labels::kNumbers);
  }

  Status pass_over_message() {
    MNEME_RETURN_IF_ERROR(context_.emit_failure(
        label(),
        resource_error(label() + " is over the limit of " + std::to_string(context_.limits().file_bytes >> 20) +
                       " MiB for one message; it was left out.")));
    while (true) {
      const size_t found = find_message(window_.text(), 0);
      if (found != std::string_view::npos) {
        window_.take(found);
        return {};
      }
      const size_t held = window_.text().size();
      window_.take(window_.at_end() ? held : held - std::min(held, kBorder.size() + 2));
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
