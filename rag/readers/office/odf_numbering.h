// The numbers that OpenDocument gives to paragraphs of lists and to headings: they are no part of the text but counted
// whenever it is shown, as styles of lists and the outline say.
// Internal to rag/readers. Threads: one thread each.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/readers/number_labels.h"

namespace mneme::readers {

class OdfNumbering {
 public:
  // styles, content: the roots of the parts styles.xml and content.xml, either of which may be empty.
  void read(const pugi::xml_node& styles, const pugi::xml_node& content);

  // A walk through the document: lists with their items, each within the other.
  void begin_list(const pugi::xml_node& list);
  void end_list();
  void begin_item(const pugi::xml_node& item);

  // Counts a paragraph of the innermost list: the first of an item has its number.
  ListPlace count_paragraph(const pugi::xml_node& paragraph);
  // Counts a heading, of a list or of the outline; gives its number, "" for none.
  std::string count_heading(const pugi::xml_node& heading);

  // While it lives, what is counted stands in none of the lists that are open: a text box beside a paragraph of one.
  class AsideScope;

 private:
  static constexpr size_t kLevels = 10;
  static constexpr int kNotBegun = -1;
  using Counts = std::array<int, kLevels>;
  static constexpr Counts kNoneBegun = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

  struct Level {
    bool shows_number = false;  // false: a sign, or nothing
    NumberScript script = NumberScript::kDecimal;
    int start = 1;
    int n_shown = 1;  // levels whose numbers it shows, itself the last
    std::string before;
    std::string behind;
  };
  using Style = std::array<Level, kLevels>;
  using StylesByName = std::map<std::string, Style, std::less<>>;

  struct OpenList {
    Counts* counts = nullptr;
    const Style* style = nullptr;  // null: that of the paragraph
    size_t level = 0;
    bool in_item = false;       // of this list, one that has a number
    bool item_counted = false;  // that has its number already
    int item_start = kNotBegun;
  };
  // The style of lists that a style of paragraphs names, and what it is based on.
  struct ParagraphStyle {
    std::string list_style;
    std::string parent;
  };

  static Level level_of(const pugi::xml_node& node);
  static void read_levels(const pugi::xml_node& node, Style& style);
  void read_styles(const pugi::xml_node& parent);
  const Style* style_named(std::string_view name) const;
  const Style* style_of(const pugi::xml_node& paragraph) const;
  Counts& counts_of(const pugi::xml_node& list);
  static void forget_from(size_t level, Counts& counts);
  // From 1, or what `start` says; levels below begin anew.
  static void advance(const Style& style, size_t level, int start, Counts& counts);
  static std::string number_of(const Style& style, size_t level, const Counts& counts);
  static bool names_place(const Level& level);

  StylesByName styles_;
  std::map<std::string, ParagraphStyle, std::less<>> paragraph_styles_;
  Style outline_{};
  Counts outline_counts_ = kNoneBegun;
  std::deque<Counts> lists_;  // several elements of a file may go on with one
  std::map<std::string, Counts*, std::less<>> by_id_;
  std::map<std::string, Counts*, std::less<>> last_of_style_;
  std::vector<OpenList> open_;
};

class OdfNumbering::AsideScope {
 public:
  explicit AsideScope(OdfNumbering& numbering) : numbering_(numbering), open_(std::exchange(numbering.open_, {})) {}
  ~AsideScope() { numbering_.open_ = std::move(open_); }
  AsideScope(const AsideScope&) = delete;
  AsideScope& operator=(const AsideScope&) = delete;

 private:
  OdfNumbering& numbering_;
  std::vector<OpenList> open_;
};

}  // namespace mneme::readers
