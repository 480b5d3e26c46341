#include "rag/text/languages/notes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "rag/prompt/prompt_layout.h"
#include "rag/text/languages/language_facts.h"

namespace mneme::rag {
namespace {

constexpr size_t kNotes = sizeof(NoteTexts) / sizeof(std::string_view);
using AllNotes = std::array<std::string_view, kNotes>;

// It holds nothing but texts.
AllNotes all_of(const NoteTexts& texts) {
  return std::bit_cast<AllNotes>(texts);
}

std::vector<std::string> placeholders_in(std::string_view text) {
  std::vector<std::string> names;
  for (size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1))
    names.emplace_back(text.substr(at, text.find('}', at) + 1 - at));
  std::sort(names.begin(), names.end());
  return names;
}

std::string refusal_for(std::string_view question) {
  return note_for(question, &NoteTexts::not_said);
}

TEST(Notes, EveryLanguageHasEachWithThePlaceholdersOfEnglish) {
  const AllNotes english = all_of(notes::kEnglish);
  for (const LanguageFacts* facts : all_languages()) {
    ASSERT_NE(facts->notes, nullptr) << static_cast<int>(facts->language);
    const AllNotes own = all_of(*facts->notes);
    for (size_t i = 0; i < kNotes; ++i) {
      EXPECT_FALSE(own[i].empty()) << english[i] << " in " << own[1];
      EXPECT_EQ(placeholders_in(own[i]), placeholders_in(english[i])) << own[i];
      const bool by_itself = i > 0 && facts->language != Language::kEnglish && placeholders_in(own[i]).empty();
      EXPECT_FALSE(by_itself && own[i] == english[i]) << own[i] << " is not translated";
    }
    for (const PhraseList list : {facts->thanks, facts->greetings}) EXPECT_FALSE(list.empty()) << own[1];
  }
}

TEST(Notes, CommandsAreNamedAlikeInAllLanguages) {
  const AllNotes english = all_of(notes::kEnglish);
  for (const LanguageFacts* facts : all_languages()) {
    const AllNotes own = all_of(*facts->notes);
    for (size_t i = 0; i < kNotes; ++i) {
      for (const std::string_view command : {"`mneme search`", "`mneme index", "`mneme model add ", "--recompute R"})
        EXPECT_EQ(own[i].find(command) == std::string_view::npos, english[i].find(command) == std::string_view::npos)
            << own[i];
    }
  }
}

TEST(Notes, TheEnglishRefusalIsThatOfModels) {
  EXPECT_EQ(notes::kEnglish.not_said, PromptLayout::embedded().no_answer);
}

TEST(Notes, AreFilledOnceAndInTheLanguageOfTheQuestion) {
  EXPECT_EQ(note_for("wo steht der Zähler", &NoteTexts::no_passage_says, {{"word", "{other}"}, {"other", "Uhr"}}),
            "In keinem Abschnitt steht „{other}“; stattdessen wurde „Uhr“ gesucht");
  EXPECT_EQ(note_for("where is the meter", &NoteTexts::no_page, {{"document", "Lease"}, {"page", "9"}}),
            "Lease has no page 9");
  EXPECT_EQ(filled("{a} and {b", {{"a", "one"}}), "one and {b");
}

TEST(Notes, NumbersAreGroupedAsTheLanguageDoes) {
  EXPECT_EQ(number_for("how many documents are there", 12784), "12,784");
  EXPECT_EQ(number_for("wie viele Dokumente gibt es", 12784), "12.784");
  EXPECT_EQ(number_for("сколько документов", 1012784), "1\u00a0012\u00a0784");
  EXPECT_EQ(number_for("how many", 784), "784");
}

TEST(Refusals, AreInTheLanguageOfTheQuestion) {
  EXPECT_EQ(refusal_for("wie hoch ist die Miete für die Garage"), "Die Dokumente sagen dazu nichts.");
  EXPECT_EQ(refusal_for("gibt es einen aufzug"), "Die Dokumente sagen dazu nichts.");
  EXPECT_EQ(refusal_for("wann müllabfuhr"), "Die Dokumente sagen dazu nichts.");
  EXPECT_EQ(refusal_for("combien la caution"), "Les documents n’en disent rien.");
  EXPECT_EQ(refusal_for("quel est le prix de la place de parking"), "Les documents n’en disent rien.");
  EXPECT_EQ(refusal_for("cuánto cuesta la plaza de garaje"), "Los documentos no lo dicen.");
  EXPECT_EQ(refusal_for("quanto costa il posto auto per gli ospiti"), "I documenti non lo dicono.");
  EXPECT_EQ(refusal_for("скільки коштує їжа"), "У документах про це не сказано.");
  EXPECT_EQ(refusal_for("vad kostar parkeringsplatsen"), "Dokumenten säger inget om det.");
  EXPECT_EQ(refusal_for("kolik stojí parkování"), "Dokumenty o tom nic neříkají.");
  EXPECT_EQ(refusal_for("mikä on wifin salasana"), "Asiakirjoissa ei kerrota siitä.");
  EXPECT_EQ(refusal_for("mennyibe kerül a parkolás"), "A dokumentumok erről nem írnak.");
  EXPECT_EQ(refusal_for("cât costă parcarea"), "Documentele nu spun nimic despre asta.");
  EXPECT_EQ(refusal_for("hvad koster parkeringspladsen"), "Dokumenterne siger ikke noget om det.");
  EXPECT_EQ(refusal_for("hva koster parkeringsplassen"), "Dokumentene sier ikke noe om det.");
  EXPECT_EQ(refusal_for("какая зарплата у Ольги"), "В документах об этом не сказано.");
  EXPECT_EQ(refusal_for("كم راتب كريم"), "لا تذكر الوثائق ذلك.");
  EXPECT_EQ(refusal_for("停车位租金多少"), "文档中没有说明。");
  EXPECT_EQ(refusal_for("駐車場代はいくら"), "文書には書かれていません。");
  EXPECT_EQ(refusal_for("주차비는 얼마예요"), "문서에 나와 있지 않습니다.");
}

TEST(Refusals, AreEnglishWhereTheLanguageIsNotKnown) {
  for (const std::string_view question :
       {"How much is the rent?", "rent garage", "war memorial date", "son age", "do dogs die", "to do list",
        "on call rota", "What does \u201cWohnung\u201d mean?", "", "колькі каштуе ежа ў горадзе", "قیمت چند است"}) {
    EXPECT_EQ(refusal_for(question), "The documents do not say.") << question;
  }
}

}  // namespace
}  // namespace mneme::rag
