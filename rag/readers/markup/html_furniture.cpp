#include "rag/readers/markup/html_furniture.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/markup/html_elements.h"
#include "rag/readers/markup/html_tree.h"

namespace mneme::readers {
namespace {

using Words = std::initializer_list<std::string_view>;

// Bytes of text below an element, without white space.
struct TextAmount {
  size_t linked = 0;
  size_t prose = 0;         // outside links
  size_t kept = 0;          // of the prose: what is not furniture
  bool has_blocks = false;  // paragraphs or headings

  size_t all() const { return linked + prose; }
  void add(const TextAmount& part) {
    linked += part.linked;
    prose += part.prose;
    kept += part.kept;
    has_blocks = has_blocks || part.has_blocks;
  }
};

// Where in the page an element stands.
struct Surroundings {
  bool in_link = false;
  bool in_article = false;
  bool in_list = false;
};

size_t visible_bytes(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !is_space(c); }));
}

bool is_one_of(std::string_view word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Whether one of the names that `borders` part is among the words.
bool names_any(std::string_view names, std::string_view borders, Words words) {
  while (!names.empty()) {
    const size_t end = std::min(names.find_first_of(borders), names.size());
    if (is_one_of(names.substr(0, end), words)) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

std::string names_of(const GumboNode* element) {
  return lower_ascii(std::string(attribute(element, "class")).append(" ").append(attribute(element, "id")));
}

// Nearly nothing but links, and said to be furniture by a word of a name such as "site-footer".
bool is_named_navigation(std::string_view names, const TextAmount& amount) {
  return amount.linked > amount.prose &&
         names_any(names, " -_", {"nav",        "navbar",      "navigation", "menu",          "sidebar",    "footer",
                                  "breadcrumb", "breadcrumbs", "cookie",     "cookies",       "advert",     "ads",
                                  "banner",     "popup",       "share",      "social",        "pagination", "skip",
                                  "toc",        "navbox",      "noprint",    "mw-editsection"});
}

// A few words whose only name says that they are none of the text.
bool is_named_notice(std::string_view names, const TextAmount& amount) {
  constexpr size_t kLongestNotice = 60;
  return amount.all() <= kLongestNotice && !amount.has_blocks &&
         names_any(names, " ",
                   {"nav", "navbar", "navigation", "breadcrumb", "breadcrumbs", "cookie", "cookies", "advert", "ads",
                    "popup", "share", "social", "pagination", "skip", "navbox", "noprint", "mw-editsection"});
}

bool is_list_of_links(const TextAmount& list) {
  return list.linked > 60 && list.linked > 9 * list.prose;
}

// Elements that say by themselves what they are for.
bool is_furniture_by_kind(const GumboNode* element, const Surroundings& around) {
  const GumboTag tag = element->v.element.tag;
  if (tag == GUMBO_TAG_NAV || tag == GUMBO_TAG_ASIDE) return true;
  if (tag == GUMBO_TAG_FOOTER && !around.in_article) return true;
  return is_one_of(attribute(element, "role"), {"navigation", "banner", "contentinfo", "search"});
}

// Measures a page and finds its furniture, once through.
class Surveyor {
 public:
  // prose_of_page: what no single block may have a fifth of and yet be furniture by its name.
  Surveyor(size_t prose_of_page, std::unordered_set<const GumboNode*>& found)
      : prose_of_page_(prose_of_page), found_(found) {}

  TextAmount survey(const GumboNode* node, Surroundings around = {}, int depth = 0) {
    TextAmount amount;
    if (depth > kDeepestElement) return amount;
    if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_CDATA) {
      const size_t bytes = visible_bytes(node->v.text.text);
      (around.in_link ? amount.linked : amount.prose) = bytes;
      amount.kept = amount.prose;
      return amount;
    }
    if (node->type != GUMBO_NODE_ELEMENT) {
      for_children(node, [&](const GumboNode* child) { amount.add(survey(child, around, depth + 1)); });
      return amount;
    }
    if (is_never_seen(node)) return amount;
    const GumboTag tag = node->v.element.tag;
    Surroundings inner = around;
    inner.in_link = inner.in_link || tag == GUMBO_TAG_A;
    inner.in_article = inner.in_article || tag == GUMBO_TAG_ARTICLE || tag == GUMBO_TAG_MAIN;
    inner.in_list = inner.in_list || tag == GUMBO_TAG_LI;
    for_children(node, [&](const GumboNode* child) { amount.add(survey(child, inner, depth + 1)); });
    amount.has_blocks = amount.has_blocks || tag == GUMBO_TAG_P || heading_level(tag) > 0;
    if (is_furniture_here(node, around, amount)) {
      found_.insert(node);
      amount.kept = 0;
    }
    return amount;
  }

 private:
  bool is_furniture_here(const GumboNode* element, const Surroundings& around, const TextAmount& amount) const {
    if (is_furniture_by_kind(element, around)) return true;
    const GumboTag tag = element->v.element.tag;
    if (!is_block(tag) || tag == GUMBO_TAG_BODY) return false;
    if ((tag == GUMBO_TAG_UL || tag == GUMBO_TAG_OL) && !around.in_list && is_list_of_links(amount)) return true;
    if (amount.prose * 5 > prose_of_page_) return false;
    const std::string names = names_of(element);
    return is_named_navigation(names, amount) || is_named_notice(names, amount);
  }

  const size_t prose_of_page_;
  std::unordered_set<const GumboNode*>& found_;
};

// Collects the elements with the tag, or for <main> with that role; none within another.
void find_parts(const GumboNode* node, GumboTag tag, int depth, std::vector<const GumboNode*>& found) {
  if (depth > kDeepestElement) return;
  if (node->type == GUMBO_NODE_ELEMENT) {
    const bool by_role = tag == GUMBO_TAG_MAIN && attribute(node, "role") == "main";
    if (node->v.element.tag == tag || by_role) {
      found.push_back(node);
      return;
    }
  }
  for_children(node, [&](const GumboNode* child) { find_parts(child, tag, depth + 1, found); });
}

}  // namespace

PageFurniture::PageFurniture(const GumboNode* root) {
  const size_t whole = Surveyor(0, elements_).survey(root).prose;
  const auto survey_of = [&](const std::vector<const GumboNode*>& parts) {
    elements_.clear();
    TextAmount amount;
    for (const GumboNode* part : parts) amount.add(Surveyor(whole, elements_).survey(part));
    return amount;
  };
  // <main> is what its author says, unless a script fills it in; <article> may be a teaser, or the beginning alone.
  find_parts(root, GUMBO_TAG_MAIN, 0, parts_);
  size_t fewest = whole / 3;
  if (parts_.empty()) {
    find_parts(root, GUMBO_TAG_ARTICLE, 0, parts_);
    fewest = whole - whole / 3;
  }
  TextAmount amount = survey_of(parts_);
  if (parts_.empty() || amount.kept < fewest) {
    parts_ = {root};
    amount = survey_of(parts_);
  }
  if (amount.kept * 2 < amount.prose) {
    parts_ = {root};
    elements_.clear();
    amount.kept = whole;
  }
  if (whole > 0) percent_left_out_ = static_cast<int>((whole - amount.kept) * 100 / whole);
}

}  // namespace mneme::readers
