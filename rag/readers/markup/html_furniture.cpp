#include "rag/readers/markup/html_furniture.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/markup/html_elements.h"
#include "rag/readers/markup/html_main_part.h"
#include "rag/readers/markup/html_tree.h"

namespace mneme::readers {
namespace {

using Words = std::initializer_list<std::string_view>;

constexpr size_t kMostOfAnIndex = 2000;  // bytes of sentences beside the links of a page that is mostly links

// Bytes of text below an element, without white space.
struct TextAmount {
  size_t linked = 0;
  size_t prose = 0;         // outside links
  size_t kept = 0;          // of the prose: what is not furniture
  size_t sentences = 0;     // of what is kept: in blocks so long that they are sentences
  size_t loose = 0;         // prose behind the last border of a block
  size_t inner = 0;         // of what is linked: to other places of this page
  size_t listed = 0;        // of what is linked: in lists of links to elsewhere
  bool has_blocks = false;  // paragraphs or headings

  size_t all() const { return linked + prose; }
  void add(const TextAmount& part) {
    linked += part.linked;
    prose += part.prose;
    kept += part.kept;
    sentences += part.sentences;
    loose += part.loose;
    inner += part.inner;
    listed += part.listed;
    has_blocks = has_blocks || part.has_blocks;
  }
  void end_block() {
    constexpr size_t kShortestSentence = 60;
    if (loose >= kShortestSentence) sentences += loose;
    loose = 0;
  }
  void leave_out() { kept = sentences = loose = listed = 0; }
};

// What decides in all of a page what is furniture there.
struct PageKind {
  size_t prose = 0;      // no single block may have a fifth of it and yet be furniture by its name; 0: not known yet
  size_t sentences = 0;  // 0: not known yet
  bool is_article = false;
  bool is_index = false;  // mostly links to other pages, which are what it says
};

// Where in the page an element stands.
struct Surroundings {
  bool in_link = false;
  bool in_inner_link = false;  // to a place of this page
  bool in_article = false;
  bool in_list = false;
  bool in_text = false;  // within the element that holds the text, so that lists of links are part of it
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

// Whether one of the names that `borders` part has one of the words in it: "topnav", "mainmenu".
bool names_contain(std::string_view names, std::string_view borders, Words words) {
  while (!names.empty()) {
    const size_t end = std::min(names.find_first_of(borders), names.size());
    const std::string_view name = names.substr(0, end);
    for (const std::string_view word : words)
      if (name.find(word) != std::string_view::npos) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

// Nearly nothing but links, and said to be furniture by a word of a name such as "site-footer".
bool is_named_navigation(std::string_view names, const TextAmount& amount, const PageKind& page) {
  if (amount.linked <= amount.prose) return false;
  if (!page.is_index && names_any(names, " -_", {"toc"})) return true;
  return names_any(names, " -_",
                   {"footer", "breadcrumb", "breadcrumbs", "cookie", "cookies", "advert", "ads", "banner", "popup",
                    "share", "social", "pagination", "skip", "navbox", "noprint", "mw-editsection", "sidebar"}) ||
         names_contain(names, " -_", {"nav", "menu"});
}

// A few words whose only name says that they are none of the text.
bool is_named_notice(std::string_view names, const TextAmount& amount) {
  constexpr size_t kLongestNotice = 60;
  return amount.all() <= kLongestNotice && !amount.has_blocks &&
         names_any(names, " ",
                   {"nav", "navbar", "navigation", "breadcrumb", "breadcrumbs", "cookie", "cookies", "advert", "ads",
                    "popup", "share", "social", "pagination", "skip", "navbox", "noprint", "mw-editsection"});
}

bool is_section(const GumboNode* element) {
  return element->v.element.tag == GUMBO_TAG_SECTION ||
         names_any(lower_ascii(attribute(element, "class")), " ", {"section", "sect1", "sect2", "sect3"});
}

// What readers wrote below an article.
bool is_named_comments(std::string_view names, const TextAmount& amount, const PageKind& page) {
  return page.is_article && amount.sentences * 10 <= page.sentences * 9 &&
         names_any(names, " ",
                   {"comments", "comment-list", "commentlist", "comments-area", "comments-list", "comment-thread",
                    "user-comments", "reader-comments", "disqus_thread", "fbcomments"});
}

// What stands in and around articles and is none of them, by what it is called.
bool is_named_aside(std::string_view names, const TextAmount& amount, const PageKind& page) {
  if (!page.is_article || amount.sentences * 5 > page.sentences) return false;
  return names_any(
      names, " -_",
      {"share",   "sharing",   "social",       "related", "newsletter",  "promo",           "advert",   "advertisement",
       "ads",     "sponsored", "comments",     "disqus",  "recommended", "recommendations", "trending", "outbrain",
       "taboola", "subscribe", "subscription", "signup",  "cookie",      "consent",         "paywall",  "breadcrumbs",
       "modal",   "popup",     "toolbar",      "sidebar", "footer"});
}

bool is_list_of_links(const TextAmount& list) {
  return list.linked > 60 && list.linked > 9 * list.prose;
}

// A list of what the page has below, whose headings say the same.
bool leads_within_page(const TextAmount& list) {
  return list.inner * 10 > list.linked * 9;
}

bool is_list(GumboTag tag) {
  return tag == GUMBO_TAG_UL || tag == GUMBO_TAG_OL || tag == GUMBO_TAG_DL;
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
  Surveyor(const PageKind& page, std::unordered_set<const GumboNode*>& found, const GumboNode* text = nullptr)
      : page_(page), found_(found), text_(text) {}

  TextAmount survey(const GumboNode* node, Surroundings around = {}, int depth = 0) {
    TextAmount amount;
    if (depth > kDeepestElement || node->type == GUMBO_NODE_TEMPLATE) return amount;
    if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_CDATA) {
      const size_t bytes = visible_bytes(node->v.text.text);
      (around.in_link ? amount.linked : amount.prose) = bytes;
      if (around.in_inner_link) amount.inner = bytes;
      amount.kept = amount.loose = amount.prose;
      return amount;
    }
    if (node->type != GUMBO_NODE_ELEMENT) {
      for_children(node, [&](const GumboNode* child) { amount.add(survey(child, around, depth + 1)); });
      return amount;
    }
    if (is_never_seen(node)) return amount;
    return survey_element(node, around, depth);
  }

  // The smallest element that nearly all of so many bytes of sentences are in; null: there is none.
  const GumboNode* text_with(size_t sentences) const {
    const auto found = std::find_if(holders_.begin(), holders_.end(),
                                    [&](const Holder& holder) { return holder.sentences * 10 >= sentences * 9; });
    return found == holders_.end() ? nullptr : found->element;
  }

 private:
  TextAmount survey_element(const GumboNode* element, const Surroundings& around, int depth) {
    const GumboTag tag = element->v.element.tag;
    Surroundings inner = around;
    inner.in_link = inner.in_link || tag == GUMBO_TAG_A;
    inner.in_inner_link = inner.in_inner_link || (tag == GUMBO_TAG_A && attribute(element, "href").starts_with('#'));
    inner.in_article = inner.in_article || tag == GUMBO_TAG_ARTICLE || tag == GUMBO_TAG_MAIN;
    inner.in_list = inner.in_list || tag == GUMBO_TAG_LI;
    inner.in_text = inner.in_text || (element == text_ && tag != GUMBO_TAG_BODY && !page_.is_article);
    TextAmount amount;
    const bool block = is_block(tag) || tag == GUMBO_TAG_LI;
    for_children(element, [&](const GumboNode* child) { amount.add(survey(child, inner, depth + 1)); });
    if (block) amount.end_block();
    amount.has_blocks = amount.has_blocks || tag == GUMBO_TAG_P || heading_level(tag) > 0;
    if (is_list(tag) && is_list_of_links(amount) && !leads_within_page(amount)) amount.listed = amount.linked;
    if (is_furniture_here(element, around, amount)) {
      found_.insert(element);
      amount.leave_out();
    }
    if (block && tag != GUMBO_TAG_P && amount.sentences > 0) holders_.push_back({element, amount.sentences});
    return amount;
  }

  bool is_furniture_here(const GumboNode* element, const Surroundings& around, const TextAmount& amount) const {
    if (is_furniture_by_kind(element, around)) return true;
    const GumboTag tag = element->v.element.tag;
    if (!is_block(tag) || tag == GUMBO_TAG_BODY) return false;
    if ((tag == GUMBO_TAG_UL || tag == GUMBO_TAG_OL) && !around.in_list && is_list_of_links(amount) &&
        (leads_within_page(amount) || !is_told(element, around)))
      return true;
    if (page_.is_article && is_hidden_by_style(element)) return true;
    if (element->v.element.attributes.length == 0) return false;
    const bool is_small = amount.prose * 5 <= page_.prose;
    if (!is_small && !page_.is_article) return false;
    const std::string names = names_of(element);
    // Sections are called by their headings: "comments", in a manual of a programming language.
    const std::string beside = is_section(element) ? lower_ascii(attribute(element, "class")) : names;
    if (is_named_comments(beside, amount, page_)) return true;
    return is_small && (is_named_navigation(names, amount, page_) || is_named_notice(names, amount) ||
                        is_named_aside(beside, amount, page_));
  }

  // Whether a list of links is among what the page says: in the text, or all there is.
  bool is_told(const GumboNode* list, const Surroundings& around) const {
    return around.in_text || page_.is_index || (!page_.is_article && list->parent == text_);
  }

  struct Holder {
    const GumboNode* element = nullptr;
    size_t sentences = 0;
  };

  const PageKind page_;
  std::unordered_set<const GumboNode*>& found_;
  const GumboNode* const text_;  // that is known already; null: not yet
  std::vector<Holder> holders_;  // of sentences, none before what it holds
};

// The headline where it stands outside the text, with what stands by it: under whose name, when, what it is about.
std::vector<const GumboNode*> headline_above(const GumboNode* headline, const GumboNode* text, const PageKind& page) {
  constexpr size_t kLongestHead = 600;
  if (headline == nullptr || is_within(headline, text)) return {};
  std::unordered_set<const GumboNode*> unused;
  const auto is_head = [&](const GumboNode* element) {
    if (element == nullptr || element->type != GUMBO_NODE_ELEMENT || is_within(text, element)) return false;
    const TextAmount amount = Surveyor(page, unused).survey(element);
    return amount.kept > 0 && amount.all() <= kLongestHead;
  };
  while (is_head(headline->parent)) headline = headline->parent;
  return {headline};
}

}  // namespace

PageFurniture::PageFurniture(const GumboNode* root) {
  const PageMarks marks = marks_of(root);
  PageKind page{.is_article = marks.is_article, .is_index = true};  // so that lists of links are counted
  Surveyor first(page, elements_);
  const TextAmount all = first.survey(root);
  page.prose = all.prose;
  page.sentences = all.sentences;
  page.is_index = !marks.is_article && all.listed > 2 * all.sentences && all.sentences < kMostOfAnIndex;
  const GumboNode* text = first.text_with(page.sentences);
  if (page.is_article) {  // what is furniture by its name is known now, and has no sentences of the article
    elements_.clear();
    Surveyor second(page, elements_);
    page.sentences = second.survey(root).sentences;
    text = second.text_with(page.sentences);
  }

  TextAmount amount;
  // Takes the parts where they have so many hundredths of the page's sentences and of its prose.
  const auto take = [&](const std::vector<const GumboNode*>& parts, size_t sentences, size_t prose, bool marked) {
    if (parts.empty()) return false;
    elements_.clear();
    amount = {};
    for (const GumboNode* part : parts) {
      Surroundings around;
      around.in_text = marked;
      amount.add(Surveyor(page, elements_, text).survey(part, around));
    }
    parts_ = parts;
    return amount.sentences * 100 >= page.sentences * sentences && amount.kept * 100 >= all.prose * prose;
  };
  const auto take_element = [&](const GumboNode* element, size_t sentences, size_t prose, bool marked = true) {
    if (element == nullptr || element->type != GUMBO_NODE_ELEMENT) return false;
    std::vector<const GumboNode*> parts = headline_above(marks.headline, element, page);
    parts.push_back(element);
    return take(parts, sentences, prose, marked);
  };
  // <main> is what its author says, unless a script fills it in; <article> may be a teaser, or the beginning alone.
  const bool taken = (marks.is_article &&
                      (take_element(common_parent(marks.bodies), 25, 10) ||
                       take_element(common_parent(marks.named_bodies), 40, 20) || take_element(text, 80, 0, false))) ||
                     take(marks.mains, 0, 33, !page.is_article) || take(marks.articles, 0, 67, !page.is_article) ||
                     take_element(common_parent(marks.named_bodies), 90, 50) ||
                     take_element(common_parent(marks.named_contents), 90, 50) || take({root}, 0, 50, false);
  if (!taken) {
    parts_ = {root};
    elements_.clear();
    amount.kept = all.prose;
  }
  if (all.prose > 0) percent_left_out_ = static_cast<int>((all.prose - amount.kept) * 100 / all.prose);
}

}  // namespace mneme::readers
