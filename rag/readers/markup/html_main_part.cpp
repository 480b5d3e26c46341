#include "rag/readers/markup/html_main_part.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "base/ascii.h"
#include "rag/readers/markup/html_elements.h"
#include "rag/readers/markup/html_tree.h"

namespace mneme::readers {
namespace {

constexpr std::array<std::string_view, 22> kBodyClasses = {
    "entry-content",   "post-content",     "article-content", "article-body", "articlebody",    "article_body",
    "article__body",   "article__content", "article-text",    "story-body",   "storybody",      "story-content",
    "post-body",       "post__content",    "post_content",    "entry-body",   "single-content", "blog-post-content",
    "td-post-content", "post-entry",       "entrytext",       "story_body",
};
constexpr std::array<std::string_view, 11> kContentIds = {
    "content",     "main",        "main-content", "maincontent",     "main_content", "page-content",
    "bodycontent", "articlebody", "contents",     "mw-content-text", "article"};

// Whether one of the names that spaces part is among the words.
template <size_t kCount>
bool has_name(std::string_view names, const std::array<std::string_view, kCount>& words) {
  while (!names.empty()) {
    const size_t end = std::min(names.find(' '), names.size());
    if (std::find(words.begin(), words.end(), names.substr(0, end)) != words.end()) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

// "https://schema.org/NewsArticle", "BlogPosting".
bool is_article_type(std::string_view type) {
  while (!type.empty() && (is_space(type.back()) || type.back() == '/')) type.remove_suffix(1);
  return type.ends_with("Article") || type.ends_with("BlogPosting");
}

// Of JSON-LD: whether one of the things that it describes is an article.
bool describes_article(const GumboNode* script) {
  bool found = false;
  for_children(script, [&](const GumboNode* child) {
    if (child->type != GUMBO_NODE_TEXT && child->type != GUMBO_NODE_CDATA) return;
    const std::string_view json = child->v.text.text;
    constexpr std::string_view kType = "\"@type\"";
    for (size_t at = json.find(kType); at != std::string_view::npos && !found; at = json.find(kType, at + 1)) {
      const size_t open = json.find('"', at + kType.size());
      const size_t close = open == std::string_view::npos ? open : json.find('"', open + 1);
      found = close != std::string_view::npos && is_article_type(json.substr(open + 1, close - open - 1));
    }
  });
  return found;
}

bool says_article(const GumboNode* element) {
  switch (element->v.element.tag) {
    case GUMBO_TAG_META: {
      const std::string_view property = attribute(element, "property");
      return property == "article:published_time" ||
             (property == "og:type" && attribute(element, "content") == "article");
    }
    case GUMBO_TAG_SCRIPT: return attribute(element, "type") == "application/ld+json" && describes_article(element);
    default: return is_article_type(attribute(element, "itemtype"));
  }
}

// What an element stands within.
struct Within {
  bool main = false;
  bool article = false;
  bool body = false;
  bool content = false;
};

class Collector {
 public:
  explicit Collector(PageMarks& marks) : marks_(marks) {}

  void collect(const GumboNode* node, Within within = {}, int depth = 0) {
    if (depth > kDeepestElement) return;
    if (node->type == GUMBO_NODE_ELEMENT) {
      const GumboTag tag = node->v.element.tag;
      const bool has_attributes = node->v.element.attributes.length > 0;
      if (has_attributes) marks_.is_article = marks_.is_article || says_article(node);
      if (tag == GUMBO_TAG_H1 && marks_.headline == nullptr && !is_never_seen(node)) marks_.headline = node;
      take(node, tag == GUMBO_TAG_MAIN || (has_attributes && attribute(node, "role") == "main"), within.main,
           marks_.mains);
      take(node, tag == GUMBO_TAG_ARTICLE, within.article, marks_.articles);
      if (has_attributes && is_block(tag) && tag != GUMBO_TAG_BODY) take_names(node, within);
    }
    for_children(node, [&](const GumboNode* child) { collect(child, within, depth + 1); });
  }

 private:
  static void take(const GumboNode* element, bool is_one, bool& within, std::vector<const GumboNode*>& found) {
    if (!is_one || within) return;
    found.push_back(element);
    within = true;
  }

  void take_names(const GumboNode* element, Within& within) {
    if (!within.body && attribute(element, "itemprop") == "articleBody")
      return take(element, true, within.body, marks_.bodies);
    const std::string_view classes = attribute(element, "class");
    take(element, !classes.empty() && has_name(lower_ascii(classes), kBodyClasses), within.body, marks_.named_bodies);
    const std::string_view id = attribute(element, "id");
    take(element, !id.empty() && has_name(lower_ascii(id), kContentIds), within.content, marks_.named_contents);
  }

  PageMarks& marks_;
};

}  // namespace

PageMarks marks_of(const GumboNode* root) {
  PageMarks marks;
  Collector(marks).collect(root);
  return marks;
}

bool is_within(const GumboNode* node, const GumboNode* element) {
  for (; node != nullptr; node = node->parent)
    if (node == element) return true;
  return false;
}

const GumboNode* common_parent(const std::vector<const GumboNode*>& elements) {
  if (elements.empty()) return nullptr;
  const GumboNode* common = elements.front();
  for (const GumboNode* element : elements)
    while (common != nullptr && !is_within(element, common)) common = common->parent;
  return common;
}

std::string names_of(const GumboNode* element) {
  return lower_ascii(std::string(attribute(element, "class")).append(" ").append(attribute(element, "id")));
}

}  // namespace mneme::readers
