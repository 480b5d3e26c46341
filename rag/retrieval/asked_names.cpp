#include "rag/retrieval/asked_names.h"

#include "rag/text/asked/question_kind.h"
#include "rag/text/words/words.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

namespace {

// "Tony Stark", "Dr. Jekyll": nothing but a space lies between, and the full stop of a title.
bool joins(std::string_view between) {
  return between == " " || between == ". ";
}

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

}  // namespace

std::vector<AskedName> proper_names(std::string_view question) {
  std::vector<AskedName> names;
  WordScanner scanner(question);
  Word word;
  if (!scanner.next(word) || !begins_english_question(word.text)) return names;
  size_t begin = 0;     // of the last name
  size_t last_end = 0;  // ... 0: there is none yet
  while (scanner.next(word)) {
    if (!is_capital(question[word.byte_begin])) continue;
    const bool goes_on = last_end > 0 && joins(question.substr(last_end, word.byte_begin - last_end));
    if (!goes_on) {
      names.emplace_back();
      begin = word.byte_begin;
    }
    names.back().text = question.substr(begin, word.byte_end - begin);
    names.back().terms.push_back(storage::term_of_word(word.text));
    last_end = word.byte_end;
  }
  return names;
}

Result<std::vector<AskedName>> names_known(storage::Catalogue& catalogue, std::string_view question) {
  std::vector<AskedName> names = proper_names(question);
  for (AskedName& name : names) {
    if (name.terms.size() < 2) continue;
    MNEME_ASSIGN_OR_RETURN(const auto hits, catalogue.search_lexical("\"" + name.text + "\"", {}, 1));
    name.known = !hits.empty();
  }
  return names;
}

}  // namespace mneme::rag
