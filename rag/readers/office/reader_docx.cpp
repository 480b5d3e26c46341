// Word (docx): paragraphs with their styles, lists, tables; text boxes, charts, notes and comments where they are
// called; page numbers where Word has left its breaks.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/office/cell_layout.h"
#include "rag/readers/office/docx_notes.h"
#include "rag/readers/office/docx_numbering.h"
#include "rag/readers/office/embedded_files.h"
#include "rag/readers/office/office_drawing.h"
#include "rag/readers/office/office_math.h"
#include "rag/readers/office/side_parts.h"
#include "rag/readers/office/word_forms.h"
#include "rag/readers/office/word_text.h"
#include "rag/readers/office/zip_package.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

using HeadingStyles = std::map<std::string, int, std::less<>>;

// Heading level by style id, from names ("heading 2", "Title") and outline levels, inherited styles included.
HeadingStyles heading_styles(const pugi::xml_document& styles) {
  HeadingStyles levels;
  std::map<std::string, std::string> based_on;
  for (const pugi::xml_node style : styles.first_child().children()) {
    if (local_name(style) != "style") continue;
    const std::string id(attribute_named(style, "styleId"));
    const std::string name = lower_ascii(attribute_named(child_named(style, "name"), "val"));
    based_on[id] = attribute_named(child_named(style, "basedOn"), "val");
    const pugi::xml_node outline = child_named(child_named(style, "pPr"), "outlineLvl");
    if (name == "title") {
      levels[id] = 1;
    } else if (name.starts_with("heading ") && name.size() == 9 && name[8] >= '1' && name[8] <= '9') {
      levels[id] = name[8] - '0';
    } else if (outline) {
      const int level = to_int(attribute_named(outline, "val"), 9);
      if (level >= 0 && level < 9) levels[id] = level + 1;
    }
  }
  if (based_on.empty()) {  // no styles to be had: by the names that Word gives them
    levels["Title"] = 1;
    for (int level = 1; level <= 9; ++level) levels["Heading" + std::to_string(level)] = level;
  }
  for (const auto& [id, base] : based_on) {
    std::string_view ancestor = base;
    for (int steps = 0; steps < 10 && !ancestor.empty() && !levels.count(id); ++steps) {
      if (const auto found = levels.find(ancestor); found != levels.end()) levels[id] = found->second;
      const auto next = based_on.find(std::string(ancestor));
      ancestor = next == based_on.end() ? std::string_view() : std::string_view(next->second);
    }
  }
  return levels;
}

// Elements that only hold others, of a body or a table.
bool is_wrapper(std::string_view name) {
  return name == "sdt" || name == "sdtContent" || name == "ins" || name == "moveTo" || name == "customXml";
}

// What the body calls by ids.
struct BesideBody {
  SideParts& parts;
  PartLinks links;
  DocxNotes notes;
  DocxNumbering numbering;
};

class DocxWalker {
 public:
  // beside: what the body calls by ids. paged: the file says where pages begin.
  DocxWalker(ReadContext& context, DocumentBuilder& builder, HeadingStyles styles, BesideBody& beside, bool paged)
      : context_(context), builder_(builder), styles_(std::move(styles)), beside_(beside), page_(paged ? 1 : 0) {
    builder_.set_page(page_);
  }

  // What ended the walk early.
  const Status& status() const { return status_; }

