#include "rag/readers/markup/list_numbers.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/markup/html_elements.h"
#include "rag/readers/markup/html_tree.h"
#include "rag/readers/number_labels.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {
namespace {

bool has_attribute(const GumboNode* element, const char* name) {
  return gumbo_get_attribute(&element->v.element.attributes, name) != nullptr;
}

// As pages count: 26 is "z", 27 "aa", 28 "ab".
std::string letters_counted(int64_t number, char first) {
  std::string letters;
  for (; number > 0; number = (number - 1) / 26) letters += static_cast<char>(first + (number - 1) % 26);
  std::reverse(letters.begin(), letters.end());
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
  const auto small = static_cast<int>(std::min(number, kLastRoman));
  const bool roman = number >= 1 && number <= kLastRoman;
  switch (form) {
    case Form::kNone: return {};
    case Form::kSmallRoman:
      if (roman) return written_number(small, NumberScript::kLowerRoman) + ".";
      break;
    case Form::kCapitalRoman:
      if (roman) return written_number(small, NumberScript::kUpperRoman) + ".";
      break;
    case Form::kSmallLetters:
      if (number >= 1) return letters_counted(number, 'a') + ".";
      break;
    case Form::kCapitalLetters:
      if (number >= 1) return letters_counted(number, 'A') + ".";
      break;
    case Form::kDecimal: break;
  }
  return std::to_string(number) + ".";
}

}  // namespace mneme::readers
