#include "rag/quoting/passage_lines.h"

#include <algorithm>

#include "base/ascii.h"
#include "rag/quoting/text_lines.h"
#include "rag/text/quantities.h"
#include "rag/text/section_numbers.h"

namespace mneme::rag {

namespace {

constexpr size_t kShortLine = 56;  // a longer line without a full stop is the beginning of a paragraph
constexpr size_t kLeastColumns = 3;
constexpr size_t kLeastSettings = 3;
constexpr size_t kLongestField = 24;       // the name before a colon
constexpr std::ptrdiff_t kFieldWords = 3;  // ... "Hotline of Weserkom"

// Bytes of "- ", "12. " and the like at the beginning of a line; 0: no item. `ordered`: numbered.
size_t item_mark(std::string_view line, bool& ordered) {
  ordered = false;
  if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ") || line.starts_with("• ")) {
    return line.find(' ') + 1;
  }
  size_t digits = 0;
  while (digits < line.size() && is_digit(line[digits])) ++digits;
  ordered = digits > 0 && digits <= 3 && digits + 1 < line.size() && (line[digits] == '.' || line[digits] == ')') &&
            line[digits + 1] == ' ';
  return ordered ? digits + 2 : 0;
}

// An underline or overline: one sign, three times or more.
bool is_adornment(std::string_view line) {
  constexpr std::string_view kSigns = "=-`:'\"~^_*+#.";
  return line.size() >= 3 && kSigns.find(line[0]) != std::string_view::npos &&
         line.find_first_not_of(line[0]) == std::string_view::npos;
}

// The line between the rows of a table: "|---|---|", "+---+---+", "====  ====".
bool is_table_rule(std::string_view line) {
  if (line.size() < 5) return false;
  if (line[0] == '|' || line[0] == '+') return line.find_first_not_of("|+-=: ") == std::string_view::npos;
  return line[0] == '=' && line.find(' ') != std::string_view::npos &&
         line.find_first_not_of("= ") == std::string_view::npos;
}

size_t visible_width(std::string_view text) {
  size_t width = 0;
  for (const char c : text) width += (c & 0xC0) != 0x80;
  return width;
}

// Ends as sentences do: what does not may be a heading.
bool ends_sentence(std::string_view line) {
  for (const std::string_view stop : {".", "!", "?", ":", ";", ",", "。", "！", "？", "：", "，", "；", "…"}) {
    if (line.ends_with(stop)) return true;
  }
  return false;
}

// "Ölwechsel mit Filter 129,90 €", "Consumption: 212 kWh", "Invoice number 20260044817": a line of a bill. It ends with
// a sum, with a number of many digits, or with a number under a label.
bool states_number(std::string_view line) {
  constexpr size_t kLongestUnit = 8;
  constexpr size_t kManyDigits = 5;
  const size_t last = line.find_last_of("0123456789");
  if (last == std::string_view::npos || line.size() - last > kLongestUnit + 1) return false;
  const std::string_view unit = line.substr(last + 1);
  if (unit.find_first_of(".:)]") != std::string_view::npos) return false;
  size_t first = last;
  while (first > 0 && (is_digit(line[first - 1]) || line[first - 1] == ',' || line[first - 1] == '.')) --first;
  const std::string_view number = line.substr(first, last + 1 - first);
  const bool parted = number.size() > 3 && (number[number.size() - 3] == ',' || number[number.size() - 3] == '.');
  const size_t colon = line.find(": ");
  const bool labelled = colon != std::string_view::npos && colon < first && colon > 0;
  return parted || number.size() >= kManyDigits || labelled || says_money(unit);
}

bool begins_upper(std::string_view line) {
  const char c = line.front();
  return (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

// Outside quotation marks.
size_t n_separators(std::string_view line, char separator) {
  bool quoted = false;
  size_t n = 0;
  for (const char c : line) {
    quoted ^= c == '"';
    n += !quoted && c == separator ? 1 : 0;
  }
  return n;
}

size_t n_commas(std::string_view line) {
  return n_separators(line, ',');
}

class LineReader {
 public:
  explicit LineReader(std::string_view text) : lines_(text_lines(text)) {}

  std::vector<LineBlock> read() {
    while (at_ < lines_.size()) {
      if (lines_[at_].blank()) {
        ++at_;
        continue;
      }
      if (at_ == 0 && read_front_matter()) continue;
      const bool special =
          read_code() || read_fields() || read_columns() || read_heading() || read_table() || read_csv() || read_item();
      if (!special) read_paragraph();
    }
    return std::move(blocks_);
  }

 private:
  const TextLine* line(size_t i) const { return i < lines_.size() ? &lines_[i] : nullptr; }
  bool blank(size_t i) const { return i >= lines_.size() || lines_[i].blank(); }

  void add(SentenceKind kind, size_t first, size_t last, int group = -1) {
    const TextLine& front = lines_[first];
    const TextLine& back = lines_[last];
    LineBlock block{front.begin + front.indent, back.end(), kind, group, -1, false};
    blocks_.push_back(block);
  }

  // Between fences; a fence that never closes is one line.
  bool read_code() {
    const std::string_view mark = lines_[at_].trimmed.substr(0, 3);
    if (mark != "```" && mark != "~~~") return false;
    size_t end = at_ + 1;
    while (end < lines_.size() && !lines_[end].trimmed.starts_with(mark)) ++end;
    size_t first = at_ + 1;
    at_ = end < lines_.size() ? end + 1 : first;
    if (end >= lines_.size()) return true;
    while (first < end && lines_[first].blank()) ++first;
    while (end > first && lines_[end - 1].blank()) --end;
    if (end > first) add(SentenceKind::kCode, first, end - 1);
    return true;
  }

  // Between two "---" at the very beginning: of what stands there only what says whose and of when the text is.
  bool read_front_matter() {
    if (lines_[0].trimmed != "---") return false;
    size_t end = 1;
    while (end < lines_.size() && lines_[end].trimmed != "---") ++end;
    if (end == lines_.size() || end < 2 || lines_[1].trimmed.find(':') == std::string_view::npos) return false;
    for (size_t i = 1; i < end; ++i) {
      if (is_told_in_front(lines_[i].trimmed)) add(SentenceKind::kItem, i, i, n_groups_);
    }
    ++n_groups_;
    at_ = end + 1;
    return true;
  }

  static bool is_told_in_front(std::string_view line) {
    constexpr std::string_view kKeys[] = {"title",       "author",  "authors", "date",   "created", "published",
                                          "description", "summary", "version", "status", "licence", "license"};
    const std::string_view key = line.substr(0, std::min(line.find(':'), line.size()));
    return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
  }

  bool read_heading() {
    const TextLine& here = lines_[at_];
    if (here.trimmed.starts_with('#')) {
      add(SentenceKind::kHeading, at_, at_);
      ++at_;
      return true;
    }
    // An overline comes with an underline of its own.
    const bool over = is_adornment(here.trimmed) && at_ + 2 < lines_.size() && !blank(at_ + 1) &&
                      lines_[at_ + 2].trimmed == here.trimmed;
    const size_t title = at_ + (over ? 1 : 0);
    if (over || underlined(at_)) {
      add(SentenceKind::kHeading, title, title);
      at_ = title + 2;
      return true;
    }
    if (is_adornment(here.trimmed)) {  // a rule between paragraphs
      ++at_;
      return true;
    }
    return read_defined_term() || read_bare_heading();
  }

  // "law of demand" and below it ": the relation that ...", as glossaries in Markdown have it: the term heads what
  // follows.
  bool read_defined_term() {
    const TextLine& term = lines_[at_];
    const TextLine* next = line(at_ + 1);
    if (next == nullptr || !begins_definition(next->trimmed) || term.indent > 0) return false;
    if (term.trimmed.size() > kShortLine || begins_definition(term.trimmed)) return false;
    add(SentenceKind::kHeading, at_, at_);
    const size_t first = ++at_;
    for (++at_; continues_block(at_) && lines_[at_].trimmed != "^" && !begins_definition(lines_[at_].trimmed); ++at_) {
    }
    add(SentenceKind::kText, first, at_ - 1);
    blocks_.back().byte_begin += lines_[first].trimmed.find_first_not_of(": ");
    if (!blank(at_) && lines_[at_].trimmed == "^") ++at_;
    return true;
  }

  static bool begins_definition(std::string_view line) {
    return line.starts_with(": ") && line.find_first_not_of(": ") != std::string_view::npos;
  }

  // "Author: x", "Status: y", as they open letters, minutes and proposals: a list.
  bool read_fields() {
    std::vector<size_t> begins;
    size_t end = at_;
    for (; !blank(end); ++end) {
      if (lines_[end].indent == 0 && (is_field(lines_[end].trimmed) || is_setting(lines_[end].trimmed)))
        begins.push_back(end);
      else if (begins.empty() || lines_[end].indent == 0)
        return false;
    }
    const bool settings =
        std::any_of(begins.begin(), begins.end(), [&](size_t line) { return is_setting(lines_[line].trimmed); });
    if (begins.size() < (settings ? kLeastSettings : 2)) return false;
    const int group = n_groups_++;
    for (size_t i = 0; i < begins.size(); ++i) {
      add(SentenceKind::kItem, begins[i], (i + 1 < begins.size() ? begins[i + 1] : end) - 1, group);
      blocks_.back().item = static_cast<int>(i);
    }
    at_ = end;
    return true;
  }

  // "port: 8443", as files of settings have it.
  static bool is_setting(std::string_view line) {
    const size_t colon = line.find(": ");
    return colon > 0 && colon <= kLongestField && is_letter(line.front()) &&
           std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon),
                       [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '_' || c == '-'; });
  }

  static bool is_field(std::string_view line) {
    const size_t colon = line.find(": ");
    if (colon > kLongestField || !begins_upper(line)) return false;  // or there is none
    const std::string_view name = line.substr(0, colon);
    return std::count(name.begin(), name.end(), ' ') < kFieldWords &&
           name.find_first_of(".,`*|") == std::string_view::npos;
  }

  bool underlined(size_t i) const {
    bool ordered = false;
    if (blank(i + 1) || lines_[i].trimmed.starts_with('|') || lines_[i].indent > 0) return false;
    if (!is_adornment(lines_[i + 1].trimmed) || lines_[i + 1].indent > 0) return false;
    if (item_mark(lines_[i].trimmed, ordered) > 0 && !ordered) return false;
    return lines_[i + 1].trimmed.size() + 2 >= visible_width(lines_[i].trimmed);
  }

  // A short line that is no sentence: alone between blank lines with text to follow, or above a longer line that begins
  // a sentence ("2. The new crane", "§ 3 Rent").
  bool read_bare_heading() {
    const TextLine& here = lines_[at_];
    bool ordered = false;
    const size_t mark = item_mark(here.trimmed, ordered);
    const bool item = mark > 0 && !ordered;
    if (item || here.indent > 0 || here.trimmed.size() > kShortLine || ends_sentence(here.trimmed)) return false;
    if (states_number(here.trimmed)) return false;
    if (here.trimmed.find('|') != std::string_view::npos || here.trimmed.starts_with('<')) return false;
    // "2.1 Method" is no item of a list.
    const SectionNumber number = section_number(here.trimmed);
    const size_t title = number.levels > 1 || heads_section(number, at_ + 1) ? number.n_bytes : mark;
    if (is_table_rule(here.trimmed) || !begins_upper(here.trimmed.substr(title))) return false;
    if (at_ > 0 && !blank(at_ - 1) && !follows_heading()) return false;
    const TextLine* next = line(at_ + 1);
    if (next == nullptr) return false;
    if (next->blank()) {
      const bool text_follows = at_ + 2 < lines_.size();
      if (!text_follows || (wide(here.trimmed) && !heads_items(at_ + 2))) return false;
      const bool section = heads_section(number, at_ + 1);
      if (mark > 0 && !section && !heads_paragraph(here.trimmed, at_ + 2)) return false;
    } else {
      const bool begins = begins_upper(next->trimmed) || section_number(next->trimmed).levels > 1;  // "2.1 The rent"
      const bool sentence =
          next->indent == 0 && begins && next->trimmed.size() > here.trimmed.size() && !wide(here.trimmed);
      if (!sentence) return false;
      if (n_commas(here.trimmed) > 0 && n_commas(here.trimmed) == n_commas(next->trimmed)) return false;
    }
    add(SentenceKind::kHeading, at_, at_);
    ++at_;
    return true;
  }

  // "3 Results", above "3.1 Method".
  bool heads_section(const SectionNumber& number, size_t next) const {
    while (next < lines_.size() && lines_[next].blank()) ++next;
    if (number.levels != 1 || next >= lines_.size()) return false;
    const SectionNumber below = section_number(lines_[next].trimmed);
    return below.levels > 1 && below.first == number.first;
  }

  // "3 Results" and at once below it "3.1 Method".
  bool follows_heading() const {
    return !blocks_.empty() && blocks_.back().kind == SentenceKind::kHeading &&
           blocks_.back().byte_end == lines_[at_ - 1].end();
  }

  // "3. Rent", and below it running text at the margin: no item of a list, but a section of a contract.
  bool heads_paragraph(std::string_view title, size_t next) const {
    bool ordered = false;
    while (next < lines_.size() && lines_[next].blank()) ++next;
    if (next >= lines_.size() || lines_[next].indent > 0 || item_mark(lines_[next].trimmed, ordered) > 0) return false;
    const std::string_view text = lines_[next].trimmed;
    return begins_upper(text) && text.size() > title.size() && (ends_sentence(text) || text.size() > kShortLine);
  }

  // A list, as calendars and contacts have it below the name of each entry.
  bool heads_items(size_t next) const {
    bool ordered = false;
    while (next < lines_.size() && lines_[next].blank()) ++next;
    return next < lines_.size() && item_mark(lines_[next].trimmed, ordered) > 0;
  }

  // Scripts without capitals give no sign of where a sentence begins.
  static bool wide(std::string_view text) { return static_cast<unsigned char>(text.front()) >= 0xE0; }

  // Rows between bars, and between the rules of simple tables. The head is the row above the (second) rule, or the
  // first of a table without rules.
  bool read_table() {
    const std::string_view first = lines_[at_].trimmed;
    const bool simple = first[0] == '=' && is_table_rule(first);
    const bool bars = first[0] == '|' || (first[0] == '+' && is_table_rule(first));
    const auto piped = [&](size_t i) { return !blank(i) && lines_[i].trimmed.find(" | ") != std::string_view::npos; };
    if (!simple && !bars && !(piped(at_) && piped(at_ + 1))) return false;
    const int group = n_groups_++;
    size_t head = std::string_view::npos;
    size_t n_rules = 0;
    std::vector<size_t> rows;
    for (; !blank(at_); ++at_) {
      const std::string_view row = lines_[at_].trimmed;
      if (!simple && !bars && !piped(at_)) break;
      if (bars && row[0] != '|' && row[0] != '+') break;
      if (is_table_rule(row)) {
        ++n_rules;
        if (rows.size() == 1) head = rows.front();
      } else {
        rows.push_back(at_);
      }
    }
    if (n_rules == 0 && !bars && !rows.empty()) head = rows.front();
    for (const size_t row : rows) add(row == head ? SentenceKind::kTableHead : SentenceKind::kRow, row, row, group);
    return true;
  }

  // "2    Drawer with soft close    6    92.00 EUR": lines of as many cells each, as offers and invoices set them.
  bool read_columns() {
    const size_t columns = n_columns(lines_[at_].trimmed);
    if (columns < kLeastColumns) return false;
    size_t end = at_ + 1;
    while (!blank(end) && n_columns(lines_[end].trimmed) == columns) ++end;
    if (end - at_ < 2) return false;
    const int group = n_groups_++;
    const size_t first = at_;
    const bool head = lines_[first].trimmed.find_first_of("0123456789") == std::string_view::npos;
    for (; at_ < end; ++at_) {
      add(head && at_ == first ? SentenceKind::kTableHead : SentenceKind::kRow, at_, at_, group);
    }
    return true;
  }

  // Cells with two spaces or more between them. Bars part cells of their own; spaces behind full stops part sentences.
  static size_t n_columns(std::string_view line) {
    if (line.find('|') != std::string_view::npos || is_table_rule(line)) return 0;
    size_t n = 1;
    for (size_t at = line.find("  "); at != std::string_view::npos;
         at = line.find("  ", line.find_first_not_of(' ', at))) {
      if (at > 0 && ends_sentence(line.substr(at - 1, 1))) return 0;
      ++n;
    }
    return n;
  }

  // Lines of a paragraph with as many commas each, semicolons or tabs: records.
  bool read_csv() { return read_records(';') || read_records('\t') || read_records(','); }

  bool read_records(char separator) {
    bool ordered = false;
    const size_t columns = n_separators(lines_[at_].trimmed, separator) + 1;
    if (columns < kLeastColumns || item_mark(lines_[at_].trimmed, ordered) > 0) return false;
    size_t end = at_;
    while (!blank(end) && n_separators(lines_[end].trimmed, separator) + 1 == columns &&
           lines_[end].trimmed.find(". ") == std::string_view::npos) {
      ++end;
    }
    if (!blank(end) || end - at_ < 2 || ends_sentence(lines_[end - 1].trimmed)) return false;
    const size_t first = at_;
    const bool head = lines_[first].trimmed.find_first_of("0123456789") == std::string_view::npos;
    // "12 May: oil and filter, 189 EUR": notes are written so, tables with the names of their columns or without
    // spaces.
    if (!head && separator == ',' && lines_[first].trimmed.find(", ") != std::string_view::npos) return false;
    const int group = n_groups_++;
    for (; at_ < end; ++at_) {
      add(head && at_ == first ? SentenceKind::kTableHead : SentenceKind::kRow, at_, at_, group);
    }
    return true;
  }

  // An item with the lines that go on with it. Items of one kind that follow each other are one list.
  bool read_item() {
    bool ordered = false;
    if (item_mark(lines_[at_].trimmed, ordered) == 0) return false;
    const size_t first = at_;
    for (++at_; continues_block(at_); ++at_) {
    }
    if (belongs_to_step(first)) {
      const LineBlock& step = blocks_.back();
      const int item = step.item;
      add(SentenceKind::kItem, first, at_ - 1, step.group);
      blocks_.back().item = item;
      blocks_.back().ordered = true;
      return true;
    }
    step_indent_ = lines_[first].indent;
    const bool begins_anew = lines_[first].trimmed.starts_with("1.") || lines_[first].trimmed.starts_with("1)");
    const bool goes_on = !blocks_.empty() && blocks_.back().kind == SentenceKind::kItem &&
                         blocks_.back().ordered == ordered && !begins_anew;
    add(SentenceKind::kItem, first, at_ - 1, goes_on ? blocks_.back().group : n_groups_);
    const int before = goes_on ? blocks_[blocks_.size() - 2].item : -1;
    if (!goes_on) ++n_groups_;
    blocks_.back().item = before + 1;
    blocks_.back().ordered = ordered;
    return true;
  }

  // A bullet that is indented under a numbered step.
  bool belongs_to_step(size_t i) const {
    bool ordered = false;
    static_cast<void>(item_mark(lines_[i].trimmed, ordered));
    return !ordered && !blocks_.empty() && blocks_.back().kind == SentenceKind::kItem && blocks_.back().ordered &&
           lines_[i].indent > step_indent_;
  }

  void read_paragraph() {
    const size_t first = at_++;
    if (within_quotation(lines_[first].trimmed).empty()) return;  // between paragraphs of a quotation
    const bool quoted = is_quoted(lines_[first].trimmed);
    for (; quoted ? continues_quotation(at_) : continues_block(at_); ++at_) {
    }
    if (!quoted && are_notes(first, at_)) {
      for (size_t i = first; i < at_; ++i) add(SentenceKind::kText, i, i);
      return;
    }
    add(SentenceKind::kText, first, at_ - 1);
  }

  // Lines that each say something of their own, as bills and travel plans have them ("Hotel: Casa Rosa, 92 euros"), not
  // running text: none goes on in small letters, and half of them have a label or end with a number.
  bool are_notes(size_t first, size_t end) const {
    constexpr size_t kLeastNotes = 2;
    size_t notes = 0;
    for (size_t i = first; i < end; ++i) {
      const std::string_view text = lines_[i].trimmed;
      if (i > first && !begins_upper(text) && !is_digit(text.front())) return false;
      if (i > first && lines_[i - 1].trimmed.ends_with(',')) return false;
      notes += is_field(text) || has_wide_label(text) || states_number(text) ? 1 : 0;
    }
    return notes >= kLeastNotes && notes * 2 >= end - first;
  }

  // 出発：8月8日
  static bool has_wide_label(std::string_view line) {
    const size_t colon = line.find("：");
    return colon != std::string_view::npos && colon > 0 && colon <= kLongestField && wide(line);
  }

  // Whether a line goes on with the block before it rather than beginning something of its own.
  bool continues_block(size_t i) const {
    return !blank(i) && is_plain(lines_[i].trimmed) && !lines_[i].trimmed.starts_with('>');
  }

  bool continues_quotation(size_t i) const {
    if (blank(i) || !is_quoted(lines_[i].trimmed)) return false;
    const std::string_view within = within_quotation(lines_[i].trimmed);
    return !within.empty() && is_plain(within);
  }

  static bool is_plain(std::string_view text) {
    bool ordered = false;
    return item_mark(text, ordered) == 0 && !text.starts_with('#') && !text.starts_with('|') &&
           !text.starts_with("```") && !text.starts_with("~~~");
  }

  // "> said elsewhere", as Markdown and mail quote; not ">>> " of an interpreter.
  static bool is_quoted(std::string_view line) { return line == ">" || line.starts_with("> "); }

  // A line that is no quotation is all of what it says.
  static std::string_view within_quotation(std::string_view line) {
    if (!is_quoted(line)) return line;
    return line.substr(std::min(line.find_first_not_of(' ', 1), line.size()));
  }

  std::vector<TextLine> lines_;
  std::vector<LineBlock> blocks_;
  size_t at_ = 0;
  size_t step_indent_ = 0;  // of the last item that is no part of another
  int n_groups_ = 0;
};

}  // namespace

std::vector<LineBlock> line_blocks(std::string_view text) {
  return LineReader(text).read();
}

}  // namespace mneme::rag
