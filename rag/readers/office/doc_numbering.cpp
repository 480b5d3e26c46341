#include "rag/readers/office/doc_numbering.h"

#include <algorithm>
#include <string>

#include "rag/readers/office/little_endian.h"
#include "rag/readers/office/utf16_text.h"

namespace mneme::readers {
namespace {

constexpr size_t kListEntry = 28;
constexpr size_t kLevelHead = 28;
constexpr size_t kInstanceEntry = 16;

// By MSONFC of [MS-OSHARED].
NumberScript script_of(uint8_t code) {
  switch (code) {
    case 1: return NumberScript::kUpperRoman;
    case 2: return NumberScript::kLowerRoman;
    case 3: return NumberScript::kUpperLetter;
    case 4: return NumberScript::kLowerLetter;
    case 5: return NumberScript::kOrdinal;
    case 22: return NumberScript::kTwoDigits;
    case 11:
    case 33:
    case 35:
    case 37:
    case 39: return NumberScript::kHan;
    case 10:
    case 17:
    case 36:
    case 44: return NumberScript::kHanDigits;
    case 18:
    case 28: return NumberScript::kCircled;
    case 24: return NumberScript::kKorean;
    case 30: return NumberScript::kHanStems;
    case 45: return NumberScript::kHebrew;
    case 46: return NumberScript::kArabic;
    case 58: return NumberScript::kLowerRussian;
    case 59: return NumberScript::kUpperRussian;
    default: return NumberScript::kDecimal;
  }
}

// Characters below 9 stand for the numbers of levels: "%1.%2".
std::string pattern_of(std::string_view units) {
  std::u16string pattern;
  for (const char16_t unit : utf16_units(units)) {
    if (unit < NumberedList::kLevels) pattern += u'%';
    pattern += unit < NumberedList::kLevels ? static_cast<char16_t>(u'1' + unit) : unit;
  }
  return utf8_of(pattern);
}

}  // namespace

DocNumbering::DocNumbering(std::string_view lists, std::string_view instances) {
  if (instances.empty()) return;
  read_lists(lists);
  read_instances(instances);
}

// All lists, then the levels of all of them, one each or nine.
void DocNumbering::read_lists(std::string_view lists) {
  constexpr size_t kStyles = 8;
  constexpr size_t kFlags = 26;
  constexpr int kNoStyle = 0xfff;
  const size_t count = std::min<size_t>(u16_at(lists, 0), lists.size() / kListEntry);
  size_t at = 2 + count * kListEntry;
  for (size_t i = 0; i < count && at < lists.size(); ++i) {
    const std::string_view head = bytes_at(lists, 2 + i * kListEntry, kListEntry);
    List list;
    for (size_t level = 0; level < kLevels; ++level) {
      const uint16_t style = u16_at(head, kStyles + 2 * level);
      list.styles[level] = style == kNoStyle ? -1 : int{style};
    }
    const bool has_one = (u8_at(head, kFlags) & 1) != 0;
    for (size_t level = 0; level < (has_one ? 1 : kLevels); ++level) {
      at += read_level(bytes_at(lists, at, lists.size()), list.levels[level]);
    }
    lists_.emplace(u32_at(head, 0), list);
  }
}

// Numbers, two lists of changes, and behind them the text that shows the numbers.
size_t DocNumbering::read_level(std::string_view bytes, NumberedLevel& level) {
  constexpr uint8_t kSign = 23;
  constexpr uint8_t kNothing = 255;
  constexpr uint8_t kAllDecimal = 0x04;
  constexpr uint8_t kRestartsLess = 0x08;
  const uint8_t script = u8_at(bytes, 4);
  const uint8_t flags = u8_at(bytes, 5);
  level.set_start(static_cast<int32_t>(u32_at(bytes, 0)));
  level.script = script_of(script);
  level.shows_number = script != kSign && script != kNothing;
  level.all_decimal = (flags & kAllDecimal) != 0;
  if ((flags & kRestartsLess) != 0) level.restarts_behind = u8_at(bytes, 26);
  const size_t text = kLevelHead + u8_at(bytes, 24) + u8_at(bytes, 25);
  const size_t size = size_t{2} * u16_at(bytes, text);
  level.set_pattern(pattern_of(bytes_at(bytes, text + 2, size)));
  return text + 2 + size;
}

// All instances, then what each changes: where levels begin, or what they are.
void DocNumbering::read_instances(std::string_view instances) {
  constexpr uint32_t kHasStart = 0x10;
  constexpr uint32_t kHasLevel = 0x20;
  constexpr size_t kMost = 0xffff;  // paragraphs name them by two bytes
  const size_t count = std::min({size_t{u32_at(instances, 0)}, instances.size() / kInstanceEntry, kMost});
  size_t at = 4 + count * kInstanceEntry;
  for (size_t i = 0; i < count; ++i) {
    const std::string_view head = bytes_at(instances, 4 + i * kInstanceEntry, kInstanceEntry);
    Instance& instance = instances_.emplace_back();
    instance.list = u32_at(head, 0);
    at += 4;
    for (size_t left = u8_at(head, 12); left > 0 && at < instances.size(); --left) {
      const auto start = static_cast<int32_t>(u32_at(instances, at));
      const uint32_t flags = u32_at(instances, at + 4);
      const size_t number = flags & 0xf;
      NumberedLevel level;
      at += 8;
      if ((flags & kHasLevel) != 0) at += read_level(bytes_at(instances, at, instances.size()), level);
      if (number >= kLevels) continue;
      if ((flags & kHasLevel) != 0) instance.levels[number] = level;
      if ((flags & kHasStart) != 0)
        instance.starts[number] = std::max(0, (flags & kHasLevel) != 0 ? level.start : start);
    }
  }
}

// The list says which of its levels a style is of.
size_t DocNumbering::level_in(const List& list, const DocListed& listed) {
  for (const int style : {listed.style, listed.of_style}) {
    if (listed.by_itself || style < 0) continue;
    const auto level = std::find(list.styles.begin(), list.styles.end(), style);
    if (level != list.styles.end()) return static_cast<size_t>(level - list.styles.begin());
  }
  return static_cast<size_t>(std::clamp(listed.level, 0, static_cast<int>(kLevels) - 1));
}

ListPlace DocNumbering::count(const DocListed& listed) {
  ListPlace place;
  if (listed.list <= 0) return place;
  place.is_listed = listed.by_itself;
  place.level = std::max(0, listed.level);
  const auto number = static_cast<size_t>(listed.list) - 1;
  const auto list = number < instances_.size() ? lists_.find(instances_[number].list) : lists_.end();
  if (list == lists_.end()) return place;
  return count_paragraph(instances_[number], list->second, level_in(list->second, listed));
}

}  // namespace mneme::readers
