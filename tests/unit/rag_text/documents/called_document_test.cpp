#include "rag/text/documents/called_document.h"

#include <gtest/gtest.h>

#include "rag/text/documents/document_kinds.h"

namespace mneme::rag {
namespace {

bool is_called(std::string_view called, std::string_view title, std::string_view file, std::string_view folders) {
  return called_so(called, {.title = title, .file = file, .folders = folders, .beginning = "", .format = ""}) ==
         Called::kSo;
}

TEST(CalledDocument, ByTitleFileAndFolders) {
  EXPECT_TRUE(is_called("PEP 8", "Style Guide", "pep-0008", "peps"));
  EXPECT_FALSE(is_called("PEP 80", "Style Guide", "pep-0008", "peps"));
  EXPECT_TRUE(is_called("the paper on attention", "Attention Is All You Need", "1706.03762", ""));
  EXPECT_TRUE(is_called("ACME invoices of 2024", "Invoice", "17", "Invoices > ACME > 2024"));
  EXPECT_FALSE(is_called("ACME", "Invoice", "17", "Invoices > ACME")) << "a folder alone is no document";
  EXPECT_TRUE(is_called("letter", "", "letter-from-bank", ""));
  EXPECT_FALSE(is_called("letter of the dentist", "", "letter-from-bank", ""));
  EXPECT_FALSE(is_called("the", "The", "the", ""));
}

TEST(CalledDocument, AKindMayBeSaidOtherwiseOrNotAtAll) {
  const DocumentNaming license{
      .title = "GPL-3", .file = "GPL-3", .folders = "", .beginning = "GNU GENERAL PUBLIC LICENSE", .format = "text"};
  EXPECT_EQ(called_so("the GPL-3 license", license), Called::kSo) << "its beginning says so";
  EXPECT_EQ(called_so("GPL-3 licence", license), Called::kSo);
  EXPECT_EQ(called_so("the GPL-3 contract", license), Called::kButForKind);
  EXPECT_EQ(called_so("the GPL-2 license", license), Called::kNot);
  EXPECT_EQ(
      called_so("Rechnung der Werkstatt",
                {.title = "Werkstattrechnung Golf", .file = "", .folders = "Werkstatt", .beginning = "", .format = ""}),
      Called::kSo);
  EXPECT_EQ(called_so("Lisbon emails",
                      {.title = "Re: Lisbon", .file = "17", .folders = "", .beginning = "", .format = "eml"}),
            Called::kSo);
}

TEST(CalledDocument, WithoutATitleByTheFirstLine) {
  DocumentNaming mpl{.title = "MPL-2",
                     .file = "MPL-2",
                     .folders = "",
                     .beginning = "Mozilla Public License Version 2.0\n=====\n\n1. Definitions",
                     .format = "text"};
  EXPECT_EQ(called_so("the Mozilla Public License", mpl), Called::kSo);
  EXPECT_EQ(called_so("the definitions document", mpl), Called::kNot);
  mpl.title = "Another thing";
  EXPECT_EQ(called_so("the Mozilla Public License", mpl), Called::kNot);
}

TEST(CalledDocument, WhereAKindIsNamedSynonymsDo) {
  EXPECT_TRUE(is_called("my tenancy agreement", "", "lease-lindenstrasse", "")) << "a kind";
  EXPECT_TRUE(is_called("the automobile invoice", "Invoice of the car", "", ""));
  EXPECT_FALSE(is_called("the automobile", "Invoice of the car", "", ""));
}

TEST(CalledDocument, OneOfSeveral) {
  const DocumentNaming letter{.title = "", .file = "boiler", .folders = "Letters", .author = "Bank of Bath"};
  EXPECT_TRUE(is_among("letters", letter)) << "the folder says so";
  EXPECT_TRUE(is_among("letter bank", letter));
  EXPECT_TRUE(is_among("", letter));
  EXPECT_FALSE(is_among("letter landlord", letter));
  EXPECT_FALSE(is_among("invoices", letter));
  EXPECT_TRUE(is_among("invoices", {.file = "17", .beginning = "INVOICE no. 17"}));
  EXPECT_TRUE(is_among("pdfs", {.file = "17", .format = "pdf"}));
  EXPECT_TRUE(is_among("mails", {.file = "17", .format = "eml"}));
  EXPECT_FALSE(
      is_among("mails", {.file = "plants", .folders = "mail", .beginning = "Mail: me@x.org", .format = "text"}));
  EXPECT_TRUE(is_among("mails", {.file = "mail of Paul", .format = "pdf"}));
  EXPECT_TRUE(is_among("letters", {.file = "17", .is_letter = true})) << "by its shape";
  EXPECT_FALSE(is_among("letters", {.file = "17", .beginning = "How to write a letter"}));
  EXPECT_TRUE(is_among("statements", {.file = "17", .beginning = "Statement of account", .format = "pdf"}));
}

TEST(DocumentKinds, InAnyFormAndLanguage) {
  EXPECT_TRUE(is_document_kind("invoices"));
  EXPECT_TRUE(is_document_kind("vertrage"));
  EXPECT_TRUE(is_document_kind("factures"));
  EXPECT_FALSE(is_document_kind("boiler"));
  EXPECT_TRUE(is_any_document("files"));
  EXPECT_TRUE(is_of_format("emails", "eml"));
  EXPECT_TRUE(is_told_by_format("emails") && is_told_by_format("spreadsheets"));
  EXPECT_FALSE(is_told_by_format("statements") || is_told_by_format("letters") || is_told_by_format("files"));
  EXPECT_TRUE(is_of_format("nachrichten", "mbox") && is_of_format("prezentacje", "pptx"));
  EXPECT_FALSE(is_of_format("emails", "pdf"));
}

// "List" is a letter in Polish, "not" a note in Turkish, "level" a letter in Hungarian.
TEST(DocumentKinds, WordsOfOtherLanguagesCountInThoseAlone) {
  EXPECT_FALSE(is_document_kind("list") || is_document_kind("not") || is_document_kind("level"));
  EXPECT_TRUE(is_document_kind("list", Language::kPolish) && is_document_kind("level", Language::kHungarian));
  EXPECT_FALSE(is_document_kind("rechnung", Language::kEnglish));
  EXPECT_TRUE(is_document_kind("pdf", Language::kFinnish)) << "called so everywhere";
  EXPECT_TRUE(may_be_several("invoices") && !may_be_one("invoices"));
  EXPECT_TRUE(may_be_several("avtal") && may_be_one("avtal"));
  EXPECT_TRUE(is_found_by_name("invoice") && !is_found_by_name("plan"));
}

}  // namespace
}  // namespace mneme::rag
