#include "rag/text/documents/asked_page.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

std::string page(std::string_view question) {
  const AskedPage asked = asked_page(question);
  return asked.empty() ? "" : std::to_string(asked.number) + (asked.document.empty() ? "" : " of " + asked.document);
}

TEST(AskedPage, ByItsNumberAndWhatItIsOf) {
  EXPECT_EQ(page("What is on page 12?"), "12");
  EXPECT_EQ(page("page 3 of the lease"), "3 of the lease");
  EXPECT_EQ(page("What does page 3 of the lease say?"), "3 of the lease");
  EXPECT_EQ(page("Show me page 7 of \"Heat Pumps\""), "7 of Heat Pumps");
  EXPECT_EQ(page("Was steht auf Seite 2 des Mietvertrags?"), "2 of Mietvertrags");
  EXPECT_EQ(page("Qu'y a-t-il à la page 4 du bail ?"), "4 of bail");
  EXPECT_EQ(page("¿Qué dice la página 5 del contrato?"), "5 of contrato");
  EXPECT_EQ(page("Что написано на странице 6?"), "6");
  EXPECT_EQ(page("合同第3页写了什么？"), "3 of 合同");
  EXPECT_EQ(page("12ページには何が書いてありますか？"), "12");
}

TEST(AskedPage, InFurtherLanguages) {
  EXPECT_EQ(page("Wat staat er op bladzijde 3 van het contract?"), "3 of het contract");
  EXPECT_EQ(page("Cosa dice la pagina 4?"), "4");
  EXPECT_EQ(page("Vad står det på sida 2?"), "2");
  EXPECT_EQ(page("Co jest na stronie 5 umowy?"), "");  // whose it is says the case alone
  EXPECT_EQ(page("Co jest na stronie 5?"), "5");
  EXPECT_EQ(page("Що написано на сторінці 6?"), "6");
  EXPECT_EQ(page("Sayfa 7"), "7");
  EXPECT_EQ(page("3쪽에 뭐가 있어?"), "3");
}

TEST(AskedPage, OtherQuestionsOfPages) {
  EXPECT_EQ(page("Who signs on page 3?"), "");
  EXPECT_EQ(page("What is the total on page 3?"), "");
  EXPECT_EQ(page("How many pages does the lease have?"), "");
  EXPECT_EQ(page("Why is page 4 empty?"), "");
  EXPECT_EQ(page("What is a page?"), "");
  EXPECT_EQ(page("What is on page 0?"), "");
  EXPECT_EQ(page("What is on page 99999999999999999999?"), "");
  EXPECT_EQ(page("页"), "");
}

}  // namespace
}  // namespace mneme::rag
