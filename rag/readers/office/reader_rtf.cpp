// Rich Text Format: paragraphs, lists and table rows; notes and comments below what calls them, headers and footers
// behind all else.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/office/rtf_fonts.h"
#include "rag/readers/office/rtf_lexer.h"
#include "rag/readers/office/rtf_text.h"
#include "rag/readers/office/rtf_words.h"
#include "rag/readers/office_common.h"
#include "rag/readers/raised_text.h"
#include "rag/readers/running_texts.h"

namespace mneme::readers {
namespace {

constexpr size_t kDeepestGroup = 1000;
constexpr int kDeepestList = 8;

class RtfReader {
 public:
  RtfReader(std::string_view rtf, DocumentBuilder& builder) : lexer_(rtf), builder_(builder) {}

  void read_body() {
    groups_.push_back({});
    for (RtfToken token = lexer_.next(); token.kind != RtfToken::Kind::kEnd && !builder_.full(); token = lexer_.next())
      if (!take(token)) break;
    while (groups_.size() > 1) close_group();  // of a file that ends too early
    if (!cells_.empty()) {
      end_cell();
      end_row();
    }
    groups_.back().in_table = false;
    end_paragraph();
  }

  void write_running() const { running_.write(builder_); }

 private:
  static constexpr int kNoFont = -1;
  enum class InfoField { kNone, kTitle, kAuthor, kCreated };
  // What holds until the group ends.
  struct Group {
    bool skipped = false;
    bool hidden = false;  // by its author
    bool info = false;    // inside the document's information
    InfoField field = InfoField::kNone;
    RtfAside aside = RtfAside::kNone;
    bool fonts = false;  // inside the table of fonts
    int font = kNoFont;
    Shift shift = Shift::kNone;
    int heading = 0;        // level that the paragraph's properties give it
    int list_level = 0;     // of an item, from 0
    bool in_table = false;  // paragraphs are parts of a cell
    int skip_after_unicode = 1;
  };

  Group& group() { return groups_.back(); }
  const Group& group() const { return groups_.back(); }

  // False: the rest is not read.
  bool take(const RtfToken& token) {
    switch (token.kind) {
      case RtfToken::Kind::kOpen: return open_group();
      case RtfToken::Kind::kClose: close_group(); break;
      case RtfToken::Kind::kWord: take_word(token.word, token.number); break;
      case RtfToken::Kind::kOptional: take_optional(token.word); break;
      case RtfToken::Kind::kByte: add_byte(token.byte); break;
      case RtfToken::Kind::kEnd: break;
    }
    return true;
  }

  bool open_group() {
    if (groups_.size() > kDeepestGroup) {
      builder_.document().notes.emplace_back("what stands in groups nested more than 1000 deep was left out");
      return false;
    }
    groups_.push_back(groups_.back());
    group().field = InfoField::kNone;
    return true;
  }

  void close_group() {
    begin_shift(Shift::kNone);
    rag::Document& document = builder_.document();
    switch (group().field) {
      case InfoField::kTitle: take_metadata(document, "title", clean_text(std::exchange(text_, {}))); break;
      case InfoField::kAuthor: take_metadata(document, "author", clean_text(std::exchange(text_, {}))); break;
      case InfoField::kCreated: take_metadata(document, "date", date_.text()); break;
      case InfoField::kNone: break;
    }
    const RtfAside aside = group().aside;
    if (groups_.size() > 1) groups_.pop_back();
    if (aside != RtfAside::kNone && group().aside == RtfAside::kNone)
      end_aside(aside, std::exchange(text_, std::exchange(text_outside_, {})));
    begin_shift(group().shift);
  }

  // Of what older programs may pass over, text boxes, notes and comments are text. Some programs mark the styles of
  // characters so, in the middle of a group.
  void take_optional(std::string_view word) {
    group().fonts = false;  // other names of a font
    if (word != "shpinst" && word != "do" && word != "cs" && rtf_aside(word) == RtfAside::kNone) group().skipped = true;
  }

  void take_word(std::string_view word, std::optional<int> number) {
    if (take_font_word(word, number) || take_shift_word(word, number) || take_destination(word, number) ||
        take_info_word(word, number) || take_property(word, number) || take_end(word))
      return;
    if (word == "u" && number) {
      take_unicode(*number);
    } else if (word == "bin" && number) {
      lexer_.skip_bytes(*number);
    } else if (const auto said = rtf_said(word)) {
      add_text(*said);
    }
  }

