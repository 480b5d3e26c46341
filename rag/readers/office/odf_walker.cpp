#include "rag/readers/office/odf_walker.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "rag/readers/office/cell_layout.h"
#include "rag/readers/office/zip_package.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

constexpr int kMostRepeats = 64;  // of equal cells; files repeat empty ones thousands of times

bool is_skipped(std::string_view name) {
  return name == "tracked-changes" || name == "sequence-decls" || name == "forms" || name == "index-title-template";
}

// How a word is read aloud; what a program made of a number, which is counted here; how a picture is described, or
// which cells a chart shows; prompts to fill in something; programs.
bool is_beside_words(const pugi::xml_node& node, std::string_view name) {
  if (name == "title") return std::string_view(node.name()).starts_with("svg:");  // else the document's
  return name == "ruby-text" || name == "number" || name == "desc" || name == "placeholder" || name == "script";
}

// Shapes that may hold text; what lies in a line of text may be any of them.
bool is_shape(std::string_view name) {
  static constexpr std::array<std::string_view, 12> kShapes = {
      "text-box", "custom-shape", "rect", "ellipse",   "circle",  "line",
      "polyline", "polygon",      "path", "connector", "caption", "regular-polygon"};
  return std::find(kShapes.begin(), kShapes.end(), name) != kShapes.end();
}

// Sections and texts that their author, or a condition, hides.
bool is_hidden(const pugi::xml_node& node, std::string_view name) {
  if (name != "section" && name != "hidden-text") return false;
  return attribute_named(node, "is-hidden") == "true" || attribute_named(node, "display") == "none";
}

// As its author typed it ("x^2 over 2"), where the file has that.
std::string formula_text(const pugi::xml_node& math) {
  const auto is_typed = [](const pugi::xml_node& node) { return local_name(node) == "annotation"; };
  std::string text = math.find_node(is_typed).child_value();
  if (!text.empty()) {
    const auto is_space = [](char c) { return c == '~' || c == '`'; };
    std::replace_if(text.begin(), text.end(), is_space, ' ');
    return clean_text(text);
  }
  math.find_node([&](const pugi::xml_node& node) {
    text += node.value();
    return false;
  });
  return clean_text(text);
}

}  // namespace

void OdfWalker::count_pages(std::set<std::string, std::less<>> breaking) {
  breaking_ = std::move(breaking);
  page_ = 1;
  builder_.set_page(1);
}

void OdfWalker::walk(const pugi::xml_node& node, int depth, int list_depth) {
  if (depth > context_.limits().structure_depth) return;
  for (const pugi::xml_node child : node.children()) {
    if (builder_.full() || !status_.ok()) return;
    if (breaking_.contains(attribute_named(child, "style-name")) && !builder_.empty()) {
      next_page();
      builder_.set_page(page_);
    }
    take_block(child, local_name(child), depth, list_depth);
  }
}

void OdfWalker::take_block(const pugi::xml_node& node, std::string_view name, int depth, int list_depth) {
  if (name == "h") {
    take_heading(node, depth);
  } else if (name == "p") {
    take_paragraph(node, depth, list_depth);
  } else if (name == "list") {
    take_list(node, depth, list_depth);
  } else if (name == "list-item" || name == "list-header") {
    numbering_.begin_item(node);
    walk(node, depth + 1, list_depth + 1);
  } else if (name == "table") {
    take_table(node, depth);
    add_what_hangs_on(depth);
  } else if (name == "soft-page-break") {
    next_page();
    builder_.set_page(page_);
  } else if (name == "annotation" || name == "object") {
    std::string formula;
    if (!take_object(node, formula)) collect_beside(node, name, depth);
    builder_.paragraph(formula);
    add_what_hangs_on(depth);
  } else if (name == "notes") {
    take_speaker_notes(node, depth);
  } else if (!is_skipped(name) && !is_hidden(node, name)) {
    walk(node, depth + 1, list_depth);
  }
}

void OdfWalker::take_slide(const pugi::xml_node& slide, int number) {
  page_ = number;
  builder_.set_page(number);
  const auto is_title = [](const pugi::xml_node& frame) { return attribute_named(frame, "class") == "title"; };
  // Titles first: frames lie in the order in which they are drawn, whatever they are.
  for (const pugi::xml_node frame : slide.children()) {
    if (builder_.full() || !status_.ok()) return;
    if (!is_title(frame)) continue;
    builder_.heading(1, text_of(frame));
    add_what_hangs_on(0);
  }
  for (const pugi::xml_node frame : slide.children()) {
    if (builder_.full() || !status_.ok()) return;
    if (!is_title(frame)) take_block(frame, local_name(frame), 0, 0);
  }
}

