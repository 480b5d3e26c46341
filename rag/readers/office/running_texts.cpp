#include "rag/readers/office/running_texts.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace mneme::readers {
namespace {

constexpr size_t kMostTexts = 64;
constexpr size_t kFewLetters = 12;  // "Page of pages" has one less

size_t letters_in(std::string_view text) {
  size_t letters = 0;
  for (size_t i = 0; i < text.size();) letters += u_isalpha(static_cast<UChar32>(utf8::next(text, i))) ? 1 : 0;
  return letters;
}

}  // namespace

void RunningTexts::take(std::string_view text, bool has_fields) {
  std::string clean = clean_text(text);
  const size_t letters = letters_in(clean);
  if (letters == 0 || (has_fields && letters < kFewLetters) || texts_.size() >= kMostTexts) return;
  if (std::find(texts_.begin(), texts_.end(), clean) == texts_.end()) texts_.push_back(std::move(clean));
}

void RunningTexts::write(DocumentBuilder& builder) const {
  std::vector<std::string_view> unsaid;
  for (const std::string& text : texts_) {
    if (builder.document().text.find(text) == std::string::npos) unsaid.push_back(text);
  }
  if (unsaid.empty()) return;
  builder.heading(1, "Headers and footers");
  for (const std::string_view text : unsaid) builder.paragraph(text);
}

}  // namespace mneme::readers
