#include "rag/readers/office/docx_numbering.h"

#include <algorithm>
#include <array>
#include <utility>

#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

constexpr int kHighestNumber = 1'000'000;
constexpr int kMostAncestors = 10;

NumberScript script_named(std::string_view format) {
  constexpr std::array<std::pair<std::string_view, NumberScript>, 25> kNames = {
      {{"decimalZero", NumberScript::kTwoDigits},
       {"ordinal", NumberScript::kOrdinal},
       {"lowerLetter", NumberScript::kLowerLetter},
       {"upperLetter", NumberScript::kUpperLetter},
       {"lowerRoman", NumberScript::kLowerRoman},
       {"upperRoman", NumberScript::kUpperRoman},
       {"chineseCounting", NumberScript::kHan},
       {"chineseCountingThousand", NumberScript::kHan},
       {"taiwaneseCounting", NumberScript::kHan},
       {"taiwaneseCountingThousand", NumberScript::kHan},
       {"japaneseCounting", NumberScript::kHan},
       {"koreanDigital2", NumberScript::kHanDigits},
       {"ideographDigital", NumberScript::kHanDigits},
       {"japaneseDigitalTenThousand", NumberScript::kHanDigits},
       {"taiwaneseDigital", NumberScript::kHanDigits},
       {"ideographTraditional", NumberScript::kHanStems},
       {"ganada", NumberScript::kKorean},
       {"decimalEnclosedCircle", NumberScript::kCircled},
       {"decimalEnclosedCircleChinese", NumberScript::kCircled},
       {"russianLower", NumberScript::kLowerRussian},
       {"russianUpper", NumberScript::kUpperRussian},
       {"hebrew1", NumberScript::kHebrew},
       {"arabicAlpha", NumberScript::kArabic},
       {"decimal", NumberScript::kDecimal},
       {"decimalFullWidth", NumberScript::kDecimal}}};
  const auto known = std::find_if(kNames.begin(), kNames.end(), [&](const auto& one) { return one.first == format; });
  return known == kNames.end() ? NumberScript::kDecimal : known->second;
}

bool is_on(const pugi::xml_node& property) {
  const std::string_view value = attribute_named(property, "val");
  return property && value != "0" && value != "false" && value != "off";
}

int bounded_number(const pugi::xml_node& property, int otherwise) {
  return std::clamp(to_int(attribute_named(property, "val"), otherwise), -1, kHighestNumber);
}

}  // namespace

void DocxNumbering::read(const pugi::xml_document& numbering, const pugi::xml_document& styles) {
  read_lists(numbering.document_element());
  read_styles(styles.document_element());
}

NumberedLevel DocxNumbering::level_of(const pugi::xml_node& node) {
  NumberedLevel level;
  const std::string_view format = attribute_named(child_named(node, "numFmt"), "val");
  level.set_start(bounded_number(child_named(node, "start"), 0));
  level.script = script_named(format);
  level.shows_number = format != "bullet" && format != "none";
  level.all_decimal = is_on(child_named(node, "isLgl"));
  level.restarts_behind = bounded_number(child_named(node, "lvlRestart"), NumberedLevel::kEveryHigher);
  level.set_pattern(std::string(attribute_named(child_named(node, "lvlText"), "val")));
  return level;
}