std::vector<std::string> OdfWalker::cells_of(const pugi::xml_node& row) {
  std::vector<std::string> cells;
  int pending = 0;  // empty cells that only count when something follows
  for (const pugi::xml_node cell : row.children()) {
    const bool covered = local_name(cell) == "covered-table-cell";
    if (!covered && local_name(cell) != "table-cell") continue;
    if (cells.size() > kMostColumns) break;
    const int repeats = std::clamp(to_int(attribute_named(cell, "number-columns-repeated"), 1), 1, kMostRepeats);
    const size_t column = cells.size() + static_cast<size_t>(pending);
    const std::string text = covered ? taken_from_above(column) : text_of(cell);
    if (!covered) hang(column, to_int(attribute_named(cell, "number-rows-spanned"), 1), text);
    if (trim(text).empty()) {
      pending = std::min(pending + repeats, kMostRepeats);
      continue;
    }
    cells.insert(cells.end(), static_cast<size_t>(std::exchange(pending, 0)), std::string());
    cells.insert(cells.end(), static_cast<size_t>(covered ? 1 : repeats), text);
  }
  return cells;
}

std::vector<OdfNote> OdfWalker::take_notes() {
  return std::exchange(notes_, {});
}

void OdfWalker::take_heading(const pugi::xml_node& node, int depth) {
  const int level = std::clamp(to_int(attribute_named(node, "outline-level"), 1), 1, 9);
  const ListPlace place{.number = numbering_.count_heading(node)};
  builder_.heading(level, place.before(text_of(node)));
  builder_.set_page(page_);
  add_what_hangs_on(depth);
}

void OdfWalker::take_list(const pugi::xml_node& node, int depth, int list_depth) {
  numbering_.begin_list(node);
  walk(node, depth + 1, list_depth);
  numbering_.end_list();
}

void OdfWalker::take_paragraph(const pugi::xml_node& node, int depth, int list_depth) {
  const std::string text = text_of(node);
  const ListPlace place = numbering_.count_paragraph(node);
  if (list_depth > 0 && !place.is_clause) {
    builder_.list_item(text, list_depth - 1, place.number.empty() ? "-" : std::string_view(place.number));
  } else {
    builder_.paragraph(place.before(text));
  }
  builder_.set_page(page_);
  add_what_hangs_on(depth);
}

// The page of notes behind a slide. What its other frames have a class for repeats on every page.
void OdfWalker::take_speaker_notes(const pugi::xml_node& node, int depth) {
  constexpr std::string_view kLabel = "Speaker notes: ";
  std::string text;
  for (const pugi::xml_node frame : node.children()) {
    const std::string_view is = attribute_named(frame, "class");
    if (!is.empty() && is != "notes") continue;
    if (!text.empty()) text += ' ';
    collect(child_named(frame, "text-box"), text, depth);
  }
  if (!trim(text).empty()) builder_.paragraph(std::string(kLabel).append(text));
  add_what_hangs_on(depth);
}

// Below the paragraph or table that holds them: within it they would part its sentences.
void OdfWalker::add_what_hangs_on(int depth) {
  const std::vector<OdfNote> notes = take_notes();
  add_boxes(depth);
  for (const OdfNote& note : notes) {
    builder_.paragraph(note.is_comment ? comment_line(note.author, {}, note.text) : note.text);
  }
}

void OdfWalker::add_boxes(int depth) {
  const Objects objects = std::exchange(objects_, {});
  const OdfNumbering::AsideScope aside(numbering_);
  for (const pugi::xml_node& box : std::exchange(boxes_, {})) walk(box, depth + 1);
  for (const auto& object : objects) add_object(object->document_element(), depth + 1);
}

void OdfWalker::take_table(const pugi::xml_node& table, int depth, int group_depth) {
  if (group_depth > 8) return;
  if (group_depth == 0) begin_table();
  for (const pugi::xml_node child : table.children()) {
    const std::string_view name = local_name(child);
    if (name == "table-row" && is_laid_out_in_odf(child)) {
      walk_cells(child, depth + 1);
    } else if (name == "table-row") {
      builder_.table_row(cells_of(child));
    } else if (name == "table-header-rows" || name == "table-rows" || name == "table-row-group") {
      take_table(child, depth, group_depth + 1);
    }
  }
  builder_.set_page(page_);
}

void OdfWalker::walk_cells(const pugi::xml_node& row, int depth) {
  for (const pugi::xml_node cell : row.children()) {
    if (local_name(cell) == "table-cell") walk(cell, depth + 1);
  }
  begin_table();
}

// A document in the document, which stands below what holds it; a formula stands within. False: the node is none.
bool OdfWalker::take_object(const pugi::xml_node& node, std::string& text) {
  if (local_name(node) != "object") return false;
  if (const pugi::xml_node math = child_named(node, "math")) {
    text += formula_text(math);
    return true;
  }
  const std::string part = resolve_member({}, attribute_named(node, "href")) + "/content.xml";
  if (!parts_.has(part) || !status_.ok()) return true;  // a picture may stand for it
  auto tree = std::make_unique<pugi::xml_document>();
  status_ = parts_.read(part, "an embedded object", *tree);
  if (local_name(tree->document_element()) == "math") {
    text += formula_text(tree->document_element());
  } else if (status_.ok()) {
    objects_.push_back(std::move(tree));
  }
  return true;
}

