#include "rag/text/asked/question_words.h"

#include <algorithm>
#include <vector>

#include "rag/text/languages/language_facts.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

bool is_asked_where_french(std::string_view question) {
  return question.find(" où ") != std::string_view::npos || question.starts_with("où ") || question.starts_with("Où ");
}

// "¿A qué es alérgico?", "de que es la tapa": asks for no definition of it.
bool asks_to_what_spanish(std::string_view folded) {
  constexpr std::string_view kToWhat[] = {" a que es ", " de que es ", " con que es ", " en que es ", " por que es "};
  return std::any_of(std::begin(kToWhat), std::end(kToWhat),
                     [&](std::string_view what) { return folded.find(what) != std::string_view::npos; });
}

bool asks_what_french(std::string_view folded) {
  return folded.find(" qu est ce qui ") != std::string_view::npos;
}

PhraseList AskingPhrases::* phrases_for(Asking asking) {
  switch (asking) {
    case Asking::kDate: return &AskingPhrases::date;
    case Asking::kCase: return &AskingPhrases::in_which_case;
    case Asking::kNumber: return &AskingPhrases::number;
    case Asking::kDuration: return &AskingPhrases::duration;
    case Asking::kFrequency: return &AskingPhrases::frequency;
    case Asking::kPerson: return &AskingPhrases::person;
    case Asking::kPlace: return &AskingPhrases::place;
    case Asking::kReason: return &AskingPhrases::reason;
    case Asking::kManner: return &AskingPhrases::manner;
    case Asking::kSteps: return &AskingPhrases::steps;
    case Asking::kList: return &AskingPhrases::list;
    case Asking::kDefinition: return &AskingPhrases::definition;
    case Asking::kDeed: return &AskingPhrases::deed;
    case Asking::kDifference: return &AskingPhrases::difference;
  }
  return nullptr;
}

std::vector<std::string_view> words_for(Asking asking) {
  const auto list = phrases_for(asking);
  return phrases_of_all([list](const LanguageFacts& facts) { return facts.asking.*list; });
}

struct AskingWords {
  FoldedPhrases anywhere{{}};
  FoldedPhrases beginning{{}};
};

AskingWords parted(std::span<const std::string_view> words) {
  std::vector<std::string_view> anywhere;
  std::vector<std::string_view> beginning;
  for (const std::string_view word : words) {
    const bool begins = word.starts_with('^');
    (begins ? beginning : anywhere).push_back(word.substr(begins ? 1 : 0));
  }
  return {FoldedPhrases(anywhere), FoldedPhrases(beginning)};
}

const AskingWords& all_words(Asking asking) {
  static const std::vector<AskingWords> kWords = [] {
    std::vector<AskingWords> words;
    for (int i = 0; i <= static_cast<int>(Asking::kDifference); ++i)
      words.push_back(parted(words_for(static_cast<Asking>(i))));
    return words;
  }();
  return kWords[static_cast<size_t>(asking)];
}

// In words that mean something else in other languages.
bool asks_in_own_words(Asking asking, Language language, std::string_view folded) {
  static const std::vector<std::vector<AskingWords>> kWords = [] {
    std::vector<std::vector<AskingWords>> words(static_cast<size_t>(Asking::kDifference) + 1);
    for (size_t i = 0; i < words.size(); ++i) {
      const auto list = phrases_for(static_cast<Asking>(i));
      words[i].resize(all_languages().size() + 1);  // by language; the unknown has none
      for (const LanguageFacts* facts : all_languages()) {
        std::vector<std::string_view> phrases;
        for_each_part(facts->own_asking.*list, ", ", [&](std::string_view phrase) { phrases.push_back(phrase); });
        words[i][static_cast<size_t>(facts->language)] = parted(phrases);
      }
    }
    return words;
  }();
  const AskingWords& own = kWords[static_cast<size_t>(asking)][static_cast<size_t>(language)];
  return own.anywhere.any_in(folded) || own.beginning.any_begins(folded);
}

}  // namespace

std::span<const std::string> asking_words(Asking asking) {
  return all_words(asking).anywhere.all();
}

std::vector<std::string> words_that_ask(std::string_view question) {
  static const PhrasesOfLanguages kPhrases([](const LanguageFacts& facts) {
    std::string all;
    for (const Asking asking : {Asking::kDate, Asking::kDuration, Asking::kFrequency, Asking::kDefinition}) {
      const PhraseList phrases = facts.own_asking.*phrases_for(asking);
      if (!phrases.empty()) all.append(all.empty() ? "" : ", ").append(phrases);
    }
    return all;
  });
  const std::string folded = " " + folded_text(question) + " ";
  std::vector<std::string> words;
  for (const std::string& phrase : kPhrases.of(language_of(question)).all()) {
    const bool several = phrase.find(' ') != std::string::npos;
    if (!several || !says_phrase(folded, phrase)) continue;
    for (std::string& word : words_of(phrase)) words.push_back(std::move(word));
  }
  return words;
}

bool asks_for(Asking asking, std::string_view question, std::string_view folded) {
  if (asking == Asking::kPlace && is_asked_where_french(question)) return true;
  if (asking == Asking::kPerson && asks_what_french(folded)) return false;
  if (asking == Asking::kDefinition && asks_to_what_spanish(folded)) return false;
  const AskingWords& words = all_words(asking);
  return words.anywhere.any_in(folded) || words.beginning.any_begins(folded) ||
         asks_in_own_words(asking, language_of(question), folded);
}

}  // namespace mneme::rag
