#include "rag/text/asked/code.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "base/ascii.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kCodes[] = {
    "status", "code", "error", "errno", "exit", "fehler", "fehlercode", "statuscode", "exitcode", "meldung",
    "fehlernummer", "signal", "alarm", "storung", "ruckgabewert",
    // French, Spanish, Italian, Portuguese
    "erreur", "panne", "codigo", "averia", "errore", "codice", "guasto", "erro", "avaria", "voyant",
    // Russian, Arabic
    "ошибка", "ошибку", "код", "неисправность", "خطا", "رمز", "عطل", "العطل"};

bool names_code(std::string_view folded) {
  static const std::unordered_set<std::string> kOfLanguages = words_of_all(&LanguageFacts::codes);
  return one_of(folded, kCodes) || kOfLanguages.contains(std::string(folded));
}

// "E3", "H05", "F12".
bool is_short_code(std::string_view folded) {
  constexpr size_t kLongest = 5;
  return folded.size() >= 2 && folded.size() <= kLongest && is_letter(folded.front()) &&
         folded.find_first_of("0123456789") != std::string_view::npos;
}

// "6.5", "6,5": a number that goes on.
bool goes_on(std::string_view text, size_t at, std::ptrdiff_t step) {
  const auto sign = static_cast<size_t>(static_cast<std::ptrdiff_t>(at) + step);
  return at < text.size() && (text[at] == '.' || text[at] == ',') && sign < text.size() && is_digit(text[sign]);
}

}  // namespace

std::string asked_code(std::string_view question) {
  bool behind_code = false;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    const bool number = std::all_of(word.text.begin(), word.text.end(), is_digit);
    if (behind_code && number) return std::string(question.substr(word.byte_begin, word.byte_end - word.byte_begin));
    behind_code = names_code(word.text);
  }
  return {};
}

std::string kind_of_code(std::string_view question) {
  std::string last;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    if (is_short_code(word.text) && names_code(last)) return last;
    last.assign(word.text);
  }
  return {};
}

bool tells_code(std::string_view text, std::string_view code) {
  const auto joins = [](char c) { return is_digit(c) || is_letter(c) || c == '_'; };
  for (size_t at = text.find(code); at != std::string_view::npos; at = text.find(code, at + 1)) {
    const size_t end = at + code.size();
    const bool begins = at == 0 || (!joins(text[at - 1]) && !goes_on(text, at - 1, -1));
    const bool ends = end == text.size() || (!joins(text[end]) && !goes_on(text, end, 1));
    if (begins && ends) return true;
  }
  return false;
}

}  // namespace mneme::rag