void OdfWalker::add_object(const pugi::xml_node& document, int depth) {
  if (depth > context_.limits().structure_depth) return;
  const pugi::xml_node body = child_named(document, "body");
  if (const pugi::xml_node chart = child_named(child_named(body, "chart"), "chart")) return add_chart(chart);
  walk(child_named(body, "text"), depth);
  walk(child_named(body, "drawing"), depth);
  walk(child_named(body, "presentation"), depth);
  for (const pugi::xml_node table : child_named(body, "spreadsheet").children()) {
    if (local_name(table) == "table") take_table(table, depth);
  }
  add_what_hangs_on(depth);  // while the object's tree is there
}

void OdfWalker::add_chart(const pugi::xml_node& chart) {
  std::string head;
  const auto take_title = [&](const pugi::xml_node& parent) {
    const std::string title = clean_text(text_of(child_named(parent, "title")));
    if (!title.empty()) head.append(head.empty() ? "Chart: " : "; ").append(title);
  };
  take_title(chart);
  for (const pugi::xml_node axis : child_named(chart, "plot-area").children()) {
    if (local_name(axis) == "axis") take_title(axis);
  }
  builder_.paragraph(head);
  if (numbers_ == ChartNumbers::kAsTable) take_table(child_named(chart, "table"), 0);
  notes_.clear();
  objects_.clear();
  boxes_.clear();
}

std::string OdfWalker::text_of(const pugi::xml_node& node) {
  std::string text;
  collect(node, text, 0);
  return text;
}

void OdfWalker::collect(const pugi::xml_node& node, std::string& text, int depth) {
  if (depth > context_.limits().structure_depth) return;
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
      text += child.value();
      continue;
    }
    const std::string_view name = local_name(child);
    if (name == "s" || name == "tab") {
      text += ' ';
    } else if (name == "p" || name == "h") {
      if (!text.empty()) text += ' ';
      collect(child, text, depth + 1);
    } else if (name == "list") {
      collect_list(child, text, depth);
    } else if (name == "span") {
      std::string words;
      collect(child, words, depth + 1);
      append_shifted(text, words, shifted_.shift_of(attribute_named(child, "style-name")));
    } else if (name == "line-break") {
      text += kLineBreak;
    } else if (name == "soft-page-break") {
      next_page();
    } else if (!take_object(child, text) && !collect_beside(child, name, depth) && !is_beside_words(child, name) &&
               !is_hidden(child, name)) {
      collect(child, text, depth + 1);
    }
  }
}

// A list in a cell, a note or a comment.
void OdfWalker::collect_list(const pugi::xml_node& list, std::string& text, int depth) {
  if (depth > context_.limits().structure_depth) return;
  numbering_.begin_list(list);
  for (const pugi::xml_node item : list.children()) {
    if (local_name(item) == "soft-page-break") next_page();
    numbering_.begin_item(item);
    for (const pugi::xml_node child : item.children()) {
      const std::string_view name = local_name(child);
      if (name == "soft-page-break") next_page();
      if (name == "list") collect_list(child, text, depth + 1);
      if (name != "p" && name != "h") continue;
      std::string words;
      collect(child, words, depth + 1);
      text.append(text.empty() ? "" : " ").append(numbering_.count_paragraph(child).before(words));
    }
  }
  numbering_.end_list();
}

// What stands beside the text that is being read; false: it is part of it.
bool OdfWalker::collect_beside(const pugi::xml_node& node, std::string_view name, int depth) {
  if (name == "note") {
    OdfNote note;
    collect(child_named(node, "note-body"), note.text, depth + 1);
    notes_.push_back(std::move(note));
  } else if (name == "annotation") {
    notes_.push_back(comment_of(node, depth));
  } else if (is_shape(name)) {
    boxes_.push_back(node);
  } else {
    return false;
  }
  return true;
}

OdfNote OdfWalker::comment_of(const pugi::xml_node& annotation, int depth) {
  OdfNote comment{true, child_named(annotation, "creator").child_value(), {}};
  for (const pugi::xml_node child : annotation.children()) {
    if (local_name(child) != "p" && local_name(child) != "list") continue;
    if (!comment.text.empty()) comment.text += ' ';
    collect(child, comment.text, depth + 1);
  }
  return comment;
}

void OdfWalker::hang(size_t column, int rows, const std::string& text) {
  if (column >= kMostColumns || (rows <= 1 && column >= hanging_.size())) return;
  if (hanging_.size() <= column) hanging_.resize(column + 1);
  hanging_[column] = {rows - 1, text.size() <= kLongestLabel ? text : std::string()};
}

std::string OdfWalker::taken_from_above(size_t column) {
  if (column >= hanging_.size() || hanging_[column].rows <= 0) return {};
  --hanging_[column].rows;
  return hanging_[column].text;
}

void OdfWalker::next_page() {
  if (page_ > 0) ++page_;
}

}  // namespace mneme::readers
