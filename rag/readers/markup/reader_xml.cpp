// XML of any kind: the text of elements as paragraphs, elements named for titles as headings, with the lines of the
// file. Files whose text is all in attributes (configurations, mostly) are read as source. Entities are not expanded.
#include <algorithm>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/markup/html_text.h"
#include "rag/readers/office/zip_package.h"
#include "rag/readers/office_common.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

constexpr size_t kLargestTree = size_t{64} << 20;

bool has_text(const pugi::xml_node& node) {
  for (const pugi::xml_node child : node.children()) {
    const bool text = child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata;
    if (text && std::string_view(child.value()).find_first_not_of(" \t\r\n") != std::string_view::npos) return true;
  }
  return false;
}

class XmlWalker {
 public:
  XmlWalker(ReadContext& context, std::string_view text, DocumentBuilder& builder)
      : context_(context), builder_(builder) {
    for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) breaks_.push_back(at);
  }

  void walk(const pugi::xml_node& node, int depth) {
    if (depth > context_.limits().structure_depth) {
      too_deep_ = true;
      return;
    }
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element || builder_.full()) continue;
      if (has_text(child)) {
        take_element(child, depth);
      } else {
        walk(child, depth + 1);
      }
    }
  }

  bool too_deep() const { return too_deep_; }

 private:
  void take_element(const pugi::xml_node& element, int depth) {
    std::string text;
    ptrdiff_t last = element.offset_debug();
    collect(element, text, last, 0);
    const int first_line = line_of(element.offset_debug());
    builder_.set_lines(first_line, std::max(first_line, line_of(last)));
    const std::string name = lower_ascii(local_name(element));
    if (name == "title" || name == "head" || name == "heading" || name == "subject") {
      builder_.heading(std::clamp(depth, 1, 6), text);
      take_metadata(builder_.document(), "title", clean_text(text));
    } else {
      if (depth <= 3) take_metadata(builder_.document(), name, clean_text(text));
      builder_.add(name == "code" || name == "programlisting" ? rag::BlockKind::kCode : rag::BlockKind::kParagraph,
                   text);
    }
  }

  void collect(const pugi::xml_node& node, std::string& text, ptrdiff_t& last, int depth) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node child : node.children()) {
      last = std::max(last, child.offset_debug());
      if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
        text += child.value();
        const std::string_view value = child.value();
        const size_t end = value.find_last_not_of(" \t\r\n");
        if (end != std::string_view::npos) last = child.offset_debug() + static_cast<ptrdiff_t>(end);
      } else if (child.type() == pugi::node_element) {
        text += ' ';
        collect(child, text, last, depth + 1);
        text += ' ';
      }
    }
  }

  int line_of(ptrdiff_t offset) const {
    const auto before =
        std::lower_bound(breaks_.begin(), breaks_.end(), static_cast<size_t>(std::max<ptrdiff_t>(offset, 0)));
    return static_cast<int>(before - breaks_.begin()) + 1;
  }

  ReadContext& context_;
  DocumentBuilder& builder_;
  std::vector<size_t> breaks_;
  bool too_deep_ = false;
};

}  // namespace

Status read_xml(ReadContext& context, Input input) {
  const std::string declared = declared_encoding(input.bytes);
  auto decoded = decode_text(std::move(input.bytes), declared);
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  rag::Document document;
  document.format = "xml";
  pugi::xml_document tree;
  const bool fits = decoded->text.size() <= kLargestTree;
  const auto parsed = fits ? tree.load_buffer(decoded->text.data(), decoded->text.size(),
                                              pugi::parse_default | pugi::parse_ws_pcdata, pugi::encoding_utf8)
                           : pugi::xml_parse_result();
  if (parsed) {
    DocumentBuilder builder(document, context.limits().text_bytes);
    XmlWalker walker(context, decoded->text, builder);
    walker.walk(tree, 0);
    if (walker.too_deep()) document.notes.push_back("elements nested too deep were left out");
  } else if (fits) {
    document.notes.push_back(std::string("it is not well-formed XML (") + parsed.description() +
                             "); read as plain text");
  }
  // Little text in much mark-up: attributes are what such a file is about.
  if (document.text.size() * 10 < decoded->text.size()) {
    document.blocks.clear();
    document.text = std::move(decoded->text);
    parse_source(document);
  }
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
