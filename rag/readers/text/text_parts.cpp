#include "rag/readers/text/text_parts.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "rag/readers/format_list.h"
#include "rag/readers/source_window.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kPiece = size_t{1} << 20;
constexpr int kMostLines = std::numeric_limits<int>::max() / 2;

int count_lines(std::string_view text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

void move_lines(rag::Document& document, int by) {
  for (rag::Block& block : document.blocks) {
    if (block.line_begin > 0) block.line_begin += by;
    if (block.line_end > 0) block.line_end += by;
  }
}

class PartsReader {
 public:
  PartsReader(ReadContext& context, const std::string& name, ByteSource& source, const PartFormat& format)
      : context_(context),
        name_(name),
        format_(format),
        window_(context, name, source),
        part_bytes_(std::max<size_t>(1, context.limits().text_bytes / 8)),
        step_(std::min(kPiece, part_bytes_)),
        longest_line_(context.limits().text_bytes / 2) {}

  Status read() {
    while (true) {
      MNEME_RETURN_IF_ERROR(context_.charge_member(name_));
      MNEME_ASSIGN_OR_RETURN(const size_t size, size_of_part());
      if (size == 0 && window_.text().empty()) return {};
      MNEME_RETURN_IF_ERROR(size > 0 ? read_part(size) : pass_over_line());
      if (lines_before_ > kMostLines) {
        return resource_error(printable(name_) + " has more lines than are counted; split it to index it.");
      }
    }
  }

 private:
  // Bytes of the next part, whole lines; 0: the file is at its end, or the line that comes is too long.
  Result<size_t> size_of_part() {
    size_t searched = 0;
    while (true) {
      const std::string_view text = window_.text();
      if (window_.at_end()) return text.size() > longest_line_ + part_bytes_ ? 0 : text.size();
      if (text.size() >= part_bytes_) {
        if (const size_t end = end_of_lines(text, searched); end > 0) return end;
        if (text.size() > longest_line_) return size_t{0};
        searched = text.size();
      }
      MNEME_RETURN_IF_ERROR(window_.extend(step_));
    }
  }

  // 0: no line ends behind `searched`, or the format needs more.
  size_t end_of_lines(std::string_view text, size_t searched) const {
    const size_t last = text.substr(searched).rfind('\n');
    if (last == std::string_view::npos) return 0;
    const std::string_view lines = text.substr(0, searched + last + 1);
    return format_.whole_lines ? format_.whole_lines(lines) : lines.size();
  }

  Status read_part(size_t size) {
    ++number_;
    const uint64_t begin = window_.begin();
    std::string bytes(window_.text().substr(0, size));
    window_.take(size);
    const int before = std::exchange(lines_before_, lines_before_ + count_lines(bytes));
    auto decoded = decode_text(std::move(bytes), encoding_);
    if (!decoded.ok()) return emit_failure(decoded.status().with_context(printable(name_) + ": "));
    if (decoded->encoding.starts_with("UTF-16") || decoded->encoding.starts_with("UTF-32")) {
      return unsupported(printable(name_) + " is too long for one document and written in " + decoded->encoding +
                         ", which is not read in parts; convert it to UTF-8 to index it.");
    }
    if (encoding_.empty() && decoded->encoding != "UTF-8") encoding_ = decoded->encoding;
    rag::Document document;
    document.format = format_.name;
    document.title = stem_title(name_) + ", " + label();
    document.text = std::move(decoded->text);
    make_breaks_plain(document.text);
    document.notes.push_back("from line " + std::to_string(before + 1) + " of the file, its byte " +
                             std::to_string(begin) + ", on");
    if (!decoded->note.empty()) document.notes.push_back(std::move(decoded->note));
    format_.parse(document, before);
    return document.blocks.empty() ? Status() : context_.emit_member(label(), name_, std::move(document));
  }

  // A line that is more than a document may hold: told, and read to its end without being held.
  Status pass_over_line() {
    ++number_;
    MNEME_RETURN_IF_ERROR(emit_failure(
        resource_error(printable(name_) + ": its line " + std::to_string(lines_before_ + 1) + " is over the limit of " +
                       std::to_string(longest_line_ >> 20) + " MiB for one line; it was left out.")));
    while (true) {
      const size_t found = window_.text().find('\n');
      if (found != std::string_view::npos) {
        ++lines_before_;
        window_.take(found + 1);
        return {};
      }
      window_.take(window_.text().size());
      if (window_.at_end()) return {};
      MNEME_RETURN_IF_ERROR(window_.extend(step_));
    }
  }

  Status emit_failure(Status failure) { return context_.emit_failure(label(), std::move(failure)); }
  std::string label() const { return "part " + std::to_string(number_); }

  ReadContext& context_;
  const std::string& name_;
  const PartFormat& format_;
  SourceWindow window_;
  const size_t part_bytes_;
  const size_t step_;
  const size_t longest_line_;
  std::string encoding_;  // of the first part that is not UTF-8
  int number_ = 0;
  int lines_before_ = 0;  // the window
};

// A reader of whole texts, for parts.
template <void (*kParse)(rag::Document&)>
void parse_part(rag::Document& document, int lines_before) {
  kParse(document);
  move_lines(document, lines_before);
}

}  // namespace

Status read_parts(ReadContext& context, const std::string& name, ByteSource& source, const PartFormat& format) {
  context.begin_container(source.size());
  return PartsReader(context, name, source, format).read();
}

Status read_plain_parts(ReadContext& context, const std::string& name, ByteSource& source) {
  return read_parts(context, name, source, {.name = "text", .whole_lines = {}, .parse = parse_part<parse_plain>});
}

Status read_json_parts(ReadContext& context, const std::string& name, ByteSource& source) {
  return read_parts(context, name, source, {.name = "json", .whole_lines = {}, .parse = parse_part<parse_json>});
}

}  // namespace mneme::readers
