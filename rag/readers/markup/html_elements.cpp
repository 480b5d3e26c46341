#include "rag/readers/markup/html_elements.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "rag/readers/markup/html_tree.h"
#include "rag/readers/office_common.h"

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

constexpr unsigned kLongestSetHeading = 500;  // bytes with its tags
constexpr int kUsualFontSize = 3;             // of <font size>, which knows 1 to 7
constexpr int kLargestFontSize = 7;

// "5", or "+2": larger than usual by as much.
int font_size(std::string_view written) {
  const bool relative = written.starts_with('+') || written.starts_with('-');
  const int number = to_int(written.starts_with('+') ? written.substr(1) : written, 0);
  return std::min(relative ? kUsualFontSize + number : number, kLargestFontSize);
}

// The element that an element consists of; null where it holds anything beside it but white space.
const GumboNode* only_child(const GumboNode* element) {
  const GumboNode* only = nullptr;
  bool more = false;
  for_children(element, [&](const GumboNode* child) {
    if (child->type == GUMBO_NODE_WHITESPACE || child->type == GUMBO_NODE_COMMENT) return;
    more = more || only != nullptr || child->type != GUMBO_NODE_ELEMENT;
    only = child;
  });
  return more ? nullptr : only;
}

// The text of an element that holds nothing but text, without white space around.
std::string_view only_text(const GumboNode* element) {
  const GumboNode* only = nullptr;
  bool more = false;
  for_children(element, [&](const GumboNode* child) {
    more = more || only != nullptr || child->type != GUMBO_NODE_TEXT;
    only = child;
  });
  return only == nullptr || more ? std::string_view() : trim(only->v.text.text);
}

// The sign behind a heading that leads to the heading itself.
bool is_link_to_heading(const GumboNode* element) {
  if (element->v.element.tag != GUMBO_TAG_A || attribute(element, "href").find('#') == std::string_view::npos)
    return false;
  const std::string_view text = only_text(element);
  if (text == "\xc2\xb6" || text == "\xf0\x9f\x94\x97") return true;  // pilcrow, link
  if (text != "#" && text != "\xc2\xa7") return false;                // section sign
  const std::string names = lower_ascii(attribute(element, "class"));
  return names == "mark" || names.find("anchor") != std::string::npos || names.find("link") != std::string::npos;
}

// Beside the headings of a wiki: where they are changed.
bool is_link_to_editor(const GumboNode* element) {
  return element->v.element.tag == GUMBO_TAG_SPAN && attribute(element, "class").starts_with("mw-editsection");
}

// A button that is the heading of what it opens.
bool is_opener(const GumboNode* element) {
  return element->v.element.tag == GUMBO_TAG_BUTTON && element->parent != nullptr &&
         element->parent->type == GUMBO_NODE_ELEMENT && heading_level(element->parent->v.element.tag) > 0;
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
    case GUMBO_TAG_RT:  // how a character is read, and the brackets around that
    case GUMBO_TAG_RTC:
    case GUMBO_TAG_RP:
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

int set_heading_level(const GumboNode* paragraph) {
  const GumboElement& whole = paragraph->v.element;
  if (whole.tag != GUMBO_TAG_P) return 0;
  if (whole.end_pos.offset > whole.start_pos.offset + kLongestSetHeading) return 0;
  int size = 0;
  bool bold = false;
  for (const GumboNode* node = only_child(paragraph); node != nullptr; node = only_child(node)) {
    const GumboTag tag = node->v.element.tag;
    if (is_block(tag)) return 0;
    if (tag == GUMBO_TAG_FONT) size = font_size(attribute(node, "size"));
    bold = bold || tag == GUMBO_TAG_B || tag == GUMBO_TAG_STRONG;
  }
  return bold && size > kUsualFontSize ? kLargestFontSize + 1 - size : 0;
}

bool is_never_seen(const GumboNode* element) {
  return (is_furniture(element->v.element.tag) && !is_opener(element)) || is_link_to_heading(element) ||
         is_link_to_editor(element) || gumbo_get_attribute(&element->v.element.attributes, "hidden") != nullptr ||
         attribute(element, "aria-hidden") == "true";
}

bool is_hidden_by_style(const GumboNode* element) {
  const std::string_view style = attribute(element, "style");
  return style.find("display:none") != std::string_view::npos || style.find("display: none") != std::string_view::npos;
}

bool is_layout(const GumboNode* row) {
  for (const GumboTag tag : {GUMBO_TAG_TABLE, GUMBO_TAG_H1, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_PRE}) {
    if (contains(row, tag)) return true;
  }
  return false;
}

const GumboVector* children_of(const GumboNode* node) {
  if (node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE) return &node->v.element.children;
  if (node->type == GUMBO_NODE_DOCUMENT) return &node->v.document.children;
  return nullptr;
}

}  // namespace mneme::readers