  // Whether the word is about fonts and their code pages.
  bool take_font_word(std::string_view word, std::optional<int> number) {
    if (word == "fonttbl") {
      group().fonts = group().skipped = true;
    } else if (word == "f" && number && group().fonts) {
      fonts_.begin(*number);
    } else if (word == "f" && number && !group().skipped) {
      flush_bytes();
      group().font = *number;
    } else if (word == "fcharset" && number && group().fonts) {
      fonts_.set_charset(*number);
    } else if (word == "cpg" && number && group().fonts) {
      fonts_.set_code_page(*number);
    } else if (word == "deff" && number) {
      default_font_ = *number;
    } else if (word == "ansicpg" && number) {
      encoding_ = encoding_of_code_page(*number);
    } else if (word == "mac" || word == "pc" || word == "pca") {
      encoding_ = encoding_of_code_page(word == "mac" ? 10000 : word == "pc" ? 437 : 850);
    } else if (word == "v") {
      flush_bytes();
      group().hidden = number.value_or(1) != 0;
    } else if (word == "plain" && !group().skipped) {
      flush_bytes();
      group().hidden = false;
      group().font = kNoFont;
      shift_group(Shift::kNone);
    } else {
      return false;
    }
    return true;
  }

  // Whether the word raises or lowers text.
  bool take_shift_word(std::string_view word, std::optional<int> number) {
    if (word == "super" || word == "sub") {
      const Shift shift = word == "super" ? Shift::kRaised : Shift::kLowered;
      shift_group(number.value_or(1) != 0 ? shift : Shift::kNone);
    } else if (word == "nosupersub") {
      shift_group(Shift::kNone);
    } else {
      return false;
    }
    return true;
  }

  // Whether the word says what the group's text is for.
  bool take_destination(std::string_view word, std::optional<int> number) {
    const bool in_running = group().aside == RtfAside::kRunning;
    if (in_running && (word == "fldinst" || word == "chpgn")) running_has_fields_ = true;
    const bool is_deleted = word == "deleted" && number.value_or(1) != 0;  // by tracked changes
    if (rtf_is_unseen(word) || is_deleted || (in_running && word == "fldrslt")) {
      group().skipped = true;
    } else if (const RtfAside aside = rtf_aside(word); aside != RtfAside::kNone) {
      begin_aside(aside);
    } else {
      return false;
    }
    return true;
  }

  // Whether the word is of the document's information.
  bool take_info_word(std::string_view word, std::optional<int> number) {
    if (word == "info") {
      group().info = group().skipped = true;
    } else if (group().info && (word == "title" || word == "author")) {
      group().skipped = false;
      group().field = word == "title" ? InfoField::kTitle : InfoField::kAuthor;
    } else if (group().info && word == "creatim") {
      group().field = InfoField::kCreated;
      date_ = {};
    } else if (group().info && number && (word == "yr" || word == "mo" || word == "dy")) {
      (word == "yr" ? date_.year : word == "mo" ? date_.month : date_.day) = *number;
    } else {
      return false;
    }
    return true;
  }

  // Whether the word is a property of paragraphs or of how text is written.
  bool take_property(std::string_view word, std::optional<int> number) {
    if (word == "pard") {
      group().heading = group().list_level = 0;
      group().in_table = false;
    } else if (word == "intbl") {
      group().in_table = group().aside == RtfAside::kNone;
    } else if (word == "ilvl" && number) {
      group().list_level = std::clamp(*number, 0, kDeepestList);
    } else if (word == "s" && number) {
      style_ = *number;
      const auto level = style_levels_.find(*number);
      if (!group().skipped) group().heading = level == style_levels_.end() ? 0 : level->second;
    } else if (word == "outlinelevel" && number) {
      const int level = *number >= 0 && *number < 9 ? *number + 1 : 0;
      // In the table of styles, which is skipped, a style's.
      (group().skipped ? style_levels_[style_] : group().heading) = level;
    } else if (word == "uc" && number) {
      group().skip_after_unicode = std::clamp(*number, 0, 8);
    } else {
      return false;
    }
    return true;
  }

  // Whether the word ends a paragraph, a cell or a row.
  bool take_end(std::string_view word) {
    const bool is_row = word == "row";
    const bool is_cell = word == "cell";
    if (!is_row && !is_cell && word != "par" && word != "page" && word != "sect") return false;
    if (group().skipped) return true;
    if (group().aside != RtfAside::kNone || (!is_row && !is_cell)) {
      is_cell ? add_text(" ") : end_paragraph();
    } else if (is_cell) {
      end_cell();
    } else {
      end_row();
    }
    return true;
  }

  void end_cell() { cells_.push_back(list_place().before(take_text())); }

  void end_row() {
    flush_bytes();
    builder_.table_row(std::exchange(cells_, {}));
    write_notes();
  }

  void end_paragraph() {
    flush_bytes();
    if (group().aside == RtfAside::kRunning) {
      running_.take(take_text(), std::exchange(running_has_fields_, false));
    } else if (group().aside != RtfAside::kNone) {
      text_ += ' ';
    } else if (group().in_table) {
      text_ = list_place().before(take_text()) + ' ';
    } else {
      write_paragraph(take_text());
    }
  }

