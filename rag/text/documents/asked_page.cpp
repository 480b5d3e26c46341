#include "rag/text/documents/asked_page.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "rag/text/documents/document_vocabulary.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/placed_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

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
  PlacedPage page;
  for (const Language language : {Language::kChinese, Language::kJapanese, Language::kKorean}) {
    for_each_part(facts_of(language).documents->page, " ", [&](std::string_view word) {
      const size_t at = question.find(word);
      if (at == std::string_view::npos || page.number > 0) return;
      size_t begin = at;
      while (begin > 0 && is_digit(question[begin - 1])) --begin;
      const int number = number_in(question.substr(begin, at - begin));
      if (number > 0) page = {number, begin, at + word.size()};
    });
  }
  return page;
}

PlacedPage spaced_page(std::string_view question, std::span<const PlacedWord> words, const DocumentVocabulary& v) {
  for (size_t i = 1; i < words.size(); ++i) {
    if (!v.page.has(words[i - 1].text)) continue;
    const int number = number_in(question.substr(words[i].begin, words[i].end - words[i].begin));
    if (number > 0) return {number, words[i - 1].begin, words[i].end};
  }
  return {};
}

// Whether nothing but showing is asked for.
bool only_shows(std::string_view text, const DocumentVocabulary& v) {
  // What asks for the page itself: "what" of "what is on page 3".
  const std::vector<std::string> words = words_of(text);
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    const bool says_nothing =
        is_stop_word(word) || v.showing.has(word) || v.lead.has(word) || v.joins.has(word) || word.size() == 1;
    return says_nothing && (!v.asking.has(word) || v.lead.has(word) || v.showing.has(word));
  });
}

// "the lease" of " of the lease say?"; false where something else is said.
bool document_in(std::string_view rest, const DocumentVocabulary& v, std::string& document) {
  const std::vector<PlacedWord> words = placed_words(rest);
  if (words.empty() || !v.joins.has(words.front().text)) return only_shows(rest, v);
  const size_t begin = words.front().end;
  size_t end = 0;
  for (const PlacedWord& word : std::span(words).subspan(1)) {
    if (!v.showing.has(word.text)) end = word.end;
  }
  if (end > begin) document = rest.substr(begin, end - begin);
  document.erase(0, std::min(document.find_first_not_of(" '\""), document.size()));
  return true;
}

// What the page is of stands before it: 合同第3页.
AskedPage wide_page_of(std::string_view question, const PlacedPage& page) {
  constexpr std::string_view kMarks[] = {"第", "的", "の"};
  std::string_view before = question.substr(0, page.begin);
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view mark : kMarks) {
      if (before.ends_with(mark)) before.remove_suffix(mark.size()), cut = true;
    }
  }
  return {page.number, std::string(before)};
}

struct FoundPage {
  AskedPage page{};
  bool is_asked = false;
};

FoundPage page_in(std::string_view question, std::span<const PlacedWord> words, const DocumentVocabulary& v) {
  const PlacedPage page = spaced_page(question, words, v);
  if (page.number == 0 || !only_shows(question.substr(0, page.begin), v)) return {};
  AskedPage asked{.number = page.number, .document = {}};
  const bool is_asked = document_in(question.substr(page.end), v, asked.document);
  return {std::move(asked), is_asked};
}

}  // namespace

AskedPage asked_page(std::string_view question) {
  if (const PlacedPage wide = wide_page(question); wide.number > 0) return wide_page_of(question, wide);
  const std::vector<PlacedWord> words = placed_words(question);
  const FoundPage found = asked_in_any_language(
      question, [&](const DocumentVocabulary& vocabulary) { return page_in(question, words, vocabulary); });
  return found.is_asked ? found.page : AskedPage{};
}

}  // namespace mneme::rag
