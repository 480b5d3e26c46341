#include "rag/answering/brief/bracketed_names.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/trim.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {
namespace {

constexpr size_t kMostNameWords = 4;

// How contracts introduce what they call somebody from there on: "(hereinafter referred to as "the Landlord")".
constexpr std::string_view kOfForm[] = {
    "the",        "hereinafter", "hereafter", "referred", "called",     "known",       "to",          "as",
    "der",        "die",         "das",       "im",       "folgenden",  "nachfolgend", "nachstehend", "genannt",
    "als",        "le",          "la",        "l",        "ci",         "apres",       "denomme",     "denommee",
    "dit",        "il",          "lo",        "di",       "seguito",    "detto",       "detta",       "denominato",
    "denominata", "el",          "en",        "adelante", "denominado", "denominada",  "hierna",      "te",
    "noemen",     "de",          "het",       "o",        "a",          "doravante"};

// What stands before the first of several in a sentence, and between them.
constexpr std::string_view kLeads[] = {"between", "and", "zwischen", "und", "entre",  "et",
                                       "y",       "tra", "fra",      "e",   "tussen", "en"};

bool are_asked(const std::vector<std::string>& asked, const std::vector<std::string>& words) {
  return std::ranges::all_of(words,
                             [&](const std::string& word) { return std::ranges::find(asked, word) != asked.end(); });
}

bool is_of(std::span<const std::string_view> list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

bool is_asked_for(const std::vector<std::string>& asked, std::string_view bracketed) {
  std::vector<std::string> words = words_of(bracketed);
  std::erase_if(words, [](const std::string& word) { return is_of(kOfForm, word); });
  return are_asked(asked, words) &&
         std::ranges::any_of(words, [](const std::string& word) { return !is_stop_word(word); });
}

// Has words, and does not only say whose ("Billy Beane's (daughter)").
bool is_name(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  const bool is_of_another = text.ends_with("'s") || text.ends_with("\u2019s");
  return !words.empty() && words.size() <= kMostNameWords && !is_of_another && text.find('"') == std::string_view::npos;
}

// What stands between the bracket and the comma, colon, full stop or bracket before it.
std::string_view name_before(std::string_view text, size_t bracket) {
  const std::string_view before = text.substr(0, bracket);
  const size_t mark = before.find_last_of(",;:.()[]|\n");
  std::string_view name = trimmed(mark == std::string_view::npos ? before : before.substr(mark + 1));
  const size_t first_end = name.find(' ');
  if (first_end != std::string_view::npos && is_of(kLeads, lower_ascii(name.substr(0, first_end)))) {
    name = trimmed(name.substr(first_end));
  }
  return is_name(name) ? name : std::string_view();
}

}  // namespace

std::string_view named_before_brackets(std::string_view question, std::string_view text) {
  const std::vector<std::string> asked = words_of(question);
  if (kind_of_question(question) != QuestionKind::kPerson) return {};
  std::string_view found;
  for (size_t open = text.find('('); open != std::string_view::npos; open = text.find('(', open + 1)) {
    const size_t close = text.find(')', open);
    if (close == std::string_view::npos) break;
    const std::string_view name = name_before(text, open);
    // What the question names itself is no answer to it: "Python (programming language)".
    if (name.empty() || are_asked(asked, words_of(name)) ||
        !is_asked_for(asked, text.substr(open + 1, close - open - 1)))
      continue;
    if (!found.empty() && name != found) return {};
    found = name;
  }
  return found;
}

}  // namespace mneme::rag
