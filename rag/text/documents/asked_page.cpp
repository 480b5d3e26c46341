#include "rag/text/documents/asked_page.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <system_error>
#include <vector>

#include "base/ascii.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kPage[] = {"page", "seite", "pagina", "страница", "странице", "страницу"};
constexpr std::string_view kWidePage[] = {"页", "頁", "ページ"};
// Behind these stands another question than what is on the page.
constexpr std::string_view kOther[] = {"who",    "whom",    "why",    "how",    "when",    "where", "which", "wer",
                                       "warum",  "wann",    "welche", "qui",    "ou",      "quand", "quien", "donde",
                                       "cuando", "chi",     "dove",   "quando", "кто",     "где",   "когда", "почему",
                                       "wie",    "comment", "como",   "come",   "pourquoi"};
// Besides grammar words all that may stand around the page: what shows and what says.
constexpr std::string_view kShowing[] = {
    "show",  "tell",    "read",      "quote",   "stands",   "stand",    "say",      "says",      "said",     "written",
    "about", "contain", "contains",  "content", "contents", "text",     "zeig",     "zeige",     "lies",     "steht",
    "sagt",  "inhalt",  "lis",       "montre",  "dit",      "contenu",  "contient", "contenido", "contiene", "dice",
    "pone",  "muestra", "contenuto", "mostra",  "diz",      "conteudo", "написано", "стоит",     "please",   "bitte"};
// What the page is of stands behind one of these.
constexpr std::string_view kOf[] = {"of",   "in", "from",  "des",   "der",  "vom", "von",   "im", "du", "de", "del",
                                    "dans", "en", "della", "dello", "dell", "nel", "nella", "do", "da", "в",  "из"};
constexpr int kLongestNumber = 5;

struct PlacedPage {
  int number = 0;
  size_t begin = 0;  // bytes of the question: the word and its number
  size_t end = 0;
};

// 0 for what is no number.
int number_in(std::string_view digits) {
  int number = 0;
  if (digits.size() > kLongestNumber) return 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc{} && end == digits.data() + digits.size() ? number : 0;
}

// "第3页", "12ページ"
PlacedPage wide_page(std::string_view question) {
  for (const std::string_view word : kWidePage) {
    const size_t at = question.find(word);
    size_t begin = at == std::string_view::npos ? 0 : at;
    while (begin > 0 && is_digit(question[begin - 1])) --begin;
    const int number = at == std::string_view::npos ? 0 : number_in(question.substr(begin, at - begin));
    if (number > 0) return {number, begin, at + word.size()};
  }
  return {};
}

PlacedPage spaced_page(std::string_view question) {
  WordScanner scanner(question);
  bool is_page = false;
  size_t begin = 0;
  for (Word word; scanner.next(word);) {
    if (is_page) {
      const int number = number_in(question.substr(word.byte_begin, word.byte_end - word.byte_begin));
      if (number > 0) return {number, begin, word.byte_end};
    }
    is_page = one_of(word.text, kPage);
    begin = word.byte_begin;
  }
  return {};
}

// Whether nothing but showing is asked for.
bool only_shows(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  return std::all_of(words.begin(), words.end(), [](const std::string& word) {
    return !one_of(word, kOther) && (is_stop_word(word) || one_of(word, kShowing) || word.size() == 1);
  });
}

// "the lease" of " of the lease say?"; false where something else is said.
bool document_in(std::string_view rest, std::string& document) {
  bool begun = false;
  size_t begin = 0;
  size_t end = 0;
  WordScanner scanner(rest);
  for (Word word; scanner.next(word);) {
    if (!begun && !one_of(word.text, kOf)) return only_shows(rest);
    if (!begun) {
      begun = true;
      begin = word.byte_end;
    } else if (!one_of(word.text, kShowing)) {
      end = word.byte_end;
    }
  }
  if (end > begin) document = rest.substr(begin, end - begin);
  document.erase(0, std::min(document.find_first_not_of(" '\""), document.size()));
  return true;
}

}  // namespace

AskedPage asked_page(std::string_view question) {
  const PlacedPage wide = wide_page(question);
  if (wide.number > 0) {
    // What the page is of stands before it: 合同第3页.
    constexpr std::string_view kMarks[] = {"第", "的", "の"};
    std::string_view before = question.substr(0, wide.begin);
    for (bool cut = true; cut;) {
      cut = false;
      for (const std::string_view mark : kMarks) {
        if (before.ends_with(mark)) before.remove_suffix(mark.size()), cut = true;
      }
    }
    return {wide.number, std::string(before)};
  }
  const PlacedPage page = spaced_page(question);
  AskedPage asked{.number = page.number, .document = {}};
  if (page.number == 0 || !only_shows(question.substr(0, page.begin))) return {};
  return document_in(question.substr(page.end), asked.document) ? asked : AskedPage{};
}

}  // namespace mneme::rag
