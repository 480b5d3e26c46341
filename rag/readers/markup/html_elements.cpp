#include "rag/readers/markup/html_elements.h"

#include <cstddef>
#include <string>

#include "base/ascii.h"
#include "rag/readers/markup/html_tree.h"

namespace mneme::readers {
namespace {

bool contains(const GumboNode* node, GumboTag tag, int depth = 0) {
  bool found = false;
  if (depth > kDeepestElement) return true;
  for_children(node, [&](const GumboNode* child) {
    if (found || child->type != GUMBO_NODE_ELEMENT) return;
    found = child->v.element.tag == tag || contains(child, tag, depth + 1);
  });
  return found;
}

// Bytes of text below a node, all of it and that inside links.
struct TextAmount {
  size_t all = 0;
  size_t linked = 0;
};
void measure(const GumboNode* node, bool linked, int depth, TextAmount& amount) {
  if (depth > kDeepestElement) return;
  if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_CDATA) {
    const size_t size = std::string_view(node->v.text.text).size();
    amount.all += size;
    if (linked) amount.linked += size;
    return;
  }
  if (node->type == GUMBO_NODE_ELEMENT && is_furniture(node->v.element.tag)) return;
  const bool link = linked || (node->type == GUMBO_NODE_ELEMENT && node->v.element.tag == GUMBO_TAG_A);
  for_children(node, [&](const GumboNode* child) { measure(child, link, depth + 1, amount); });
}

// Collects the elements with the tag, or for <main> with that role; none within another.
void find_main(const GumboNode* node, GumboTag tag, int depth, std::vector<const GumboNode*>& found) {
  if (depth > kDeepestElement) return;
  if (node->type == GUMBO_NODE_ELEMENT) {
    const bool by_role = tag == GUMBO_TAG_MAIN && attribute(node, "role") == "main";
    if (node->v.element.tag == tag || by_role) {
      found.push_back(node);
      return;
    }
  }
  for_children(node, [&](const GumboNode* child) { find_main(child, tag, depth + 1, found); });
}

}  // namespace

bool is_furniture(GumboTag tag) {
  switch (tag) {
    case GUMBO_TAG_SCRIPT:
    case GUMBO_TAG_STYLE:
    case GUMBO_TAG_TEMPLATE:
    case GUMBO_TAG_NOSCRIPT:
    case GUMBO_TAG_IFRAME:
    case GUMBO_TAG_OBJECT:
    case GUMBO_TAG_SVG:
    case GUMBO_TAG_SELECT:
    case GUMBO_TAG_BUTTON:
    case GUMBO_TAG_TEXTAREA:
    case GUMBO_TAG_AUDIO:
    case GUMBO_TAG_VIDEO:
    case GUMBO_TAG_CANVAS:
    case GUMBO_TAG_HEAD: return true;
    default: return false;
  }
}

bool is_block(GumboTag tag) {
  switch (tag) {
    case GUMBO_TAG_P:
    case GUMBO_TAG_DIV:
    case GUMBO_TAG_SECTION:
    case GUMBO_TAG_ARTICLE:
    case GUMBO_TAG_MAIN:
    case GUMBO_TAG_HEADER:
    case GUMBO_TAG_FOOTER:
    case GUMBO_TAG_NAV:
    case GUMBO_TAG_ASIDE:
    case GUMBO_TAG_UL:
    case GUMBO_TAG_OL:
    case GUMBO_TAG_DL:
    case GUMBO_TAG_DT:
    case GUMBO_TAG_DD:
    case GUMBO_TAG_TABLE:
    case GUMBO_TAG_THEAD:
    case GUMBO_TAG_TBODY:
    case GUMBO_TAG_TFOOT:
    case GUMBO_TAG_TR:
    case GUMBO_TAG_TD:
    case GUMBO_TAG_TH:
    case GUMBO_TAG_CAPTION:
    case GUMBO_TAG_FIGURE:
    case GUMBO_TAG_FIGCAPTION:
    case GUMBO_TAG_FORM:
    case GUMBO_TAG_FIELDSET:
    case GUMBO_TAG_DETAILS:
    case GUMBO_TAG_SUMMARY:
    case GUMBO_TAG_ADDRESS:
    case GUMBO_TAG_HR:
    case GUMBO_TAG_BODY:
    case GUMBO_TAG_CENTER: return true;
    default: return false;
  }
}

int heading_level(GumboTag tag) {
  return tag >= GUMBO_TAG_H1 && tag <= GUMBO_TAG_H6 ? static_cast<int>(tag) - static_cast<int>(GUMBO_TAG_H1) + 1 : 0;
}

bool names_boilerplate(std::string_view names) {
  const std::string lower = lower_ascii(names);
  std::string_view rest = lower;
  while (!rest.empty()) {
    const size_t end = rest.find_first_of(" -_");
    const std::string_view word = rest.substr(0, end);
    for (const std::string_view bad :
         {"nav",        "navbar",  "navigation", "menu",   "sidebar", "footer",        "breadcrumb", "breadcrumbs",
          "cookie",     "cookies", "advert",     "ads",    "banner",  "popup",         "share",      "social",
          "pagination", "skip",    "toc",        "navbox", "noprint", "mw-editsection"}) {
      if (word == bad) return true;
    }
    if (end == std::string_view::npos) break;
    rest = rest.substr(end + 1);
  }
  return false;
}

bool is_layout(const GumboNode* row) {
  for (const GumboTag tag : {GUMBO_TAG_TABLE, GUMBO_TAG_H1, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_PRE}) {
    if (contains(row, tag)) return true;
  }
  return false;
}

bool is_list_of_links(const GumboNode* list) {
  TextAmount amount;
  measure(list, false, 0, amount);
  return amount.linked > 60 && amount.linked * 10 > amount.all * 9;
}

std::vector<const GumboNode*> main_parts(const GumboNode* root) {
  std::vector<const GumboNode*> parts;
  find_main(root, GUMBO_TAG_MAIN, 0, parts);
  if (parts.empty()) find_main(root, GUMBO_TAG_ARTICLE, 0, parts);
  TextAmount whole;
  TextAmount main;
  measure(root, false, 0, whole);
  for (const GumboNode* part : parts) measure(part, false, 0, main);
  // A page whose <article>s are teasers, or whose <main> is filled in by a script.
  if (main.all * 5 < whole.all) parts.clear();
  return parts;
}

const GumboVector* children_of(const GumboNode* node) {
  if (node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE) return &node->v.element.children;
  if (node->type == GUMBO_NODE_DOCUMENT) return &node->v.document.children;
  return nullptr;
}

}  // namespace mneme::readers
