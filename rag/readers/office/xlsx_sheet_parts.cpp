#include "rag/readers/office/xlsx_sheet_parts.h"

#include <algorithm>
#include <string_view>

#include "base/ascii.h"
#include "rag/readers/office/office_drawing.h"

namespace mneme::readers {
namespace {

// Reads the codes of a header; left, middle and right are texts of their own.
class PrintedText {
 public:
  explicit PrintedText(RunningTexts& running) : running_(running) {}

  void read(std::string_view coded) {
    for (size_t i = 0; i < coded.size(); ++i) {
      if (coded[i] != '&' || i + 1 >= coded.size()) {
        text_ += coded[i];
      } else {
        i = take_code(coded, i + 1);
      }
    }
    flush();
  }

 private:
  // Returns where the code ends.
  size_t take_code(std::string_view coded, size_t at) {
    const char code = coded[at];
    if (code == '&') text_ += '&';
    if (code == 'L' || code == 'C' || code == 'R') flush();
    if (std::string_view("PNDTAFZ").find(code) != std::string_view::npos) has_fields_ = true;
    if (code == '"') return std::min(coded.find('"', at + 1), coded.size() - 1);           // a font
    if (code == 'K') return std::min(at + 6, coded.size() - 1);                            // a colour: six digits
    while (is_digit(coded[at]) && at + 1 < coded.size() && is_digit(coded[at + 1])) ++at;  // a size
    return at;
  }

  void flush() {
    running_.take(text_, has_fields_);
    text_.clear();
    has_fields_ = false;
  }

  RunningTexts& running_;
  std::string text_;
  bool has_fields_ = false;
};

}  // namespace

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
    PrintedText(running).read(node.child_value());
  }
}

}  // namespace mneme::readers
