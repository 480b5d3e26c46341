#include "rag/readers/running_texts.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace mneme::readers {
namespace {

constexpr size_t kMostTexts = 64;
constexpr size_t kFewLetters = 12;  // "Page of pages" has one less
constexpr size_t kFewDigits = 5;    // of a text without letters; numbers of telephones and accounts have more

struct Signs {
  size_t letters = 0;
  size_t digits = 0;
};

Signs signs_in(std::string_view text) {
  Signs signs;
  for (size_t i = 0; i < text.size();) {
    const auto c = static_cast<UChar32>(utf8::next(text, i));
    signs.letters += u_isalpha(c) ? 1 : 0;
    signs.digits += u_isdigit(c) ? 1 : 0;
  }
  return signs;
}

bool says_something(std::string_view text, bool has_fields) {
  const Signs signs = signs_in(text);
  if (has_fields) return signs.letters >= kFewLetters;
  return signs.letters > 0 || signs.digits >= kFewDigits;
}

}  // namespace

bool RunningTexts::take(std::string_view text, bool has_fields, int page) {
  std::string clean = clean_text(text);
  if (!says_something(clean, has_fields)) return true;
  const bool known = std::any_of(texts_.begin(), texts_.end(), [&](const Text& said) { return said.text == clean; });
  if (known) return true;
  if (texts_.size() >= kMostTexts) return false;
  texts_.push_back({std::move(clean), page});
  return true;
}

void RunningTexts::write(DocumentBuilder& builder) const {
  std::vector<const Text*> unsaid;
  for (const Text& text : texts_) {
    if (builder.document().text.find(text.text) == std::string::npos) unsaid.push_back(&text);
  }
  if (unsaid.empty()) return;
  if (unsaid.front()->page > 0) builder.set_page(unsaid.front()->page);
  builder.heading(1, "Headers and footers");
  for (const Text* const text : unsaid) {
    if (text->page > 0) builder.set_page(text->page);
    builder.paragraph(text->text);
  }
}

}  // namespace mneme::readers
