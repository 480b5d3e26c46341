#include "rag/readers/markup/list_numbers.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/markup/html_elements.h"
#include "rag/readers/markup/html_tree.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

bool has_attribute(const GumboNode* element, const char* name) {
  return gumbo_get_attribute(&element->v.element.attributes, name) != nullptr;
}

// 26 is "z", 27 "aa".
std::string in_letters(int64_t number) {
  std::string letters;
  for (; number > 0; number = (number - 1) / 26) letters += static_cast<char>('a' + (number - 1) % 26);
  std::reverse(letters.begin(), letters.end());
  return letters;
}

std::string in_roman(int64_t number) {
  static constexpr std::array<std::pair<int, std::string_view>, 13> kParts = {{{1000, "m"},
                                                                               {900, "cm"},
                                                                               {500, "d"},
                                                                               {400, "cd"},
                                                                               {100, "c"},
                                                                               {90, "xc"},
                                                                               {50, "l"},
                                                                               {40, "xl"},
                                                                               {10, "x"},
                                                                               {9, "ix"},
                                                                               {5, "v"},
                                                                               {4, "iv"},
                                                                               {1, "i"}}};
  std::string roman;
  for (const auto& [value, sign] : kParts) {
    for (; number >= value; number -= value) roman += sign;
  }
  return roman;
}

std::string in_capitals(std::string letters) {
  for (char& c : letters) c = static_cast<char>(c - 'a' + 'A');
  return letters;
}

}  // namespace

ListNumbers::ListNumbers(const GumboNode* list) {
  if (list->v.element.tag != GUMBO_TAG_OL) return;
  form_ = form_of(list, Form::kDecimal);
  int n_items = 0;
  for_children(list, [&](const GumboNode* child) {
    n_items += child->type == GUMBO_NODE_ELEMENT && child->v.element.tag == GUMBO_TAG_LI;
  });
  const bool reversed = has_attribute(list, "reversed");
  if (reversed) step_ = -1;
  number_ = to_int(attribute(list, "start"), reversed ? n_items : 1);
}

std::string ListNumbers::next(const GumboNode* item) {
  if (form_ == Form::kNone) return {};
  if (has_attribute(item, "value")) number_ = to_int(attribute(item, "value"), static_cast<int>(number_));
  return written(std::exchange(number_, number_ + step_), form_of(item, form_));
}

// By its attribute or its style.
ListNumbers::Form ListNumbers::form_of(const GumboNode* element, Form otherwise) {
  const std::string_view type = attribute(element, "type");
  if (type == "1") return Form::kDecimal;
  if (type == "a") return Form::kSmallLetters;
  if (type == "A") return Form::kCapitalLetters;
  if (type == "i") return Form::kSmallRoman;
  if (type == "I") return Form::kCapitalRoman;
  const std::string style = lower_ascii(attribute(element, "style"));
  const size_t at = style.find("list-style");
  if (at == std::string::npos) return otherwise;
  const std::string_view rest = std::string_view(style).substr(at, style.find(';', at) - at);
  const auto says = [&](std::string_view word) { return rest.find(word) != std::string_view::npos; };
  if (says("none") || says("disc") || says("circle") || says("square")) return Form::kNone;
  if (says("lower-alpha") || says("lower-latin")) return Form::kSmallLetters;
  if (says("upper-alpha") || says("upper-latin")) return Form::kCapitalLetters;
  if (says("lower-roman")) return Form::kSmallRoman;
  if (says("upper-roman")) return Form::kCapitalRoman;
  return otherwise;
}

std::string ListNumbers::written(int64_t number, Form form) {
  constexpr int64_t kLastRoman = 3999;
  const bool roman = (form == Form::kSmallRoman || form == Form::kCapitalRoman) && number <= kLastRoman;
  const bool letters = form == Form::kSmallLetters || form == Form::kCapitalLetters;
  const bool capitals = form == Form::kCapitalRoman || form == Form::kCapitalLetters;
  if (form == Form::kNone) return {};
  if (number < 1 || !(roman || letters)) return std::to_string(number) + ".";
  const std::string sign = roman ? in_roman(number) : in_letters(number);
  return (capitals ? in_capitals(sign) : sign) + ".";
}

}  // namespace mneme::readers
