// PowerPoint (pptx): a slide is a page, its title a heading; text, tables and speaker notes.
#include <map>
#include <string>

#include "rag/readers/format_list.h"
#include "rag/readers/office_common.h"
#include "rag/readers/zip_package.h"

namespace mneme::readers {
namespace {

class SlideWalker {
 public:
  SlideWalker(ReadContext& context, DocumentBuilder& builder) : context_(context), builder_(builder) {}

  void walk(const pugi::xml_node& node, int depth = 0) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node child : node.children()) {
      const std::string_view name = local_name(child);
      if (name == "sp") {
        take_shape(child);
      } else if (name == "tbl") {
        take_table(child);
      } else if (name != "Fallback") {
        walk(child, depth + 1);
      }
    }
  }

 private:
  void take_shape(const pugi::xml_node& shape) {
    const pugi::xml_node placeholder = child_named(child_named(child_named(shape, "nvSpPr"), "nvPr"), "ph");
    const std::string_view type = attribute_named(placeholder, "type");
    // Slide numbers, dates and footers repeat on every slide.
    if (type == "sldNum" || type == "dt" || type == "ftr" || type == "hdr" || type == "sldImg") return;
    const bool title = type == "title" || type == "ctrTitle";
    const bool body = placeholder && !title && type != "subTitle";
    std::string title_text;
    for (const pugi::xml_node paragraph : child_named(shape, "txBody").children()) {
      if (local_name(paragraph) != "p") continue;
      const std::string text = paragraph_text(paragraph);
      if (title) {
        title_text.append(title_text.empty() ? "" : " ").append(text);
      } else if (body) {
        builder_.list_item(text, to_int(attribute_named(child_named(paragraph, "pPr"), "lvl"), 0));
      } else {
        builder_.paragraph(text);
      }
    }
    if (title) builder_.heading(1, title_text);
  }

  void take_table(const pugi::xml_node& table) {
    for (const pugi::xml_node row : table.children()) {
      if (local_name(row) != "tr") continue;
      std::vector<std::string> cells;
      for (const pugi::xml_node cell : row.children()) {
        if (local_name(cell) != "tc") continue;
        std::string text;
        for (const pugi::xml_node paragraph : child_named(cell, "txBody").children()) {
          if (local_name(paragraph) == "p") text.append(text.empty() ? "" : " ").append(paragraph_text(paragraph));
        }
        cells.push_back(std::move(text));
      }
      builder_.table_row(cells);
    }
  }

  static std::string paragraph_text(const pugi::xml_node& paragraph) {
    std::string text;
    for (const pugi::xml_node run : paragraph.children()) {
      const std::string_view name = local_name(run);
      if (name == "br") text += ' ';
      if (name == "r" || name == "fld") text += child_named(run, "t").child_value();
    }
    return text;
  }

  ReadContext& context_;
  DocumentBuilder& builder_;
};

// The slide's own part and, where it has them, its speaker notes.
Status add_slide(ReadContext& context, ZipPackage& zip, const std::string& part, DocumentBuilder& builder) {
  pugi::xml_document slide;
  MNEME_RETURN_IF_ERROR(zip.read_xml(part, slide));
  SlideWalker(context, builder).walk(child_named(slide.document_element(), "cSld"));
  for (const auto& [id, target] : read_relationships(zip, part)) {
    if (target.find("notesSlides/") == std::string::npos || !zip.has(target)) continue;
    pugi::xml_document notes;
    MNEME_RETURN_IF_ERROR(zip.read_xml(target, notes));
    SlideWalker(context, builder).walk(child_named(notes.document_element(), "cSld"));
  }
  return {};
}

}  // namespace

Status read_pptx(ReadContext& context, Input input) {
  auto package = ZipPackage::open(context, std::move(input));
  if (!package.ok()) return package.status();
  ZipPackage& zip = **package;
  rag::Document document;
  document.format = "pptx";
  take_core_properties(zip, document);
  pugi::xml_document presentation;
  MNEME_RETURN_IF_ERROR(zip.read_xml("ppt/presentation.xml", presentation));
  const auto targets = read_relationships(zip, "ppt/presentation.xml");
  DocumentBuilder builder(document, context.limits().text_bytes);
  int number = 0;
  for (const pugi::xml_node slide : child_named(presentation.document_element(), "sldIdLst").children()) {
    builder.set_page(++number);
    const auto target = targets.find(slide.attribute("r:id").value());
    if (target == targets.end() || !zip.has(target->second)) continue;
    MNEME_RETURN_IF_ERROR(add_slide(context, zip, target->second, builder));
  }
  if (builder.empty()) return unsupported(printable(zip.name()) + " holds no text.");
  title_from_heading(document);
  return context.emit(zip.name(), std::move(document));
}

}  // namespace mneme::readers
