// LaTeX: sections, paragraphs, lists, tables, captions, code and formulas as their readers see them; the preamble gives
// title, author and date. What another file is taken from (\input) is read with that file.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/tex/tex_commands.h"
#include "rag/readers/tex/tex_cursor.h"
#include "rag/readers/tex/tex_expansion.h"
#include "rag/readers/tex/tex_table.h"
#include "rag/readers/tex/tex_words.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kDeepest = 64;  // environments within environments that are told apart
constexpr int kStepsBetweenChecks = 4096;

class TexReader {
 public:
  TexReader(ReadContext& context, std::string_view name, const TexExpansion& tex, DocumentBuilder& builder)
      : context_(context), name_(name), tex_(tex), builder_(builder), cursor_(tex.text) {}

  Status run() {
    constexpr std::string_view kBegin = "\\begin{document}";
    const std::string_view text = tex_.text;
    const size_t body = text.find(kBegin);
    if (body != std::string_view::npos) {
      read_preamble(text.substr(0, body));
      cursor_ =
          TexCursor(text.substr(0, std::min(text.find("\\end{document}", body), text.size())), body + kBegin.size());
    }
    for (int64_t n = 1; !cursor_.done() && !builder_.full(); ++n) {
      if (n % kStepsBetweenChecks == 0) MNEME_RETURN_IF_ERROR(context_.check(name_));
      step();
    }
    flush();
    return {};
  }

 private:
  struct Environment {
    std::string_view name;
    TexEnvironment kind;
    int n_items = 0;
  };

  void read_preamble(std::string_view preamble) {
    for (TexCursor cursor(preamble); !cursor.done();) {
      if (cursor.peek() != '\\') {
        cursor.skip(1);
        continue;
      }
      take_metadata_of(cursor.command(), cursor);
    }
  }

  // \title, \author, \date; false for other commands.
  bool take_metadata_of(std::string_view command, TexCursor& cursor) {
    if (command != "title" && command != "author" && command != "date") return false;
    while (cursor.option()) {
    }
    const auto group = cursor.group();
    if (!group) return true;
    if (command == "title") {
      title_ = words_.text(*group);
      take_metadata(builder_.document(), "title", clean_text(title_));
    } else if (command == "author") {
      take_authors(*group);
    } else {
      take_metadata(builder_.document(), "date", clean_text(words_.text(*group)));
    }
    words_.take_notes();
    return true;
  }

  // Of each author the first line is the name.
  void take_authors(std::string_view group) {
    std::string names;
    while (!group.empty()) {
      const size_t end = std::min(group.find("\\and"), group.size());
      std::string author = words_.text(group.substr(0, end));
      authors_ += (authors_.empty() ? "" : std::string(kLineBreak)) + author;
      author.resize(std::min(author.find(kLineBreak), author.size()));
      names += (names.empty() ? "" : ", ") + clean_text(author);
      group.remove_prefix(std::min(end + 4, group.size()));
    }
    take_metadata(builder_.document(), "author", names);
  }

  void step() {
    const char c = cursor_.peek();
    if (c == '\n') return take_line_end();
    if (c == '\\') {
      TexCursor ahead = cursor_;
      if (take_block(ahead.command(), ahead)) {
        cursor_ = ahead;
        return;
      }
    }
    if (text_.empty()) first_ = cursor_.at();
    words_.take(cursor_, text_);
    last_ = cursor_.at();
  }

  // An empty line ends a paragraph.
  void take_line_end() {
    size_t n_breaks = 0;
    for (; cursor_.peek() == '\n' || cursor_.peek() == ' ' || cursor_.peek() == '\t'; cursor_.skip(1))
      if (cursor_.peek() == '\n') ++n_breaks;
    if (n_breaks > 1) return flush();
    if (!text_.empty()) text_ += ' ';
  }

