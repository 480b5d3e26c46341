#include "rag/readers/office/odf_numbering.h"

#include <algorithm>
#include <cstddef>

#include "rag/readers/office/zip_package.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

constexpr int kHighestNumber = 1'000'000;
constexpr int kMostAncestors = 10;
constexpr size_t kLongestSign = 40;  // bytes before or behind a number; longer ones are left out

NumberScript script_named(std::string_view format) {
  if (format == "a") return NumberScript::kLowerLetter;
  if (format == "A") return NumberScript::kUpperLetter;
  if (format == "i") return NumberScript::kLowerRoman;
  if (format == "I") return NumberScript::kUpperRoman;
  if (format.starts_with("一, 二")) return NumberScript::kHan;  // scripts are named by their first numbers
  if (format.starts_with("甲, 乙")) return NumberScript::kHanStems;
  if (format.starts_with("①, ②")) return NumberScript::kCircled;
  if (format.starts_with("가, 나")) return NumberScript::kKorean;
  if (format.starts_with("а, б") && format.ends_with("(ru)")) return NumberScript::kLowerRussian;
  if (format.starts_with("А, Б") && format.ends_with("(ru)")) return NumberScript::kUpperRussian;
  if (format.starts_with("א, י")) return NumberScript::kHebrew;
  if (format.starts_with("أ, ب")) return NumberScript::kArabic;
  return NumberScript::kDecimal;
}

int bounded(std::string_view number, int otherwise) {
  return std::clamp(to_int(number, otherwise), -1, kHighestNumber);
}

std::string sign(std::string_view text) {
  return text.size() <= kLongestSign ? std::string(text) : std::string();
}

}  // namespace

void OdfNumbering::read(const pugi::xml_node& styles, const pugi::xml_node& content) {
  for (const pugi::xml_node& root : {styles, content}) {
    read_styles(child_named(root, "styles"));
    read_styles(child_named(root, "automatic-styles"));
  }
}

void OdfNumbering::read_styles(const pugi::xml_node& parent) {
  for (const pugi::xml_node node : parent.children()) {
    const std::string_view kind = local_name(node);
    const std::string name(attribute_named(node, "name"));
    if (kind == "list-style") {
      read_levels(node, styles_[name]);
    } else if (kind == "outline-style") {
      read_levels(node, outline_);
    } else if (kind == "style") {
      paragraph_styles_[name] = {std::string(attribute_named(node, "list-style-name")),
                                 std::string(attribute_named(node, "parent-style-name"))};
    }
  }
}

void OdfNumbering::read_levels(const pugi::xml_node& node, Style& style) {
  for (const pugi::xml_node child : node.children()) {
    const int level = to_int(attribute_named(child, "level"), 0);
    if (level >= 1 && level <= static_cast<int>(kLevels)) style[static_cast<size_t>(level - 1)] = level_of(child);
  }
}

OdfNumbering::Level OdfNumbering::level_of(const pugi::xml_node& node) {
  Level level;
  const std::string_view format = attribute_named(node, "num-format");  // signs and pictures have none
  level.shows_number = !format.empty();
  level.script = script_named(format);
  level.start = std::max(0, bounded(attribute_named(node, "start-value"), 1));
  level.n_shown = std::clamp(to_int(attribute_named(node, "display-levels"), 1), 1, static_cast<int>(kLevels));
  level.before = sign(attribute_named(node, "num-prefix"));
  level.behind = sign(attribute_named(node, "num-suffix"));
  return level;
}

const OdfNumbering::Style* OdfNumbering::style_named(std::string_view name) const {
  const auto found = styles_.find(name);
  return found == styles_.end() ? nullptr : &found->second;
}

const OdfNumbering::Style* OdfNumbering::style_of(const pugi::xml_node& paragraph) const {
  auto style = paragraph_styles_.find(attribute_named(paragraph, "style-name"));
  for (int steps = 0; steps < kMostAncestors && style != paragraph_styles_.end(); ++steps) {
    if (!style->second.list_style.empty()) return style_named(style->second.list_style);
    style = paragraph_styles_.find(style->second.parent);
  }
  return nullptr;
}

