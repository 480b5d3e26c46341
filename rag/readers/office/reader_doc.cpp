// Word files of 1997 to 2003 (doc): paragraphs, lists and table rows; notes and comments below what calls them, text
// boxes, headers and footers behind all else.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/office/compound_readers.h"
#include "rag/readers/office/doc_file.h"
#include "rag/readers/office/ole_properties.h"
#include "rag/readers/office_common.h"
#include "rag/readers/raised_text.h"
#include "rag/readers/running_texts.h"

namespace mneme::readers {
namespace {

// Characters that are signs to Word.
constexpr char16_t kCellEnd = 0x07;
constexpr char16_t kTab = 0x09;
constexpr char16_t kLineEnd = 0x0b;
constexpr char16_t kPageEnd = 0x0c;
constexpr char16_t kParagraphEnd = 0x0d;
constexpr char16_t kColumnEnd = 0x0e;
constexpr char16_t kFieldBegin = 0x13;
constexpr char16_t kFieldResult = 0x14;
constexpr char16_t kFieldEnd = 0x15;
constexpr char16_t kHyphen = 0x1e;  // that no line ends behind
constexpr char16_t kFirstLetter = 0x20;

constexpr size_t kDeepestField = 64;

// Collects characters as text: raised and lowered ones so, of fields what they show.
class DocText {
 public:
  void add(const DocFile::Character& character) {
    if (take_field_mark(character.unit) || is_in_instruction() || character.properties.is_deleted) return;
    if (character.properties.shift != shift_) begin_shift(character.properties.shift);
    switch (character.unit) {
      case kTab:
      case kColumnEnd: piece_ += ' '; break;
      case kLineEnd: piece_ += kLineBreak; break;
      case kHyphen: piece_ += '-'; break;
      default:
        if (character.unit >= kFirstLetter && !character.properties.is_symbol) add_unit(character.unit);
    }
  }

  void add_space() { piece_ += ' '; }

  std::string take() {
    begin_shift(Shift::kNone);
    has_fields_ = false;
    return std::exchange(text_, {});
  }

  bool has_fields() const { return has_fields_; }

 private:
  bool take_field_mark(char16_t unit) {
    if (unit == kFieldBegin) {
      if (fields_.size() < kDeepestField) fields_.push_back(true);
      has_fields_ = true;
    } else if (unit == kFieldResult) {
      if (!fields_.empty()) fields_.back() = false;
    } else if (unit == kFieldEnd) {
      if (!fields_.empty()) fields_.pop_back();
    } else {
      return false;
    }
    return true;
  }

  bool is_in_instruction() const { return std::find(fields_.begin(), fields_.end(), true) != fields_.end(); }

  void begin_shift(Shift shift) {
    append_shifted(text_, std::exchange(piece_, {}), shift_);
    shift_ = shift;
  }

  void add_unit(char16_t unit) {
    if (unit >= 0xd800 && unit < 0xdc00) {
      high_surrogate_ = unit;
    } else if (unit >= 0xdc00 && unit < 0xe000) {
      if (high_surrogate_ != 0) utf8::append(piece_, 0x10000 + ((high_surrogate_ - 0xd800U) << 10) + (unit - 0xdc00U));
      high_surrogate_ = 0;
    } else {
      utf8::append(piece_, unit);
    }
  }

  std::string text_;
  std::string piece_;  // behind it, shifted alike
  Shift shift_ = Shift::kNone;
  std::vector<bool> fields_;  // those that are open: whether their instruction is being read
  bool has_fields_ = false;
  char32_t high_surrogate_ = 0;
};

class DocReader {
 public:
  DocReader(const DocFile& file, DocumentBuilder& builder)
      : file_(file), builder_(builder), numbering_(file.numbering()) {}

  void read_range(DocRange range) {
    for (uint32_t at = range.begin; at < range.end && !builder_.full(); ++at) take(at);
    if (!cells_.empty()) end_row();
    builder_.paragraph(text_.take());
    write_notes();
  }