  // False where the command is one of words; `after` is then anywhere.
  bool take_block(std::string_view command, TexCursor& after) {
    if (const int level = tex_heading_level(command)) {
      take_heading(level, after);
    } else if (command == "par" || command == "bigskip" || command == "medskip" || command == "smallskip" ||
               command == "clearpage" || command == "newpage") {
      flush();
    } else if (command == "item") {
      begin_item(after);
    } else if (command == "bibitem") {
      take_bibliography_item(after);
    } else if (command == "caption" || command == "captionof") {
      take_caption(command, after);
    } else if (command == "maketitle") {
      flush();
      builder_.heading(1, title_);
      builder_.paragraph(authors_);
    } else if (command == "begin") {
      return begin_environment(after);
    } else if (command == "end") {
      const auto name = after.group();
      end_environment(name ? *name : "");
    } else {
      return take_metadata_of(command, after);
    }
    return true;
  }

  void take_heading(int level, TexCursor& after) {
    flush();
    is_item_ = false;
    const size_t begin = cursor_.at();
    if (after.peek() == '*') after.skip(1);
    after.option();  // a shorter title
    const auto title = after.group();
    set_lines(begin, after.at());
    if (title) builder_.heading(level, words_.text(*title));
    write_notes();
  }

  void begin_item(TexCursor& after) {
    flush();
    marker_ = "-";
    is_item_ = true;
    first_ = cursor_.at();
    Environment* const list = innermost_list();
    if (list != nullptr && list->kind == TexEnvironment::kNumbered) marker_ = std::to_string(++list->n_items) + ".";
    const auto label = after.option();
    if (!label) return;
    const std::string term = clean_text(words_.text(*label));
    if (term.empty()) return;
    const bool is_term = list == nullptr || list->kind == TexEnvironment::kTerms;
    marker_ = is_term && !term.ends_with(':') ? term + ":" : term;
  }

  void take_bibliography_item(TexCursor& after) {
    flush();
    after.option();
    const auto key = after.group();
    is_item_ = true;
    first_ = cursor_.at();
    marker_ = key ? "[" + clean_text(*key) + "]" : "-";
  }

  // "Figure: ...": by the environment it stands in.
  void take_caption(std::string_view command, TexCursor& after) {
    flush();
    std::string_view of = "Caption";
    const auto kind = command == "captionof" ? after.group() : std::nullopt;
    if (after.peek() == '*') after.skip(1);
    after.option();
    const auto words = after.group();
    for (const Environment& environment : open_) {
      if (environment.name.find("table") != std::string_view::npos) of = "Table";
      if (environment.name.find("figure") != std::string_view::npos) of = "Figure";
    }
    if (kind) of = *kind == "table" ? "Table" : "Figure";
    set_lines(cursor_.at(), after.at());
    if (words) builder_.paragraph(std::string(of) + ": " + words_.text(*words));
    write_notes();
  }

  bool begin_environment(TexCursor& after) {
    const auto name = after.group();
    if (!name) return true;
    const TexEnvironment kind = tex_environment(*name);
    if (kind == TexEnvironment::kMath) return false;  // a formula within its sentence
    flush();
    const size_t begin = cursor_.at();
    const auto option = after.peek() == '[' ? after.option() : std::nullopt;
    for (int i = tex_environment_groups(*name); i > 0; --i) after.group();
    if (kind == TexEnvironment::kSilent) {
      after.environment(*name);
    } else if (kind == TexEnvironment::kVerbatim) {
      take_code(begin, *name, after);
    } else if (kind == TexEnvironment::kTable) {
      take_table(begin, *name, after);
    } else {
      if (open_.size() < kDeepest) open_.push_back({*name, kind});
      if (kind == TexEnvironment::kOther) introduce(*name, option, after);
    }
    return true;
  }

  void take_code(size_t begin, std::string_view name, TexCursor& after) {
    while (after.peek() == '[' && after.option()) {
    }
    const std::string_view code = after.environment(name);
    set_lines(begin, after.at());
    builder_.code(code);
  }

  void take_table(size_t begin, std::string_view name, TexCursor& after) {
    const std::string_view content = after.environment(name);
    set_lines(begin, after.at());
    for (const std::vector<std::string_view>& row : tex_table_rows(content)) {
      std::vector<std::string> cells;
      cells.reserve(row.size());
      for (const std::string_view cell : row) cells.push_back(words_.text(cell));
      builder_.table_row(cells);
    }
    write_notes();
  }

