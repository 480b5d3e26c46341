#include "rag/readers/office/odf_running_texts.h"

#include <string>
#include <string_view>

#include "rag/readers/office/zip_package.h"

namespace mneme::readers {
namespace {

constexpr int kDeepest = 32;

bool is_field(std::string_view name) {
  for (const char* field : {"page-number", "page-count", "date", "time", "sheet-name", "file-name", "print-date",
                            "print-time", "modification-date", "chapter", "page-continuation"}) {
    if (name == field) return true;
  }
  return false;
}

void collect(const pugi::xml_node& node, int depth, std::string& text, bool& has_fields) {
  if (depth <= 0) return;
  for (const pugi::xml_node child : node.children()) {
    const std::string_view name = local_name(child);
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
      text += child.value();
    } else if (name == "s" || name == "tab") {
      text += ' ';
    } else if (name == "line-break") {
      text += kLineBreak;
    } else if (is_field(name)) {
      has_fields = true;
    } else if (name != "annotation" && name != "note" && name != "ruby-text") {
      collect(child, depth - 1, text, has_fields);
    }
  }
}

void take_paragraphs(const pugi::xml_node& node, int depth, RunningTexts& running) {
  if (depth <= 0) return;
  for (const pugi::xml_node child : node.children()) {
    const std::string_view name = local_name(child);
    if (name != "p" && name != "h") {
      take_paragraphs(child, depth - 1, running);
      continue;
    }
    std::string text;
    bool has_fields = false;
    collect(child, kDeepest, text, has_fields);
    running.take(text, has_fields);
  }
}

}  // namespace

void take_odf_running_texts(const pugi::xml_document& styles, const pugi::xml_document& content,
                            RunningTexts& running) {
  const pugi::xml_node slides = child_named(child_named(content.document_element(), "body"), "presentation");
  for (const pugi::xml_node node : slides.children()) {
    if (local_name(node) == "footer-decl") running.take(node.child_value(), false);
  }
  if (slides) return;
  for (const pugi::xml_node page : child_named(styles.document_element(), "master-styles").children()) {
    for (const pugi::xml_node part : page.children()) {
      const std::string_view name = local_name(part);
      if (name.starts_with("header") || name.starts_with("footer")) take_paragraphs(part, kDeepest, running);
    }
  }
}

}  // namespace mneme::readers