void DocxNumbering::read_lists(const pugi::xml_node& root) {
  const auto level_number = [](const pugi::xml_node& node) {
    return static_cast<size_t>(to_int(attribute_named(node, "ilvl"), -1));  // -1: more than there are
  };
  for (const pugi::xml_node node : root.children()) {
    if (local_name(node) == "abstractNum") {
      const std::string id(attribute_named(node, "abstractNumId"));
      List& list = lists_[id];
      list.style = attribute_named(child_named(node, "styleLink"), "val");
      list.linked_style = attribute_named(child_named(node, "numStyleLink"), "val");
      if (!list.style.empty()) list_of_style_.emplace(list.style, id);
      for (const pugi::xml_node level : node.children()) {
        if (local_name(level) == "lvl" && level_number(level) < kLevels) {
          list.levels[level_number(level)] = level_of(level);
          list.styles[level_number(level)] = attribute_named(child_named(level, "pStyle"), "val");
        }
      }
    } else if (local_name(node) == "num") {
      Instance& instance = instances_[std::string(attribute_named(node, "numId"))];
      instance.list = attribute_named(child_named(node, "abstractNumId"), "val");
      for (const pugi::xml_node change : node.children()) {
        if (local_name(change) != "lvlOverride" || level_number(change) >= kLevels) continue;
        if (const pugi::xml_node level = child_named(change, "lvl")) {
          instance.levels[level_number(change)] = level_of(level);
        }
        if (const pugi::xml_node start = child_named(change, "startOverride")) {
          instance.starts[level_number(change)] = std::max(0, bounded_number(start, 0));
        }
      }
    }
  }
}

void DocxNumbering::read_styles(const pugi::xml_node& root) {
  for (const pugi::xml_node node : root.children()) {
    if (local_name(node) != "style") continue;
    Style& style = styles_[std::string(attribute_named(node, "styleId"))];
    style.based_on = attribute_named(child_named(node, "basedOn"), "val");
    const pugi::xml_node numbering = child_named(child_named(node, "pPr"), "numPr");
    style.instance = attribute_named(child_named(numbering, "numId"), "val");
    style.level = to_int(attribute_named(child_named(numbering, "ilvl"), "val"), -1);
  }
}

DocxNumbering::Named DocxNumbering::named_by(const pugi::xml_node& properties) const {
  Named named;
  const pugi::xml_node numbering = child_named(properties, "numPr");
  named.by_itself = static_cast<bool>(numbering);
  named.instance = attribute_named(child_named(numbering, "numId"), "val");
  named.level = to_int(attribute_named(child_named(numbering, "ilvl"), "val"), named.instance.empty() ? -1 : 0);
  if (!named.instance.empty()) return named;
  auto style = styles_.find(attribute_named(child_named(properties, "pStyle"), "val"));
  for (int steps = 0; steps < kMostAncestors && style != styles_.end(); ++steps) {
    named.of_style = style->first;
    if (named.level < 0) named.level = style->second.level;
    named.instance = style->second.instance;
    if (!named.instance.empty()) break;
    style = styles_.find(style->second.based_on);
  }
  return named;
}

DocxNumbering::List* DocxNumbering::list_of(const Instance& instance) {
  const auto list = lists_.find(instance.list);
  if (list == lists_.end()) return nullptr;
  const auto defining = list_of_style_.find(list->second.linked_style);
  if (list->second.linked_style.empty() || defining == list_of_style_.end()) return &list->second;
  return &lists_.find(defining->second)->second;
}

// The list says which of its levels a style is of; what styles say themselves is left behind by older versions.
size_t DocxNumbering::level_in(const List& list, const Named& named, std::string_view style) {
  for (const std::string_view known : {style, named.of_style}) {
    if (named.by_itself || known.empty()) continue;
    const auto level = std::find(list.styles.begin(), list.styles.end(), known);
    if (level != list.styles.end()) return static_cast<size_t>(level - list.styles.begin());
  }
  return static_cast<size_t>(std::clamp(named.level, 0, static_cast<int>(kLevels) - 1));
}

ListPlace DocxNumbering::count(const pugi::xml_node& properties) {
  const Named named = named_by(properties);
  ListPlace place;
  if (named.instance == "0") return place;  // a paragraph that its style numbers but for this
  place.is_listed = named.by_itself;
  place.level = std::max(0, named.level);
  const auto instance = instances_.find(named.instance);
  List* const list = instance == instances_.end() ? nullptr : list_of(instance->second);
  if (list == nullptr) return place;
  const size_t level = level_in(*list, named, attribute_named(child_named(properties, "pStyle"), "val"));
  return count_paragraph(instance->second, *list, level);
}

}  // namespace mneme::readers
