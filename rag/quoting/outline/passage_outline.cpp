#include "rag/quoting/outline/passage_outline.h"

#include <algorithm>

#include "base/ascii.h"
#include "rag/quoting/outline/entry_marks.h"
#include "rag/quoting/outline/plain_sentence.h"
#include "rag/quoting/outline/records.h"
#include "rag/quoting/outline/row_text.h"
#include "rag/quoting/outline/said_marks.h"
#include "rag/text/documents/section_numbers.h"
#include "rag/text/quantities/month_names.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// The lowest of "path\ntitle\nA > B > C"; lines that say nothing are passed over.
std::string_view last_heading(std::string_view context) {
  while (context.ends_with('\n')) context.remove_suffix(1);
  const std::string_view last = context.substr(context.find_last_of('\n') + 1);
  const size_t above = last.rfind(" > ");
  return above == std::string_view::npos ? last : last.substr(above + 3);
}

// "Lis[t] the contents" as it is read: manuals mark the letter that an option stands for.
std::string without_marked_letters(std::string_view text) {
  const auto letter = [&](size_t i) { return i < text.size() && is_letter(text[i]); };
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool opens = text[i] == '[' && letter(i + 1) && i + 2 < text.size() && text[i + 2] == ']';
    if (opens && ((i > 0 && letter(i - 1)) || letter(i + 3))) {
      plain.push_back(text[i + 1]);
      i += 2;
    } else {
      plain.push_back(text[i]);
    }
  }
  return plain;
}

// separator: of records; 0: the row shows what parts its cells.
std::vector<std::string> cells_of_row(std::string_view row, char separator) {
  return separator == 0 ? row_cells(row) : record_fields(row, separator);
}

// Whether a heading is the row of names of a table: as many columns, or more where bars say that it is one, or records
// are parted by a separator, since empty cells at the end of a row are not written.
bool names_columns_of(std::string_view heading, std::string_view row, char separator) {
  const size_t names = cells_of_row(heading, separator).size();
  const size_t cells = cells_of_row(row, separator).size();
  if (separator != 0) return names > 1 && cells <= names;
  const bool bars = row.find(" | ") != std::string_view::npos;
  if (bars != (heading.find(" | ") != std::string_view::npos)) return false;  // "Sizes, speeds, and their tests"
  return bars ? cells <= names : names > 2 && cells == names;
}

// What a paragraph begins with, up to the end of the text. Of a log every line has its time, and none goes on with the
// one before.
std::string_view mark_of_paragraph(std::string_view paragraph) {
  const size_t line_end = std::min(paragraph.find('\n'), paragraph.size() - 1);
  if (said_mark(paragraph.substr(line_end + 1)) > 0) return {};
  return paragraph.substr(0, said_mark(paragraph));
}

// "## 2.1 Method": its number says nothing of what is under it.
std::string_view title_in(std::string_view heading) {
  heading.remove_prefix(std::min(heading.find_first_not_of("# "), heading.size()));
  if (is_entry_mark(heading)) return heading;  // "3.0.0 (2025-11-04)": the number is its name
  return without_section_number(heading);
}

}  // namespace

std::vector<std::string> stems_of(std::string_view text) {
  std::vector<std::string> stems;
  const std::string read = text.find('[') == std::string_view::npos ? std::string() : without_marked_letters(text);
  WordScanner scanner(read.empty() ? text : read);
  Word word;
  while (scanner.next(word)) stems.emplace_back(stem_of(word.text));
  return stems;
}

PassageOutline::PassageOutline(std::string_view text, std::string_view context, std::string_view title, TextForm form,
                               bool of_records, std::string_view file)
    : text_(text),
      context_stems_(stems_of(context)),
      name_stems_(stems_of(std::string(title) + "\n" + std::string(file))),
      context_(context),
      title_(title),
      form_(form),
      separator_(of_records ? separator_of_records(text) : '\0') {
  int heading = -1;
  int above = -1;  // what heads the paragraphs behind one that a day leads in
  for (const Sentence& sentence : separator_ == 0 ? split_sentences(text, form) : split_records(text, separator_)) {
    const std::string_view raw = text.substr(sentence.byte_begin, sentence.byte_end - sentence.byte_begin);
    const bool led_in = heading >= 0 && parts_[static_cast<size_t>(heading)].span.leads_in;
    if (led_in &&
        text.substr(0, sentence.byte_begin).substr(parts_.back().span.byte_end).find('\n') != std::string_view::npos)
      heading = above;
    if (sentence.leads_in) above = heading;
    parts_.push_back({sentence, raw, stems_of(sentence.is_heading() ? title_in(raw) : raw), heading, {}});
    if (sentence.is_heading()) {
      heading = static_cast<int>(parts_.size()) - 1;
    } else {
      for (std::string& mark : month_marks(raw)) parts_.back().stems.push_back(std::move(mark));
    }
  }
  find_further_rows();
  find_lists();
  find_sections();
  if (form_ == TextForm::kProse) find_said_marks();
}