  // What an environment says of itself: "Abstract", "Theorem (Name).", the title of a slide.
  void introduce(std::string_view name, std::optional<std::string_view> option, TexCursor& after) {
    set_lines(cursor_.at(), after.at());
    if (name == "abstract") return builder_.heading(tex_heading_level("section"), "Abstract");
    if (name == "thebibliography") return builder_.heading(tex_heading_level("section"), "References");
    if (name == "frame" || name == "block") {
      TexCursor title = after;
      const auto words = title.peek() == '{' ? title.group() : std::nullopt;
      if (!words) return;
      after = title;
      return builder_.heading(tex_heading_level(name == "frame" ? "subsection" : "paragraph"), words_.text(*words));
    }
    const auto own = tex_.theorems.find(name);
    const std::string_view called = own != tex_.theorems.end() ? std::string_view(own->second) : tex_statement(name);
    if (called.empty()) return;
    first_ = cursor_.at();
    text_ = words_.text(called) + (option ? " (" + words_.text(*option) + ")" : "") + ". ";
  }

  void end_environment(std::string_view name) {
    flush();
    const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](const auto& e) { return e.name == name; });
    if (found == open_.rend()) return;
    if (is_list(found->kind)) is_item_ = false;  // one without words
    open_.erase(std::prev(found.base()), open_.end());
  }

  static bool is_list(TexEnvironment kind) {
    return kind == TexEnvironment::kItems || kind == TexEnvironment::kNumbered || kind == TexEnvironment::kTerms;
  }
  Environment* innermost_list() {
    const auto found = std::find_if(open_.rbegin(), open_.rend(), [](const auto& e) { return is_list(e.kind); });
    return found != open_.rend() ? &*found : nullptr;
  }

  void set_lines(size_t begin, size_t end) {
    // White space behind the last word is not of it.
    while (end > begin + 1 && is_space(tex_.text[end - 1])) --end;
    builder_.set_lines(tex_.line_of(begin), tex_.line_of(end > begin ? end - 1 : begin));
  }

  void flush() {
    const std::string text = std::exchange(text_, {});
    if (clean_text(text).empty()) return write_notes();  // an item goes on behind an empty line
    set_lines(first_, std::max(first_, last_));
    const auto depth = std::count_if(open_.begin(), open_.end(), [](const auto& e) { return is_list(e.kind); });
    const bool is_quoted =
        std::any_of(open_.begin(), open_.end(), [](const auto& e) { return e.kind == TexEnvironment::kQuote; });
    if (std::exchange(is_item_, false)) {
      builder_.list_item(text, std::max(0, static_cast<int>(depth) - 1), marker_);
    } else {
      builder_.add(is_quoted ? rag::BlockKind::kQuote : rag::BlockKind::kParagraph, text);
    }
    write_notes();
  }

  void write_notes() {
    for (const std::string& note : words_.take_notes()) builder_.paragraph("Footnote: " + note);
  }

  ReadContext& context_;
  const std::string_view name_;
  const TexExpansion& tex_;
  DocumentBuilder& builder_;
  TexCursor cursor_;
  TexWords words_;
  std::vector<Environment> open_;
  std::string text_;  // of the block that is open
  size_t first_ = 0;  // where it begins
  size_t last_ = 0;
  bool is_item_ = false;
  std::string marker_;
  std::string title_;
  std::string authors_;
};

}  // namespace

Status read_tex(ReadContext& context, Input input) {
  auto decoded = decode_text(std::move(input.bytes));
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  make_breaks_plain(decoded->text);
  std::erase(decoded->text, '\r');
  rag::Document document;
  document.format = "latex";
  if (!decoded->note.empty()) document.notes.push_back(std::move(decoded->note));
  DocumentBuilder builder(document, context.limits().text_bytes);
  MNEME_ASSIGN_OR_RETURN(const TexExpansion tex, expand_tex(decoded->text, context.limits().text_bytes,
                                                            [&] { return context.check(input.name); }));
  MNEME_RETURN_IF_ERROR(TexReader(context, input.name, tex, builder).run());
  // A file of macros alone is looked up as it is written.
  if (document.blocks.empty()) {
    document.text = std::move(decoded->text);
    parse_source(document);
  }
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
