// Bookmarks of a browser (the format of Netscape, which all export): folders as headings, each bookmark an item with
// where it leads, its tags and what was written of it.
#include <string>
#include <string_view>
#include <utility>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/markup/html_elements.h"
#include "rag/readers/markup/html_nesting.h"
#include "rag/readers/markup/html_tree.h"
#include "rag/readers/notes/note_readers.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

bool is_nested(const GumboNode* node) {
  return node->type == GUMBO_NODE_ELEMENT &&
         (node->v.element.tag == GUMBO_TAG_DL || node->v.element.tag == GUMBO_TAG_DT);
}

void collect_text(const GumboNode* node, std::string& text, int depth) {
  if (depth > kDeepestElement) return;
  if (node->type == GUMBO_NODE_TEXT) text += node->v.text.text;
  if (node->type == GUMBO_NODE_WHITESPACE) text += ' ';
  for_children(node, [&](const GumboNode* child) {
    if (!is_nested(child)) collect_text(child, text, depth + 1);
  });
}

std::string text_of(const GumboNode* node) {
  std::string text;
  collect_text(node, text, 0);
  return text;
}

class BookmarkWalker {
 public:
  explicit BookmarkWalker(DocumentBuilder& builder) : builder_(builder) {}

  // folders: how many are open.
  void walk(const GumboNode* node, int folders, int depth) {
    if (depth > kDeepestElement || builder_.full()) return;
    for_children(node, [&](const GumboNode* child) {
      if (child->type != GUMBO_NODE_ELEMENT) return;
      const GumboTag tag = child->v.element.tag;
      builder_.set_lines(static_cast<int>(child->v.element.start_pos.line),
                         static_cast<int>(child->v.element.start_pos.line));
      if (tag == GUMBO_TAG_TITLE) {
        builder_.document().title = clean_text(text_of(child));
      } else if (const int level = heading_level(tag); level > 0) {
        builder_.heading(std::min(folders + 1, 6), text_of(child));
      } else if (tag == GUMBO_TAG_A) {
        tell(child);
      } else {
        if (tag == GUMBO_TAG_DD) builder_.paragraph(text_of(child));
        walk(child, folders + (tag == GUMBO_TAG_DL ? 1 : 0), depth + 1);
      }
    });
  }

 private:
  void tell(const GumboNode* link) {
    const std::string name = clean_text(text_of(link));
    const std::string url = clean_text(attribute(link, "href"));
    if (url.empty() || url.starts_with("place:") || url.starts_with("javascript:") || url.starts_with("data:")) return;
    std::string item = name.empty() || name == url ? url : name + ": " + url;
    const std::string tags = clean_text(attribute(link, "tags"));
    if (!tags.empty()) item += " (" + tags + ")";
    builder_.list_item(item);
  }

  DocumentBuilder& builder_;
};

}  // namespace

bool looks_like_bookmarks(std::string_view beginning) {
  const std::string head = lower_ascii(trim(beginning.substr(bom_length(beginning), 256)));
  return head.starts_with("<!doctype netscape-bookmark-file-1>");
}

Status read_bookmarks(ReadContext& context, Input input) {
  auto decoded = decode_text(std::move(input.bytes));
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  rag::Document document;
  document.format = "html";
  DocumentBuilder builder(document, context.limits().text_bytes);
  std::string flat;
  const std::string_view html = without_deep_nesting(decoded->text, flat);
  auto tree = HtmlTree::parse(context, input.name, html);
  if (!tree.ok()) return tree.status();
  BookmarkWalker(builder).walk(tree->root(), 0, 0);
  if (builder.empty()) return unsupported(printable(input.name) + " holds no bookmarks.");
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
