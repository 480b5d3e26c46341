#include "rag/text/languages/language.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/checkout/checkout.h"
#include "tests/support/parameter_names.h"

namespace mneme::rag {
namespace {

TEST(LanguageOf, IsKnownByItsScript) {
  EXPECT_EQ(language_of("какая зарплата у Ольги"), Language::kRussian);
  EXPECT_EQ(language_of("كم راتب كريم"), Language::kArabic);
  EXPECT_EQ(language_of("停车位租金多少"), Language::kChinese);
  EXPECT_EQ(language_of("駐車場代はいくら"), Language::kJapanese);
  EXPECT_EQ(language_of("주차비는 얼마예요"), Language::kKorean);
  EXPECT_EQ(language_of("скільки коштує оренда, і коли її платити"), Language::kUkrainian);
  EXPECT_EQ(language_of("яка площа квартири"), Language::kUkrainian) << "by its words alone";
  EXPECT_EQ(language_of("колькі каштуе арэнда ў Мінску"), Language::kUnknown) << "Belarusian";
  EXPECT_EQ(language_of("اجاره چقدر است"), Language::kUnknown) << "Persian";
  EXPECT_EQ(language_of("Warum heißt es 北京?"), Language::kGerman);
}

TEST(LanguageOf, GermanIsKnownByWhatEnglishHasNot) {
  EXPECT_EQ(language_of("Wie hoch ist die Kaution?"), Language::kGerman);
  EXPECT_EQ(language_of("Welche Frist hat der Vertrag?"), Language::kGerman);
  EXPECT_EQ(language_of("was bedeutet e20"), Language::kGerman);
  EXPECT_EQ(language_of("hühner erlaubt?"), Language::kGerman) << "by its letters alone";
  EXPECT_EQ(language_of("What was the war about, and who did die in it?"), Language::kEnglish);
  EXPECT_EQ(language_of("war memorial date"), Language::kUnknown) << "one word that both have";
  EXPECT_NE(language_of("Combien coûte le loyer ?"), Language::kGerman);
  EXPECT_EQ(language_of(""), Language::kUnknown);
  EXPECT_EQ(language_of("leasing rate 2023?"), Language::kUnknown);
}

TEST(LanguageOf, TheMarksOfAWordTell) {
  EXPECT_EQ(language_of("når starter avtalen"), Language::kNorwegian);
  EXPECT_EQ(language_of("när startar avtalet"), Language::kSwedish);
  EXPECT_EQ(language_of("hvornår starter aftalen"), Language::kDanish);
}

TEST(LanguageOf, RomanceLanguagesAreKnownByGrammarWordsAndMarkedLetters) {
  for (const std::string_view text : {"quand passe le plombier", "a que hora se baja la basura",
                                      "quanto costa il corso", "quem é o dono da casa", "franchise assurance école"}) {
    EXPECT_TRUE(is_romance(language_of(text))) << text;
  }
  for (const std::string_view text :
       {"when does the plumber come", "wann kommt der Klempner", "What is a pro rata fee?", "wo ist die Police"}) {
    EXPECT_FALSE(is_romance(language_of(text))) << text;
  }
}

// Of everyday questions, short ones among them, how many may be taken for another language or none.
struct Sample {
  const char* folder;
  Language language;
  size_t most_wrong;
};

void PrintTo(const Sample& sample, std::ostream* out) {
  *out << sample.folder;
}

class LanguageOfSamples : public ::testing::TestWithParam<Sample> {};

std::vector<std::string> questions_in(const std::string& file) {
  std::ifstream lines(checkout::path("tests/eval/everyday/" + file));
  std::vector<std::string> questions;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && !line.starts_with('#')) questions.push_back(line.substr(0, line.find('\t')));
  }
  return questions;
}

TEST_P(LanguageOfSamples, AreKnownButForAFew) {
  size_t n = 0;
  std::vector<std::string> wrong;
  for (const char* name : {"/questions.tsv", "/absent.txt"}) {
    for (const std::string& question : questions_in(GetParam().folder + std::string(name))) {
      ++n;
      if (language_of(question) != GetParam().language) wrong.push_back(question);
    }
  }
  EXPECT_GE(n, 14U);
  EXPECT_LE(wrong.size(), GetParam().most_wrong) << ::testing::PrintToString(wrong);
}

