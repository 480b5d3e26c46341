// What is quoted from papers in other languages than English and German.
#include <gtest/gtest.h>

#include "rag/quoting/quoting.h"

namespace mneme::rag {
namespace {

std::string first_quote(std::string_view question, const std::vector<QuotePassage>& passages) {
  const auto quotes = quote_sentences(question, passages);
  return quotes.empty() ? std::string() : quotes[0].text;
}

TEST(Tongues, ArabicWordsMeetWithAndWithoutTheirArticles) {
  const QuotePassage manual{"الضمان سنتان من تاريخ الشراء.\n\nنظّف الفلتر مرة كل شهرين.", "الأجهزة غسالة"};
  EXPECT_EQ(first_quote("كم مرة أنظف فلتر الغسالة", {manual}), "نظّف الفلتر مرة كل شهرين.");
}

TEST(Tongues, FrenchVerbsAreToldInOtherTenses) {
  const QuotePassage mail{
      "Bonjour,\n\nle plombier passera vendredi 14 février entre 14 h et 16 h.\n\nLa réparation est à ma charge.",
      "fuite"};
  EXPECT_NE(first_quote("quand passe le plombier", {mail}).find("14 février"), std::string::npos);
}

TEST(Tongues, WhatAPriceIsOfMustBeToldWhole) {
  const QuotePassage lease{"El precio de la plaza de mercado es de 12 euros. Hay una plaza de garaje.", "contrato"};
  const QuotePassage bank{"5 de marzo: supermercado La Plaza, 58,20 €.", "movimientos"};
  EXPECT_EQ(first_quote("cuánto cuesta la plaza de garaje", {bank}), "");
  EXPECT_NE(first_quote("cuánto cuesta la plaza de mercado", {lease}).find("12 euros"), std::string::npos);
}

TEST(Tongues, ASumAskedForByItsNameIsMoney) {
  const QuotePassage lease{
      "De huurprijs bedraagt € 1.150 per maand, te betalen vóór de eerste van elke maand.\n\nDe opzegtermijn voor de "
      "huurder is één maand.\n\nDe waarborgsom is twee maanden huur.\n\nDe huur gaat in op 1 september.",
      "huurovereenkomst"};
  EXPECT_NE(first_quote("Hoe hoog is de huur?", {lease}).find("1.150"), std::string::npos);
  EXPECT_NE(first_quote("Hoe hoog is de waarborgsom?", {lease}).find("twee maanden huur"), std::string::npos);
}

TEST(Tongues, ALineUnderADateSaysWhenItIs) {
  const QuotePassage trip{
      "# 봄 현장 체험 학습 안내\n\n봄 현장 체험 학습을 다음과 같이 실시합니다.\n\n- 일시: 2025년 5월 16일 금요일\n- "
      "장소: 서울대공원 "
      "동물원\n- 출발: 오전 8시 40분, 학교 운동장\n- 준비물: 도시락",
      "봄 현장 체험 학습 안내\n현장학습안내"};
  EXPECT_NE(first_quote("현장학습은 언제야", {trip}).find("5월 16일"), std::string::npos);
  EXPECT_NE(first_quote("현장학습은 어디로 가요", {trip}).find("서울대공원"), std::string::npos)
      << first_quote("현장학습은 어디로 가요", {trip});
  const QuotePassage camp{
      "# Lejrskole på Bornholm\n\nLejrskolen varer fra mandag til fredag.\n\n- Afgang: kl. 7.15\n- Lommepenge: højst "
      "200 "
      "kroner\n- Pris: 1.250 kroner",
      "Lejrskole på Bornholm\nlejrskole"};
  EXPECT_NE(first_quote("hvad koster lejrskolen", {camp}).find("1.250"), std::string::npos)
      << first_quote("hvad koster lejrskolen", {camp});
}

TEST(Tongues, APriceDoesNotSayWhen) {
  const QuotePassage bill{"Müllabfuhr  188,20 €\nWasser  96,00 €\nSumme  284,20 €", "Nebenkosten"};
  EXPECT_EQ(first_quote("wann ist müllabfuhr", {bill}), "");
}

TEST(Tongues, LinesUnderLabelsHeadNothing) {
  const QuotePassage report{
      "Informe de alta\n\nPaciente: Ramón Solís\n\nDiagnóstico: insuficiencia leve\n\nAlergias: aspirina\n\n"
      "Tratamiento\n\nFurosemida por la mañana.",
      "informe abuelo"};
  EXPECT_EQ(first_quote("a qué es alérgico el abuelo", {report}), "Alergias: aspirina");
}

TEST(Tongues, LinesOfChineseAndJapaneseAreEachTheirOwn) {
  const QuotePassage booking{"酒店:大理客栈\n入住:2025年8月3日\n房价:每晚420元\n不可携带宠物。", "旅行 酒店订单"};
  EXPECT_EQ(first_quote("房价是多少钱", {booking}), "房价:每晚420元");
}

TEST(Tongues, AReasonBehindIsQuotedAlong) {
  const QuotePassage minutes{"1. 新しい印刷機の導入は秋に延期する。理由は審査が終わっていないため。\n2. 次回は6月9日。",
                             "議事録"};
  EXPECT_NE(first_quote("印刷機の導入はなぜ延期された", {minutes}).find("審査が終わっていないため"), std::string::npos);
  const QuotePassage club{
      "1. **Trip.** The trip to the island is put off to June. The reason is that the boat is repaired.",
      "club minutes"};
  EXPECT_NE(first_quote("Why is the trip to the island put off?", {club}).find("boat is repaired"), std::string::npos);
}

TEST(Tongues, ACodeIsNamedByManyWords) {
  const QuotePassage manual{"- E1: датчик неисправен\n- E3: дверь открыта дольше двух минут", "инструкция холодильник"};
  EXPECT_NE(first_quote("что значит ошибка E3", {manual}).find("дверь открыта"), std::string::npos);
}

}  // namespace
}  // namespace mneme::rag
