// Rich Text Format: the text of its paragraphs and table rows; fonts, pictures and other destinations are skipped.
#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/office/rtf_fonts.h"
#include "rag/readers/office_common.h"
#include "rag/readers/raised_text.h"

namespace mneme::readers {
namespace {

constexpr size_t kDeepestGroup = 1000;

class RtfParser {
 public:
  RtfParser(std::string_view rtf, DocumentBuilder& builder) : rtf_(rtf), builder_(builder) {}

  void run() {
    groups_.push_back({});
    while (at_ < rtf_.size() && !builder_.full()) {
      const char c = rtf_[at_++];
      if (c == '{') {
        if (groups_.size() > kDeepestGroup) {
          builder_.document().notes.emplace_back("what stands in groups nested more than 1000 deep was left out");
          break;
        }
        groups_.push_back(groups_.back());
        groups_.back().field = InfoField::kNone;
      } else if (c == '}') {
        close_group();
      } else if (c == '\\') {
        take_control();
      } else if (c != '\r' && c != '\n') {
        add_byte(c);
      }
    }
    while (groups_.size() > 1) close_group();  // of a file that ends too early
    end_paragraph();
  }

 private:
  static constexpr int kNoFont = -1;
  enum class InfoField { kNone, kTitle, kAuthor, kCreated };
  struct Group {
    bool skipped = false;
    bool info = false;  // inside the document's information
    InfoField field = InfoField::kNone;
    bool note = false;   // a footnote, or within one
    bool fonts = false;  // inside the table of fonts
    int font = kNoFont;
    Shift shift = Shift::kNone;
    int skip_after_unicode = 1;
  };

  void close_group() {
    begin_shift(Shift::kNone);
    switch (groups_.back().field) {
      case InfoField::kTitle: take_metadata(builder_.document(), "title", clean_text(std::exchange(text_, {}))); break;
      case InfoField::kAuthor:
        take_metadata(builder_.document(), "author", clean_text(std::exchange(text_, {})));
        break;
      case InfoField::kCreated: take_metadata(builder_.document(), "date", date_.text()); break;
      case InfoField::kNone: break;
    }
    const bool note_ends = groups_.size() > 1 && groups_.back().note && !groups_[groups_.size() - 2].note;
    if (note_ends) notes_.push_back(std::exchange(text_, std::exchange(text_outside_, {})));
    if (groups_.size() > 1) groups_.pop_back();
    begin_shift(groups_.back().shift);
  }

  void take_control() {
    if (at_ >= rtf_.size()) return;
    const char c = rtf_[at_];
    if ((c | 0x20) < 'a' || (c | 0x20) > 'z') return take_symbol(c);
    size_t end = at_;
    while (end < rtf_.size() && (rtf_[end] | 0x20) >= 'a' && (rtf_[end] | 0x20) <= 'z') ++end;
    const std::string_view word = rtf_.substr(at_, end - at_);
    int number = 0;
    const auto parsed = std::from_chars(rtf_.data() + end, rtf_.data() + std::min(end + 12, rtf_.size()), number);
    const bool has_number = parsed.ec == std::errc();
    at_ = has_number ? static_cast<size_t>(parsed.ptr - rtf_.data()) : end;
    if (at_ < rtf_.size() && rtf_[at_] == ' ') ++at_;
    take_word(word, number, has_number);
  }

  void take_symbol(char c) {
    ++at_;
    if (c == '*') {
      groups_.back().fonts = false;  // other names of a font
      // Of what older programs may pass over, text boxes and notes are text.
      const std::string_view next = rtf_.substr(at_);
      if (!next.starts_with("\\shpinst") && !next.starts_with("\\footnote")) groups_.back().skipped = true;
    } else if (c == '\'' && at_ + 2 <= rtf_.size()) {
      int byte = 0;
      std::from_chars(rtf_.data() + at_, rtf_.data() + at_ + 2, byte, 16);
      at_ += 2;
      add_byte(static_cast<char>(byte));
    } else if (c == '~') {
      add_byte(' ');
    } else if (c == '_') {  // a hyphen that no line ends behind
      add_byte('-');
    } else if (c == '{' || c == '}' || c == '\\') {
      add_byte(c);
    }
  }

