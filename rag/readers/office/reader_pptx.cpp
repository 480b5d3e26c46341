// PowerPoint (pptx): a slide is a page, its title a heading; text, tables, charts, SmartArt, speaker notes and
// comments. Slides that a show leaves out are read like others.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rag/readers/format_list.h"
#include "rag/readers/office/embedded_files.h"
#include "rag/readers/office/office_drawing.h"
#include "rag/readers/office/pptx_comments.h"
#include "rag/readers/office/side_parts.h"
#include "rag/readers/office/zip_package.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

// What is met once per slide and told once per file.
using Footers = std::set<std::string, std::less<>>;

class SlideWalker {
 public:
  SlideWalker(ReadContext& context, DocumentBuilder& builder, Footers& footers)
      : context_(context), builder_(builder), footers_(footers) {}

  // The title comes first: shapes lie in the order in which they are drawn, whatever they are.
  void walk_slide(const pugi::xml_node& slide) {
    title_ = title_shape(slide, context_.limits().structure_depth);
    if (title_) take_shape(title_);
    walk(slide);
  }

  // The speaker notes among the shapes of a notes page: its other shapes repeat the slide's number, date and title.
  void walk_notes(const pugi::xml_node& node, int depth = 0) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node child : node.children()) {
      if (local_name(child) != "sp") {
        if (local_name(child) != "Fallback") walk_notes(child, depth + 1);
      } else if (!is_furniture(placeholder_type(child))) {
        take_notes(child);
      }
    }
  }

  // Ids of the links to charts and diagrams that were met.
  const std::vector<std::string>& drawings() const { return drawings_; }

 private:
  void walk(const pugi::xml_node& node, int depth = 0) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node child : node.children()) {
      const std::string_view name = local_name(child);
      if (name == "sp") {
        if (child != title_) take_shape(child);
      } else if (name == "tbl") {
        take_table(child);
      } else if (name == "chart" || name == "relIds") {
        drawings_.emplace_back(attribute_named(child, name == "chart" ? "id" : "dm"));
      } else if (name != "Fallback") {
        walk(child, depth + 1);
      }
    }
  }

  static bool is_title(std::string_view type) { return type == "title" || type == "ctrTitle"; }

  // The first title among the shapes; null when there is none.
  static pugi::xml_node title_shape(const pugi::xml_node& node, int depth_left) {
    if (depth_left < 0) return {};
    for (const pugi::xml_node child : node.children()) {
      const std::string_view name = local_name(child);
      if (name == "sp" && is_title(placeholder_type(child))) return child;
      if (name == "sp" || name == "Fallback") continue;
      if (const pugi::xml_node title = title_shape(child, depth_left - 1)) return title;
    }
    return {};
  }

  static std::string_view placeholder_type(const pugi::xml_node& shape) {
    return attribute_named(placeholder_of(shape), "type");
  }
  static pugi::xml_node placeholder_of(const pugi::xml_node& shape) {
    return child_named(child_named(child_named(shape, "nvSpPr"), "nvPr"), "ph");
  }
  // Slide numbers and dates, footers and the picture of the slide on a notes page.
  static bool is_furniture(std::string_view type) {
    return type == "sldNum" || type == "dt" || type == "ftr" || type == "hdr" || type == "sldImg";
  }

  void take_shape(const pugi::xml_node& shape) {
    const pugi::xml_node placeholder = placeholder_of(shape);
    const std::string_view type = attribute_named(placeholder, "type");
    if (type == "ftr") take_footer(shape);
    if (is_furniture(type)) return;
    const bool title = is_title(type);
    const bool body = placeholder && !title && type != "subTitle";
    std::string title_text;
    for (const pugi::xml_node paragraph : child_named(shape, "txBody").children()) {
      if (local_name(paragraph) != "p") continue;
      const std::string text = drawing_paragraph(paragraph);
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

  // Footers repeat on every slide: each is told where it is met first.
  void take_footer(const pugi::xml_node& shape) {
    const std::string text = clean_text(drawing_text(child_named(shape, "txBody"), context_.limits().structure_depth));
    if (footers_.insert(text).second) builder_.paragraph(text);
  }

  void take_notes(const pugi::xml_node& shape) {
    constexpr std::string_view kLabel = "Speaker notes: ";
    bool first = true;
    for (const pugi::xml_node paragraph : child_named(shape, "txBody").children()) {
      const std::string text = local_name(paragraph) == "p" ? clean_text(drawing_paragraph(paragraph)) : std::string();
      if (text.empty()) continue;
      builder_.paragraph(std::exchange(first, false) ? std::string(kLabel).append(text) : text);
    }
  }

  void take_table(const pugi::xml_node& table) {
    for (const pugi::xml_node row : table.children()) {
      if (local_name(row) != "tr") continue;
      std::vector<std::string> cells;
      for (const pugi::xml_node cell : row.children()) {
        if (local_name(cell) != "tc") continue;
        std::string text;
        for (const pugi::xml_node paragraph : child_named(cell, "txBody").children()) {
          if (local_name(paragraph) == "p") text.append(text.empty() ? "" : " ").append(drawing_paragraph(paragraph));
        }
        cells.push_back(std::move(text));
      }
      builder_.table_row(cells);
    }
  }

  ReadContext& context_;
  DocumentBuilder& builder_;
  Footers& footers_;
  pugi::xml_node title_;  // that is written already
  std::vector<std::string> drawings_;
};

class DeckReader {
 public:
  DeckReader(ReadContext& context, SideParts& parts, DocumentBuilder& builder)
      : context_(context), parts_(parts), builder_(builder) {}

  Status read(const pugi::xml_document& presentation, const std::string& main) {
    PartLinks links;
    MNEME_RETURN_IF_ERROR(parts_.links_of(main, links));
    MNEME_RETURN_IF_ERROR(comments_.read_authors(parts_, links));
    int number = 0;
    for (const pugi::xml_node slide : child_named(presentation.document_element(), "sldIdLst").children()) {
      if (local_name(slide) != "sldId") continue;
      builder_.set_page(++number);
      std::string part = links.target_by_id(link_id(slide));
      // Where the links are lost, slides mostly stand in the order of their numbers.
      if (part.empty()) part = member_folder(main) + "slides/slide" + std::to_string(number) + ".xml";
      MNEME_RETURN_IF_ERROR(add_slide(part, "slide " + std::to_string(number)));
    }
    return {};
  }

 private:
  // The slide's own part and what belongs to it: drawings, speaker notes, comments.
  Status add_slide(const std::string& part, const std::string& label) {
    pugi::xml_document slide;
    MNEME_RETURN_IF_ERROR(parts_.read(part, label, slide));
    SlideWalker walker(context_, builder_, footers_);
    walker.walk_slide(child_named(slide.document_element(), "cSld"));
    PartLinks links;
    MNEME_RETURN_IF_ERROR(parts_.links_of(part, links));
    for (const std::string& id : walker.drawings())
      MNEME_RETURN_IF_ERROR(add_drawing_of(links.target_by_id(id), label));
    for (const PartLink& link : links) {
      if (link.kind == "notesSlide") MNEME_RETURN_IF_ERROR(add_notes(link.target, label));
    }
    for (const PartLink& link : links) {
      if (link.kind == "comments") MNEME_RETURN_IF_ERROR(add_comments(link.target, label));
    }
    return {};
  }

  Status add_drawing_of(const std::string& part, const std::string& label) {
    if (part.empty()) return {};
    pugi::xml_document tree;
    MNEME_RETURN_IF_ERROR(parts_.read(part, "a drawing of " + label, tree));
    add_drawing(tree, ChartNumbers::kAsTable, builder_);
    return {};
  }

  Status add_notes(const std::string& part, const std::string& label) {
    pugi::xml_document notes;
    MNEME_RETURN_IF_ERROR(parts_.read(part, "the speaker notes of " + label, notes));
    SlideWalker(context_, builder_, footers_).walk_notes(child_named(notes.document_element(), "cSld"));
    return {};
  }

  Status add_comments(const std::string& part, const std::string& label) {
    pugi::xml_document tree;
    MNEME_RETURN_IF_ERROR(parts_.read(part, "the comments of " + label, tree));
    comments_.add(tree, builder_);
    return {};
  }

  ReadContext& context_;
  SideParts& parts_;
  DocumentBuilder& builder_;
  PptxComments comments_;
  Footers footers_;
};

}  // namespace

Status read_pptx(ReadContext& context, Input input) {
  auto package = ZipPackage::open(context, std::move(input));
  if (!package.ok()) return package.status();
  ZipPackage& zip = **package;
  rag::Document document;
  document.format = "pptx";
  SideParts parts(context, zip, document);
  pugi::xml_document presentation;
  const std::string main = main_part(zip, "ppt/presentation.xml");
  MNEME_RETURN_IF_ERROR(zip.read_xml(main, presentation));
  MNEME_RETURN_IF_ERROR(take_core_properties(parts, document));
  DocumentBuilder builder(document, context.limits().text_bytes);
  MNEME_RETURN_IF_ERROR(DeckReader(context, parts, builder).read(presentation, main));
  if (builder.empty()) return parts.nothing_there();
  title_from_heading(document);
  parts.finish();
  MNEME_RETURN_IF_ERROR(context.emit(zip.name(), std::move(document)));
  return read_embedded_files(context, zip);
}

}  // namespace mneme::readers
