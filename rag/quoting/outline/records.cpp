#include "rag/quoting/outline/records.h"

#include <algorithm>

#include "base/ascii.h"

namespace mneme::rag {

namespace {

constexpr size_t kMostLines = 50;               // of a record: a passage may begin within quotation marks
constexpr size_t kMostProbed = 50;              // records that tell the separator
constexpr std::string_view kDeclares = "sep=";  // a line that Excel writes in front of others

struct Record {
  size_t begin = 0;
  size_t end = 0;
};

// Behind the field that begins at `at`: its separator, line break, or the end. Quotation marks open only at a field's
// beginning.
size_t field_end(std::string_view text, size_t at, char separator) {
  size_t i = at;
  if (i < text.size() && text[i] == '"') {
    size_t n_lines = 0;
    for (++i; i < text.size() && n_lines < kMostLines; ++i) {
      n_lines += text[i] == '\n' ? 1 : 0;
      if (text[i] != '"') continue;
      if (i + 1 == text.size() || text[i + 1] != '"') break;
      ++i;
    }
    if (i == text.size() || n_lines == kMostLines) i = at;  // never closed
  }
  while (i < text.size() && text[i] != separator && text[i] != '\n') ++i;
  return i;
}

// The record that begins at `at`, with how many fields it has.
Record read_record(std::string_view text, size_t at, char separator, size_t& n_fields) {
  Record record{at, at};
  for (n_fields = 1;; ++n_fields) {
    record.end = field_end(text, at, separator);
    if (record.end == text.size() || text[record.end] == '\n') return record;
    at = record.end + 1;
  }
}

// Records that have as many fields as the one before, weighed by how many these are.
size_t evenness(std::string_view text, char separator) {
  size_t score = 0;
  size_t before = 0;
  size_t n_records = 0;
  size_t n_fields = 0;
  for (size_t at = 0; at < text.size() && n_records < kMostProbed; ++n_records) {
    const Record record = read_record(text, at, separator, n_fields);
    if (n_fields > 1 && n_fields == before) score += n_fields;
    before = n_fields;
    at = record.end + 1;
  }
  return n_records == 1 ? n_fields - 1 : score;
}

bool says_something(std::string_view record) {
  const size_t first = record.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && !record.substr(first).starts_with(kDeclares);
}

}  // namespace

char separator_of_records(std::string_view text) {
  char best = 0;
  size_t most = 0;
  for (const char candidate : {';', '\t', '|', ','}) {
    const size_t score = evenness(text, candidate);
    if (score <= most) continue;
    most = score;
    best = candidate;
  }
  return best;
}

std::vector<Sentence> split_records(std::string_view text, char separator) {
  std::vector<Sentence> rows;
  size_t n_fields = 0;
  for (size_t at = 0; at < text.size();) {
    Record record = read_record(text, at, separator, n_fields);
    at = record.end + 1;
    if (!says_something(text.substr(record.begin, record.end - record.begin))) continue;
    while (is_space(text[record.end - 1])) --record.end;
    const std::string_view row = text.substr(record.begin, record.end - record.begin);
    const bool names = rows.empty() && std::none_of(row.begin(), row.end(), is_digit);
    rows.push_back({record.begin, record.end, names ? SentenceKind::kTableHead : SentenceKind::kRow, 0, -1, false});
  }
  return rows;
}

std::vector<std::string> record_fields(std::string_view record, char separator) {
  std::vector<std::string> fields;
  for (size_t at = 0; at <= record.size();) {
    const size_t end = field_end(record, at, separator);
    std::string_view field = record.substr(at, end - at);
    const bool quoted = field.starts_with('"') && field.size() > 1;
    if (quoted) field.remove_prefix(1);
    std::string plain;
    for (size_t i = 0; i < field.size(); ++i) {
      if (quoted && field[i] == '"') {
        if (i + 1 == field.size() || field[i + 1] != '"') continue;  // closes
        ++i;
      }
      if (!is_space(field[i])) {
        plain.push_back(field[i]);
      } else if (!plain.empty() && plain.back() != ' ') {
        plain.push_back(' ');
      }
    }
    while (plain.ends_with(' ')) plain.pop_back();
    fields.push_back(std::move(plain));
    at = end + 1;
  }
  while (!fields.empty() && fields.back().empty()) fields.pop_back();
  return fields;
}

}  // namespace mneme::rag