// Of a long table only the first passage begins with the names of the columns; in the others they stand above. Of
// records the reader knows which these are, though they have numbers ("2024") or stand below other lines.
void PassageOutline::find_further_rows() {
  const std::string_view above = last_heading(context_);
  for (OutlinePart& part : parts_) {
    const bool first = part.span.kind == SentenceKind::kTableHead;
    const bool is_above = part.raw.starts_with(above);
    if (first && !is_above && names_columns_of(above, part.raw, separator_)) part.span.kind = SentenceKind::kRow;
    if (separator_ != 0 && part.raw == above) part.span.kind = SentenceKind::kTableHead;
  }
}

void PassageOutline::find_lists() {
  for (size_t i = 0; i < parts_.size();) {
    size_t end = i + 1;
    while (end < parts_.size() && parts_[end].span.group == parts_[i].span.group) ++end;
    const bool list = parts_[i].span.kind == SentenceKind::kItem;
    if (list && parts_[end - 1].span.item > parts_[i].span.item) lists_.push_back({i, end, parts_[i].span.ordered});
    i = end;
  }
}

void PassageOutline::find_sections() {
  for (size_t i = 0; i < parts_.size();) {
    size_t end = i + 1;
    while (end < parts_.size() && parts_[end].heading == parts_[i].heading && !parts_[end].span.is_heading()) ++end;
    const auto is_text = [](const OutlinePart& part) { return part.span.kind == SentenceKind::kText; };
    const bool text = std::all_of(parts_.begin() + static_cast<std::ptrdiff_t>(i),
                                  parts_.begin() + static_cast<std::ptrdiff_t>(end), is_text);
    if (parts_[i].heading >= 0 && text && end - i > 1) sections_.push_back({i, end, true});
    i = end;
  }
}

// A paragraph is looked at once and searched for only behind the part before: a passage may be a file of a single one.
void PassageOutline::find_said_marks() {
  constexpr std::string_view kBlankLine = "\n\n";
  std::string_view mark;
  size_t looked_at = 0;
  for (OutlinePart& part : parts_) {
    const size_t begin = part.span.byte_begin;
    const std::string_view between = text_.substr(looked_at, begin - std::min(begin, looked_at));
    const size_t blank = between.rfind(kBlankLine);
    const bool first = &part == &parts_.front();
    const size_t paragraph = blank == std::string_view::npos ? 0 : looked_at + blank + kBlankLine.size();
    if (first || blank != std::string_view::npos) mark = mark_of_paragraph(text_.substr(paragraph));
    if (!part.span.is_heading()) part.said_mark = mark;
    looked_at = std::max<size_t>(begin, 1) - 1;  // the second end of a blank line may be where the part begins
  }
}

std::string_view PassageOutline::part_name() const {
  std::string_view path = context_;
  while (path.ends_with('\n')) path.remove_suffix(1);
  path = path.substr(path.find_last_of('\n') + 1);
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find(" > ", begin), path.size());
    const std::string_view heading = path.substr(begin, end - begin);
    if (heading != title_ && path != title_) return heading;
    begin = end + 3;
  }
  return title_;
}

std::string_view PassageOutline::head_of(const OutlinePart& row) const {
  if (row.span.kind != SentenceKind::kRow) return {};
  for (const OutlinePart& part : parts_) {
    if (part.span.kind == SentenceKind::kTableHead && part.span.group == row.span.group) return part.raw;
  }
  // The first row of a long table stands in another passage, and is the heading of this one.
  const std::string_view above = last_heading(context_);
  return names_columns_of(above, row.raw, separator_) ? above : std::string_view();
}

std::string PassageOutline::entry_of(const OutlinePart& part) const {
  if (part.heading < 0 || part.span.is_heading()) return {};
  std::string entry = plain_sentence(parts_[static_cast<size_t>(part.heading)].raw);
  if (!is_entry_mark(entry)) return {};
  while (entry.ends_with('.') || entry.ends_with(':')) entry.pop_back();
  return entry;
}

std::string PassageOutline::heading_text(const OutlinePart& part) const {
  if (part.heading < 0) return std::string(last_heading(context_));
  return plain_sentence(parts_[static_cast<size_t>(part.heading)].raw);
}

std::vector<std::string> PassageOutline::cells_of(const OutlinePart& row) const {
  return cells_of_row(row.raw, separator_);
}

std::vector<std::string> PassageOutline::column_names_of(const OutlinePart& row) const {
  return cells_of_row(head_of(row), separator_);
}

std::string PassageOutline::text_of(size_t part) const {
  const OutlinePart& what = parts_[part];
  if (what.span.kind == SentenceKind::kCode) return plain_code(what.raw);
  if (what.span.kind != SentenceKind::kRow) return plain_sentence(what.raw, form_);
  return plain_row(cells_of(what), column_names_of(what));
}

std::string PassageOutline::text_of(const OutlineList& list, size_t max_bytes) const {
  std::string text;
  for (size_t i = list.begin; i < list.end;) {
    size_t last = i;
    while (last + 1 < list.end && parts_[last + 1].span.item == parts_[i].span.item) ++last;
    const size_t begin = parts_[i].span.byte_begin;
    std::string item = plain_sentence(text_.substr(begin, parts_[last].span.byte_end - begin));
    i = last + 1;
    if (item.empty()) continue;
    if (!list.ordered) item.insert(0, "- ");
    if (!text.empty() && text.size() + item.size() > max_bytes) return text + "\n...";
    if (!text.empty()) text += "\n";
    text += item;
  }
  return text;
}

}  // namespace mneme::rag