  void walk_body(const pugi::xml_node& body, int depth = 0) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node node : body.children()) {
      const std::string_view name = local_name(node);
      if (builder_.full() || !status_.ok()) return;
      if (name == "p") {
        take_paragraph(node);
      } else if (name == "tbl") {
        Row above;
        take_table(node, depth + 1, above);
      } else if (is_wrapper(name) && !is_unfilled(node)) {
        walk_body(node, depth + 1);
      }
      take_what_hangs_on(depth);
    }
  }

 private:
  using Row = std::vector<std::string>;

  void take_paragraph(const pugi::xml_node& paragraph) {
    const int page_before = page_;
    std::string text;
    collect(paragraph, text, 0);
    const pugi::xml_node properties = child_named(paragraph, "pPr");
    const auto style = styles_.find(attribute_named(child_named(properties, "pStyle"), "val"));
    int level = style == styles_.end() ? 0 : style->second;
    if (const pugi::xml_node outline = child_named(properties, "outlineLvl")) {
      const int own = to_int(attribute_named(outline, "val"), 9);
      if (own >= 0 && own < 9) level = own + 1;
    }
    // A break at the very beginning belongs before the paragraph.
    builder_.set_page(break_first_ ? page_ : page_before);
    break_first_ = false;
    add_numbered(level, text, place_of(paragraph, text), builder_);
    builder_.set_page(page_);
  }

  // A paragraph that tracked changes took away, its mark included, is not counted.
  ListPlace place_of(const pugi::xml_node& paragraph, const std::string& text) {
    const pugi::xml_node properties = child_named(paragraph, "pPr");
    const bool is_gone = trim(text).empty() && child_named(child_named(properties, "rPr"), "del");
    return is_gone ? ListPlace() : beside_.numbering.count(properties);
  }

  // Text boxes and charts stand beside the paragraph or table that holds them, notes and comments below it: under its
  // heading, on its page.
  void take_what_hangs_on(int depth) {
    const std::vector<std::string> called = std::exchange(called_notes_, {});
    for (const pugi::xml_node& box : std::exchange(boxes_, {})) walk_body(box, depth + 1);
    for (const std::string& id : std::exchange(drawings_, {})) take_drawing(id);
    for (const std::string& note : called) builder_.paragraph(note);
  }

  void take_drawing(const std::string& id) {
    const std::string part = beside_.links.target_by_id(id);
    if (part.empty() || !status_.ok()) return;
    pugi::xml_document tree;
    status_ = beside_.parts.read(part, "a drawing", tree);
    add_drawing(tree, ChartNumbers::kAsTable, builder_);
  }

  // Text of runs; deleted text (w:del) and field codes are left out.
  void collect(const pugi::xml_node& node, std::string& text, int depth) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node child : node.children()) {
      const std::string_view name = local_name(child);
      if (const auto said = word_characters(child)) {
        text += *said;
      } else if (name == "lastRenderedPageBreak") {
        count_page(text);
      } else if (name.ends_with("Reference")) {
        called_notes_.push_back(beside_.notes.called(name, attribute_named(child, "id")));
      } else if (name == "chart" || name == "relIds") {
        drawings_.emplace_back(attribute_named(child, name == "chart" ? "id" : "dm"));
      } else if (name == "fldChar") {
        take_field_mark(child, text);
      } else if (name == "txbxContent" || name == "txBody") {
        boxes_.push_back(child);
      } else if (name == "textpath") {
        called_notes_.emplace_back(attribute_named(child, "string"));
      } else if ((name == "sdt" && is_unfilled(child)) || (name == "r" && is_hidden_run(child))) {
        continue;
      } else if (const Shift shift = word_shift(child); shift != Shift::kNone) {
        std::string shifted;
        collect(child, shifted, depth + 1);
        append_shifted(text, shifted, shift);
      } else if (name == "oMath") {
        text += math_text(child, context_.limits().structure_depth - depth);
      } else if (!is_unseen_in_word(name)) {
        collect(child, text, depth + 1);
      }
    }
  }

  // What a form field shows by itself, unless runs say it, too.
  void take_field_mark(const pugi::xml_node& mark, std::string& text) {
    const std::string_view type = attribute_named(mark, "fldCharType");
    if (type == "begin") form_field_ = {form_field_text(mark), text.size()};
    if (type != "end") return;
    if (text.size() == form_field_.begin) text += form_field_.text;
    form_field_ = {};
  }

  void count_page(const std::string& text) {
    if (page_ == 0) return;
    ++page_;
    break_first_ = text.find_first_not_of(' ') == std::string::npos;
  }

  // `above`: the cells of the row before.
  void take_table(const pugi::xml_node& table, int depth, Row& above) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node row : table.children()) {
      const std::string_view name = local_name(row);
      if (builder_.full()) return;
      if (is_wrapper(name) && !is_unfilled(row)) take_table(row, depth + 1, above);
      if (name != "tr" || child_named(child_named(row, "trPr"), "del")) continue;
      if (is_laid_out_in_word(row)) {
        above.clear();
        walk_cells(row, depth + 1);
        continue;
      }
      above = cells_of(row, depth, above);
      builder_.set_page(page_);
      builder_.table_row(above);
    }
  }

  void walk_cells(const pugi::xml_node& row, int depth) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node node : row.children()) {
      if (local_name(node) == "tc") walk_body(node, depth + 1);
      if (is_wrapper(local_name(node)) && !is_unfilled(node)) walk_cells(node, depth + 1);
    }
  }

  // One for each column of the table: a cell over several columns is followed by empty ones, and one over several rows
  // says in each what it says.
  Row cells_of(const pugi::xml_node& row, int depth, const Row& above) {
    Row cells(columns_in(child_named(child_named(row, "trPr"), "gridBefore"), 0));
    for (const pugi::xml_node cell : row.children()) {
      if (local_name(cell) != "tc" && local_name(cell) != "sdt") continue;
      const bool says = !is_unfilled(cell);
      if (cells.size() >= kMostColumns) break;
      const pugi::xml_node properties = child_named(cell, "tcPr");
      const pugi::xml_node merged = child_named(properties, "vMerge");
      std::string text;
      if (says) collect_cell(cell, text, depth);
      const bool goes_on = merged && attribute_named(merged, "val") != "restart" && text.empty();
      const bool labelled = goes_on && cells.size() < above.size() && above[cells.size()].size() <= kLongestLabel;
      if (labelled) text = above[cells.size()];
      cells.push_back(std::move(text));
      cells.resize(cells.size() + columns_in(child_named(properties, "gridSpan"), 1) - 1);
    }
    return cells;
  }

  static size_t columns_in(const pugi::xml_node& count, int otherwise) {
    constexpr int kWidest = 64;
    return static_cast<size_t>(std::clamp(to_int(attribute_named(count, "val"), otherwise), otherwise, kWidest));
  }

  void collect_cell(const pugi::xml_node& cell, std::string& text, int depth) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node node : cell.children()) {
      if (local_name(node) == "p") {
        if (!text.empty()) text += ' ';
        std::string paragraph;
        collect(node, paragraph, depth);
        // A cell may say its number alone.
        const std::string number = place_of(node, paragraph).number;
        if (!number.empty()) text.append(number).append(" ");
        text += paragraph;
      } else if (local_name(node) != "tcPr" && !is_unfilled(node)) {
        collect_cell(node, text, depth + 1);
      }
    }
  }

  ReadContext& context_;
  DocumentBuilder& builder_;
  HeadingStyles styles_;
  BesideBody& beside_;
  Status status_;
  int page_;
  bool break_first_ = false;
  struct FormField {
    std::string text;
    size_t begin = 0;
  };
  FormField form_field_;                   // that is being read
  std::vector<pugi::xml_node> boxes_;      // met in what is being read
  std::vector<std::string> drawings_;      // likewise: ids of links
  std::vector<std::string> called_notes_;  // likewise: texts
};