// Goes on with an earlier list where it says so.
OdfNumbering::Counts& OdfNumbering::counts_of(const pugi::xml_node& node) {
  const std::string_view style = attribute_named(node, "style-name");
  const auto named = by_id_.find(attribute_named(node, "continue-list"));
  const auto last = last_of_style_.find(style);
  Counts* list = nullptr;
  if (named != by_id_.end()) {
    list = named->second;
  } else if (attribute_named(node, "continue-numbering") == "true" && last != last_of_style_.end()) {
    list = last->second;
  } else {
    list = &lists_.emplace_back(kNoneBegun);
  }
  last_of_style_[std::string(style)] = list;
  return *list;
}

void OdfNumbering::begin_list(const pugi::xml_node& node) {
  OpenList open;
  open.style = style_named(attribute_named(node, "style-name"));
  if (open_.empty()) {
    open.counts = &counts_of(node);
  } else {
    const OpenList& around = open_.back();
    open.counts = around.counts;
    open.level = std::min(around.level + 1, kLevels - 1);
    if (open.style == nullptr) open.style = around.style;
    // One that stands in an item without words of its own goes on with what stood before that.
    const bool goes_on = !around.item_counted || attribute_named(node, "continue-numbering") == "true";
    if (!goes_on) forget_from(open.level, *open.counts);
  }
  if (const std::string_view id = attribute_named(node, "id"); !id.empty()) by_id_[std::string(id)] = open.counts;
  open_.push_back(open);
}

void OdfNumbering::end_list() {
  open_.pop_back();
}

void OdfNumbering::begin_item(const pugi::xml_node& item) {
  if (open_.empty()) return;
  OpenList& open = open_.back();
  open.in_item = local_name(item) == "list-item";
  open.item_counted = false;
  open.item_start = bounded(attribute_named(item, "start-value"), kNotBegun);
}

ListPlace OdfNumbering::count_paragraph(const pugi::xml_node& paragraph) {
  ListPlace place;
  if (open_.empty()) return place;
  OpenList& open = open_.back();
  place.is_listed = true;
  place.level = static_cast<int>(open.level);
  if (!open.in_item || open.item_counted) return place;
  open.item_counted = true;
  const Style* const style = open.style != nullptr ? open.style : style_of(paragraph);
  if (style == nullptr) return place;
  advance(*style, open.level, open.item_start, *open.counts);
  place.number = number_of(*style, open.level, *open.counts);
  place.is_clause = !place.number.empty() && names_place((*style)[open.level]);
  return place;
}

std::string OdfNumbering::count_heading(const pugi::xml_node& heading) {
  if (!open_.empty()) return count_paragraph(heading).number;
  if (attribute_named(heading, "is-list-header") == "true") return {};
  const int outline = std::clamp(to_int(attribute_named(heading, "outline-level"), 1), 1, static_cast<int>(kLevels));
  const auto level = static_cast<size_t>(outline - 1);
  advance(outline_, level, bounded(attribute_named(heading, "start-value"), kNotBegun), outline_counts_);
  return number_of(outline_, level, outline_counts_);
}

void OdfNumbering::forget_from(size_t level, Counts& counts) {
  std::fill(counts.begin() + static_cast<std::ptrdiff_t>(level), counts.end(), kNotBegun);
}

void OdfNumbering::advance(const Style& style, size_t level, int start, Counts& counts) {
  int& count = counts[level];
  if (start != kNotBegun) {
    count = start;
  } else {
    count = count == kNotBegun ? style[level].start : std::min(count + 1, kHighestNumber);
  }
  forget_from(level + 1, counts);
}

std::string OdfNumbering::number_of(const Style& style, size_t level, const Counts& counts) {
  const Level& shown = style[level];
  if (!shown.shows_number) return {};
  std::string number;
  for (size_t at = level + 1 - std::min(level + 1, static_cast<size_t>(shown.n_shown)); at <= level; ++at) {
    if (!style[at].shows_number) continue;
    const int count = counts[at] == kNotBegun ? style[at].start : counts[at];
    number.append(number.empty() ? "" : ".").append(written_number(count, style[at].script));
  }
  return clean_text(shown.before + number + shown.behind);
}

// "1.2" and "Article 1", not "1." and "(a)".
bool OdfNumbering::names_place(const Level& level) {
  return level.n_shown > 1 || has_word(level.before) || has_word(level.behind);
}

}  // namespace mneme::readers
