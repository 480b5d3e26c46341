#include "rag/quoting/outline/entry_marks.h"

#include <string>

#include "rag/text/quantities/dates.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kLongestMark = 40;

}  // namespace

bool is_entry_mark(std::string_view text) {
  constexpr std::string_view kBeside[] = {"v", "version", "release", "released", "of", "the", "vom"};
  if (text.size() > kLongestMark || !has_digits(text)) return false;
  WordScanner scanner(text);
  for (Word word; scanner.next(word);) {
    if (!has_digits(word.text) && !is_number(word.text) && !is_time_word(word.text) && !one_of(word.text, kBeside))
      return false;
  }
  return has_date(text, " " + folded_text(text) + " ");
}

}  // namespace mneme::rag
