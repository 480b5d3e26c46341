#include "rag/text/documents/asked_dated.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using By = AskedDated::By;
using std::chrono::sys_days;

const sys_days kToday = std::chrono::year(2026) / 11 / 26;

AskedDated asked(std::string_view question) {
  return asked_dated(question, kToday);
}

TEST(AskedDated, TheNewestAndTheOldest) {
  struct Case {
    const char* question;
    const char* called;
    bool oldest;
    bool one;
  };
  for (const Case& c :
       {Case{"What is my latest invoice?", "invoice", false, true}, Case{"oldest report", "report", true, true},
        Case{"the most recent letter from the bank", "letter bank", false, true},
        Case{"Show me the newest documents", "", false, false},
        Case{"What's the latest electricity bill?", "electricity bill", false, true},
        Case{"my last letter", "letter", false, true}, Case{"list the oldest files", "", true, false},
        Case{"newest email", "email", false, true}, Case{"newest payslip felix", "payslip felix", false, true},
        Case{"Zeig mir die neueste Rechnung", "Rechnung", false, true},
        Case{"Welches ist der älteste Vertrag?", "Vertrag", true, true}}) {
    const AskedDated dated = asked(c.question);
    EXPECT_TRUE(dated.is_asked) << c.question;
    EXPECT_EQ(dated.called, c.called) << c.question;
    EXPECT_EQ(dated.oldest_first, c.oldest) << c.question;
    EXPECT_EQ(dated.only_one, c.one) << c.question;
    EXPECT_EQ(dated.by, By::kItsDate) << c.question;
  }
}

TEST(AskedDated, WhatSomebodyDid) {
  for (const char* question : {"Which document did I change last?", "What did I edit most recently?",
                               "the file I last changed", "Welches Dokument habe ich zuletzt geändert?"}) {
    const AskedDated dated = asked(question);
    EXPECT_TRUE(dated.is_asked && dated.only_one && dated.by == By::kChanged) << question;
    EXPECT_TRUE(dated.called.empty()) << question << " " << dated.called;
  }
  const AskedDated week = asked("files I added this week");
  EXPECT_TRUE(week.is_asked && week.by == By::kTakenIn && !week.only_one);
  EXPECT_EQ(week.period.since, sys_days(std::chrono::year(2026) / 11 / 23));
  const AskedDated letters = asked("Which letters did I write in May 2026?");
  EXPECT_EQ(letters.called, "letters");
  EXPECT_EQ(letters.period.before, sys_days(std::chrono::year(2026) / 6 / 1));
  EXPECT_TRUE(asked("Welche Dateien habe ich diese Woche bearbeitet?").is_asked);
  EXPECT_TRUE(asked("documents modified yesterday").is_asked);
}

TEST(AskedDated, OfAPeriod) {
  const AskedDated year = asked("documents from 2023");
  EXPECT_TRUE(year.is_asked && !year.only_one && year.called.empty());
  EXPECT_EQ(year.period.since, sys_days(std::chrono::year(2023) / 1 / 1));
  EXPECT_EQ(asked("Which letters from the bank are there since June?").called, "letters bank");
  EXPECT_EQ(asked("show me all invoices from last month").called, "invoices");
  EXPECT_TRUE(asked("Dokumente von 2023").is_asked);
}

TEST(AskedDated, AllOfAKind) {
  for (const char* question :
       {"how many payslips do i have", "How many payslips are there?", "list all payslips", "show me the payslips"}) {
    EXPECT_TRUE(asked(question).is_asked) << question;
    EXPECT_EQ(asked(question).called, "payslips") << question;
    EXPECT_FALSE(asked(question).only_one) << question;
  }
  EXPECT_TRUE(asked("how many invoices from brandt").counts);
  EXPECT_EQ(asked("how many invoices from brandt").called, "invoices brandt");
  EXPECT_FALSE(asked("list all invoices").counts);
  for (const char* question : {"How many letters do I have?", "Wie viele Briefe habe ich?"})
    EXPECT_TRUE(asked(question).is_asked && asked(question).counts) << question;
  EXPECT_EQ(asked("list my letters").called, "letters");
  EXPECT_EQ(asked("which receipts do I have").called, "receipts");
  EXPECT_EQ(asked("Which recipes are there?").called, "recipes");
  EXPECT_FALSE(asked("Which recipes use an egg?").is_asked);
  for (const char* question : {"How many emails do I have?", "wie viele Mails habe ich", "我有多少邮件？"})
    EXPECT_TRUE(asked(question).is_asked && asked(question).counts) << question;
  for (const char* question : {"how many offers did Priya get", "how many letters has the alphabet", "payslips",
                               "show me the plan", "how many documents are there", "How many recipes use an egg?"})
    EXPECT_FALSE(asked(question).is_asked) << question;
}