  // Whether the word is about fonts.
  bool take_font_word(std::string_view word, int number, bool has_number) {
    Group& group = groups_.back();
    if (word == "fonttbl") {
      group.fonts = group.skipped = true;
    } else if (word == "f" && has_number && group.fonts) {
      fonts_.begin(number);
    } else if (word == "f" && has_number && !group.skipped) {
      flush_bytes();
      group.font = number;
    } else if (word == "fcharset" && has_number && group.fonts) {
      fonts_.set_charset(number);
    } else if (word == "cpg" && has_number && group.fonts) {
      fonts_.set_code_page(number);
    } else if (word == "deff" && has_number) {
      default_font_ = number;
    } else if (word == "plain" && !group.skipped) {
      flush_bytes();
      group.font = kNoFont;
      shift_group(Shift::kNone);
    } else {
      return false;
    }
    return true;
  }

  // Whether the word raises or lowers text.
  bool take_shift_word(std::string_view word, int number, bool has_number) {
    const bool begins = !has_number || number != 0;
    if (word == "super" || word == "sub") {
      const Shift shift = word == "super" ? Shift::kRaised : Shift::kLowered;
      shift_group(begins ? shift : Shift::kNone);
    } else if (word == "nosupersub") {
      shift_group(Shift::kNone);
    } else {
      return false;
    }
    return true;
  }

  void shift_group(Shift shift) {
    if (groups_.back().skipped) return;
    groups_.back().shift = shift;
    begin_shift(shift);
  }

  // Ends the piece of text that was shifted otherwise. What comes next is collected behind it.
  void begin_shift(Shift shift) {
    flush_bytes();
    if (shift_ != Shift::kNone) {
      const std::string shifted = text_.substr(std::min(shift_begin_, text_.size()));
      text_.resize(text_.size() - shifted.size());
      append_shifted(text_, shifted, shift_);
    }
    shift_ = shift;
    shift_begin_ = text_.size();
  }

  // All that was collected; what comes next is shifted as before.
  std::string take_text() {
    begin_shift(Shift::kNone);
    std::string text = std::exchange(text_, {});
    begin_shift(groups_.back().shift);
    return text;
  }

  void take_word(std::string_view word, int number, bool has_number) {
    Group& group = groups_.back();
    if (take_font_word(word, number, has_number) || take_shift_word(word, number, has_number)) return;
    if (word == "par" || word == "page" || word == "sect" || word == "line") {
      if (word == "line") return add_text(" ");
      end_paragraph();
    } else if (word == "footnote" && !group.note && !group.skipped) {
      begin_shift(Shift::kNone);  // of its mark
      group.note = true;
      group.shift = Shift::kNone;
      text_outside_ = std::exchange(text_, {});
    } else if (word == "pard") {
      heading_ = 0;
    } else if (word == "s" && has_number) {
      style_ = number;
      const auto level = style_levels_.find(number);
      if (!group.skipped) heading_ = level == style_levels_.end() ? 0 : level->second;
    } else if (word == "outlinelevel" && has_number) {
      const int level = number >= 0 && number < 9 ? number + 1 : 0;
      // In the table of styles, which is skipped, a style's.
      (group.skipped ? style_levels_[style_] : heading_) = level;
    } else if (word == "bin" && has_number) {  // so many bytes that are no text
      at_ += std::min(static_cast<size_t>(std::max(number, 0)), rtf_.size() - at_);
    } else if (word == "tab") {
      add_text(" ");
    } else if (word == "cell") {
      cells_.push_back(take_text());
    } else if (word == "row") {
      flush_bytes();
      builder_.table_row(cells_);
      cells_.clear();
    } else if (word == "u" && has_number) {
      flush_bytes();
      take_unicode(number);
    } else if (word == "uc" && has_number) {
      group.skip_after_unicode = std::clamp(number, 0, 8);
    } else if (word == "ansicpg" && has_number) {
      encoding_ = encoding_of_code_page(number);
    } else if (word == "info") {
      group.info = group.skipped = true;
    } else if (group.info && (word == "title" || word == "author")) {
      group.skipped = false;
      group.field = word == "title" ? InfoField::kTitle : InfoField::kAuthor;
    } else if (group.info && word == "creatim") {
      group.field = InfoField::kCreated;
      date_ = {};
    } else if (group.info && has_number && (word == "yr" || word == "mo" || word == "dy")) {
      (word == "yr" ? date_.year : word == "mo" ? date_.month : date_.day) = number;
    } else if (word == "colortbl" || word == "stylesheet" || word == "pict" || word == "object" || word == "header" ||
               word == "footer" || word == "headerf" || word == "footerf" || word == "listtable" ||
               word == "listoverridetable" || word == "themedata" || word == "fldinst" || word == "sp" ||
               word == "shprslt" || word == "xe" || (word == "deleted" && (!has_number || number != 0))) {
      group.skipped = true;  // text that tracked changes deleted among it
    } else if (word == "emdash" || word == "endash") {
      add_text("\xe2\x80\x93");
    } else if (word == "bullet") {
      add_text("\xe2\x80\xa2");
    } else if (word == "lquote" || word == "rquote") {
      add_text("'");
    } else if (word == "ldblquote" || word == "rdblquote") {
      add_text("\"");
    }
  }

