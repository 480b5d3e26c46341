// Word (docx): paragraphs with their styles, lists, tables, footnotes; page numbers where Word has left its breaks.
#include <map>
#include <string>

#include "base/ascii.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/office_common.h"
#include "rag/readers/zip_package.h"

namespace mneme::readers {
namespace {

// Heading level by style id, from names ("heading 2", "Title") and outline levels, inherited styles included.
std::map<std::string, int, std::less<>> heading_styles(const pugi::xml_document& styles) {
  std::map<std::string, int, std::less<>> levels;
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

class DocxWalker {
 public:
  DocxWalker(ReadContext& context, DocumentBuilder& builder, std::map<std::string, int, std::less<>> styles, bool paged)
      : context_(context), builder_(builder), styles_(std::move(styles)), page_(paged ? 1 : 0) {
    builder_.set_page(page_);
  }

  void walk_body(const pugi::xml_node& body, int depth = 0) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node node : body.children()) {
      const std::string_view name = local_name(node);
      if (builder_.full()) return;
      if (name == "p") {
        take_paragraph(node);
      } else if (name == "tbl") {
        take_table(node, depth + 1);
      } else if (name == "sdt" || name == "sdtContent" || name == "ins" || name == "footnote" || name == "endnote" ||
                 name == "customXml" || name == "txbxContent") {
        walk_body(node, depth + 1);
      }
    }
  }

 private:
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
    const pugi::xml_node numbering = child_named(properties, "numPr");
    if (level > 0) {
      builder_.heading(level, text);
    } else if (numbering) {
      builder_.list_item(text, to_int(attribute_named(child_named(numbering, "ilvl"), "val"), 0));
    } else {
      builder_.paragraph(text);
    }
    builder_.set_page(page_);
  }

  // Text of runs; deleted text (w:del) and field codes are left out.
  void collect(const pugi::xml_node& node, std::string& text, int depth) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node child : node.children()) {
      const std::string_view name = local_name(child);
      if (name == "t") {
        text += child.child_value();
      } else if (name == "tab" || name == "cr") {
        text += ' ';
      } else if (name == "noBreakHyphen") {
        text += '-';
      } else if (name == "lastRenderedPageBreak") {
        count_page(text);
      } else if (name == "br") {
        text += ' ';
      } else if (name != "del" && name != "instrText" && name != "pPr" && name != "rPr" && name != "Fallback") {
        collect(child, text, depth + 1);
      }
    }
  }

  void count_page(const std::string& text) {
    if (page_ == 0) return;
    ++page_;
    break_first_ = text.find_first_not_of(' ') == std::string::npos;
  }

  void take_table(const pugi::xml_node& table, int depth) {
    for (const pugi::xml_node row : table.children()) {
      if (local_name(row) != "tr") continue;
      std::vector<std::string> cells;
      for (const pugi::xml_node cell : row.children()) {
        if (local_name(cell) != "tc" && local_name(cell) != "sdt") continue;
        std::string text;
        collect_cell(cell, text, depth);
        cells.push_back(std::move(text));
      }
      builder_.set_page(page_);
      builder_.table_row(cells);
    }
  }

  void collect_cell(const pugi::xml_node& cell, std::string& text, int depth) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node node : cell.children()) {
      if (local_name(node) == "p") {
        if (!text.empty()) text += ' ';
        collect(node, text, depth);
      } else if (local_name(node) != "tcPr") {
        collect_cell(node, text, depth + 1);
      }
    }
  }

  ReadContext& context_;
  DocumentBuilder& builder_;
  std::map<std::string, int, std::less<>> styles_;
  int page_;
  bool break_first_ = false;
};

}  // namespace

Status read_docx(ReadContext& context, Input input) {
  auto package = ZipPackage::open(context, std::move(input));
  if (!package.ok()) return package.status();
  ZipPackage& zip = **package;
  rag::Document document;
  document.format = "docx";
  take_core_properties(zip, document);
  pugi::xml_document styles;
  if (zip.has("word/styles.xml")) MNEME_RETURN_IF_ERROR(zip.read_xml("word/styles.xml", styles));
  auto text = zip.read("word/document.xml");
  if (!text.ok()) return text.status();
  const bool paged = text->find("lastRenderedPageBreak") != std::string::npos;
  text = std::string();
  pugi::xml_document body;
  MNEME_RETURN_IF_ERROR(zip.read_xml("word/document.xml", body));
  DocumentBuilder builder(document, context.limits().text_bytes);
  DocxWalker walker(context, builder, heading_styles(styles), paged);
  walker.walk_body(child_named(body.document_element(), "body"));
  builder.set_page(0);
  for (const char* notes : {"word/footnotes.xml", "word/endnotes.xml"}) {
    pugi::xml_document tree;
    if (!zip.has(notes) || !zip.read_xml(notes, tree).ok()) continue;
    DocxWalker(context, builder, {}, false).walk_body(tree.document_element());
  }
  if (builder.empty()) return unsupported(printable(zip.name()) + " holds no text.");
  title_from_heading(document);
  return context.emit(zip.name(), std::move(document));
}

}  // namespace mneme::readers