TEST(AskedDated, OtherQuestionsAskForNoDates) {
  for (const char* question : {"",
                               "What is the latest version of Rust?",
                               "Who wrote the last chapter?",
                               "What is the oldest tree?",
                               "When was the invoice written?",
                               "What did the bank change in 2023?",
                               "How do I change the last file?",
                               "What happened in 2023?",
                               "What is the last step?",
                               "Which documents mention 2023?",
                               "What did I pay for the electricity last month?",
                               "documents about the flood",
                               "What is the contract of 2023?",
                               "Which files are added by git add?",
                               "When was the lease last changed?",
                               "How many documents were added last week?",
                               "latest invoice total",
                               "Who changed the document last?",
                               "May I see the invoices?",
                               "May we keep the documents?",
                               "What is the last page of the report?",
                               "the last chapter of the book",
                               "Quelle est la dernière page du rapport ?",
                               "¿Cuál es el último capítulo del libro?",
                               "Wie lautet die letzte Seite des Berichts?",
                               "Quand la facture est-elle arrivée ?",
                               "¿Cuándo vence el contrato?",
                               "Kto napisał ostatni rozdział?",
                               "Welche Rechnung ist noch offen?",
                               "Combien coûte la facture de mars ?",
                               "¿Cuánto es la factura de mayo?",
                               "Hoeveel kost de factuur?",
                               "Сколько стоит договор?",
                               "Ile kosztuje umowa?"})
    EXPECT_FALSE(asked(question).is_asked) << question << " " << asked(question).called;
}

TEST(AskedDated, BeforeAPeriodAndSinceOne) {
  for (const char* question : {"documents before 2024", "documentos anteriores a 2024", "documents d'avant 2024",
                               "dokumenty sprzed 2024 roku", "2024'ten önceki belgeler", "2024年以前的文件"}) {
    const AskedDated dated = asked(question);
    EXPECT_TRUE(dated.is_asked && dated.called.empty()) << question << " " << dated.called;
    EXPECT_EQ(dated.period.before, sys_days(std::chrono::year(2024) / 1 / 1)) << question;
    EXPECT_FALSE(dated.period.since.has_value()) << question;
  }
  EXPECT_EQ(asked("2025年以降の契約書").period.since, sys_days(std::chrono::year(2025) / 1 / 1));
  EXPECT_EQ(asked("lettere dopo maggio 2026").period.since, sys_days(std::chrono::year(2026) / 6 / 1));
}

TEST(AskedDated, WithoutSpaces) {
  EXPECT_TRUE(asked("最新請求書").is_asked) << "Japanese, though it might be Chinese";
  const AskedDated listed = asked("银行的所有信件");
  EXPECT_TRUE(listed.is_asked && !listed.only_one);
  EXPECT_EQ(listed.called, "信件 银行");
  const AskedDated changed = asked("最近に変更したファイル");
  EXPECT_TRUE(changed.is_asked && changed.by == By::kChanged && changed.only_one);
  for (const char* question : {"发票是什么？", "什么是最新的技术？", "合同什么时候到期？", "昨天发生了什么？"})
    EXPECT_FALSE(asked(question).is_asked) << question;
}

struct InLanguage {
  const char* newest;
  const char* oldest;
  const char* how_many;
  const char* of_2025;
  const char* changed_this_week;
  const char* all_from_aqua;
};

class AskedDatedIn : public ::testing::TestWithParam<InLanguage> {};

