#include "rag/readers/office/xlsx_sheet_parts.h"

#include <string_view>

#include "rag/readers/office/office_drawing.h"
#include "rag/readers/office/printed_texts.h"

namespace mneme::readers {

Status SheetParts::read(const std::string& part, const std::string& label, const XlsxComments& comments) {
  label_ = label;
  PartLinks links;
  MNEME_RETURN_IF_ERROR(parts_.links_of(part, links));
  MNEME_RETURN_IF_ERROR(comments.read(parts_, links, label, comments_));
  const std::string drawing = links.target_by_kind("drawing");
  if (drawing.empty()) return {};
  MNEME_RETURN_IF_ERROR(parts_.read(drawing, "the drawings of " + label, shapes_));
  find_drawings(shapes_.document_element(), depth_);
  return parts_.links_of(drawing, shape_links_);
}

void SheetParts::find_drawings(const pugi::xml_node& node, int depth_left) {
  if (depth_left <= 0) return;
  for (const pugi::xml_node child : node.children()) {
    const std::string_view name = local_name(child);
    if (name == "chart" || name == "relIds") {
      drawings_.emplace_back(attribute_named(child, name == "chart" ? "id" : "dm"));
    } else if (name != "Fallback") {
      find_drawings(child, depth_left - 1);
    }
  }
}

bool SheetParts::empty() const {
  return comments_.empty() && drawings_.empty() && drawing_text(shapes_.document_element(), depth_).empty();
}

Status SheetParts::write(const std::vector<SheetRow>& rows, DocumentBuilder& builder) {
  add_cell_comments(comments_, rows, builder);
  add_drawing_paragraphs(shapes_.document_element(), depth_, builder);
  for (const std::string& id : drawings_) {
    const std::string part = shape_links_.target_by_id(id);
    if (part.empty()) continue;
    pugi::xml_document tree;
    MNEME_RETURN_IF_ERROR(parts_.read(part, "a drawing of " + label_, tree));
    add_drawing(tree, ChartNumbers::kLeftOut, builder);
  }
  return {};
}

void take_printed_texts(const pugi::xml_document& sheet, RunningTexts& running) {
  for (const pugi::xml_node node : child_named(sheet.document_element(), "headerFooter").children()) {
    take_printed_text(node.child_value(), running);
  }
}

}  // namespace mneme::readers
