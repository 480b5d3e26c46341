// Org-mode: headlines as sections with what the outline says of them (state, priority, tags, days) in words,
// paragraphs, lists, tables, blocks, footnotes. Drawers, comments and subtrees that are commented out are left out.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/org/org_lines.h"
#include "rag/readers/org/org_words.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"
#include "rag/text/markup/latex_math.h"

namespace mneme::readers {
namespace {

constexpr int kLinesBetweenChecks = 1024;
constexpr size_t kDeepestList = 32;
constexpr size_t kMostNotes = 100'000;

struct Note {
  std::string text;
  int line_begin = 0;
  int line_end = 0;
};
using Notes = std::map<std::string, Note, std::less<>>;

// "[fn:1] What it says" at the beginning of a line: the label; "" elsewhere.
std::string_view defined_note(std::string_view line) {
  if (!line.starts_with("[fn:")) return {};
  const std::string_view label = line.substr(4, line.find_first_of(":] \t", 4) - 4);
  return line.substr(4 + label.size()).starts_with(']') ? label : std::string_view();
}

class OrgReader {
 public:
  OrgReader(ReadContext& context, std::string_view name, std::string_view text, DocumentBuilder& builder)
      : context_(context), name_(name), text_(text), builder_(builder) {}

  Status run() {
    MNEME_RETURN_IF_ERROR(for_each_line([&](const Line& line) { look_ahead(line); }));
    noted_.clear();
    MNEME_RETURN_IF_ERROR(for_each_line([&](const Line& line) { take(line); }));
    end_block();
    flush();
    tell_other_notes();
    return {};
  }

 private:
  template <typename Visit>
  Status for_each_line(const Visit& visit) {
    LineCursor lines(text_);
    Line line;
    for (int n = 1; lines.next(line) && !builder_.full(); ++n) {
      if (n % kLinesBetweenChecks == 0) MNEME_RETURN_IF_ERROR(context_.check(name_));
      visit(line);
    }
    return {};
  }

  // Words that say how far a task is, and footnotes, may stand behind what uses them.
  void look_ahead(const Line& line) {
    const OrgKeyword keyword = org_keyword(line.trimmed());
    if (keyword.name == "todo" || keyword.name == "seq_todo" || keyword.name == "typ_todo") todo_.take(keyword.value);
    const std::string_view label = defined_note(line.text);
    if (!label.empty() && notes_.size() < kMostNotes) {
      noted_ = label;
      const size_t begin = label.size() + 5;
      notes_.insert_or_assign(noted_, Note{std::string(trim(line.text.substr(begin))), line.number, line.number});
    } else if (ends_note(line)) {
      noted_.clear();
    } else if (!noted_.empty()) {
      Note& note = notes_[noted_];
      note.text.append("\n").append(line.trimmed());
      note.line_end = line.number;
    }
  }

  bool ends_note(const Line& line) const { return line.blank() || org_headline(line.text, todo_).level > 0; }

  void take(const Line& line) {
    const std::string_view trimmed = line.trimmed();
    const OrgHeadline headline = org_headline(line.text, todo_);
    if (!block_.empty() && headline.level == 0) return take_in_block(line);
    if (headline.level > 0) return take_headline(line, headline);
    if (comment_level_ > 0) return;
    if (!drawer_.empty()) {
      if (equals_ignoring_case(trimmed, ":end:")) drawer_.clear();
      return;
    }
    if (!noted_.empty() && !ends_note(line) && defined_note(line.text).empty()) return;
    noted_.clear();
    if (trimmed.empty()) return take_blank();
    if (!defined_note(line.text).empty()) {
      flush();
      noted_ = defined_note(line.text);
      return;
    }
    if (is_below_headline_ && take_planning(line)) return;
    if (take_drawer(trimmed) || take_keyword(line, trimmed) || take_comment(trimmed)) return;
    is_below_headline_ = false;
    if (trimmed.starts_with('|')) return take_row(line, trimmed);
    if (trimmed.starts_with(": ") || trimmed == ":") return take_fixed(line, trimmed);
    if (trimmed.starts_with("\\begin{")) return open_block(line, "latex");
    take_text(line);
  }

  void take_headline(const Line& line, const OrgHeadline& headline) {
    end_block();
    flush();
    drawer_.clear();
    noted_.clear();
    indents_.clear();
    if (comment_level_ > 0 && headline.level > comment_level_) return;
    comment_level_ = headline.is_comment ? headline.level : 0;
    if (comment_level_ > 0) return;
    builder_.set_lines(line.number, line.number);
    builder_.heading(headline.level, words_.text(headline.title));
    if (!headline.todo.empty()) label("Status", std::string(headline.todo));
    if (!headline.priority.empty()) label("Priority", std::string(headline.priority));
    label("Tags", tags(headline.tags));
    write_notes();
    is_below_headline_ = true;
  }

  void label(std::string_view name, const std::string& value) {
    if (!value.empty()) builder_.list_item(std::string(name) + ": " + value);
  }