TEST_P(AskedDatedIn, TheNewestAndTheOldestInvoice) {
  const AskedDated newest = asked(GetParam().newest);
  EXPECT_TRUE(newest.is_asked && newest.only_one && !newest.oldest_first) << GetParam().newest;
  const AskedDated oldest = asked(GetParam().oldest);
  EXPECT_TRUE(oldest.is_asked && oldest.only_one && oldest.oldest_first) << GetParam().oldest;
  EXPECT_FALSE(newest.called.empty() || oldest.called.empty());
}

TEST_P(AskedDatedIn, AllInvoices) {
  const AskedDated counted = asked(GetParam().how_many);
  EXPECT_TRUE(counted.is_asked && counted.counts && !counted.only_one) << GetParam().how_many;
  const AskedDated listed = asked(GetParam().all_from_aqua);
  EXPECT_TRUE(listed.is_asked && !listed.counts && !listed.only_one) << GetParam().all_from_aqua;
  EXPECT_NE(listed.called.find("qua"), std::string::npos) << listed.called;
  EXPECT_NE(listed.called.find(' '), std::string::npos) << listed.called;
}

TEST_P(AskedDatedIn, ThoseOfAPeriod) {
  const AskedDated year = asked(GetParam().of_2025);
  EXPECT_TRUE(year.is_asked && year.by == By::kItsDate) << GetParam().of_2025;
  EXPECT_EQ(year.period.since, sys_days(std::chrono::year(2025) / 1 / 1));
  EXPECT_EQ(year.called, "") << "any document";
  const AskedDated week = asked(GetParam().changed_this_week);
  EXPECT_TRUE(week.is_asked && week.by == By::kChanged) << GetParam().changed_this_week;
  EXPECT_EQ(week.period.since, sys_days(std::chrono::year(2026) / 11 / 23));
  EXPECT_EQ(week.called, "") << "any file";
}

