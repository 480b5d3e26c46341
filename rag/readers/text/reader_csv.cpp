// CSV and TSV: a block per record (quoted line breaks included) in the file's own text. A first record of column names
// becomes a heading, so that it travels with every chunk.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/readers/format_list.h"
#include "rag/readers/office_common.h"
#include "rag/readers/text/text_parts.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kProbedBytes = 65536;
constexpr size_t kProbedRecords = 20;  // among them, where there is one, the row of names

struct Record {
  size_t begin = 0;
  size_t end = 0;
  int line_begin = 0;
  int line_end = 0;
};

// Walks through records; a quote opens only at the beginning of a field.
class RecordCursor {
 public:
  RecordCursor(std::string_view text, char separator) : RecordCursor(text, separator, bom_length(text), 1) {}
  RecordCursor(std::string_view text, char separator, size_t offset, int line)
      : text_(text), offset_(offset), separator_(separator), line_(line) {}

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
  int line_;
};

// Lines that Excel writes in front of others to say what parts the fields.
bool declares_separator(std::string_view text, const Record& record) {
  const std::string_view line = text.substr(record.begin, record.end - record.begin);
  return line.size() <= 5 && line.starts_with("sep=");
}

using Records = std::vector<std::vector<std::string>>;

Records first_records(std::string_view text, char separator) {
  RecordCursor cursor(text.substr(0, kProbedBytes), separator);
  Records records;
  Record record;
  std::vector<std::string> fields;
  while (records.size() < kProbedRecords && cursor.next(record, &fields)) {
    records.push_back(std::exchange(fields, {}));
  }
  return records;
}

// The separator that splits most of the first records into as many fields as the record before. What exports write
// above the table (whose it is, of what days) counts for little.
char guess_separator(std::string_view text) {
  char best = ',';
  size_t best_score = 0;
  for (const char candidate : {',', ';', '\t', '|'}) {
    const Records records = first_records(text, candidate);
    size_t score = records.size() == 1 ? records.front().size() - 1 : 0;
    for (size_t i = 1; i < records.size(); ++i) {
      const size_t width = records[i].size();
      if (width > 1 && width == records[i - 1].size()) score += width;
    }
    if (score > best_score) {
      best_score = score;
      best = candidate;
    }
  }
  return best;
}

// Fields of the table's records: as many as most have.
size_t table_width(const Records& records) {
  std::map<size_t, size_t> counts;
  size_t best = 0;
  for (const auto& record : records) {
    if (++counts[record.size()] >= counts[best]) best = record.size();
  }
  return best;
}

bool is_filled(const std::vector<std::string>& record) {
  const auto filled =
      std::count_if(record.begin(), record.end(), [](const auto& field) { return !trim(field).empty(); });
  return static_cast<size_t>(filled) * 2 >= record.size();
}

// The record that names the columns, the first of the table's: a later one of words only is data. None where there is
// no such.
std::optional<size_t> header_of(const Records& records) {
  const size_t width = table_width(records);
  for (size_t i = 0; i + 1 < records.size(); ++i) {
    if (records[i].size() != width || !is_filled(records[i])) continue;
    return is_header_row(records[i], records[i + 1]) ? std::optional(i) : std::nullopt;
  }
  return std::nullopt;
}

void add_record(rag::Document& document, const Record& record, bool names) {
  rag::Block block;
  block.kind = names ? rag::BlockKind::kHeading : rag::BlockKind::kTableRow;
  block.heading_level = names ? 1 : 0;
  block.byte_begin = record.begin;
  block.byte_end = record.end;
  block.line_begin = record.line_begin;
  block.line_end = record.line_end;
  document.blocks.push_back(block);
}

// A table that begins with the text; gives the record that names its columns.
std::optional<Record> add_table(rag::Document& document, char separator) {
  const std::string_view text = document.text;
  const std::optional<size_t> header = header_of(first_records(text, separator));
  std::optional<Record> names;
  RecordCursor records(text, separator);
  Record record;
  for (size_t number = 0; records.next(record, nullptr); ++number) {
    if (record.begin == record.end || (number == 0 && declares_separator(text, record))) continue;
    const bool is_header = header && number == *header;
    add_record(document, record, is_header);
    if (is_header) names = record;
  }
  return names;
}

// The parts of one table, in order: what the first says of it holds for the others.
class TableParts {
 public:
  // The last record may go on behind the text: it comes with the next part.
  size_t whole_records(std::string_view text) {
    if (!separator_) separator_ = guess_separator(text);
    RecordCursor records(text, *separator_);
    Record record;
    while (records.next(record, nullptr)) {
    }
    return record.begin;
  }

  void parse(rag::Document& document, int lines_before) {
    if (!separator_) separator_ = guess_separator(document.text);
    if (lines_before == 0) {
      header_ = add_table(document, *separator_);
      if (header_) names_ = document.text.substr(header_->begin, header_->end - header_->begin) + "\n";
      return;
    }
    document.text.insert(0, names_);
    if (header_) {
      add_record(document, {0, names_.size() - 1, header_->line_begin, header_->line_end}, true);
    }
    RecordCursor records(document.text, *separator_, names_.size(), lines_before + 1);
    Record record;
    while (records.next(record, nullptr)) {
      if (record.begin != record.end) add_record(document, record, false);
    }
  }

 private:
  std::optional<char> separator_;
  std::optional<Record> header_;
  std::string names_;  // the record that names the columns, with a line break; empty: there is none
};

}  // namespace

void parse_csv(rag::Document& document) {
  (void)add_table(document, guess_separator(document.text));
}

Status read_csv_parts(ReadContext& context, const std::string& name, ByteSource& source) {
  TableParts parts;
  return read_parts(context, name, source,
                    {.name = "csv",
                     .whole_lines = [&](std::string_view text) { return parts.whole_records(text); },
                     .parse = [&](rag::Document& document, int lines_before) { parts.parse(document, lines_before); }});
}

}  // namespace mneme::readers