  static std::string tags(std::string_view marked) {
    std::string all;
    while (!marked.empty()) {
      const size_t end = std::min(marked.find(':'), marked.size());
      if (end > 0) all.append(all.empty() ? "" : ", ").append(trim(marked.substr(0, end)));
      marked.remove_prefix(std::min(end + 1, marked.size()));
    }
    return all;
  }

  // "DEADLINE: <2026-03-15 Sun> SCHEDULED: <2026-03-01 Sun>"
  bool take_planning(const Line& line) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kNames = {
        {{"DEADLINE:", "Deadline"}, {"SCHEDULED:", "Scheduled"}, {"CLOSED:", "Closed"}}};
    std::string_view rest = line.trimmed();
    bool any = false;
    while (!rest.empty()) {
      const auto* const found =
          std::find_if(kNames.begin(), kNames.end(), [&](const auto& name) { return rest.starts_with(name.first); });
      if (found == kNames.end()) return any;
      rest = trim(rest.substr(found->first.size()));
      std::string when;
      const size_t size = org_time(rest, when);
      if (size == 0) return any;
      any = true;
      builder_.set_lines(line.number, line.number);
      label(found->second, when);
      rest = trim(rest.substr(size));
    }
    return any;
  }

  // Of drawers those that Org itself writes to are left out, of others the marks around them.
  bool take_drawer(std::string_view trimmed) {
    const std::string_view name = org_drawer(trimmed);
    if (name.empty()) return false;
    flush();
    const bool own = equals_ignoring_case(name, "properties") || equals_ignoring_case(name, "logbook");
    if (own) drawer_ = name;
    return true;
  }

  bool take_keyword(const Line& line, std::string_view trimmed) {
    if (trimmed.starts_with("CLOCK: ")) return true;
    const OrgKeyword keyword = org_keyword(trimmed);
    if (keyword.name.empty()) return trimmed.starts_with("#+");
    flush();
    if (keyword.opens_block) {
      open_block(line, keyword.name);
    } else if (!keyword.closes_block) {
      take_setting(line, keyword);
    }
    return true;
  }

  void take_setting(const Line& line, const OrgKeyword& keyword) {
    rag::Document& document = builder_.document();
    builder_.set_lines(line.number, line.number);
    const std::string value = words_.text(keyword.value);
    if (keyword.name == "title") {
      document.title += (document.title.empty() ? "" : " ") + clean_text(value);
    } else if (keyword.name == "author") {
      take_metadata(document, "author", clean_text(value));
    } else if (keyword.name == "date") {
      take_metadata(document, "date", keyword.value.substr(keyword.value.find_first_not_of("<[") == 1 ? 1 : 0));
    } else if (keyword.name == "filetags") {
      label("Tags", tags(keyword.value));
    } else if (keyword.name == "subtitle" || keyword.name == "description") {
      builder_.paragraph(value);
    } else if (keyword.name == "caption") {
      builder_.paragraph("Caption: " + value);
    }
    write_notes();
  }

  static bool take_comment(std::string_view trimmed) { return trimmed == "#" || trimmed.starts_with("# "); }

  // Blocks: code and examples as they stand, quotations and verse as text.
  void open_block(const Line& line, std::string_view name) {
    flush();
    block_line_ = line.number;
    block_ = name;
    block_text_.clear();
    if (name == "latex") return take_in_block(line);
    constexpr std::array<std::string_view, 7> kWhole = {"src",     "example", "verse", "quote",
                                                        "comment", "export",  "latex"};
    if (std::find(kWhole.begin(), kWhole.end(), name) == kWhole.end()) block_.clear();  // its lines are like others
  }

  void take_in_block(const Line& line) {
    const std::string_view trimmed = line.trimmed();
    const OrgKeyword keyword = org_keyword(trimmed);
    if (block_ != "latex" && keyword.closes_block && keyword.name == block_) return end_block();
    if (block_ == "latex" && trimmed.empty()) return end_block();
    block_end_ = line.number;
    if (trimmed.starts_with(",*") || trimmed.starts_with(",#+")) {
      const size_t comma = line.text.find(',');
      block_text_.append(line.text.substr(0, comma)).append(line.text.substr(comma + 1));
    } else {
      block_text_.append(line.text);
    }
    block_text_ += '\n';
    if (block_ == "latex" && trimmed.find("\\end{") != std::string_view::npos) end_block();
  }

  void end_block() {
    const std::string block = std::exchange(block_, {});
    const std::string text = std::exchange(block_text_, {});
    if (block.empty() || text.empty()) return;
    const bool marked = block != "latex";
    builder_.set_lines(block_line_ + (marked ? 1 : 0), block_end_);
    if (block == "src" || block == "example") {
      builder_.code(text);
    } else if (block == "quote" || block == "verse") {
      builder_.add(rag::BlockKind::kQuote, quoted(text, block == "verse"));
    } else if (block == "latex") {
      builder_.paragraph(formula(text));
    }
    write_notes();
  }

  std::string quoted(std::string_view text, bool keeps_lines) {
    std::string all;
    LineCursor lines(text);
    Line line;
    while (lines.next(line)) {
      const bool ends = keeps_lines || line.blank();
      if (!all.empty()) all += ends ? kLineBreak : std::string_view(" ");
      if (line.blank() && !keeps_lines) all += kLineBreak;
      all += words_.text(line.trimmed());
    }
    return all;
  }