  void take_unicode(int number) {
    const char32_t unit = static_cast<char32_t>(number < 0 ? number + 65536 : number) & 0xffff;
    if (unit >= 0xd800 && unit < 0xdc00) {
      high_surrogate_ = unit;
    } else if (unit >= 0xdc00 && unit < 0xe000) {
      if (high_surrogate_ != 0) put(0x10000 + ((high_surrogate_ - 0xd800) << 10) + (unit - 0xdc00));
      high_surrogate_ = 0;
    } else {
      put(unit);
    }
    // What follows stands in for the character in old programs.
    for (int i = 0; i < groups_.back().skip_after_unicode && at_ < rtf_.size(); ++i) {
      if (rtf_[at_] == '\\' && at_ + 3 < rtf_.size() && rtf_[at_ + 1] == '\'') {
        at_ += 4;
      } else if (rtf_[at_] != '\\' && rtf_[at_] != '{' && rtf_[at_] != '}') {
        ++at_;
      }
    }
  }

  void put(char32_t character) {
    if (!groups_.back().skipped) text_ += fonts_.character_of(font(), character);
  }

  void add_byte(char c) {
    const Group& group = groups_.back();
    if (group.fonts) fonts_.add_to_name(c);
    if (!group.skipped) bytes_.push_back(c);
  }

  int font() const { return groups_.back().font == kNoFont ? default_font_ : groups_.back().font; }

  void add_text(std::string_view text) {
    flush_bytes();
    if (!groups_.back().skipped) text_ += text;
  }

  // Bytes in the code page of the file or the font, collected so that two-byte characters stay together.
  void flush_bytes() {
    if (bytes_.empty()) return;
    text_ += fonts_.text_of(font(), bytes_, encoding_);
    bytes_.clear();
  }

  void end_paragraph() {
    flush_bytes();
    if (groups_.back().note) {
      text_ += ' ';
      return;
    }
    const std::string text = take_text();
    if (heading_ > 0) {
      builder_.heading(heading_, text);
    } else {
      builder_.paragraph(text);
    }
    for (const std::string& note : std::exchange(notes_, {})) builder_.paragraph(note);
  }

  struct Date {
    int year = 0;
    int month = 0;
    int day = 0;
    std::string text() const { return std::to_string(year) + "-" + std::to_string(month) + "-" + std::to_string(day); }
  };

  std::string_view rtf_;
  DocumentBuilder& builder_;
  size_t at_ = 0;
  std::vector<Group> groups_;
  std::string bytes_;
  std::string text_;
  Shift shift_ = Shift::kNone;  // of its end
  size_t shift_begin_ = 0;      // where that begins
  std::vector<std::string> cells_;
  std::string encoding_ = "windows-1252";
  RtfFonts fonts_;
  int default_font_ = kNoFont;
  char32_t high_surrogate_ = 0;
  std::map<int, int> style_levels_;  // of headings, by style
  int style_ = 0;                    // that was named last
  std::string text_outside_;         // of the footnote that is being read
  std::vector<std::string> notes_;   // called in the paragraph that is being read; they stand below it
  int heading_ = 0;                  // level that the paragraph's properties give it
  Date date_;                        // of the document's making
};

}  // namespace

Status read_rtf(ReadContext& context, Input input) {
  const std::string bytes = std::move(input.bytes);
  rag::Document document;
  document.format = "rtf";
  DocumentBuilder builder(document, context.limits().text_bytes);
  RtfParser(bytes, builder).run();
  if (builder.empty()) {
    const std::string why = document.notes.empty() ? "." : ": " + document.notes.front() + ".";
    return unsupported(printable(input.name) + " holds no text" + why);
  }
  title_from_heading(document);
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