Status read_beside(const std::string& main, int depth, BesideBody& beside, HeadingStyles& headings) {
  SideParts& parts = beside.parts;
  MNEME_RETURN_IF_ERROR(parts.links_of(main, beside.links));
  const std::string folder = member_folder(main);
  pugi::xml_document styles;
  MNEME_RETURN_IF_ERROR(parts.read_if_there(folder + "styles.xml", "the styles (what is a heading)", styles));
  headings = heading_styles(styles);
  const std::string named = beside.links.target_by_kind("numbering");
  const std::string lists = named.empty() ? folder + "numbering.xml" : named;
  pugi::xml_document numbering;
  MNEME_RETURN_IF_ERROR(parts.read_if_there(lists, "the lists (numbers of paragraphs)", numbering));
  beside.numbering.read(numbering, styles);
  return beside.notes.read(parts, beside.links, folder, depth);
}

// What no place of the body calls.
void add_behind_body(const DocxNotes& notes, DocumentBuilder& builder) {
  const std::vector<std::string> comments = notes.uncalled_comments();
  if (!comments.empty()) builder.heading(1, "Comments");
  for (const std::string& comment : comments) builder.paragraph(comment);
  notes.running().write(builder);
}

}  // namespace

Status read_docx(ReadContext& context, Input input) {
  auto package = ZipPackage::open(context, std::move(input));
  if (!package.ok()) return package.status();
  ZipPackage& zip = **package;
  rag::Document document;
  document.format = "docx";
  SideParts parts(context, zip, document);
  const std::string main = main_part(zip, "word/document.xml");
  auto text = zip.read(main);
  if (!text.ok()) return text.status();
  const bool paged = text->find("lastRenderedPageBreak") != std::string::npos;
  text = std::string();
  pugi::xml_document body;
  MNEME_RETURN_IF_ERROR(zip.read_xml(main, body));
  MNEME_RETURN_IF_ERROR(take_core_properties(parts, document));
  BesideBody beside{parts, {}, {}, {}};
  HeadingStyles headings;
  MNEME_RETURN_IF_ERROR(read_beside(main, context.limits().structure_depth, beside, headings));
  DocumentBuilder builder(document, context.limits().text_bytes);
  DocxWalker walker(context, builder, std::move(headings), beside, paged);
  walker.walk_body(child_named(body.document_element(), "body"));
  MNEME_RETURN_IF_ERROR(walker.status());
  title_from_heading(document);
  add_behind_body(beside.notes, builder);
  if (builder.empty()) return parts.nothing_there();
  parts.finish();
  MNEME_RETURN_IF_ERROR(context.emit(zip.name(), std::move(document)));
  return read_embedded_files(context, zip);
}

}  // namespace mneme::readers