  static std::string formula(std::string_view environment) {
    const size_t begin = environment.find('}');
    const size_t end = environment.rfind("\\end{");
    if (begin == std::string_view::npos || end == std::string_view::npos || end <= begin) {
      return rag::latex_math_text(environment);
    }
    return rag::latex_math_text(environment.substr(begin + 1, end - begin - 1));
  }

  void take_row(const Line& line, std::string_view trimmed) {
    flush();
    std::vector<std::string> cells;
    for (const std::string_view cell : org_cells(trimmed)) cells.push_back(words_.text(cell));
    builder_.set_lines(line.number, line.number);
    builder_.table_row(cells);
    write_notes();
  }

  // ": output", line by line.
  void take_fixed(const Line& line, std::string_view trimmed) {
    if (fixed_.empty()) {
      flush();
      first_line_ = line.number;
    }
    fixed_.append(trimmed.substr(std::min<size_t>(2, trimmed.size()))) += '\n';
    last_line_ = line.number;
  }

  void take_blank() {
    flush();
    is_below_headline_ = false;
  }

  void take_text(const Line& line) {
    const std::string_view trimmed = line.trimmed();
    const size_t indent = line.indent();
    const OrgBullet bullet = org_bullet(trimmed, indent);
    if (bullet.size > 0) {
      begin_item(line, bullet, indent);
    } else {
      // What stands no deeper than an item's mark is not of the item.
      const bool ends_list = !indents_.empty() && indent <= indents_.front();
      if (ends_list || !fixed_.empty()) flush();
      if (ends_list) indents_.clear();
      if (paragraph_.empty()) first_line_ = line.number;
      paragraph_.append(paragraph_.empty() ? "" : "\n").append(trimmed);
    }
    last_line_ = line.number;
  }

  void begin_item(const Line& line, const OrgBullet& bullet, size_t indent) {
    flush();
    while (!indents_.empty() && indents_.back() >= indent) indents_.pop_back();
    if (indents_.size() < kDeepestList) indents_.push_back(indent);
    is_item_ = true;
    marker_ = bullet.marker;
    first_line_ = line.number;
    paragraph_ = line.trimmed().substr(bullet.size);
  }

  // "term :: what it is"
  static std::string with_term(std::string text) {
    const size_t mark = text.find(" :: ");
    if (mark != std::string::npos) text.replace(mark, 4, ": ");
    return text;
  }

  void flush() {
    builder_.set_lines(first_line_, last_line_);
    if (!fixed_.empty()) builder_.code(std::exchange(fixed_, {}));
    const std::string text = words_.text(std::exchange(paragraph_, {}));
    if (std::exchange(is_item_, false)) {
      builder_.list_item(with_term(text), static_cast<int>(indents_.size()) - 1, marker_);
    } else {
      builder_.paragraph(text);
    }
    write_notes();
  }

  void write_notes() {
    for (auto& [label, text] : words_.take_notes()) {
      const auto note = label.empty() ? notes_.end() : notes_.find(label);
      if (note != notes_.end()) {
        write_note(note->second);
        note->second.text.clear();
      } else if (!text.empty()) {
        builder_.paragraph("Footnote: " + text);
      }
    }
  }

  void write_note(const Note& note) {
    builder_.set_lines(note.line_begin, note.line_end);
    if (!note.text.empty()) builder_.paragraph("Footnote: " + words_.text(note.text));
    words_.take_notes();  // of footnotes within footnotes
  }

  // Those that nothing calls.
  void tell_other_notes() {
    for (const auto& [label, note] : notes_) write_note(note);
  }

  ReadContext& context_;
  const std::string_view name_;
  const std::string_view text_;
  DocumentBuilder& builder_;
  OrgTodoWords todo_;
  OrgWords words_;
  Notes notes_;
  std::string noted_;  // the footnote whose definition goes on
  std::string drawer_;
  std::string block_;  // the kind that is open
  std::string block_text_;
  int block_line_ = 0;
  int block_end_ = 0;
  int comment_level_ = 0;  // of the subtree that is commented out; 0: none
  bool is_below_headline_ = false;
  std::vector<size_t> indents_;  // of the items that are open
  bool is_item_ = false;
  std::string marker_;
  std::string paragraph_;
  std::string fixed_;
  int first_line_ = 0;
  int last_line_ = 0;
};

}  // namespace

Status read_org(ReadContext& context, Input input) {
  auto decoded = decode_text(std::move(input.bytes));
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  make_breaks_plain(decoded->text);
  std::erase(decoded->text, '\r');
  rag::Document document;
  document.format = "org";
  if (!decoded->note.empty()) document.notes.push_back(std::move(decoded->note));
  DocumentBuilder builder(document, context.limits().text_bytes);
  MNEME_RETURN_IF_ERROR(OrgReader(context, input.name, decoded->text, builder).run());
  // A file of settings and comments alone is looked up as it is written.
  if (document.blocks.empty()) {
    document.text = std::move(decoded->text);
    parse_plain(document);
  }
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
