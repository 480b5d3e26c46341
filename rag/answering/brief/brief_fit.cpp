#include "rag/answering/brief/brief_fit.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "rag/text/asked/contact.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/dates.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/words/words.h"

namespace mneme::rag {
namespace {

constexpr double kNoNews = 0.1;
constexpr double kOtherKind = 0.3;

// "The ferry Halcyon" is what "Who owns the ferry?" asks of, and nobody.
bool names_thing_asked_of(std::string_view question, std::string_view words) {
  const std::vector<std::string> asked = words_of(question);
  const std::vector<std::string> said = words_of(words);
  return !offers_choice(question) && std::any_of(said.begin(), said.end(), [&](const std::string& word) {
    return !is_stop_word(word) && std::find(asked.begin(), asked.end(), word) != asked.end();
  });
}

// "Friday", "5 May": nobody is called so; "April Quill" is somebody.
bool is_day(std::string_view words) {
  const std::vector<std::string> said = words_of(words);
  return std::all_of(said.begin(), said.end(),
                     [](const std::string& word) { return is_time_word(word) || is_number(word); });
}

}  // namespace

bool offers_choice(std::string_view question) {
  constexpr std::string_view kOr[] = {"or", "oder", "ou", "o", "или"};
  const std::vector<std::string> asked = words_of(question);
  return std::any_of(asked.begin(), asked.end(), [&](const std::string& word) {
    return std::find(std::begin(kOr), std::end(kOr), word) != std::end(kOr);
  });
}

bool fits_kind(std::string_view question, std::string_view words) {
  const Contact contact = asked_contact(question);
  if (contact != Contact::kNone) return has_digits(words) || words.find('@') != std::string_view::npos;
  switch (kind_of_question(question)) {
    case QuestionKind::kPerson: return !names_thing_asked_of(question, words) && !is_day(words);
    case QuestionKind::kDate: return has_number(words) || has_date(words, " " + folded_text(words) + " ");
    case QuestionKind::kNumber:
    case QuestionKind::kDuration: return has_number(words) || says_short_time(words);
    default: return true;
  }
}

bool says_more_than(std::string_view question, std::string_view words) {
  const std::vector<std::string> asked = words_of(question);
  const std::vector<std::string> said = words_of(words);
  return said.empty() || offers_choice(question) || std::any_of(said.begin(), said.end(), [&](const std::string& word) {
           return std::find(asked.begin(), asked.end(), word) == asked.end();
         });
}

double brief_fit(std::string_view question, std::string_view words) {
  const double news = says_more_than(question, words) ? 1.0 : kNoNews;
  return fits_kind(question, words) ? news : kOtherKind * news;
}

}  // namespace mneme::rag
