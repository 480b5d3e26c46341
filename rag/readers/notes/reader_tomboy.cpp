// Notes of Tomboy and Gnote: XML whose lines are those of the note, the first its title; lists within.
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/notes/note_readers.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr std::string_view kNotebook = "system:notebook:";

// Text with \n where the note has a line's end, items of lists on lines of their own behind "-".
void collect(const pugi::xml_node& node, std::string& text, int deepest) {
  if (deepest < 0) return;
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
      text += child.value();
      continue;
    }
    const bool item = std::string_view(child.name()) == "list-item";
    if (item) text += "\n- ";
    collect(child, text, deepest - 1);
  }
}

void tell_lines(std::string_view text, std::string_view title, DocumentBuilder& builder) {
  std::string paragraph;
  const auto end_paragraph = [&] {
    builder.paragraph(paragraph);
    paragraph.clear();
  };
  LineCursor lines(text);
  Line line;
  bool first = true;
  while (lines.next(line)) {
    const bool is_title = first && clean_text(line.text) == title;
    first = first && line.blank();
    if (is_title) continue;
    if (line.blank() || line.text.starts_with("- ")) end_paragraph();
    if (line.text.starts_with("- ")) {
      builder.list_item(line.text.substr(2));
    } else if (!line.blank()) {
      paragraph.append(paragraph.empty() ? std::string_view() : kLineBreak).append(line.text);
    }
  }
  end_paragraph();
}

std::string tags_of(const pugi::xml_node& note) {
  std::string tags;
  for (const pugi::xml_node tag : note.child("tags").children("tag")) {
    std::string_view name = tag.child_value();
    if (name.starts_with(kNotebook)) name.remove_prefix(kNotebook.size());
    if (!name.starts_with("system:")) tags.append(tags.empty() ? "" : ", ").append(name);
  }
  return tags;
}

}  // namespace

bool looks_like_tomboy(std::string_view beginning) {
  const std::string_view head = beginning.substr(bom_length(beginning), 1024);
  return head.starts_with('<') && head.find("<note version=") != head.npos &&
         head.find("http://beatniksoftware.com/tomboy") != head.npos;
}

Status read_tomboy(ReadContext& context, Input input) {
  pugi::xml_document tree;
  const auto parsed =
      tree.load_buffer(input.bytes.data(), input.bytes.size(), pugi::parse_default | pugi::parse_ws_pcdata);
  const pugi::xml_node note = tree.child("note");
  if (!parsed || !note) return read_xml(context, std::move(input));
  rag::Document document;
  document.format = "xml";
  document.title = clean_text(note.child("title").child_value());
  document.date = iso_date(note.child("last-change-date").child_value());
  DocumentBuilder builder(document, context.limits().text_bytes);
  builder.heading(1, document.title);
  const std::string tags = clean_text(tags_of(note));
  if (!tags.empty()) builder.list_item("Tags: " + tags);
  std::string text;
  collect(note.child("text"), text, context.limits().structure_depth);
  tell_lines(trim(text), document.title, builder);
  if (builder.empty()) return unsupported(printable(input.name) + " is a note without text.");
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
