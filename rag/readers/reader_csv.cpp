// CSV and TSV: a block per record (quoted line breaks included) in the file's own text. A first record of column names
// becomes a heading, so that it travels with every chunk.
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "rag/readers/format_list.h"
#include "rag/readers/office_common.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

struct Record {
  size_t begin = 0;
  size_t end = 0;
  int line_begin = 0;
  int line_end = 0;
};

// Walks through records; a quote opens only at the beginning of a field.
class RecordCursor {
 public:
  RecordCursor(std::string_view text, char separator) : text_(text), offset_(bom_length(text)), separator_(separator) {}

  // `fields` may be null.
  bool next(Record& record, std::vector<std::string>* fields) {
    if (offset_ >= text_.size()) return false;
    record.begin = offset_;
    record.line_begin = line_;
    std::string field;
    bool quoted = false;
    bool at_start = true;
    size_t i = offset_;
    for (; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '\n') ++line_;
      if (quoted) {
        const bool doubled = c == '"' && i + 1 < text_.size() && text_[i + 1] == '"';
        if (c == '"' && !doubled) quoted = false;
        if (doubled) ++i;
        if (quoted && fields) field.push_back(c);
        // An unclosed quote must not swallow the file.
        if (i - record.begin > kLongestRecord) quoted = false;
        continue;
      }
      if (c == '\n') break;
      if (c == '"' && at_start) {
        quoted = true;
      } else if (c == separator_) {
        if (fields) fields->push_back(std::move(field));
        field.clear();
        at_start = true;
        continue;
      } else if (fields && c != '\r') {
        field.push_back(c);
      }
      at_start = false;
    }
    if (fields) fields->push_back(std::move(field));
    record.end = i;
    while (record.end > record.begin && (text_[record.end - 1] == '\r' || text_[record.end - 1] == ' ')) --record.end;
    record.line_end = i < text_.size() ? line_ - 1 : line_;
    offset_ = i + 1;
    return true;
  }

 private:
  static constexpr size_t kLongestRecord = size_t{1} << 20;

  std::string_view text_;
  size_t offset_;
  char separator_;
  int line_ = 1;
};

// The separator that splits the first records most evenly.
char guess_separator(std::string_view text) {
  char best = ',';
  size_t best_score = 0;
  for (const char candidate : {',', ';', '\t', '|'}) {
    RecordCursor records(text.substr(0, 65536), candidate);
    Record record;
    size_t score = 0;
    size_t width = 0;
    for (int i = 0; i < 10; ++i) {
      std::vector<std::string> fields;
      if (!records.next(record, &fields)) break;
      if (i == 0) width = fields.size();
      if (width > 1 && fields.size() == width) score += width;
    }
    if (score > best_score) {
      best_score = score;
      best = candidate;
    }
  }
  return best;
}

}  // namespace

void parse_csv(rag::Document& document) {
  const std::string_view text = document.text;
  const char separator = guess_separator(text);
  std::vector<std::string> first;
  std::vector<std::string> second;
  Record record;
  {
    RecordCursor probe(text, separator);
    probe.next(record, &first);
    probe.next(record, &second);
  }
  const bool has_header = is_header_row(first, second);
  RecordCursor records(text, separator);
  while (records.next(record, nullptr)) {
    if (record.begin == record.end) continue;
    rag::Block block;
    const bool header = has_header && document.blocks.empty();
    block.kind = header ? rag::BlockKind::kHeading : rag::BlockKind::kTableRow;
    block.heading_level = header ? 1 : 0;
    block.byte_begin = record.begin;
    block.byte_end = record.end;
    block.line_begin = record.line_begin;
    block.line_end = record.line_end;
    document.blocks.push_back(block);
  }
}

}  // namespace mneme::readers