INSTANTIATE_TEST_SUITE_P(
    Everyday, LanguageOfSamples,
    ::testing::Values(Sample{"eighth/de", Language::kGerman, 4}, Sample{"eighth/fr", Language::kFrench, 1},
                      Sample{"eighth/es", Language::kSpanish, 1}, Sample{"eighth/ru", Language::kRussian, 0},
                      Sample{"eighth/ar", Language::kArabic, 0}, Sample{"eighth/zh", Language::kChinese, 0},
                      Sample{"eighth/ja", Language::kJapanese, 0}, Sample{"ninth/nl", Language::kDutch, 0},
                      Sample{"ninth/it", Language::kItalian, 0}, Sample{"ninth/pt", Language::kPortuguese, 1},
                      Sample{"ninth/pl", Language::kPolish, 1}, Sample{"ninth/sv", Language::kSwedish, 0},
                      Sample{"ninth/tr", Language::kTurkish, 1}, Sample{"ninth/ko", Language::kKorean, 0},
                      Sample{"ninth/cs", Language::kCzech, 1}, Sample{"ninth/uk", Language::kUkrainian, 0},
                      Sample{"ninth/fi", Language::kFinnish, 1}, Sample{"ninth/hu", Language::kHungarian, 1},
                      Sample{"ninth/ro", Language::kRomanian, 1}, Sample{"ninth/da", Language::kDanish, 1},
                      Sample{"ninth/no", Language::kNorwegian, 3}),
    mneme::testing::parameter_name<LanguageOfSamples::ParamType>);

TEST(LanguageOf, EnglishIsTakenForNoOther) {
  size_t n = 0;
  std::vector<std::string> wrong;
  for (const char* folder : {"first", "fifth", "sixth", "seventh"}) {
    for (const std::string& question : questions_in(folder + std::string("/questions.tsv"))) {
      const bool wide =
          std::any_of(question.begin(), question.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xE3; });
      if (wide) continue;  // Chinese
      ++n;
      const Language language = language_of(question);
      if (language != Language::kEnglish && language != Language::kUnknown && language != Language::kGerman)
        wrong.push_back(question);
    }
  }
  EXPECT_GT(n, 150U);
  EXPECT_TRUE(wrong.empty()) << ::testing::PrintToString(wrong);
}

TEST(LanguageOf, IsKnownOfEverydayQuestions) {
  struct Asked {
    Language language;
    std::vector<std::string_view> questions;
  };
  const Asked kAsked[] = {
      {Language::kEnglish,
       {"how much is the parking space", "when does the lease end", "can we keep a dog", "who pays for the heating",
        "dentist phone number and address", "what is the wifi password", "son's school start time is when",
        "can our cat get on the balcony"}},
      {Language::kItalian,
       {"quanto costa il posto auto", "quando scade la polizza", "posso tenere un cane", "chi paga il riscaldamento",
        "a che ora apre la piscina", "perché la bolletta è più alta", "quanti giorni di ferie ho"}},
      {Language::kPortuguese,
       {"quanto custa a vaga de garagem", "quando termina o contrato de arrendamento", "posso ter um cão",
        "quem paga o aquecimento", "onde fica o contador da água", "qual é o número do canalizador",
        "quantos dias de férias tenho"}},
      {Language::kDutch,
       {"hoeveel kost de parkeerplaats", "wanneer eindigt het huurcontract", "mag ik een hond houden",
        "wie betaalt de verwarming", "hoe lang is de garantie op de wasmachine", "telefoonnummer van de tandarts"}},
      {Language::kPolish,
       {"ile kosztuje miejsce parkingowe", "kiedy kończy się umowa najmu", "czy mogę trzymać psa",
        "kto płaci za ogrzewanie", "jak długo trwa gwarancja na pralkę", "co zabrać na wycieczkę"}},
      {Language::kTurkish,
       {"otopark ücreti ne kadar", "kira sözleşmesi ne zaman bitiyor", "ısınma parasını kim ödüyor", "su sayacı nerede",
        "çamaşır makinesinin garantisi kaç yıl", "fatura neden yüksek"}}};
  for (const Asked& asked : kAsked) {
    for (const std::string_view question : asked.questions)
      EXPECT_EQ(language_of(question), asked.language) << question;
  }
}

}  // namespace
}  // namespace mneme::rag
