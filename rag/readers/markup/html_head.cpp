#include "rag/readers/markup/html_head.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/trim.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/markup/html_elements.h"
#include "rag/readers/markup/html_tree.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

std::string text_below(const GumboNode* node, int depth = 0) {
  if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_CDATA || node->type == GUMBO_NODE_WHITESPACE) {
    return node->v.text.text;
  }
  std::string text;
  if (depth < 20) for_children(node, [&](const GumboNode* child) { text += text_below(child, depth + 1); });
  return text;
}

// Under which of our names a property stands; its own where it has none.
std::string_view meaning_of(std::string_view key) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kNames = {{
      {"published_time", "date"},
      {"datepublished", "date"},
      {"publishdate", "date"},
      {"publish-date", "date"},
      {"publish_date", "date"},
      {"publication_date", "date"},
      {"citation_publication_date", "date"},
      {"citation_date", "date"},
      {"parsely-pub-date", "date"},
      {"sailthru.date", "date"},
      {"date.issued", "date"},
      {"citation_author", "author"},
      {"parsely-author", "author"},
      {"sailthru.author", "author"},
  }};
  for (const auto& [name, meaning] : kNames)
    if (key == name) return meaning;
  return key;
}

class HeadReader {
 public:
  explicit HeadReader(rag::Document& document) : document_(document) {}

  void read(const GumboNode* root) {
    for_children(root, [&](const GumboNode* head) {
      if (head->type == GUMBO_NODE_ELEMENT && head->v.element.tag == GUMBO_TAG_HEAD)
        for_children(head, [&](const GumboNode* node) { take(node); });
    });
    if (document_.date.empty()) find_date(root, 0);
    leave_out_site();
  }

 private:
  void take(const GumboNode* node) {
    if (node->type != GUMBO_NODE_ELEMENT) return;
    if (node->v.element.tag == GUMBO_TAG_TITLE && document_.title.empty())
      document_.title = clean_text(text_below(node));
    if (node->v.element.tag == GUMBO_TAG_META) take_property(node);
  }

  void take_property(const GumboNode* meta) {
    std::string key;
    for (const char* name : {"name", "property", "itemprop"})
      if (key.empty()) key = lower_ascii(attribute(meta, name));
    const std::string value = clean_text(attribute(meta, "content"));
    if (key == "og:site_name") site_ = value;
    if (key == "og:title") headline_ = value;
    for (const std::string_view prefix : {"dc.", "dcterms.", "og:", "article:"})
      if (key.starts_with(prefix)) key.erase(0, prefix.size());
    const std::string_view meaning = meaning_of(key);
    const bool is_address = value.starts_with("http://") || value.starts_with("https://");
    if (meaning != "author" || !is_address) take_metadata(document_, meaning, value);
  }

  void find_date(const GumboNode* node, int depth) {
    if (depth > kDeepestElement || !document_.date.empty()) return;
    if (node->type == GUMBO_NODE_ELEMENT) take_date(node);
    for_children(node, [&](const GumboNode* child) { find_date(child, depth + 1); });
  }

  void take_date(const GumboNode* element) {
    const GumboTag tag = element->v.element.tag;
    if (tag == GUMBO_TAG_SCRIPT && attribute(element, "type") == "application/ld+json") {
      take_metadata(document_, "date", value_of(text_below(element), "\"datePublished\""));
    } else if (attribute(element, "itemprop") == "datePublished" ||
               (tag == GUMBO_TAG_TIME && gumbo_get_attribute(&element->v.element.attributes, "pubdate") != nullptr)) {
      for (const char* name : {"datetime", "content"}) take_metadata(document_, "date", attribute(element, name));
    }
  }

  // Of a name in JSON: the text behind it.
  static std::string value_of(std::string_view json, std::string_view name) {
    const size_t at = json.find(name);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = json.substr(at + name.size());
    const size_t open = rest.find('"');
    const size_t close = open == std::string_view::npos ? open : rest.find('"', open + 1);
    if (close == std::string_view::npos || trimmed(rest.substr(0, open)) != ":") return {};
    return std::string(rest.substr(open + 1, close - open - 1));
  }

  // "Storm over the Lakes - The Daily Gull": what is behind the headline is told by the place of the file, or not asked
  // for. Only where the page says which is which.
  void leave_out_site() {
    std::string& title = document_.title;
    const std::string_view behind =
        title.starts_with(headline_) ? std::string_view(title).substr(headline_.size()) : "";
    for (const std::string_view sign :
         {" | ", " - ", " \xe2\x80\x93 ", " \xe2\x80\x94 ", " \xc2\xab ", " \xc2\xbb ", " \xc2\xb7 ", " :: ", ": "}) {
      if (!headline_.empty() && behind.starts_with(sign)) return title.resize(headline_.size());
      const size_t length = sign.size() + site_.size();
      if (site_.empty() || title.size() <= length) continue;
      const std::string_view end = std::string_view(title).substr(title.size() - length);
      if (end.starts_with(sign) && equals_ignoring_case(end.substr(sign.size()), site_))
        return title.resize(title.size() - length);
    }
  }

  rag::Document& document_;
  std::string site_;
  std::string headline_;
};

}  // namespace

void take_page_metadata(const GumboNode* root, rag::Document& document) {
  HeadReader(document).read(root);
}

}  // namespace mneme::readers
