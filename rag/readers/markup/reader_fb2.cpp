// FictionBook (fb2), books in one XML file: chapters by their titles, paragraphs, poems, citations, tables; notes stand
// behind the text. Pictures, which lie in the file as base64, are taken out before it is parsed.
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/cut_spans.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/markup/html_text.h"
#include "rag/readers/office/zip_package.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

constexpr int kDeepestHeading = 6;

// All words of an element, its paragraphs' parted by a space.
void collect(const pugi::xml_node& node, int depth_left, std::string& text) {
  if (depth_left <= 0) return;
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
      text += child.value();
      continue;
    }
    const std::string_view name = local_name(child);
    if (name == "p" || name == "v" || name == "empty-line") text += ' ';
    collect(child, depth_left - 1, text);
  }
}

class BookWalker {
 public:
  BookWalker(ReadContext& context, DocumentBuilder& builder) : context_(context), builder_(builder) {}

  void walk_book(const pugi::xml_node& book) {
    take_description(child_named(child_named(book, "description"), "title-info"));
    for (const pugi::xml_node child : book.children())
      if (local_name(child) == "body") walk(child, 1, 0);
  }

 private:
  std::string words(const pugi::xml_node& node) const {
    std::string text;
    collect(node, context_.limits().structure_depth, text);
    return clean_text(text);
  }

  void take_description(const pugi::xml_node& info) {
    rag::Document& document = builder_.document();
    take_metadata(document, "title", words(child_named(info, "book-title")));
    std::string authors;
    for (const pugi::xml_node author : info.children()) {
      if (local_name(author) != "author") continue;
      std::string name;
      for (const char* part : {"first-name", "middle-name", "last-name", "nickname"}) {
        const std::string word = words(child_named(author, part));
        if (!word.empty() && (name.empty() || std::string_view(part) != "nickname"))
          name += (name.empty() ? "" : " ") + word;
      }
      if (!name.empty()) authors += (authors.empty() ? "" : ", ") + name;
    }
    take_metadata(document, "author", authors);
    const pugi::xml_node date = child_named(info, "date");
    const std::string exact = date.attribute("value").value();
    take_metadata(document, "date", exact.empty() ? words(date) : exact);
    if (const std::string about = words(child_named(info, "annotation")); !about.empty()) builder_.paragraph(about);
  }

  // level: of headings here.
  void walk(const pugi::xml_node& node, int level, int depth) {
    if (depth > context_.limits().structure_depth) return;
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element || builder_.full()) continue;
      const std::string_view name = local_name(child);
      if (name == "title") {
        builder_.heading(std::min(level, kDeepestHeading), words(child));
      } else if (name == "subtitle") {
        builder_.heading(std::min(level + 1, kDeepestHeading), words(child));
      } else if (name == "p" || name == "text-author" || name == "date") {
        builder_.paragraph(words(child));
      } else if (name == "stanza") {
        take_lines(child);
      } else if (name == "cite" || name == "epigraph") {
        builder_.add(rag::BlockKind::kQuote, words(child));
      } else if (name == "tr") {
        take_row(child);
      } else {
        walk(child, name == "section" ? level + 1 : level, depth + 1);
      }
    }
  }

  void take_lines(const pugi::xml_node& stanza) {
    std::string lines;
    for (const pugi::xml_node line : stanza.children()) {
      const std::string text = words(line);
      if (!text.empty()) lines += (lines.empty() ? "" : std::string(kLineBreak)) + text;
    }
    builder_.paragraph(lines);
  }

  void take_row(const pugi::xml_node& row) {
    std::vector<std::string> cells;
    for (const pugi::xml_node cell : row.children())
      if (cell.type() == pugi::node_element) cells.push_back(words(cell));
    builder_.table_row(cells);
  }

  ReadContext& context_;
  DocumentBuilder& builder_;
};

}  // namespace

Status read_fb2(ReadContext& context, Input input) {
  input.bytes = without_spans(input.bytes, "<binary", "</binary>");
  const std::string declared = declared_encoding(input.bytes);
  auto decoded = decode_text(std::move(input.bytes), declared);
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  pugi::xml_document tree;
  const auto parsed = tree.load_buffer(decoded->text.data(), decoded->text.size(),
                                       pugi::parse_default | pugi::parse_ws_pcdata, pugi::encoding_utf8);
  rag::Document document;
  document.format = "fb2";
  // What comes before the damage is read.
  if (!parsed)
    document.notes.push_back(std::string("the book is damaged (") + parsed.description() + "); read as far as that");
  DocumentBuilder builder(document, context.limits().text_bytes);
  BookWalker(context, builder).walk_book(child_named(tree, "FictionBook"));
  if (document.blocks.empty()) return corruption(printable(input.name) + " is no FictionBook, or holds no text.");
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