  void write_running() const {
    RunningTexts running;
    for (const DocRange& range : file_.running()) {
      DocText text;
      for (uint32_t at = range.begin; at < range.end; ++at) {
        const DocFile::Character character = file_.at(at);
        text.add(character);
        if (character.unit != kParagraphEnd) continue;
        const bool has_fields = text.has_fields();
        running.take(text.take(), has_fields);
      }
    }
    running.write(builder_);
  }

 private:
  void take(uint32_t at) {
    const DocFile::Character character = file_.at(at);
    while (next_note_ < file_.notes().size() && file_.notes()[next_note_].called_at <= at) call(next_note_++);
    switch (character.unit) {
      case kParagraphEnd:
      case kPageEnd: end_paragraph(file_.paragraph_at(at), character); break;
      case kCellEnd: file_.paragraph_at(at).ends_row ? end_row() : end_cell(file_.paragraph_at(at), character); break;
      default: text_.add(character);
    }
  }

  void end_paragraph(const DocParagraph& paragraph, const DocFile::Character& mark) {
    if (paragraph.in_table) {
      cell_.append(numbered(paragraph, mark)).append(" ");
      return;
    }
    const std::string text = text_.take();
    add_numbered(file_.heading_level(paragraph), text, place_of(paragraph, text, mark), builder_);
    write_notes();
  }

  void end_cell(const DocParagraph& paragraph, const DocFile::Character& mark) {
    cell_ += numbered(paragraph, mark);
    cells_.push_back(std::exchange(cell_, {}));
  }

  // A paragraph of a cell with its number, which it may say alone.
  std::string numbered(const DocParagraph& paragraph, const DocFile::Character& mark) {
    const std::string text = text_.take();
    const std::string number = place_of(paragraph, text, mark).number;
    return number.empty() ? text : number + " " + text;
  }

  // What tracked changes took away, its mark included, is not counted, nor is a page that ends.
  ListPlace place_of(const DocParagraph& paragraph, const std::string& text, const DocFile::Character& mark) {
    const bool is_none = trim(text).empty() && (mark.properties.is_deleted || mark.unit == kPageEnd);
    return is_none ? ListPlace() : numbering_.count(file_.listed_by(paragraph));
  }

  void end_row() {
    builder_.table_row(std::exchange(cells_, {}));
    write_notes();
  }

  void call(size_t number) {
    const DocNote& note = file_.notes()[number];
    DocText text;
    for (uint32_t at = note.text.begin; at < note.text.end; ++at) {
      const DocFile::Character character = file_.at(at);
      character.unit == kParagraphEnd ? text.add_space() : text.add(character);
    }
    std::string said = text.take();
    called_.push_back(note.is_comment ? comment_line(note.author, {}, said) : std::move(said));
  }

  // Below the paragraph or table row that calls them.
  void write_notes() {
    for (const std::string& note : std::exchange(called_, {})) builder_.paragraph(note);
  }

  const DocFile& file_;
  DocumentBuilder& builder_;
  DocNumbering numbering_;
  DocText text_;
  std::string cell_;  // the paragraphs of a cell before the one that is being read
  std::vector<std::string> cells_;
  size_t next_note_ = 0;  // that the body has not called yet
  std::vector<std::string> called_;
};

}  // namespace

Status read_word(ReadContext& context, const std::string& name, const CompoundFile& compound) {
  const Result<DocFile> file = DocFile::open(compound);
  if (!file.ok()) return file.status().with_context(printable(name) + ": ");
  rag::Document document;
  document.format = "doc";
  take_ole_properties(compound.stream(kSummaryStream), document);
  DocumentBuilder builder(document, context.limits().text_bytes);
  DocReader reader(*file, builder);
  reader.read_range(file->body());
  reader.read_range(file->boxes());
  title_from_heading(document);
  reader.write_running();
  if (builder.empty()) return unsupported(printable(name) + " holds no text.");
  if (file->is_cut()) document.notes.emplace_back("the file is damaged: some of its text was not found");
  return context.emit(name, std::move(document));
}

}  // namespace mneme::readers