  void write_paragraph(const std::string& text) {
    add_numbered(group().heading, text, list_place(), builder_);
    write_notes();
  }

  void write_notes() {
    for (const std::string& note : std::exchange(notes_, {})) builder_.paragraph(note);
  }

  // Of the paragraph that ends.
  ListPlace list_place() { return rtf_list_place(std::exchange(marker_, {}), group().list_level); }

  // Within another it is a part of that.
  void begin_aside(RtfAside aside) {
    if (group().skipped || groups_.size() == 1) return;
    if (group().aside != RtfAside::kNone) {
      group().skipped = aside == RtfAside::kCommenter;
      return;
    }
    begin_shift(Shift::kNone);  // of its mark
    group().aside = aside;
    group().shift = Shift::kNone;
    group().heading = 0;
    group().in_table = false;
    text_outside_ = std::exchange(text_, {});
  }

  void end_aside(RtfAside aside, const std::string& text) {
    switch (aside) {
      case RtfAside::kNote: notes_.push_back(text); break;
      case RtfAside::kComment: notes_.push_back(comment_line(std::exchange(commenter_, {}), {}, text)); break;
      case RtfAside::kCommenter: commenter_ = text; break;
      case RtfAside::kMarker: take_marker(clean_text(text)); break;
      case RtfAside::kRunning: running_.take(text, std::exchange(running_has_fields_, false)); break;
      case RtfAside::kNone: break;
    }
  }

  // A cell may have several items, so it says their numbers within.
  void take_marker(std::string marker) {
    const bool within = group().in_table && !trim(text_).empty();
    if (!within) {
      marker_ = std::move(marker);
    } else if (const std::string number = rtf_list_place(marker, 0).number; !number.empty()) {
      text_.append(number).append(" ");
    }
  }

  void shift_group(Shift shift) {
    if (group().skipped) return;
    group().shift = shift;
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
    begin_shift(group().shift);
    return text;
  }

  void take_unicode(int number) {
    flush_bytes();
    const char32_t unit = static_cast<char32_t>(number < 0 ? number + 65536 : number) & 0xffff;
    if (unit >= 0xd800 && unit < 0xdc00) {
      high_surrogate_ = unit;
    } else if (unit >= 0xdc00 && unit < 0xe000) {
      if (high_surrogate_ != 0) put(0x10000 + ((high_surrogate_ - 0xd800) << 10) + (unit - 0xdc00));
      high_surrogate_ = 0;
    } else {
      put(unit);
    }
    lexer_.skip_stand_in(group().skip_after_unicode);
  }

  bool is_told() const { return !group().skipped && !group().hidden; }

  void put(char32_t character) {
    if (is_told()) text_ += fonts_.character_of(font(), character);
  }

  void add_byte(char c) {
    if (group().fonts) fonts_.add_to_name(c);
    if (is_told()) bytes_.push_back(c);
  }

  void add_text(std::string_view text) {
    flush_bytes();
    if (is_told()) text_ += text;
  }

  // Bytes in the code page of the file or the font, collected so that two-byte characters stay together.
  void flush_bytes() {
    if (bytes_.empty()) return;
    text_ += fonts_.text_of(font(), bytes_, encoding_);
    bytes_.clear();
  }

  int font() const { return group().font == kNoFont ? default_font_ : group().font; }

  struct Date {
    int year = 0;
    int month = 0;
    int day = 0;
    std::string text() const { return std::to_string(year) + "-" + std::to_string(month) + "-" + std::to_string(day); }
  };

  RtfLexer lexer_;
  DocumentBuilder& builder_;
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
  std::string text_outside_;         // of what stands beside it and is being read
  std::vector<std::string> notes_;   // called in the paragraph that is being read; they stand below it
  std::string commenter_;            // of the comment that comes next
  std::string marker_;               // of the item that is being read
  RunningTexts running_;
  bool running_has_fields_ = false;  // the paragraph of a header that is being read
  Date date_;                        // of the document's making
};

}  // namespace

void add_rtf(std::string_view rtf, DocumentBuilder& builder) {
  RtfReader reader(rtf, builder);
  reader.read_body();
  title_from_heading(builder.document());
  reader.write_running();
}

Status read_rtf(ReadContext& context, Input input) {
  const std::string bytes = std::move(input.bytes);
  rag::Document document;
  document.format = "rtf";
  DocumentBuilder builder(document, context.limits().text_bytes);
  add_rtf(bytes, builder);
  if (builder.empty()) {
    const std::string why = document.notes.empty() ? "." : ": " + document.notes.front() + ".";
    return unsupported(printable(input.name) + " holds no text" + why);
  }
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
