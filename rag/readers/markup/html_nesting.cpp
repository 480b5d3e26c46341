#include "rag/readers/markup/html_nesting.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"

namespace mneme::readers {
namespace {

// What only holds other elements, and may be left out without another being closed by it.
struct Holder {
  std::string_view name;
  bool is_block;
};
constexpr std::array<Holder, 18> kHolders = {{{"div", true},
                                              {"section", true},
                                              {"article", true},
                                              {"main", true},
                                              {"blockquote", true},
                                              {"center", true},
                                              {"form", true},
                                              {"fieldset", true},
                                              {"figure", true},
                                              {"details", true},
                                              {"dir", true},
                                              {"ul", true},  // items that nothing closes end with the next
                                              {"ol", true},
                                              {"dl", true},
                                              {"menu", true},
                                              {"span", false},
                                              {"font", false},
                                              {"small", false}}};
// Between their tags there are none.
constexpr std::string_view kRawText[] = {"script", "style",  "textarea", "title",
                                         "xmp",    "iframe", "noembed",  "noframes"};

struct Tag {
  size_t begin = 0;
  size_t end = 0;  // behind it
  bool closes = false;
  std::string name;  // in small letters
};

class TagScanner {
 public:
  explicit TagScanner(std::string_view html) : html_(html) {}

  // Comments and raw text are passed over. False at the end, or where a tag does not end.
  bool next(Tag& tag) {
    for (size_t at = html_.find('<', at_); at != std::string_view::npos; at = html_.find('<', at_)) {
      at_ = at + 1;
      if (html_.substr(at).starts_with("<!--")) {
        at_ = std::min(html_.find("-->", at), html_.size());
        continue;
      }
      tag.closes = html_.substr(at + 1).starts_with('/');
      const size_t name = at + (tag.closes ? 2 : 1);
      if (name >= html_.size() || !is_letter(html_[name])) continue;
      const size_t name_end = std::min(html_.find_first_of(" \t\r\n\f/>", name), html_.size());
      constexpr size_t kLongestName = 16;  // of those that matter
      tag.name = lower_ascii(html_.substr(name, std::min(name_end - name, kLongestName)));
      tag.begin = at;
      tag.end = end_of_tag(name_end);
      if (tag.end == std::string_view::npos) return false;
      at_ = tag.end;
      if (!tag.closes && std::find(std::begin(kRawText), std::end(kRawText), tag.name) != std::end(kRawText)) {
        at_ = end_of_raw_text(tag.name);
      }
      return true;
    }
    return false;
  }

 private:
  // Behind the ">" that no quotation marks hold.
  size_t end_of_tag(size_t at) const {
    while (true) {
      at = html_.find_first_of("\"'>", at);
      if (at == std::string_view::npos || html_[at] == '>') return at == std::string_view::npos ? at : at + 1;
      at = html_.find(html_[at], at + 1);
      if (at == std::string_view::npos) return at;
      ++at;
    }
  }
  size_t end_of_raw_text(std::string_view name) const {
    for (size_t at = html_.find("</", at_); at != std::string_view::npos; at = html_.find("</", at + 2)) {
      if (lower_ascii(html_.substr(at + 2, name.size())) == name) return at;
    }
    return html_.size();
  }

  const std::string_view html_;
  size_t at_ = 0;
};

// Which of the holders are open, the innermost last.
class OpenHolders {
 public:
  void open(size_t holder) {
    open_.push_back(holder);
    ++n_open_[holder];
  }
  // Closes the innermost of its kind, with what is open in it. Where it was as deep as this many; 0: none is open.
  size_t close(size_t holder) {
    if (n_open_[holder] == 0) return 0;
    while (open_.back() != holder) pop();
    pop();
    return open_.size() + 1;
  }
  size_t depth() const { return open_.size(); }

 private:
  void pop() {
    --n_open_[open_.back()];
    open_.pop_back();
  }

  std::vector<size_t> open_;
  std::array<size_t, kHolders.size()> n_open_{};
};

}  // namespace

std::string_view without_deep_nesting(std::string_view html, std::string& flat) {
  TagScanner scanner(html);
  OpenHolders holders;
  size_t done = 0;
  for (Tag tag; scanner.next(tag);) {
    const auto* const found =
        std::find_if(kHolders.begin(), kHolders.end(), [&](const Holder& holder) { return holder.name == tag.name; });
    if (found == kHolders.end()) continue;
    const auto holder = static_cast<size_t>(found - kHolders.begin());
    if (!tag.closes) holders.open(holder);
    const size_t depth = tag.closes ? holders.close(holder) : holders.depth();
    if (depth <= kDeepestNesting) continue;
    const std::string_view text = html.substr(tag.begin, tag.end - tag.begin);
    flat.append(html.substr(done, tag.begin - done));
    if (found->is_block) flat.append("<p>");
    flat.append(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')), '\n');
    done = tag.end;
  }
  if (done == 0) return html;
  flat.append(html.substr(done));
  return flat;
}

}  // namespace mneme::readers