INSTANTIATE_TEST_SUITE_P(
    Languages, AskedDatedIn,
    ::testing::Values(
        InLanguage{"What is my latest invoice?", "Show me the oldest invoice", "How many invoices do I have?",
                   "Which documents are from 2025?", "Which files did I change this week?",
                   "List all invoices from Aqua"},
        InLanguage{"Was ist meine neueste Rechnung?", "Zeig mir die älteste Rechnung", "Wie viele Rechnungen habe ich?",
                   "Welche Dokumente sind aus 2025?", "Welche Dateien habe ich diese Woche geändert?",
                   "Liste alle Rechnungen von Aqua"},
        InLanguage{"Quelle est ma dernière facture ?", "Montre-moi la facture la plus ancienne",
                   "Combien de factures ai-je ?", "Quels documents datent de 2025 ?",
                   "Quels fichiers ai-je modifiés cette semaine ?", "Liste toutes les factures d'Aqua"},
        InLanguage{"¿Cuál es mi última factura?", "Muéstrame la factura más antigua", "¿Cuántas facturas tengo?",
                   "¿Qué documentos son de 2025?", "¿Qué archivos cambié esta semana?",
                   "Lista todas las facturas de Aqua"},
        InLanguage{"Qual è la mia ultima fattura?", "Mostrami la fattura più vecchia", "Quante fatture ho?",
                   "Quali documenti sono del 2025?", "Quali file ho modificato questa settimana?",
                   "Elenca tutte le fatture di Aqua"},
        InLanguage{"Qual é a minha última fatura?", "Mostre-me a fatura mais antiga", "Quantas faturas tenho?",
                   "Quais documentos são de 2025?", "Quais arquivos alterei esta semana?",
                   "Liste todas as faturas da Aqua"},
        InLanguage{"Wat is mijn nieuwste factuur?", "Toon me de oudste factuur", "Hoeveel facturen heb ik?",
                   "Welke documenten zijn uit 2025?", "Welke bestanden heb ik deze week gewijzigd?",
                   "Geef een lijst van alle facturen van Aqua"},
        InLanguage{"Vilken är min senaste faktura?", "Visa mig den äldsta fakturan", "Hur många fakturor har jag?",
                   "Vilka dokument är från 2025?", "Vilka filer ändrade jag den här veckan?",
                   "Lista alla fakturor från Aqua"},
        InLanguage{"Hvad er min nyeste faktura?", "Vis mig den ældste faktura", "Hvor mange fakturaer har jeg?",
                   "Hvilke dokumenter er fra 2025?", "Hvilke filer har jeg ændret i denne uge?",
                   "Vis alle fakturaer fra Aqua"},
        InLanguage{"Hva er min nyeste faktura?", "Vis meg den eldste fakturaen", "Hvor mange fakturaer har jeg?",
                   "Hvilke dokumenter er fra 2025?", "Hvilke filer har jeg endret denne uken?",
                   "Vis alle fakturaer fra Aqua"},
        InLanguage{"Jaka jest moja ostatnia faktura?", "Pokaż mi najstarszą fakturę", "Ile mam faktur?",
                   "Które dokumenty są z 2025 roku?", "Które pliki zmieniłem w tym tygodniu?",
                   "Wymień wszystkie faktury od Aqua"},
        InLanguage{"Jaká je moje poslední faktura?", "Ukaž mi nejstarší fakturu", "Kolik mám faktur?",
                   "Které dokumenty jsou z roku 2025?", "Které soubory jsem změnil tento týden?",
                   "Vypiš všechny faktury od Aqua"},
        InLanguage{"Який мій останній рахунок?", "Покажи найстаріший рахунок", "Скільки в мене рахунків?",
                   "Які документи за 2025 рік?", "Які файли я змінив цього тижня?", "Покажи всі рахунки від Aqua"},
        InLanguage{"Какой мой последний счёт?", "Покажи самый старый счёт", "Сколько у меня счетов?",
                   "Какие документы за 2025 год?", "Какие файлы я изменил на этой неделе?", "Покажи все счета от Aqua"},
        InLanguage{"En son faturam hangisi?", "Bana en eski faturayı göster", "Kaç faturam var?",
                   "Hangi belgeler 2025 yılından?", "Bu hafta hangi dosyaları değiştirdim?",
                   "Aqua'nın tüm faturalarını listele"},
        InLanguage{"Care este ultima mea factură?", "Arată-mi cea mai veche factură", "Câte facturi am?",
                   "Ce documente sunt din 2025?", "Ce fișiere am modificat săptămâna aceasta?",
                   "Listează toate facturile de la Aqua"},
        InLanguage{"Melyik a legutóbbi számlám?", "Mutasd a legrégebbi számlát", "Hány számlám van?",
                   "Mely dokumentumok valók 2025-ből?", "Mely fájlokat módosítottam ezen a héten?",
                   "Sorold fel az Aqua összes számláját"},
        InLanguage{"Mikä on uusin laskuni?", "Näytä vanhin lasku", "Montako laskua minulla on?",
                   "Mitkä asiakirjat ovat vuodelta 2025?", "Mitä tiedostoja muutin tällä viikolla?",
                   "Luettele kaikki Aquan laskut"},
        InLanguage{"ما هي أحدث فاتورة لدي؟", "أرني أقدم فاتورة", "كم فاتورة لدي؟", "ما هي المستندات من عام 2025؟",
                   "ما الملفات التي غيرتها هذا الأسبوع؟", "اعرض كل الفواتير من Aqua"},
        InLanguage{"최신 청구서는 무엇인가요?", "가장 오래된 청구서를 보여줘", "청구서가 몇 개 있나요?",
                   "2025년 문서는 무엇인가요?", "이번 주에 어떤 파일을 수정했나요?", "Aqua의 모든 청구서를 보여줘"},
        InLanguage{"我最新的发票是哪张？", "给我看最早的发票", "我有几张发票？", "哪些文件是2025年的？",
                   "这周我修改了哪些文件？", "列出Aqua的所有发票"},
        InLanguage{"最新の請求書はどれですか？", "一番古い請求書を見せて", "請求書は何枚ありますか？",
                   "2025年の文書はどれですか？", "今週変更したファイルはどれですか？",
                   "Aquaの請求書をすべて一覧にして"}));

}  // namespace
}  // namespace mneme::rag
