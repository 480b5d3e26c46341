#include "ui/widgets/composition.h"

#include <algorithm>

#include "base/utf8.h"
#include "ui/text/context_data.h"

namespace mneme::ui {
namespace {

constexpr size_t kLongest = 2000;  // characters

}  // namespace

Composing& current_composing() {
  return *static_cast<const ContextData*>(ImGui::GetIO().UserData)->composing;
}

void Composition::replace(size_t first, size_t length, std::u32string_view with) {
  first = std::min(first, characters_.size());
  length = std::min(length, characters_.size() - first);
  characters_.replace(first, length, with);
  characters_.resize(std::min(characters_.size(), kLongest));
  write();
}

void Composition::move_caret(size_t character) {
  caret_character_ = character;
  write();
}

void Composition::clear() {
  *this = Composition();
}

void Composition::write() {
  text_.clear();
  caret_ = 0;
  for (size_t i = 0; i < characters_.size(); ++i) {
    utf8::append(text_, characters_[i]);
    if (i < caret_character_) caret_ = text_.size();
  }
}

}  // namespace mneme::ui
