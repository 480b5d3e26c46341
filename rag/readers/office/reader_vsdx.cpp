// Drawings of Visio since 2013 (vsdx): the texts of the shapes, page by page.
#include <map>
#include <pugixml.hpp>
#include <string>
#include <utility>

#include "rag/readers/format_list.h"
#include "rag/readers/office/embedded_files.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

class VisioReader {
 public:
  VisioReader(ReadContext& context, SideParts& parts, DocumentBuilder& builder)
      : context_(context), parts_(parts), builder_(builder) {}

  Status read(ZipPackage& zip) {
    constexpr std::string_view kPages = "visio/pages/pages.xml";
    pugi::xml_document pages;
    MNEME_RETURN_IF_ERROR(zip.read_xml(std::string(kPages), pages));
    PartLinks links;
    MNEME_RETURN_IF_ERROR(parts_.links_of(std::string(kPages), links));
    int number = 0;
    for (const pugi::xml_node page : pages.document_element().children()) {
      if (local_name(page) != "Page" || builder_.full()) continue;
      const std::string part = links.target_by_id(link_id(child_named(page, "Rel")));
      if (!part.empty()) MNEME_RETURN_IF_ERROR(add_page(part, attribute_named(page, "Name"), ++number));
    }
    return {};
  }

 private:
  Status add_page(const std::string& part, std::string_view name, int number) {
    pugi::xml_document page;
    MNEME_RETURN_IF_ERROR(parts_.read(part, "the page " + clean_text(name), page));
    builder_.set_page(number);
    headed_ = false;
    heading_ = name;
    add_shapes(page.document_element(), 0);
    return context_.check(part);
  }

  // Shapes may be groups of others.
  void add_shapes(const pugi::xml_node& node, int depth) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node child : node.children()) {
      if (local_name(child) == "Text") {
        add_text(child);
      } else {
        add_shapes(child, depth + 1);
      }
    }
  }

  void add_text(const pugi::xml_node& node) {
    std::string text;
    for (const pugi::xml_node piece : node.children()) {
      text += piece.type() == pugi::node_element ? piece.text().get() : piece.value();  // fields hold what they say
    }
    if (clean_text(text).empty()) return;
    if (!headed_) builder_.heading(2, heading_);
    headed_ = true;
    builder_.paragraph(text);
  }

  ReadContext& context_;
  SideParts& parts_;
  DocumentBuilder& builder_;
  std::string heading_;
  bool headed_ = false;
};

}  // namespace

Status read_vsdx(ReadContext& context, Input input) {
  auto package = ZipPackage::open(context, std::move(input));
  if (!package.ok()) return package.status();
  ZipPackage& zip = **package;
  rag::Document document;
  document.format = "vsdx";
  SideParts parts(context, zip, document);
  MNEME_RETURN_IF_ERROR(take_core_properties(parts, document));
  DocumentBuilder builder(document, context.limits().text_bytes);
  MNEME_RETURN_IF_ERROR(VisioReader(context, parts, builder).read(zip));
  if (builder.empty()) return parts.nothing_there();
  parts.finish();
  MNEME_RETURN_IF_ERROR(context.emit(zip.name(), std::move(document)));
  return read_embedded_files(context, zip);
}

}  // namespace mneme::readers
