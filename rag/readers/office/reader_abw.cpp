// Documents of AbiWord (abw; packed, zabw): XML with paragraphs, whose styles say what is a heading, and tables.
#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

class AbiWalker {
 public:
  AbiWalker(ReadContext& context, DocumentBuilder& builder) : context_(context), builder_(builder) {}

  void walk(const pugi::xml_node& node, int depth) {
    if (depth > context_.limits().structure_depth || builder_.full()) return;
    for (const pugi::xml_node child : node.children()) {
      const std::string_view name = local_name(child);
      if (child.type() != pugi::node_element) continue;
      if (name == "p")
        add_paragraph(child);
      else if (name == "table")
        add_table(child, depth);
      else if (name == "section")
        add_section(child, depth);
      else if (name == "m")
        take_metadata_of(child);
      else if (name != "styles" && name != "data" && name != "lists" && name != "history")
        walk(child, depth + 1);
    }
  }

 private:
  // Headers and footers are sections of their own.
  void add_section(const pugi::xml_node& section, int depth) {
    const std::string_view type = attribute_named(section, "type");
    if (!type.starts_with("header") && !type.starts_with("footer")) walk(section, depth + 1);
  }

  void take_metadata_of(const pugi::xml_node& node) {
    const std::string_view key = attribute_named(node, "key");
    const std::string value = clean_text(node.text().get());
    if (key == "dc.title") take_metadata(builder_.document(), "title", value);
    if (key == "dc.creator") take_metadata(builder_.document(), "author", value);
    if (key == "dc.date" || key == "abiword.date_last_changed") take_metadata(builder_.document(), "date", value);
  }

  void add_paragraph(const pugi::xml_node& node) {
    const std::string text = text_of(node, 0);
    const std::string style = lower_ascii(attribute_named(node, "style"));
    const size_t heading = style.find("heading ");
    const bool in_list = !attribute_named(node, "listid").empty() && attribute_named(node, "listid") != "0";
    if (heading != style.npos && is_digit(style[std::min(heading + 8, style.size() - 1)])) {
      builder_.heading(style[heading + 8] - '0', text);
    } else if (in_list) {
      builder_.list_item(text);
    } else {
      builder_.paragraph(text);
    }
    add_notes();
  }

  void add_notes() {
    for (const std::string& note : std::exchange(notes_, {})) builder_.paragraph(note);
  }

  // Runs, links and fields; footnotes stand below what calls them.
  std::string text_of(const pugi::xml_node& node, int depth) {
    std::string text;
    if (depth > context_.limits().structure_depth) return text;
    for (const pugi::xml_node child : node.children()) {
      const std::string_view name = local_name(child);
      if (name == "foot" || name == "endnote" || name == "annotate") {
        notes_.push_back(text_of(child, depth + 1));
      } else if (name == "br") {
        text += kLineBreak;
      } else {
        text += child.value();
        text += text_of(child, depth + 1);
        if (name == "p") text += ' ';
      }
    }
    return text;
  }

  // Cells say between which lines of the grid they stand.
  void add_table(const pugi::xml_node& table, int depth) {
    std::vector<std::string> cells;
    std::string row;
    for (const pugi::xml_node cell : table.children()) {
      if (local_name(cell) != "cell") continue;
      const std::string of_cell = property(attribute_named(cell, "props"), "top-attach");
      if (of_cell != row && !cells.empty()) builder_.table_row(std::exchange(cells, {}));
      row = of_cell;
      if (cells.size() < kMostColumns) cells.push_back(text_of(cell, depth));
    }
    if (!cells.empty()) builder_.table_row(cells);
    add_notes();
  }

  // "top-attach:0; left-attach:1"
  static std::string property(std::string_view properties, std::string_view name) {
    const size_t at = properties.find(name);
    if (at == properties.npos) return {};
    const std::string_view behind = properties.substr(at + name.size());
    const size_t begin = std::min(behind.find_first_not_of(": "), behind.size());
    return std::string(behind.substr(begin, behind.find(';', begin) - begin));
  }

  ReadContext& context_;
  DocumentBuilder& builder_;
  std::vector<std::string> notes_;
};

}  // namespace

Status read_abw(ReadContext& context, Input input) {
  pugi::xml_document tree;
  const auto parsed =
      tree.load_buffer(input.bytes.data(), input.bytes.size(), pugi::parse_default | pugi::parse_ws_pcdata);
  if (!parsed && !tree.document_element()) {
    return corruption(printable(input.name) + " is damaged: it is not XML (" + parsed.description() + ").");
  }
  rag::Document document;
  document.format = "abw";
  if (!parsed) document.notes.emplace_back("the file is damaged; what stands behind the damage was left out");
  DocumentBuilder builder(document, context.limits().text_bytes);
  AbiWalker(context, builder).walk(tree.document_element(), 0);
  if (builder.empty()) return unsupported(printable(input.name) + " holds no text.");
  title_from_heading(document);
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
